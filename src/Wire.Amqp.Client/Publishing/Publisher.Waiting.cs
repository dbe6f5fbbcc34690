using System.Diagnostics;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// The queue of waiting messages: entering and leaving it, the time to wait for a connection, and its end.
/// </summary>
internal sealed partial class Publisher
{
    private Timer? _timer;
    private bool _isTimed;

    // The connection's turn to send suspects; null while it has not got it.
    private volatile Suspects.Turn? _turn;

    // Ends when nothing waits and all is confirmed. Null as long as messages are taken.
    private volatile TaskCompletionSource? _emptied;

    /// <summary>Gets the number of messages that wait or are not confirmed.</summary>
    public int InFlight => Volatile.Read(ref _waiting) + (channel.Session?.Ring?.Count ?? 0);

    /// <summary>Gets whether a message would be written at once.</summary>
    public bool HasRoom =>
        Volatile.Read(ref _waiting) == 0 && channel.Session is { Ring: not { IsFull: true } } && !suspects.HoldsBack(this);

    /// <summary>Takes no further messages.</summary>
    /// <returns>A task that ends when nothing waits and all is confirmed, or has failed.</returns>
    public Task EmptyAsync()
    {
        lock (_gate)
        {
            _emptied ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        MayBeEmpty();
        return _emptied.Task;
    }

    /// <summary>Called when a message has been confirmed, has failed or has left.</summary>
    public void MayBeEmpty()
    {
        if (_emptied is not { } emptied)
        {
            return;
        }

        lock (_gate)
        {
            if (!_queue.IsEmpty || _isDraining || channel.Session is { Ring.Count: > 0 })
            {
                return;
            }
        }

        emptied.TrySetResult();
    }

    /// <summary>Continues on a new session: the wait for the connection is over.</summary>
    public void SessionBegan()
    {
        lock (_gate)
        {
            if (_isTimed)
            {
                _isTimed = false;
                _timer!.Change(Timeout.Infinite, Timeout.Infinite);
            }
        }
    }

    /// <summary>Removes a waiting message that was cancelled from the queue at once.</summary>
    public void Leave(UnwrittenPublication publication)
    {
        if (!publication.IsWaiting)
        {
            // In flight: a cancellation does not wait for the channel's turn. A message that is about to wait checks for itself.
            return;
        }

        lock (_gate)
        {
            if (!_queue.TryLeave(publication))
            {
                return;
            }

            Interlocked.Decrement(ref _waiting);
        }

        publication.Finish(null);
        if (_turn is not null)
        {
            // Those behind it need not be sent alone.
            RoomMade();
        }

        MayBeEmpty();
    }

    private void ThrowIfClosed()
    {
        channel.ThrowIfClosed();
        if (_emptied is not null)
        {
            throw new ObjectDisposedException(nameof(AmqpChannel), "The channel is being closed by the program.");
        }
    }

    private ValueTask Enqueue<TContent>(
        in TContent content,
        in BasicPublish method,
        in BasicProperties properties,
        FrameWriting writing,
        IAmqpPublishObserver? observer,
        CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The queue is guarded by the gate.");
        if (_waiting >= options.MaxWaiting)
        {
            throw AmqpPublishException.Overflow(
                method.Exchange.ToString(), method.RoutingKey.ToString(), properties.MessageId.IsNull
                    ? null
                    : properties.MessageId.ToString(),
                options.MaxWaiting);
        }

        var publication = UnwrittenPublication<TContent>.Rent(this, in content, in method, in properties, writing);
        publication.Observer = observer;
        ValueTask task = publication.StartWaiting(cancellationToken);
        _queue.Add(publication);
        Interlocked.Increment(ref _waiting);
        if (publication.IsAbandoned && _queue.TryLeave(publication))
        {
            // Cancelled in this moment, before it was seen to wait.
            Interlocked.Decrement(ref _waiting);
            publication.Finish(null);
            return task;
        }

        // Room may have been made since it was looked for, without a notification.
        if (!_isDraining && TryGetRoom(out _))
        {
            _isDraining = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        BeginTime();
        return task;
    }

    // Without confirms, inline: until the socket has the bytes, which it nearly always has by now.
    private ValueTask SentAsync(in MessageWrite written, CancellationToken cancellationToken)
    {
        SendQueue sendQueue = written.Session.SendQueue;
        if (sendQueue.HasSent(written.Position))
        {
            return default;
        }

        WrittenPublication publication = WrittenPublication.Rent();
        ValueTask task = publication.StartWaiting(cancellationToken, written.Parts.IsAttached);
        bool waits;
        lock (_gate)
        {
            waits = sendQueue.TryWait(publication, written.Position);
            if (written.Parts.IsAttached)
            {
                BufferHold.Start(publication, sendQueue, written.Position);
            }
        }

        if (!waits)
        {
            publication.Finish(written.SentOrEnded());
        }

        return task;
    }

    // A suspect goes alone.
    private bool MayGo(Publication first, ChannelSession session)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The queue is guarded by the gate.");
        if (!first.IsSuspect || first.IsAbandoned)
        {
            EndTurn();
            return true;
        }

        return session.Ring!.Count == 0 && (_turn ??= suspects.TryBegin(this, session.Channel.Link)) is { IsAlone: true };
    }

    // Less is under way or waits than before: the turn may be over, or another publisher may wait for that.
    private void MayEndTurn()
    {
        if (_turn is not null)
        {
            lock (_gate)
            {
                EndTurn();
            }
        }
        else if (suspects.HoldsBack(this) && channel.Session is not { Ring.Count: > 0 })
        {
            suspects.Idle();
        }
    }

    // When no suspect is under way any more, and none is next. With the gate, so that it is this turn that ends.
    private void EndTurn()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The turn is guarded by the gate.");
        if (_turn is { } turn && !(channel.Session is { Ring: { } ring }
            && (ring.HoldsSuspect || _queue.First is { IsSuspect: true, IsAbandoned: false })))
        {
            _turn = null;
            suspects.End(turn);
        }
    }

