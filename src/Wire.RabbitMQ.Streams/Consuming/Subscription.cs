using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Links;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// A consumer's subscription on one link: a queue of events. The receive loop adds, the consumer takes; awaiting it waits for the next
/// event.
/// </summary>
/// <remarks>
/// Waiting chunks are bounded by the broker's credit, and updates by the protocol: a broker that sends more violates it, and loses the
/// link. An update or an end discards the waiting chunks: they are released at once, and the consumer stops after its current message.
/// </remarks>
internal sealed class Subscription(StreamLink link, CreditWindow credit, ConsumerThread thread, StreamPosition? position = null)
    : ILinkSubscription, ICriticalNotifyCompletion, IThreadPoolWorkItem
{
    // A broker waits for the answer of a consumer that it deactivates. Earlier updates may precede, so a few may wait for a slow handler.
    private const int MostUpdates = 16;

    private readonly Lock _gate = new();
    private readonly Queue<ReceivedChunk> _chunks = [];
    private readonly Queue<ActiveUpdate> _updates = [];

    // The continuation that takes the next event: one at a time. And whether it waits for
    // something.
    private Action? _continuation;
    private bool _isAwaited;
    private Exception? _reason;
    private byte _id;
    private bool _hasEnded;
    private volatile bool _isInterrupted;
    private TaskCompletionSource? _interrupted;

    /// <summary>Gets the link that it is on.</summary>
    public StreamLink Link => link;

    /// <summary>Gets whether the consumer stops behind the message that it is handling.</summary>
    public bool IsInterrupted => _isInterrupted;

    /// <summary>Gets the reason why it has ended; null if it was stopped.</summary>
    public Exception? Reason => Volatile.Read(ref _reason);

    /// <summary>Returns the awaitable for <see cref="TakeWork"/>.</summary>
    public Subscription GetAwaiter() => this;

    // Never completed elsewhere: events are handled on the consumer's thread.
    public bool IsCompleted
    {
        get
        {
            lock (_gate)
            {
                return HasWork && thread.IsCurrent;
            }
        }
    }

    private bool HasWork => _hasEnded || _chunks.Count > 0 || _updates.Count > 0;

    /// <summary>Subscribes, with the credit for the first chunks.</summary>
    /// <exception cref="IOException">The link has ended, or has as many subscriptions as it can.</exception>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    public Task SubscribeAsync(
        string stream, StreamOffset offset, IReadOnlyDictionary<string, string> properties, CancellationToken cancellationToken) =>
        link.SubscribeAsync(this, stream, offset, (ushort)credit.First, properties, id => _id = id, cancellationToken);

    public void GetResult()
    {
    }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        // Before the continuation is there: it may run at once, on the next thread.
        thread.Rest();
        lock (_gate)
        {
            _continuation = continuation;
            _isAwaited = !HasWork;
            if (_isAwaited)
            {
                return;
            }
        }

        GoOn(isAwaited: true);
    }

    /// <summary>Takes the next event. Gives credit for chunks that are taken.</summary>
    public SubscriptionWork TakeWork(out ReceivedChunk received, out ActiveUpdate update)
    {
        (received, update) = (default, default);
        int given;
        lock (_gate)
        {
            if (_hasEnded)
            {
                return SubscriptionWork.End;
            }

            if (_updates.TryDequeue(out update))
            {
                _isInterrupted = _updates.Count > 0;
                return SubscriptionWork.Update;
            }

            received = _chunks.Dequeue();
            credit.Left();
            given = credit.TakeDue();
        }

        GiveCredit(given);
        return SubscriptionWork.Chunk;
    }

    /// <summary>The consumer does something else than to handle messages, which may take long.</summary>
    public void Rest() => thread.Rest();

    /// <summary>Gives all gathered credit, so that none is left after chunks are released.</summary>
    public void Renew()
    {
        int given;
        lock (_gate)
        {
            given = credit.TakeAll();
        }

        GiveCredit(given);
    }

    /// <summary>Waits for a time, or until it is interrupted.</summary>
    public async Task PauseAsync(TimeSpan time)
    {
        Task interrupted;
        lock (_gate)
        {
            if (_isInterrupted)
            {
                return;
            }

            interrupted = (_interrupted ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }

        // The time-out is what it waits for.
        await interrupted.WaitAsync(time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Stops it: no more events are taken, and waiting or arriving chunks are released.</summary>
    public void Stop() => Interrupt(null, hasEnded: true, default);

    /// <summary>Unsubscribes at the broker, if the link still exists.</summary>
    public Task UnsubscribeAsync() => link.UnsubscribeAsync(_id, this, CancellationToken.None);

    public void Committed(ulong offset) => position?.Committed(offset);

    public void Deliver(ReadOnlyMemory<byte> chunk, long offset, ReceiveSegment segment)
    {
        bool isAwaited;
        bool isExcess = false;
        lock (_gate)
        {
            if (!_hasEnded)
            {
                isExcess = !credit.TryArrive(chunk.Length);
                if (!isExcess)
                {
                    _chunks.Enqueue(new ReceivedChunk(chunk, offset, segment));
                    segment = null!;
                }
            }

            (isAwaited, _isAwaited) = (_isAwaited, false);
        }

        segment?.Release();
        GoOn(isAwaited);
        if (isExcess)
        {
            throw Excess("a chunk without credit for it");
        }
    }

    public void Update(uint correlation, bool isActive)
    {
        lock (_gate)
        {
            if (_updates.Count >= MostUpdates)
            {
                throw Excess($"{MostUpdates} updates of a single active consumer, and one more without waiting for an answer");
            }
        }

        Interrupt(null, hasEnded: false, new ActiveUpdate(correlation, isActive));
    }

    public void Ended(Exception reason) => Interrupt(reason, hasEnded: true, default);

    void IThreadPoolWorkItem.Execute() => Interlocked.Exchange(ref _continuation, null)!();

    private void Interrupt(Exception? reason, bool hasEnded, ActiveUpdate update)
    {
        bool isAwaited;
        lock (_gate)
        {
            _isInterrupted = true;
            _interrupted?.TrySetResult();
            _interrupted = null;
            if (hasEnded)
            {
                _reason ??= _hasEnded ? null : reason;
                _hasEnded = true;
            }
            else
            {
                _updates.Enqueue(update);
            }

            while (_chunks.TryDequeue(out ReceivedChunk unwanted))
            {
                credit.Left();
                unwanted.Segment.Release();
            }

            (isAwaited, _isAwaited) = (_isAwaited, false);
        }

        GoOn(isAwaited);
    }

    // On the receive loop, which ends the link by it.
    private StreamConnectionException Excess(string what) =>
        new($"The connection to {link.Endpoint} was closed: the broker sent {what}, for subscription {_id}.");

    private void GiveCredit(int chunks)
    {
        if (chunks > 0)
        {
            link.Credit(_id, (ushort)chunks);
        }
    }

    private void GoOn(bool isAwaited)
    {
        if (isAwaited)
        {
            thread.Run(this);
        }

        if (_isInterrupted)
        {
            Hurry();
        }
    }

    // An update or an end may have come before or after what waits for a thread was added.
    private void Hurry()
    {
        lock (_gate)
        {
            if (_isInterrupted)
            {
                thread.Hurry();
            }
        }
    }
}
