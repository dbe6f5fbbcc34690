using System.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// The frames that one channel has to send. Frames are written straight into its buffer. Those of one command are written under one hold of
/// the gate, so that no other frame of the channel comes between them, and commands are sent in the order of the holds. The writer takes a
/// buffer as a whole; when that is full, the next one is started.
/// </summary>
/// <param name="writer">The writer of the link.</param>
/// <param name="gate">The lock that guards it, with which messages are ordered before they come here.</param>
/// <param name="owner">Notified when there is room again; then it adds the acknowledgements that it holds back.</param>
internal sealed class SendQueue(LinkWriter writer, Lock gate, ISendQueueOwner? owner)
{
    // The size of a full buffer, which is a channel's share of the link while others wait. The message that reaches it is still written to
    // it.
    private const int FullBuffer = 1 << 18;

    private const int Spins = 500;
    private const int SpinsBetween = 5;

    // The full buffers, and the one that is being written.
    private readonly Queue<AmqpBuffer> _full = new();
    private AmqpBuffer? _buffer;

    // Frames that wait for the end of a streamed message, and then until its last piece has been taken.
    private AmqpBuffer? _behind;
    private BodyStream? _stream;
    private bool _isStreaming;
    private bool _isQueued;
    private bool _isLingering;
    private bool _isSealed;
    private bool _isSealLost;
    private long _written;
    private long _sent;

    // The position up to which the writer has taken, and the start and end of the last streamed message.
    private long _takenUpTo;
    private long _streamStart;
    private long _streamEnd;

    // How many buffers the writer has taken and not sent.
    private int _taken;

    // True if a caller waits for a position to be sent, or for room. The writer does not need the gate
    // otherwise.
    private volatile bool _isWatched;
    private bool _wasFull;
    private volatile Exception? _closed;
    private OperationQueue<Queued> _waiters;

    /// <summary>Guards everything here.</summary>
    public Lock Gate => gate;

    /// <summary>Gets the number of bytes that wait or are being sent. A snapshot without the gate: it may be out of date.</summary>
    public long Unsent => Volatile.Read(ref _written) - Volatile.Read(ref _sent);

    /// <summary>Says whether nothing more may be written. With the gate.</summary>
    public bool IsClosed => _closed is not null || _isSealed;

    /// <summary>Says whether the writer has taken anything: otherwise the other side has received nothing.</summary>
    public bool HasBegun => Volatile.Read(ref _takenUpTo) != 0;

    /// <summary>
    /// Says whether it was closed between two messages before its last frame was taken, so that this frame can still be sent in another
    /// way.
    /// </summary>
    public bool IsSealMissing => _isSealLost && _isSealed && !(_takenUpTo > _streamStart && _takenUpTo < _streamEnd);

    /// <summary>
    /// Writes the rest of a message that is too large to be gathered; one at a time, and after <see cref="BeginStream"/>.
    /// </summary>
    public BodyStream Stream => _stream ?? throw new InvalidOperationException("No message is being streamed.");

    /// <summary>Gets the writer that sends it.</summary>
    public LinkWriter Writer => writer;

    /// <summary>Says whether a message is being streamed, which no other may come into. With the gate.</summary>
    public bool IsStreaming => _isStreaming;

    /// <summary>
    /// Says whether so much waits that publishers should wait too, and notes that the caller is to be notified when that changes. With the
    /// gate.
    /// </summary>
    public bool IsFull(long limit)
    {
        AssertTurn();
        if (Unsent < limit)
        {
            return false;
        }

        _wasFull = true;
        Watch();
        return Unsent >= limit;
    }

    /// <summary>The buffer to write frames into. With the gate.</summary>
    /// <exception cref="InvalidOperationException">
    /// It is in the middle of a message: this is called by the serializer of its body.
    /// </exception>
    public AmqpBuffer Open()
    {
        AssertTurn();
        if (_isStreaming || _behind is not null)
        {
            _behind ??= writer.Rent();
            _behind.ThrowIfInMessage();
            return _behind;
        }

        _buffer?.ThrowIfInMessage();
        if (_buffer is { Length: >= FullBuffer })
        {
            PutAway();
        }

        return _buffer ??= writer.Rent();
    }

    /// <summary>
    /// Has the frames sent that were written into the buffer. With the gate; true obliges the caller to signal the writer after it.
    /// </summary>
    /// <returns>Whether the writer has to be woken.</returns>
    /// <param name="bytes">How many bytes.</param>
    /// <param name="mayLinger">True if it may wait for more to be sent with it; the caller flushes soon then.</param>
    public bool Commit(long bytes, bool mayLinger = false)
    {
        AssertTurn();
        if (_isStreaming)
        {
            // Counted when its turn has come: bytes are sent in the order in which they are counted.
            return false;
        }

        Volatile.Write(ref _written, _written + bytes);
        _isLingering = mayLinger && !_isQueued;
        return !mayLinger && Queue();
    }

