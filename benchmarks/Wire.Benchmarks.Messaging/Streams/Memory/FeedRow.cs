using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>Takes chunks of a feed apart, one after the other, and makes sure that all messages were seen.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="feed">The chunks.</param>
internal abstract class FeedRow(string name, int messages, ChunkFeed feed) : MessageRow(name, messages / ChunkFeed.PerChunk * ChunkFeed.PerChunk)
{
    public override Task RunAsync()
    {
        int seen = 0;
        for (int i = 0; seen < Messages; i++)
        {
            int count = Take(feed.All[i % feed.All.Count]);
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
}
