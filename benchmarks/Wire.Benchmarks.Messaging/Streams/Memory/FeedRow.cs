using System.Buffers.Binary;
using Wire.Benchmarks.Messaging.Tables;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>Takes chunks of a feed apart, one after the other, and makes sure that all messages were seen.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="crc">Whether the chunk's CRC is compared first.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="feed">The chunks.</param>
internal abstract class FeedRow(string name, bool crc, int messages, ChunkFeed feed)
    : MessageRow($"{name}{(crc ? ", CRC" : "")}", messages / ChunkFeed.PerChunk * ChunkFeed.PerChunk)
{
    public override Task RunAsync()
    {
        int seen = 0;
        for (int i = 0; seen < Messages; i++)
        {
            byte[] chunk = feed.All[i % feed.All.Count];
            int count = crc && !IsIntact(chunk) ? -1 : Take(chunk);
            if (count != ChunkFeed.PerChunk)
            {
                throw new InvalidOperationException($"{Name} has seen {count} messages of {ChunkFeed.PerChunk}.");
            }

            seen += count;
        }

        return Task.CompletedTask;
    }

    /// <summary>Takes a chunk apart.</summary>
    /// <returns>How many messages were what they should be.</returns>
    protected abstract int Take(byte[] chunk);

    /// <summary>Whether the chunk's CRC is right.</summary>
    protected virtual bool IsIntact(byte[] chunk) =>
        Crc32.Compute(chunk.AsSpan(ChunkHeader.Size)) == BinaryPrimitives.ReadUInt32BigEndian(chunk.AsSpan(32));
}