    /// <summary>Sends lingering messages and acknowledgements that are held back.</summary>
    /// <param name="writing">True if the caller must send, because nothing is being sent.</param>
    public void Flush(FrameWriting writing)
    {
        bool signal;
        lock (gate)
        {
            signal = (_isLingering || owner is { HasPendingAcks: true }) && !_isStreaming && Queue();
            _isLingering = false;
        }

        if (signal)
        {
            Signal(writing, 0);
        }
    }

    /// <summary>Gets the end of this send queue's stream of bytes by now: a position to wait for. With the gate.</summary>
    public long Position => _written;

    /// <summary>Says whether everything up to a position has been sent.</summary>
    public bool HasSent(long position) => Volatile.Read(ref _sent) >= position;

    /// <summary>Wakes the writer; without the gate.</summary>
    /// <param name="writing">True if the caller must send, because nothing is being sent.</param>
    /// <param name="position">Up to where the caller sends.</param>
    public void Signal(FrameWriting writing, long position)
    {
        if (writing == FrameWriting.Inline)
        {
            writer.SignalInline(this, position);
        }
        else
        {
            writer.Signal(this);
        }
    }

    /// <summary>
    /// Notifies a waiter when everything up to a position has been sent, or will not be: never before the writer has released it. With the
    /// gate; false when that has come already.
    /// </summary>
    public bool TryWait<T>(T waiter, long position)
        where T : Queued, ISentWaiter
    {
        AssertTurn();
        Watch();
        if (HasSent(position) || (_closed is not null && Volatile.Read(ref _taken) == 0))
        {
            return false;
        }

        waiter.Position = position;
        _waiters.AddInOrder(waiter);
        return true;
    }

    /// <summary>Begins to stream a message: until its end everything else waits behind it. With the gate.</summary>
    /// <param name="bytes">How many bytes of it have been committed.</param>
    public void BeginStream(long bytes)
    {
        AssertTurn();
        (_streamStart, _streamEnd) = (_written - bytes, long.MaxValue);
        // In the turn: the thread that writes the rest, and the writer that wakes it, have to mean the same one.
        _stream ??= new BodyStream(this);
        _isStreaming = true;
    }

    /// <summary>Queues a piece of the streamed message when all pieces but the last one have been taken. With the gate.</summary>
    /// <param name="piece">The piece, which is the writer's then.</param>
    /// <param name="isLast">True if the message ends with it, and what waits behind it may follow.</param>
    /// <param name="mayWait">True if it waits for room; otherwise it is taken whatever is before it.</param>
    /// <param name="signal">True if the writer has to be woken.</param>
    /// <returns>Whether it was queued: otherwise <see cref="BodyStream.MayGoOn"/> is called when it can.</returns>
    /// <exception cref="IOException">No more can be sent.</exception>
    public bool TryCommitStreamed(AmqpBuffer piece, bool isLast, bool mayWait, out bool signal)
    {
        AssertTurn();
        signal = false;
        if (_closed is not null)
        {
            throw new IOException(_closed.Message, _closed);
        }

        if (mayWait && _full.Count > 0)
        {
            return false;
        }

        PutAway();
        _buffer = piece;
        _streamEnd = isLast ? _written + piece.Length : _streamEnd;
        Volatile.Write(ref _written, _written + piece.Length + (isLast ? _behind?.Length ?? 0 : 0));
        _isStreaming = !isLast;
        signal = Queue();
        return true;
    }

    /// <summary>
    /// Ends it with the last written frame, which closes the channel: no frame may follow it. With the gate.
    /// </summary>
    public void Seal()
    {
        AssertTurn();
        _isSealed = true;
    }

    /// <summary>Takes the next buffer for the writer.</summary>
    /// <param name="more">True if there is more: then the writer comes again, without being woken.</param>
    /// <returns>
    /// The buffer, which the writer returns after sending; null when nothing is queued and sending stops.
    /// </returns>
    public AmqpBuffer? Dequeue(out bool more)
    {
        more = false;
        if (gate.IsHeldByCurrentThread)
        {
            // The object that is being serialized publishes on another channel and sends that itself: this queue is in the middle of a
            // message.
            ThreadPool.UnsafeQueueUserWorkItem(static sendQueue => sendQueue.Writer.Signal(sendQueue), this, preferLocal: false);
            return null;
        }

        EnterSpinning();
        try
        {
            _isQueued = false;
            _isLingering = false;
            if (_closed is not null)
            {
                return null;
            }

            if (!_isStreaming && !_isSealed && owner is { HasPendingAcks: true })
            {
                AmqpBuffer output = Open();
                long start = output.Length;
                owner.WritePendingAcks(output);
                Volatile.Write(ref _written, _written + output.Length - start);
            }

            if (!_full.TryDequeue(out AmqpBuffer? taken))
            {
                (taken, _buffer) = (_buffer, null);
            }

            if (taken is not null)
            {
                _takenUpTo += taken.Length;
                Interlocked.Increment(ref _taken);
            }

            if (_isStreaming)
            {
                Stream.MayGoOn();
            }
            else if (_buffer is null)
            {
                (_buffer, _behind) = (_behind, null);
            }

            more = _isQueued = _buffer is not null;
            return taken;
        }
        finally
        {
            gate.Exit();
        }
    }

