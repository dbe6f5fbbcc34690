using System.Buffers;
using System.Text;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Which partition of a super stream a routing key belongs to: the one that all clients choose.</summary>
internal static class PartitionHash
{
    // What the clients have agreed on.
    private const uint Seed = 104_729;

    // Of longer keys the bytes are in a rented array.
    private const int MaxStack = 256;

    /// <param name="key">The routing key.</param>
    /// <param name="partitions">How many partitions there are, at least one.</param>
    /// <returns>The number of the partition in the order in which the broker lists them.</returns>
    public static int Of(string key, int partitions)
    {
        int most = Encoding.UTF8.GetMaxByteCount(key.Length);
        byte[]? rented = most <= MaxStack ? null : ArrayPool<byte>.Shared.Rent(most);
        Span<byte> bytes = rented ?? stackalloc byte[MaxStack];
        int length = Encoding.UTF8.GetBytes(key, bytes);
        uint hash = Murmur3.Hash(bytes[..length], Seed);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return (int)(hash % (uint)partitions);
    }
}
