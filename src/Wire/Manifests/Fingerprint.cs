using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Wire.Manifests;

/// <summary>Four bytes that tell schemas apart: the beginning of a SHA-256 over the name and the schema.</summary>
internal static class Fingerprint
{
    public static uint Compute(string name, byte[] schema)
    {
        byte[] hash = SHA256.HashData([.. Encoding.UTF8.GetBytes(name), 0, .. schema]);
        return BinaryPrimitives.ReadUInt32LittleEndian(hash);
    }
}