    // They wait again, before all others.
    private void PutFirst(OperationQueue<Publication> publications)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The queue is guarded by the gate.");
        _waiting += publications.Count;
        _queue.PutFirst(publications);
    }

    // Starts when the first message waits for a connection that is down.
    private void BeginTime()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The time is guarded by the gate.");
        if (_isTimed || _queue.IsEmpty || channel.Session is not null || options.RecoveryTimeout == Timeout.InfiniteTimeSpan)
        {
            return;
        }

        _isTimed = true;
        _timer ??= new Timer(static state => ((Publisher)state!).TimeIsUp(), this, Timeout.Infinite, Timeout.Infinite);
        _timer.Change(options.RecoveryTimeout, Timeout.InfiniteTimeSpan);
    }

    private void TimeIsUp()
    {
        OperationQueue<Publication> waiting;
        lock (_gate)
        {
            if (!_isTimed || channel.Session is not null)
            {
                return;
            }

            _isTimed = false;
            waiting = _queue.TakeAll();
            _waiting = 0;
        }

        Exception? why = channel.WhyDown;
        var error = new AmqpConnectionException(
            $"The connection has not come back within {options.RecoveryTimeout.TotalSeconds:0.###} s. {why?.Message} Check that the " +
            "broker is up.",
            why);
        FailWaiting(ref waiting, new LinkEnd(error, IsByProgram: false));
        MayBeEmpty();
    }

    private static void FailWaiting(ref OperationQueue<Publication> waiting, LinkEnd end)
    {
        while (waiting.TryTake() is { } publication)
        {
            publication.Finish(publication.IsWritten ? AmqpPublishException.Unconfirmed(publication, end.Error) : LinkChannel.Ended(end));
        }
    }
}
