namespace Wire.Amqp.Transport;

/// <summary>
/// What one channel has to send. Frames are written straight into its buffer, those of one command under one hold of the gate: so no other frame
/// of the channel comes between them, and the order on the channel is that of the holds. The writer takes the buffer as a whole.
/// </summary>
/// <param name="writer">What sends it.</param>
/// <param name="gate">Guards it: whoever orders messages before they come here uses the same lock for that.</param>
/// <param name="owner">Is told when there is room again, and adds what it has kept back until the moment of sending.</param>
internal sealed class Outbox(LinkWriter writer, Lock gate, IOutboxOwner owner)
{
    private AmqpBuffer? _buffer;

    // Frames that have to wait for the end of a message which is streamed.
    private AmqpBuffer? _behind;
    private bool _isStreaming;
    private bool _isQueued;
    private bool _isClosed;
    private bool _isSealed;
    private bool _isSealLost;
    private bool _wasFull;
    private long _written;
    private long _sent;
    private SentWaiters _waiters;

    /// <summary>Guards everything here.</summary>
    public Lock Gate => gate;

    /// <summary>How many bytes wait or are being sent. A glance without the gate: what it says may be out of date.</summary>
    public long Unsent => Volatile.Read(ref _written) - Volatile.Read(ref _sent);

    /// <summary>Whether nothing more may be written. With the gate.</summary>
    public bool IsClosed => _isClosed || _isSealed;

    /// <summary>Whether the last frame, of those that sealed it, has been taken by the writer: so the other side gets it.</summary>
    public bool IsSealTaken => _isClosed && _isSealed && !_isSealLost;

    /// <summary>Whether a message is being streamed, which no other may come into. With the gate.</summary>
    public bool IsStreaming => _isStreaming;

    /// <summary>Whether so much waits that publishers should: asking is noting that somebody wants to know when that changes. With the gate.</summary>
    public bool IsFull(long limit)
    {
        bool full = Unsent >= limit;
        _wasFull |= full;
        return full;
    }

    /// <summary>The buffer to write frames into. With the gate.</summary>
    public AmqpBuffer Open() => _isStreaming ? _behind ??= writer.Rent() : _buffer ??= writer.Rent();

    /// <summary>What has been written into the buffer is to be sent. With the gate; true obliges the caller to signal the writer after it.</summary>
    /// <returns>Whether the writer has to be told.</returns>
    public bool Commit(long bytes)
    {
        Volatile.Write(ref _written, _written + bytes);
        if (_isQueued || _isClosed || (_isStreaming && _buffer is null))
        {
            return false;
        }

        return _isQueued = true;
    }

    /// <summary>Where the stream of bytes of this outbox ends by now: a mark to wait for. With the gate.</summary>
    public long Mark => _written;

    /// <summary>Whether everything up to a mark has been sent.</summary>
    public bool HasSent(long mark) => Volatile.Read(ref _sent) >= mark;

    /// <summary>Tells the writer; without the gate.</summary>
    /// <param name="writing">Whether the caller sends, where nobody does.</param>
    /// <param name="mark">Up to where the caller sends.</param>
    public void Signal(FrameWriting writing, long mark)
    {
        if (writing == FrameWriting.Inline)
        {
            writer.SignalInline(this, mark);
        }
        else
        {
            writer.Signal(this);
        }
    }

    /// <summary>Has somebody told when everything up to a mark has been sent. With the gate; false when it has been.</summary>
    public bool TryWait(SentWaiter waiter, long mark)
    {
        if (HasSent(mark) || _isClosed)
        {
            return false;
        }

        waiter.Mark = mark;
        _waiters.Add(waiter);
        return true;
    }

    /// <summary>Begins to stream a message: until its end everything else waits behind it. With the gate.</summary>
    public void BeginStream() => _isStreaming = true;

    /// <summary>Hands over a piece of the message that is streamed. With the gate.</summary>
    public bool CommitStreamed(AmqpBuffer piece)
    {
        if (_buffer is not null)
        {
            throw new InvalidOperationException("The piece before has not been taken.");
        }

        _buffer = piece;
        return Commit(piece.Length);
    }

    /// <summary>Ends the message that is streamed, and lets follow what waits behind it. With the gate.</summary>
    /// <returns>Whether the writer has to be told.</returns>
    public bool EndStream()
    {
        _isStreaming = false;
        if (_buffer is null)
        {
            (_buffer, _behind) = (_behind, null);
        }

        return _buffer is not null && Commit(0);
    }

    /// <summary>What has been written last closes the channel, and the other side takes no frame behind it. With the gate.</summary>
    public void Seal() => _isSealed = true;

    /// <summary>The writer takes what there is.</summary>
    /// <returns>The buffer, which the writer gives back when it has been sent; null when there is nothing.</returns>
    public AmqpBuffer? Take()
    {
        lock (gate)
        {
            _isQueued = false;
            if (_isClosed)
            {
                return null;
            }

            if (!_isStreaming && !_isSealed && owner.HasKeptBack)
            {
                AmqpBuffer output = Open();
                long start = output.Length;
                owner.WriteKeptBack(output);
                Volatile.Write(ref _written, _written + output.Length - start);
            }

            AmqpBuffer? taken = _buffer;
            _buffer = null;
            return taken;
        }
    }

    /// <summary>So many bytes of what was taken have been sent.</summary>
    public void Sent(long bytes)
    {
        SentWaiters done = default;
        bool again = false;
        bool hasRoom;
        lock (gate)
        {
            Volatile.Write(ref _sent, _sent + bytes);
            if (!_waiters.IsEmpty)
            {
                done = _waiters.TakeUpTo(_sent);
            }

            // What was written behind a streamed message that has ended meanwhile.
            if (!_isStreaming && _behind is not null && _buffer is null)
            {
                (_buffer, _behind) = (_behind, null);
                again = Commit(0);
            }

            hasRoom = _wasFull;
            _wasFull = false;
        }

        if (again)
        {
            writer.Signal(this);
        }

        done.Complete(null);
        if (hasRoom)
        {
            owner.RoomMade();
        }
    }

    /// <summary>Nothing more is sent.</summary>
    public void Close(Exception reason)
    {
        SentWaiters lost;
        lock (gate)
        {
            if (_isClosed)
            {
                return;
            }

            _isClosed = true;
            _isSealLost = (_buffer ?? _behind) is not null;
            lost = _waiters.TakeUpTo(long.MaxValue);
            writer.Return(_buffer);
            writer.Return(_behind);
            (_buffer, _behind) = (null, null);
        }

        lost.Complete(reason);
    }
}

/// <summary>Whose outbox it is.</summary>
internal interface IOutboxOwner
{
    /// <summary>Whether something has been kept back that is to go with the next send. Cheap, and with the gate of the outbox.</summary>
    bool HasKeptBack { get; }

    /// <summary>Writes the frames that were kept back. With the gate of the outbox.</summary>
    void WriteKeptBack(AmqpBuffer output);

    /// <summary>Less waits than before, where somebody had asked. Without the gate.</summary>
    void RoomMade();
}
