using System.Buffers.Binary;
using Wire.Benchmarks.Messaging.Streams.Memory;
using Wire.Benchmarks.Messaging.Tables;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.Transport.Segments;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>Consumes on the thread that receives, and does with a chunk as little as can be: its messages are counted, or numbers that are read over a span.</summary>
/// <param name="parse">Whether they are read, and the CRC compared; they must be plain entries then.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="source">Where they are.</param>
internal sealed class HandStreamConsumer(bool parse, int messages, FilledStream source) : MessageRow(parse ? "by hand over spans, CRC" : "chunks received, not read", messages), ILinkSubscription
{
    private const ushort Credit = 16;

    private StreamLink? _link;
    private TaskCompletionSource _all = new();
    private byte _id;
    private long _seen;
    private ushort _owed;

    public override Task OpenAsync() => source.OpenAsync(Messages);

    public override async Task PrepareAsync()
    {
        _link = await source.Broker.OpenAsync();
        _seen = 0;
        _owed = 0;
        _all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public override async Task RunAsync()
    {
        await _link!.SubscribeAsync(this, source.Name, StreamOffset.First, Credit, new Dictionary<string, string>(), id => _id = id, CancellationToken.None);
        await _all.Task;
        await _link.CloseAsync();
    }

    public void Deliver(ReadOnlyMemory<byte> chunk, long offset, ReceiveSegment segment)
    {
        _seen += parse ? Read(chunk.Span) : ChunkHeader.Read(chunk.Span, offset).Records;
        segment.Release();
        if (++_owed == Credit / 2)
        {
            _link!.Credit(_id, _owed);
            _owed = 0;
        }

        if (_seen == Messages)
        {
            _all.TrySetResult();
        }
    }

    public void Update(uint correlation, bool isActive) => _all.TrySetException(new InvalidOperationException("It is no single active consumer."));

    public void Ended(Exception reason) => _all.TrySetException(reason);

    public override ValueTask CloseAsync() => source.DisposeAsync();

    private static int Read(ReadOnlySpan<byte> chunk)
    {
        ReadOnlySpan<byte> data = chunk.Slice(ChunkHeader.Size, BinaryPrimitives.ReadInt32BigEndian(chunk[36..]));
        return Crc32.Compute(data) == BinaryPrimitives.ReadUInt32BigEndian(chunk[32..]) ? SpanByHand.Count(data) : throw new InvalidOperationException("The CRC is another one.");
    }
}
