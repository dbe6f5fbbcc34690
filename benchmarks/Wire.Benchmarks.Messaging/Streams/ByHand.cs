using System.Buffers.Binary;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Segments;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>
/// Publishes one message again and again by a frame that is there already, but for the publishing ids: what a client cannot be faster than.
/// Confirms are counted.
/// </summary>
internal sealed class HandStreamPublisher : ILinkPublisher
{
    private const int FrameBytes = 1 << 16;

    // Size, key and version, the number of the publisher, and how many entries.
    private const int HeadBytes = StreamFrames.SizeBytes + StreamFrames.HeadBytes + sizeof(byte) + sizeof(int);

    // Below the number from which on the broker stops reading.
    private const int Window = 40_000;

    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly StreamLink _link;
    private readonly long _entries;
    private readonly int _entryBytes;
    private readonly byte[] _frame;
    private readonly int _perFrame;
    private long _sent;
    private long _confirmed;

    private HandStreamPublisher(StreamLink link, byte[] entry, long entries)
    {
        _link = link;
        _entries = entries;
        _entryBytes = sizeof(ulong) + entry.Length;
        _perFrame = Math.Max(1, (FrameBytes - HeadBytes) / _entryBytes);
        _frame = new byte[HeadBytes + (_perFrame * _entryBytes)];
        for (int i = 0; i < _perFrame; i++)
        {
            entry.CopyTo(_frame.AsSpan(HeadBytes + (i * _entryBytes) + sizeof(ulong)));
        }
    }

    /// <summary>Publishes so many, and waits until they are confirmed.</summary>
    public static async Task PublishAsync(StreamLink link, string stream, byte[] message, int messages, int perEntry)
    {
        var publisher = new HandStreamPublisher(link, perEntry == 1 ? Entry(message) : Batch(message, perEntry), messages / perEntry);
        byte id = await link.AddPublisherAsync(publisher, stream, null, CancellationToken.None);
        BinaryPrimitives.WriteUInt32BigEndian(publisher._frame.AsSpan(StreamFrames.SizeBytes), ((uint)CommandKey.Publish << 16) | 1);
        publisher._frame[StreamFrames.SizeBytes + StreamFrames.HeadBytes] = id;
        link.Wake(publisher);
        await publisher._all.Task;
        await link.RemovePublisherAsync(id, publisher, CancellationToken.None);
    }

    /// <inheritdoc/>
    public bool TryTake(out ReadOnlyMemory<byte> frame)
    {
        int count = (int)Math.Min(_perFrame, _entries - _sent);
        if (count == 0 || _sent + count - Volatile.Read(ref _confirmed) > Window)
        {
            frame = default;
            return false;
        }

        for (int i = 0; i < count; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(_frame.AsSpan(HeadBytes + (i * _entryBytes)), ++_sent);
        }

        int length = HeadBytes + (count * _entryBytes);
        BinaryPrimitives.WriteInt32BigEndian(_frame, length - StreamFrames.SizeBytes);
        BinaryPrimitives.WriteInt32BigEndian(_frame.AsSpan(HeadBytes - sizeof(int)), count);
        frame = _frame.AsMemory(0, length);
        return true;
    }

    /// <inheritdoc/>
    public void Settled(ReadOnlySpan<byte> ids, StreamResponseCode code)
    {
        if (code != StreamResponseCode.Ok)
        {
            _all.TrySetException(
                new InvalidOperationException($"The broker has not stored message {BinaryPrimitives.ReadUInt64BigEndian(ids)}: {code}."));
        }
        else if (Interlocked.Add(ref _confirmed, ids.Length / sizeof(ulong)) == _entries)
        {
            _all.TrySetResult();
        }
        else
        {
            _link.Wake(this);
        }
    }

    /// <inheritdoc/>
    public void Ended(Exception reason) => _all.TrySetException(reason);

    private static byte[] Entry(byte[] message)
    {
        byte[] entry = new byte[sizeof(int) + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(entry, message.Length);
        message.CopyTo(entry, sizeof(int));
        return entry;
    }

    // Not compressed: 0x80, how many, their length, and their length once more.
    private static byte[] Batch(byte[] message, int messages)
    {
        const int Head = 11;
        byte[] one = Entry(message);
        byte[] entry = new byte[Head + (messages * one.Length)];
        entry[0] = 0x80;
        BinaryPrimitives.WriteUInt16BigEndian(entry.AsSpan(1), (ushort)messages);
        BinaryPrimitives.WriteInt32BigEndian(entry.AsSpan(3), messages * one.Length);
        BinaryPrimitives.WriteInt32BigEndian(entry.AsSpan(7), messages * one.Length);
        for (int i = 0; i < messages; i++)
        {
            one.CopyTo(entry, Head + (i * one.Length));
        }

        return entry;
    }
}

/// <summary>
/// Consumes on the thread that receives, and does with a chunk as little as can be: its messages are counted, or numbers that are read over
/// a span.
/// </summary>
/// <param name="parse">Whether they are read, and the CRC compared; they must be plain entries then.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="source">Where they are.</param>
internal sealed class HandStreamConsumer(bool parse, int messages, FilledStream source)
    : MessageRow(parse ? "by hand over spans, CRC" : "chunks received, not read", messages), ILinkSubscription
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
        await _link!.SubscribeAsync(
            this, source.Name, StreamOffset.First, Credit, new Dictionary<string, string>(), id => _id = id, CancellationToken.None);
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

    public void Update(uint correlation, bool isActive) =>
        _all.TrySetException(new InvalidOperationException("It is no single active consumer."));

    public void Ended(Exception reason) => _all.TrySetException(reason);

    public override ValueTask CloseAsync() => source.DisposeAsync();

    private static int Read(ReadOnlySpan<byte> chunk)
    {
        ReadOnlySpan<byte> data = chunk.Slice(ChunkHeader.Size, BinaryPrimitives.ReadInt32BigEndian(chunk[36..]));
        return Crc32.Compute(data) == BinaryPrimitives.ReadUInt32BigEndian(chunk[32..])
            ? SpanByHand.Count(data)
            : throw new InvalidOperationException("The CRC is another one.");
    }
}
