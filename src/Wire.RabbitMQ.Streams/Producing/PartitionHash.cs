using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using System.Text;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Selects the partition of a super stream for a routing key, like all clients.</summary>
internal static class PartitionHash
{
    private const uint C1 = 0xcc9e2d51;
    private const uint C2 = 0x1b873593;

    // The seed that all clients use.
    private const uint Seed = 104_729;

    // The bytes of longer keys are in a rented array.
    private const int MaxStack = 256;

    /// <param name="key">The routing key.</param>
    /// <param name="partitions">The number of partitions, at least one.</param>
    /// <returns>The number of the partition in the order in which the broker lists them.</returns>
    public static int Compute(string key, int partitions)
    {
        int most = Encoding.UTF8.GetMaxByteCount(key.Length);
        byte[]? rented = most <= MaxStack ? null : ArrayPool<byte>.Shared.Rent(most);
        Span<byte> bytes = rented ?? stackalloc byte[MaxStack];
        int length = Encoding.UTF8.GetBytes(key, bytes);
        uint hash = Murmur3(bytes[..length], Seed);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return (int)(hash % (uint)partitions);
    }

    /// <summary>MurmurHash3 for x86 with 32 bits (Austin Appleby).</summary>
    internal static uint Murmur3(ReadOnlySpan<byte> bytes, uint seed)
    {
        uint hash = seed;
        ReadOnlySpan<byte> rest = bytes;
        for (; rest.Length >= sizeof(uint); rest = rest[sizeof(uint)..])
        {
            hash ^= Mix(BinaryPrimitives.ReadUInt32LittleEndian(rest));
            hash = (BitOperations.RotateLeft(hash, 13) * 5) + 0xe6546b64;
        }

        // The rest of a word is padded with zeros, and a zero mixes to zero.
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
