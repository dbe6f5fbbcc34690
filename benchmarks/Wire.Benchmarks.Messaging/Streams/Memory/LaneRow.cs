using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.Transport.Threads;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>Takes chunks apart as a consumer does, and hands the messages to a handler by one of a consumer's lanes, on the thread that feeds.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="handling">The handler.</param>
/// <param name="crc">Whether the chunk's CRC is compared.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="feed">The chunks.</param>
internal sealed class LaneRow(string name, StreamHandling handling, bool crc, int messages, ChunkFeed feed)
    : FeedRow(name, crc, messages, feed)
{
    private readonly ChunkMessages _chunk = new("memory", StreamLoad.Serializer, new ChunkReading { CheckCrc = crc });
    private readonly Place _place = new();

    // Lanes ask it whether they are to stop, and nothing of a link.
    private readonly Subscription _subscription = new(null!, new CreditWindow(1, 1), new WorkerThread("not started"));

    public override ValueTask CloseAsync()
    {
        _chunk.Dispose();
        return base.CloseAsync();
    }

    protected override int Take(byte[] chunk)
    {
        long before = handling.Count;
        int next = 0;
        return handling.Lane.Hand(_chunk.Read(chunk, 0, 0).Span, _subscription, _place, ref next, out _) ? -1 : (int)(handling.Count - before);
    }

    // A chunk's reading compares it.
    protected override bool IsIntact(byte[] chunk) => true;
}
