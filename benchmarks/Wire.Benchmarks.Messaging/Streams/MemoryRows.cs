using System.Buffers;
using System.Buffers.Binary;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Failures;
using Wire.RabbitMQ.Streams.Tests.Testing;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>Chunks in memory, as a broker writes them when many messages come.</summary>
internal sealed class ChunkFeed
{
    /// <summary>How many messages a chunk has.</summary>
    public const int PerChunk = 4_000;

    // Some hundred KiB together: in the caches, as it is with what has just been received.
    private const int Chunks = 8;

    public ChunkFeed(StreamLoad load) => All = [.. Enumerable.Range(0, Chunks).Select(i => Chunk(load.Message, (ulong)i * PerChunk))];

    public IReadOnlyList<byte[]> All { get; }

    private static byte[] Chunk(byte[] message, ulong offset)
    {
        int entry = sizeof(int) + message.Length;
        byte[] chunk = new byte[ChunkHeader.Size + (PerChunk * entry)];
        Span<byte> data = chunk.AsSpan(ChunkHeader.Size);
        for (int i = 0; i < PerChunk; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(data[(i * entry)..], message.Length);
            message.CopyTo(data[((i * entry) + sizeof(int))..]);
        }

        chunk[0] = 0x50;
        BinaryPrimitives.WriteUInt16BigEndian(chunk.AsSpan(2), PerChunk);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(4), PerChunk);
        BinaryPrimitives.WriteInt64BigEndian(chunk.AsSpan(8), 1_700_000_000_000);
        BinaryPrimitives.WriteUInt64BigEndian(chunk.AsSpan(16), 1);
        BinaryPrimitives.WriteUInt64BigEndian(chunk.AsSpan(24), offset);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(32), Crc32.Compute(data));
        BinaryPrimitives.WriteInt32BigEndian(chunk.AsSpan(36), data.Length);
        return chunk;
    }
}

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

/// <summary>Numbers by hand over a span: what nothing can be faster than.</summary>
internal sealed class SpanByHand(bool crc, int messages, ChunkFeed feed) : FeedRow("by hand over a span", crc, messages, feed)
{
    protected override int Take(byte[] chunk) => Count(chunk.AsSpan(ChunkHeader.Size));

    /// <summary>Counts the numbers in the data of a chunk.</summary>
    public static int Count(ReadOnlySpan<byte> data)
    {
        int count = 0;
        while (!data.IsEmpty)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(data);
            if (BinaryPrimitives.ReadInt64BigEndian(data[sizeof(int)..]) == StreamLoad.Number)
            {
                count++;
            }

            data = data[(sizeof(int) + length)..];
        }

        return count;
    }
}

/// <summary>Objects by hand over a span, from a data section whose head is known.</summary>
internal sealed class ObjectsByHand(int messages, ChunkFeed feed)
    : FeedRow("by hand over a span, and the serializer", crc: false, messages, feed)
{
    protected override int Take(byte[] chunk)
    {
        ReadOnlySpan<byte> data = chunk.AsSpan(ChunkHeader.Size);
        int head = StreamLoad.Object.Message.Length - StreamLoad.Payload.Length;
        int count = 0;
        while (!data.IsEmpty)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(data);
            if (StreamLoad.Serializer.Deserialize<Poco>(data.Slice(sizeof(int) + head, length - head))!.IntProp == StreamLoad.Poco.IntProp)
            {
                count++;
            }

            data = data[(sizeof(int) + length)..];
        }

        return count;
    }
}

/// <summary>
/// Takes chunks apart as a consumer does, and hands the messages to a handler by one of a consumer's ways of handling, on the thread that
/// feeds.
/// </summary>
/// <param name="name">What the row is called.</param>
/// <param name="handling">The handler.</param>
/// <param name="crc">Whether the chunk's CRC is compared.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="feed">The chunks.</param>
internal sealed class LaneRow(string name, StreamHandling handling, bool crc, int messages, ChunkFeed feed)
    : FeedRow(name, crc, messages, feed)
{
    private readonly ChunkMessages _chunk = new("memory", StreamLoad.Serializer, new ChunkReading { CheckCrc = crc });
    private readonly StreamPosition _position = new(StreamOffset.First);

    // The dispatch asks it only whether to stop.
    private readonly Subscription _subscription = new(null!, new CreditWindow(1, 1), new OwnThread("not started"));

    public override ValueTask CloseAsync()
    {
        _chunk.Dispose();
        return base.CloseAsync();
    }

    protected override int Take(byte[] chunk)
    {
        long before = handling.Count;
        int next = 0;
        return handling.Dispatch.CallHandler(_chunk.Read(chunk, 0, 0).Span, _subscription, _position, spans: null, ref next, out _)
            ? -1
            : (int)(handling.Count - before);
    }

    // A chunk's reading compares it.
    protected override bool IsIntact(byte[] chunk) => true;
}

/// <summary>
/// A whole consumer, from the receive loop to the handler, with chunks that are received from memory: what it costs beside a broker and a
/// socket. What is received is copied from the feed, as the system copies from a socket.
/// </summary>
/// <param name="name">What the row is called.</param>
/// <param name="handling">The handler.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="feed">The chunks.</param>
internal sealed class ConsumerRow(string name, StreamHandling handling, int messages, ChunkFeed feed)
    : MessageRow($"whole consumer, {name}, CRC", messages / ChunkFeed.PerChunk * ChunkFeed.PerChunk)
{
    public override async Task RunAsync()
    {
        Task all = handling.MoreAsync(Messages);
        var source = new RecordedFeed(feed.All, Messages / ChunkFeed.PerChunk);
        var options = new StreamClientOptions { Serializer = StreamLoad.Serializer };
        var reading = new StreamConsumerOptions { Offset = StreamOffset.First, Where = handling.Where };
        var consumer = new StreamConsumer(
            source, options, "memory", handling.Dispatch, reading, new ErrorStream(new StreamClient(options), "memory", reading));
        await consumer.StartAsync(CancellationToken.None);
        await await Task.WhenAny(all, consumer.Completion);
        await consumer.CloseAsync();
    }
}