    /// <summary>Counts bytes of a buffer that was taken and sent; the buffer is not in use any more.</summary>
    public void Sent(long bytes)
    {
        // In this order, and with barriers between: a watcher first registers, and then looks.
        Volatile.Write(ref _sent, _sent + bytes);
        Interlocked.Decrement(ref _taken);
        if (!_isWatched && _closed is null)
        {
            return;
        }

        OperationQueue<Queued> done;
        OperationQueue<Queued> lost;
        bool hasRoom;
        lock (gate)
        {
            done = _waiters.TakeUpTo(_sent);
            lost = Lost();
            hasRoom = _wasFull;
            _wasFull = false;
            _isWatched = !_waiters.IsEmpty;
        }

        Complete(done, null);
        Complete(lost, _closed);
        if (hasRoom)
        {
            owner?.RoomMade();
        }
    }

    /// <summary>Notes that a taken buffer has not been sent as a whole, and is not in use any more.</summary>
    public void Dropped()
    {
        Interlocked.Decrement(ref _taken);
        OperationQueue<Queued> lost;
        lock (gate)
        {
            lost = Lost();
        }

        Complete(lost, _closed);
    }

    /// <summary>Ends sending. Waiting callers are completed when the writer has released its buffers.</summary>
    public void Close(Exception reason)
    {
        OperationQueue<Queued> lost;
        lock (gate)
        {
            if (_closed is not null)
            {
                return;
            }

            _closed = reason;
            Interlocked.MemoryBarrier();
            lost = Lost();
            _isSealLost = (_buffer ?? _behind) is not null;
            while (_full.TryDequeue(out AmqpBuffer? full))
            {
                writer.Return(full);
            }

            Drop(ref _buffer);
            Drop(ref _behind);
            if (_isStreaming)
            {
                Stream.MayGoOn();
            }
        }

        Complete(lost, reason);
    }

    [Conditional("DEBUG")]
    private void AssertTurn() => Debug.Assert(gate.IsHeldByCurrentThread, "It is written into in the channel's turn.");

    // If the serialized object closes it, the buffer is not returned: the rest of the message is still written to it and discarded.
    private void Drop(ref AmqpBuffer? buffer)
    {
        if (buffer is { IsInMessage: false })
        {
            writer.Return(buffer);
        }

        buffer = null;
    }

    private void PutAway()
    {
        if (_buffer is not null)
        {
            _full.Enqueue(_buffer);
            _buffer = null;
        }
    }

    private bool Queue() => _closed is null && !_isQueued && (_isQueued = true);

    // When nothing more is sent, and the writer has released all that it had.
    private OperationQueue<Queued> Lost() =>
        _closed is not null && Volatile.Read(ref _taken) == 0 ? _waiters.TakeUpTo(long.MaxValue) : default;

    private static void Complete(OperationQueue<Queued> waiters, Exception? error)
    {
        while (waiters.TryTake() is { } waiter)
        {
            ((ISentWaiter)waiter).Sent(error);
        }
    }

    private void Watch()
    {
        _isWatched = true;
        Interlocked.MemoryBarrier();
    }

    // A publisher of one message after the other holds the gate most of the time, and releases it often: to sleep until then costs
    // both sides more.
    private void EnterSpinning()
    {
        for (int i = 0; i < Spins; i++)
        {
            if (gate.TryEnter())
            {
                return;
            }

            Thread.SpinWait(SpinsBetween);
        }

        gate.Enter();
    }
}

/// <summary>The owner of a send queue.</summary>
internal interface ISendQueueOwner
{
    /// <summary>
    /// Says whether acknowledgements are held back that are to go with the next send. Cheap, and with the gate of the send queue.
    /// </summary>
    bool HasPendingAcks { get; }

    /// <summary>Writes the acknowledgements that were held back. With the gate of the send queue.</summary>
    void WritePendingAcks(AmqpBuffer output);

    /// <summary>Notifies that less waits than before, if that was requested. Without the gate.</summary>
    void RoomMade();
}
