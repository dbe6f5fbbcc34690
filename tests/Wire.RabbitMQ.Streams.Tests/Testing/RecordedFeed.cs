using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;
using Wire.Transport.Sockets;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>
/// Plays chunks from memory to one consumer over and over, as if they were received: what a consumer costs, without a socket and a broker.
/// It answers what a consumer asks, sends a chunk for each credit, and counts their offsets on. One link, for one consumer.
/// </summary>
/// <param name="chunks">The chunks, with their headers.</param>
/// <param name="count">How many chunks to play; then nothing more comes.</param>
internal sealed class RecordedFeed(IReadOnlyList<byte[]> chunks, long count) : ILinkBytes, IConsumerLinks
{
    // Size, key, version and the number of the subscription.
    private const int DeliverHead = 4 + 2 + 2 + 1;
    private const int FirstOffsetAt = 24;
    private const int RecordsAt = 4;

    private readonly object _gate = new();
    private readonly Queue<byte[]> _answers = [];
    private readonly byte[] _head = new byte[DeliverHead + ChunkHeader.Size];
    private long _credit;
    private long _played;
    private ulong _offset;
    private byte _subscription;
    private bool _isAborted;

    // What is being played, and how much of it has been.
    private byte[]? _playing;
    private bool _isChunk;
    private int _position;

    /// <summary>Called on the receive loop before each receive.</summary>
    public Action? Receiving { get; set; }

    public bool ReceivesOnThread => true;

    public bool IsClosed => false;

    public Task<StreamLink> RentAsync(CancellationToken cancellationToken) =>
        Task.FromResult(StreamLink.Attach(new LinkSocket(this, new BrokerEndpoint("memory", 1)), new StreamClientOptions()));

    public Task ReturnAsync(StreamLink link) => link.CloseAsync();

    public int Receive(Memory<byte> buffer)
    {
        Receiving?.Invoke();
        Span<byte> free = buffer.Span;
        int filled = 0;
        while (filled < free.Length && TryBegin(mayWait: filled == 0))
        {
            filled += Copy(free[filled..]);
        }

        return filled;
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => new(Receive(buffer));

    public void Send(ReadOnlySequence<byte> bytes)
    {
        ReadOnlySpan<byte> all = bytes.IsSingleSegment ? bytes.FirstSpan : bytes.ToArray();
        while (!all.IsEmpty)
        {
            int size = BinaryPrimitives.ReadInt32BigEndian(all);
            Take(all.Slice(sizeof(int), size));
            all = all[(sizeof(int) + size)..];
        }
    }

    public ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        Send(bytes);
        return default;
    }

    public void Abort()
    {
        lock (_gate)
        {
            _isAborted = true;
            Monitor.PulseAll(_gate);
        }
    }

    public void Dispose() => Abort();

    private void Take(ReadOnlySpan<byte> frame)
    {
        var key = (CommandKey)BinaryPrimitives.ReadUInt16BigEndian(frame);
        ReadOnlySpan<byte> fields = frame[4..];
        lock (_gate)
        {
            switch (key)
            {
                case CommandKey.Credit:
                    _credit += BinaryPrimitives.ReadUInt16BigEndian(fields[1..]);
                    break;
                case CommandKey.Subscribe:
                    Subscribe subscribe = StreamFrames.Read<Subscribe>(fields[4..]);
                    _subscription = subscribe.SubscriptionId;
                    Answer(key, fields);
                    _credit += subscribe.Credit;
                    break;
                case CommandKey.Unsubscribe:
                    _credit = 0;
                    Answer(key, fields);
                    break;
                case CommandKey.Close:
                    Answer(key, fields);
                    break;
                default:
                    throw new InvalidOperationException($"A feed knows nothing of {key}.");
            }

            Monitor.PulseAll(_gate);
        }
    }

    private void Answer(CommandKey key, ReadOnlySpan<byte> fields)
    {
        using var buffer = new AmqpBuffer();
        StreamFrames.WriteResponse(buffer, key, BinaryPrimitives.ReadUInt32BigEndian(fields), StreamResponseCode.Ok, default(Nothing));
        _answers.Enqueue(buffer.Written.ToArray());
    }

    // Finds what to play next, unless something is being played.
    private bool TryBegin(bool mayWait)
    {
        if (_playing is not null)
        {
            return true;
        }

        lock (_gate)
        {
            while (true)
            {
                ObjectDisposedException.ThrowIf(_isAborted, this);
                if (_answers.TryDequeue(out byte[]? answer))
                {
                    (_playing, _isChunk, _position) = (answer, false, 0);
                    return true;
                }

                if (_credit > 0 && _played < count)
                {
                    _credit--;
                    BeginChunk(chunks[(int)(_played++ % chunks.Count)]);
                    return true;
                }

                if (!mayWait)
                {
                    return false;
                }

                Monitor.Wait(_gate);
            }
        }
    }

    private void BeginChunk(byte[] chunk)
    {
        (_playing, _isChunk, _position) = (chunk, true, 0);
        BinaryPrimitives.WriteInt32BigEndian(_head, DeliverHead - sizeof(int) + chunk.Length);
        BinaryPrimitives.WriteUInt16BigEndian(_head.AsSpan(4), (ushort)CommandKey.Deliver);
        BinaryPrimitives.WriteUInt16BigEndian(_head.AsSpan(6), 1);
        _head[8] = _subscription;
        chunk.AsSpan(0, ChunkHeader.Size).CopyTo(_head.AsSpan(DeliverHead));
        BinaryPrimitives.WriteUInt64BigEndian(_head.AsSpan(DeliverHead + FirstOffsetAt), _offset);
        _offset += BinaryPrimitives.ReadUInt32BigEndian(chunk.AsSpan(RecordsAt));
    }

    private int Copy(Span<byte> free)
    {
        // A chunk is played with a head of its own, and the rest as it is.
        bool inHead = _isChunk && _position < _head.Length;
        ReadOnlySpan<byte> left = inHead ? _head.AsSpan(_position) : _playing.AsSpan(_position - (_isChunk ? DeliverHead : 0));
        int length = Math.Min(left.Length, free.Length);
        left[..length].CopyTo(free);
        _position += length;
        if (_position == _playing!.Length + (_isChunk ? DeliverHead : 0))
        {
            _playing = null;
        }

        return length;
    }
}
