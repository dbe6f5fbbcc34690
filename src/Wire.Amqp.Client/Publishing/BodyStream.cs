using System.Buffers;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Channels;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// The rest of a body that is too large to be gathered. It is serialized a second time: the part that has been sent is skipped, and the
/// rest is sent in pieces as it is written, while the writing thread waits for the socket. So at most four pieces exist: one being written,
/// two waiting, one being sent.
/// </summary>
internal sealed class BodyStream(SendQueue sendQueue) : IBufferWriter<byte>
{
    /// <summary>The size of the pieces, roughly.</summary>
    public const int PieceSize = 1 << 18;

    private readonly object _taking = new();
    private bool _mayGoOn;
    private Scratch _scratch;
    private AmqpBuffer? _piece;
    private ushort _channel;
    private int _frameMax;
    private MessageParts _parts;
    private FrameWriting _writing;
    private UnwrittenPublication? _publication;
    private long _total;
    private int _handedOut;

    /// <summary>The piece before has been taken, or nothing is taken any more, or waiting is off.</summary>
    public void MayGoOn()
    {
        lock (_taking)
        {
            _mayGoOn = true;
            Monitor.Pulse(_taking);
        }
    }

    /// <summary>
    /// Writes the rest of a message whose first part has been committed. Without the gate of the send queue; its thread waits.
    /// </summary>
    /// <exception cref="IOException">The send queue has been closed.</exception>
    /// <exception cref="InvalidOperationException">The body has another length than it had before.</exception>
    /// <remarks>
    /// After a failure the message cannot be completed, and so nothing else can be sent. When its publication is cancelled, the thread does
    /// not wait any more: the rest is copied, because the caller owns the object again, and a message that was started must be completed.
    /// </remarks>
    public void Write<TContent>(in TContent content, in MessageParts parts, ChannelSession session, UnwrittenPublication publication)
        where TContent : struct, IContent
    {
        (_parts, _channel, _frameMax, _writing, _total) = (parts, session.Number, session.FrameMax, publication.Writing, 0);
        _publication = publication;
        bool isHandedOver = false;
        try
        {
            var target = new Target(this);
            content.WriteTo(ref target);
            if (_total != _parts.BodySize)
            {
                throw Changed();
            }

            // After the last piece this may belong to another message already.
            _scratch.Return();
            QueuePart(isLast: true);
            isHandedOver = true;
        }
        finally
        {
            if (!isHandedOver)
            {
                sendQueue.Writer.Return(_piece);
                _piece = null;
                _scratch.Return();
            }
        }
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0) => IsPassingOver ? Window(sizeHint) : Piece().GetMemory(sizeHint);

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => IsPassingOver ? Window(sizeHint).Span : Piece().GetSpan(sizeHint);

    /// <inheritdoc/>
    public void Advance(int count)
    {
        if (!IsPassingOver)
        {
            _piece!.BodyFrames.Advance(count);
            Add(count);
            return;
        }

        if ((uint)count > (uint)_handedOut)
        {
            throw new ArgumentOutOfRangeException(
                nameof(count), count, $"The body can be advanced by 0 to {_handedOut} bytes, as many as it has handed out.");
        }

        int over = (int)Math.Min(count, _parts.Gathered - _total);
        _handedOut = 0;
        _total += over;
        if (over < count)
        {
            this.Write(_scratch.GetMemory(count).Span[over..count]);
        }
    }

    private bool IsPassingOver => _total < _parts.Gathered;

    private void Write(in ReadOnlySequence<byte> body)
    {
        long over = Math.Min(body.Length, _parts.Gathered - _total);
        _total += over;
        foreach (ReadOnlyMemory<byte> part in body.Slice(over))
        {
            this.Write(part.Span);
        }
    }

    // Ends where the gathered part ends, unless more is requested.
    private Memory<byte> Window(int sizeHint)
    {
        Memory<byte> window = _scratch.GetMemory(sizeHint);
        _handedOut = (int)Math.Min(window.Length, Math.Max(sizeHint, _parts.Gathered - _total));
        return window[.._handedOut];
    }

    // The last bytes of the body are kept until it is known that they are the last: a message of the right length cannot be distinguished
    // from a complete one.
    private BodyFrames Piece()
    {
        if (_piece is { } piece && piece.Length >= PieceSize && _total < _parts.BodySize)
        {
            QueuePart(isLast: false);
        }

        if (_piece is null)
        {
            _piece = sendQueue.Writer.Rent();
            _piece.BodyFrames.BeginBody(_channel, _frameMax);
        }

        return _piece.BodyFrames;
    }

    private void Add(int count)
    {
        _total += count;
        if (_total > _parts.BodySize)
        {
            throw Changed();
        }
    }

    private void QueuePart(bool isLast)
    {
        FrameWriting writing = _writing;
        _piece!.BodyFrames.Finish();
        bool signal;
        long position;
        while (!TryHandOver(isLast, out signal, out position))
        {
            lock (_taking)
            {
                while (!_mayGoOn)
                {
                    Monitor.Wait(_taking);
                }
            }
        }

        if (signal)
        {
            sendQueue.Signal(writing, position);
        }
    }

    private bool TryHandOver(bool isLast, out bool signal, out long position)
    {
        lock (sendQueue.Gate)
        {
            if (sendQueue.TryCommitStreamed(_piece!, isLast, mayWait: !_publication!.IsAbandoned, out signal))
            {
                position = sendQueue.Position;
                _piece = null;
                return true;
            }

            position = 0;
            lock (_taking)
            {
                _mayGoOn = _publication!.IsAbandoned;
            }

            return false;
        }
    }

    private InvalidOperationException Changed() => new(
        $"The body had {_parts.BodySize} bytes when it was measured, and {(_total > _parts.BodySize ? "more" : _total)} when it was " +
        $"sent: the object was changed in between, or is not written the same way each time. Do not change it until its publish has " +
        $"completed, or raise {nameof(AmqpConnectionOptions.StreamAbove)}, above which bodies are measured first.");

    private readonly struct Target(BodyStream stream) : IBodyTarget
    {
        public IBufferWriter<byte> BeginBody(AmqpString contentEncoding) => stream;

        public void Write(in ReadOnlySequence<byte> body) => stream.Write(in body);

        public long EndBody() => stream._total;

        public void Undo() => throw new InvalidOperationException("A part that was sent cannot be taken back.");
    }
}
