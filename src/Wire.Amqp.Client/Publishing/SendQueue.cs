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
internal sealed partial class SendQueue(LinkWriter writer, Lock gate, ISendQueueOwner? owner)
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

    /// <summary>Gets whether nothing more may be written. With the gate.</summary>
    public bool IsClosed => _closed is not null || _isSealed;

    /// <summary>Gets whether the writer has taken anything: otherwise the other side has received nothing.</summary>
    public bool HasBegun => Volatile.Read(ref _takenUpTo) != 0;

    /// <summary>
    /// Gets whether it was closed between two messages before its last frame was taken, so that this frame can still be sent in another
    /// way.
    /// </summary>
    public bool IsSealMissing => _isSealLost && _isSealed && !(_takenUpTo > _streamStart && _takenUpTo < _streamEnd);

    /// <summary>
    /// Writes the rest of a message that is too large to be gathered; one at a time, and after <see cref="BeginStream"/>.
    /// </summary>
    public BodyStream Stream => _stream ?? throw new InvalidOperationException("No message is being streamed.");

    /// <summary>Gets the writer that sends it.</summary>
    public LinkWriter Writer => writer;

    /// <summary>Gets whether a message is being streamed, which no other may come into. With the gate.</summary>
    public bool IsStreaming => _isStreaming;

    /// <summary>
    /// Returns whether so much waits that publishers should wait too, and notes that the caller is to be notified when that changes. With
    /// the gate.
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
    /// Has the frames sent that were written into the buffer. With the gate; returns true if the caller must signal the writer after it.
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

    /// <summary>Returns whether everything up to a position has been sent.</summary>
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
    /// Gets whether acknowledgements are held back that are to go with the next send. Cheap, and with the gate of the send queue.
    /// </summary>
    bool HasPendingAcks { get; }

    /// <summary>Writes the acknowledgements that were held back. With the gate of the send queue.</summary>
    void WritePendingAcks(AmqpBuffer output);

    /// <summary>Notifies that less waits than before, if that was requested. Without the gate.</summary>
    void RoomMade();
}
