using System.Buffers.Binary;
using System.Numerics;
using Wire.Errors;

namespace Wire.Manifests;

/// <summary>
/// The four bytes behind a definition in a session, by which a reader sees damage: later messages mean what the definition says, so damage
/// would change them without a trace. They are the CRC-32C (RFC 3720, appendix B.4) of the identifier, as four bytes, and the manifest.
/// </summary>
internal static class DefinitionCheck
{
    /// <summary>The number of bytes.</summary>
    public const int Size = sizeof(uint);

    public static uint Compute(uint identifier, ReadOnlySpan<byte> manifest)
    {
        uint crc = BitOperations.Crc32C(uint.MaxValue, identifier);
        while (manifest.Length >= sizeof(ulong))
        {
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(manifest));
            manifest = manifest[sizeof(ulong)..];
        }

        foreach (byte rest in manifest)
        {
            crc = BitOperations.Crc32C(crc, rest);
        }

        return ~crc;
    }

    /// <summary>Checks a definition.</summary>
    /// <param name="identifier">The identifier.</param>
    /// <param name="manifest">The manifest.</param>
    /// <param name="check">The bytes behind it.</param>
    /// <exception cref="WireFormatException">It is damaged.</exception>
    public static void Verify(uint identifier, ReadOnlySpan<byte> manifest, ReadOnlySpan<byte> check)
    {
        if (BinaryPrimitives.ReadUInt32LittleEndian(check) != Compute(identifier, manifest))
        {
            ThrowHelper.Format(
                WireFormatError.Manifest,
                $"The definition of type {identifier} is damaged: it does not fit the check behind it.");
        }
    }
}
