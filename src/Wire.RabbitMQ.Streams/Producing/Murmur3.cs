using System.Buffers.Binary;
using System.Numerics;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>MurmurHash3 for x86 with 32 bits (Austin Appleby), by which the clients of super streams agree on the partition of a routing key.</summary>
internal static class Murmur3
{
    private const uint C1 = 0xcc9e2d51;
    private const uint C2 = 0x1b873593;

    public static uint Hash(ReadOnlySpan<byte> bytes, uint seed)
    {
        uint hash = seed;
        ReadOnlySpan<byte> rest = bytes;
        for (; rest.Length >= sizeof(uint); rest = rest[sizeof(uint)..])
        {
            hash ^= Mix(BinaryPrimitives.ReadUInt32LittleEndian(rest));
            hash = (BitOperations.RotateLeft(hash, 13) * 5) + 0xe6546b64;
        }

        // What is left of a word has zeros behind it, and a zero mixes to zero.
        Span<byte> tail = stackalloc byte[sizeof(uint)];
        tail.Clear();
        rest.CopyTo(tail);
        hash ^= Mix(BinaryPrimitives.ReadUInt32LittleEndian(tail));

        hash ^= (uint)bytes.Length;
        hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
        return hash ^ (hash >> 16);
    }

    private static uint Mix(uint word) => BitOperations.RotateLeft(word * C1, 15) * C2;
}
