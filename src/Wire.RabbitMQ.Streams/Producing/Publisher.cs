using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The queued and unconfirmed messages of a producer, across links: messages wait for room, are written, and are answered. Thread-safe.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "ReleaseAsync disposes of it.")]
internal sealed partial class Publisher : IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly string _stream;
    private readonly StreamProducerOptions _options;
    private readonly PublishLog _log;
    private readonly PublishWriter _writer;
    private readonly UnconfirmedRing _ring = new();
    private readonly SendPool _sends = new();
    private readonly WorkerThread _thread;
    private readonly SenderTurn _turn;
    private WaitQueue<QueuedSend> _queue;

    private bool _isAdmitting;
    private bool _isClosing;
    private Exception? _ended;

    /// <param name="stream">The stream.</param>
    /// <param name="options">The options of the producer.</param>
    /// <param name="failed">Called when code of the program has thrown, with its name and what it has thrown.</param>
    public Publisher(string stream, StreamProducerOptions options, Action<string, Exception> failed)
    {
        _stream = stream;
        _options = options;
        _log = new PublishLog(options.MaxFrameBytes, options.SubEntries, CodecHasThrown);
        _writer = new PublishWriter(_gate, options, _log, _ring);
        _thread = new WorkerThread($"Streams, producer of {stream}");
        _turn = new SenderTurn(_gate, _log, options.Linger, () => IsUrgent);
        Confirmations? confirmations = options.Confirmed is { } told
            ? new Confirmations(
                stream, told, _thread, e => failed($"{nameof(StreamProducerOptions)}.{nameof(StreamProducerOptions.Confirmed)}", e))
            : null;
        Outcomes = new PublishOutcomes(_gate, stream, _ring, _log, confirmations);
        _looks = StartLooking();
        Telemetry.Show(this, stream, static publisher => publisher.Unconfirmed);

        // Elsewhere, because this is under the gate.
        void CodecHasThrown(Exception e) => ThreadPool.QueueUserWorkItem(
            _ => failed($"{nameof(StreamSubEntryOptions)}.{nameof(StreamSubEntryOptions.Codec)}", e));
    }

    /// <summary>Gets the stream.</summary>
    public string Stream => _stream;

    /// <summary>The outcomes of its messages.</summary>
    public PublishOutcomes Outcomes { get; }

    /// <summary>Gets the id of the last written message; at the beginning the broker's.</summary>
    public ulong LastId
    {
        get
        {
            lock (_gate)
            {
                return _writer.LastId;
            }
        }
    }

    /// <summary>Gets the number of messages that have been written and are not confirmed.</summary>
    public int Unconfirmed
    {
        get
        {
            lock (_gate)
            {
                return _ring.Messages;
            }
        }
    }

    /// <summary>Gets the reason why it has ended permanently; null while it has not.</summary>
    public Exception? Reason => Volatile.Read(ref _ended);

    private bool HasRoom => _ring.Messages < _options.MaxUnconfirmed && _log.Bytes < _options.MaxUnconfirmedBytes;

    // True if an open frame must be sent now, because no further message may arrive first.
    private bool IsUrgent => _isClosing || !_queue.IsEmpty || Outcomes.HasFlushes || !HasRoom;

    /// <summary>Writes a message, or has it wait for room.</summary>
    /// <param name="content">The message.</param>
    /// <param name="options">Further properties of it.</param>
    /// <param name="untilConfirmed">Whether its confirm is awaited.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="id">Its publishing id, where it is written and its confirm is not awaited.</param>
    /// <param name="token">The token of the operation.</param>
    /// <param name="shared">Its task, where it has that in common with others of its entry.</param>
    /// <returns>Its operation, or null if it is written and its confirm is not awaited, or by the shared task.</returns>
    public PendingSend? Accept<TContent>(
        in TContent content,
        in StreamSendOptions options,
        bool untilConfirmed,
        CancellationToken cancellationToken,
        out ulong id,
        out short token,
        out ValueTask shared)
        where TContent : struct, IMessageContent
    {
        PendingSend? send = null;
        ProducerSession? woken;
        id = 0;
        shared = default;
        lock (_gate)
        {
            ThrowIfUnusable();
            if (!_queue.IsEmpty || !HasRoom)
            {
                ThrowIfFull();
                QueuedSend<TContent> waiting = QueuedSend<TContent>.Rent(this, in content, in options, untilConfirmed);
                _queue.Add(waiting);
                send = waiting;
            }
            else if (!untilConfirmed)
            {
                id = _writer.Write(in content, in options, null);
            }
            else if (_log.HasOpenEntry && !cancellationToken.CanBeCanceled)
            {
                _writer.Write(in content, in options, null);
                shared = _ring.Share();
            }
            else
            {
                send = _sends.Rent();
                try
                {
                    send.Result = _writer.Write(in content, in options, send);
                }
                catch
                {
                    _sends.PutBack(send);
                    throw;
                }
            }

            token = send?.Token ?? 0;
            send?.StartWaiting(cancellationToken);
            woken = _turn.TakeWake();
        }

        woken?.Wake();
        return send;
    }

    /// <summary>Ends when all earlier messages, waiting or sent, have been answered.</summary>
    public Task Flush()
    {
        ProducerSession? woken;
        var flushed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_queue.IsEmpty)
            {
                Outcomes.FlushBehind(flushed);
            }
            else
            {
                _queue.Add(new WaitingFlush(this, flushed));
            }

            woken = _turn.TakeWake();
        }

        woken?.Wake();
        return flushed.Task;
    }

    /// <summary>Begins to send on a link. The caller wakes its sender.</summary>
    /// <param name="session">The producer on that link.</param>
    /// <param name="sequence">The broker's last publishing id for this name, if it is used.</param>
    /// <exception cref="StreamConnectionException">The link has ended meanwhile, or does not take what is to be sent again.</exception>
    /// <exception cref="OperationCanceledException">The producer has ended meanwhile.</exception>
    public void Attach(ProducerSession session, ulong sequence)
    {
        lock (_gate)
        {
            if (session.Reason is { } reason)
            {
                throw new StreamConnectionException(reason.Message, reason);
            }

            if (_ended is not null)
            {
                throw new OperationCanceledException();
            }

            _writer.Attach(session.Link, session.Number, sequence);
            _turn.Attach(session);
        }
    }

    /// <summary>Handles the end of a session: none of its frames are being sent, and its link takes no more.</summary>
    /// <returns>True if it was the current session.</returns>
    public bool TryLeave(ProducerSession session, Exception reason)
    {
        lock (_gate)
        {
            session.Reason = reason;
            session.SetIdle();
            return _turn.Session == session && _turn.Detach() is not null;
        }
    }

    /// <summary>The sender of the link can send.</summary>
    public bool TryTake(ProducerSession session, out ReadOnlyMemory<byte> frames)
    {
        bool admits = false;
        bool isTaken;
        lock (_gate)
        {
            if (_isHeld)
            {
                session.IsSending = false;
                admits = MakeRoom();
            }

            isTaken = _turn.TryTake(session, out frames);
        }

        if (admits)
        {
            _thread.Run(this);
        }

        return isTaken;
    }

    /// <summary>The broker has stored messages, or has not.</summary>
    public void Settle(ProducerSession session, ReadOnlySpan<byte> ids, StreamResponseCode code)
    {
        var answered = new OperationQueue<PendingOperation>();
        bool admits;
        lock (_gate)
        {
            if (_turn.Session != session)
            {
                return;
            }

            Outcomes.Settle(ids, code, ref answered);
            admits = MakeRoom();
        }

        Complete(ref answered, admits);
    }

    /// <summary>Fails sent messages, because it is unknown whether the broker has them. Called between two links.</summary>
    public void FailSent(Exception reason)
    {
        var answered = new OperationQueue<PendingOperation>();
        bool admits;
        lock (_gate)
        {
            Outcomes.FailUpTo(_log.TakenPosition, reason, ref answered);
            admits = MakeRoom();
        }

        Complete(ref answered, admits);
    }

    /// <summary>Removes a send whose wait was cancelled.</summary>
    public void Leave(QueuedSend waiting)
    {
        lock (_gate)
        {
            if (!_queue.TryLeave(waiting))
            {
                return;
            }
        }

        // The queue has released it, like an answer. The cancellation still holds it.
        waiting.Finish(inline: false);
    }

    // Admits waiting sends while there is room.
    void IThreadPoolWorkItem.Execute()
    {
        var answered = new OperationQueue<PendingOperation>();
        ProducerSession? woken;
        lock (_gate)
        {
            _isAdmitting = false;
            while (!_queue.IsEmpty && HasRoom && _ended is null)
            {
                QueuedSend waiting = _queue.TryTake()!;
                if (waiting.Enter(_writer, Outcomes))
                {
                    answered.Add(waiting);
                }
            }

            woken = _turn.TakeWake();
        }

        woken?.Wake();
        Completion.FinishHere(ref answered);
    }

    private void ThrowIfUnusable()
    {
        if (_writer.IsWriting)
        {
            throw new InvalidOperationException(
                "A message is being written by this producer, and its serializer tried to send another: send that before or after, or " +
                "with another producer.");
        }

        if (_isClosing)
        {
            throw new ObjectDisposedException(
                nameof(StreamProducer), $"The producer of '{_stream}' has been closed: the message was not sent.");
        }

        if (_ended is not null)
        {
            throw NotSent(_ended);
        }
    }

    private void ThrowIfFull()
    {
        if (_queue.Count >= _options.MaxWaiting)
        {
            throw new StreamPublishException(
                $"A message was not sent to '{_stream}': {_queue.Count} wait for room already, and {nameof(StreamProducerOptions)}."
                + $"{nameof(StreamProducerOptions.MaxWaiting)} allows no more. Await earlier sends, or check "
                + $"{nameof(StreamProducer)}.{nameof(StreamProducer.Interruption)}: there may be no connection.",
                null,
                null);
        }
    }

    // Called after entries have been settled. Returns true if waiting messages may be admitted.
    private bool MakeRoom()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Release();
        Outcomes.EndFlushes();
        return !_isAdmitting && !_queue.IsEmpty && HasRoom && (_isAdmitting = true);
    }

    private void Complete(ref OperationQueue<PendingOperation> answered, bool admits)
    {
        if (admits)
        {
            _thread.Run(this);
        }

        Completion.Finish(ref answered, _thread);
        Outcomes.ScheduleCallback();
    }
}
