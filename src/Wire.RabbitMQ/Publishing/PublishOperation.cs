using System.Diagnostics;
using System.Threading.Tasks.Sources;
using RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>
/// One message on its way, and the task of whoever published it. It belongs to several at once (the caller until the result has been taken, the
/// lane until the broker has confirmed, the cancellation while it may call back) and is used again only when the last has let it go: so no
/// late event ever meets another message.
/// </summary>
internal abstract class PublishOperation : IOutgoing, IValueTaskSource, IThreadPoolWorkItem
{
    private const int Waiting = 0;
    private const int Publishing = 1;
    private const int Settled = 2;

    private ManualResetValueTaskSourceCore<bool> _result;
    private CancellationTokenRegistration _cancellation;
    private Exception? _error;
    private int _state;
    private int _holders;
    private int _taken;
    private SendTelemetry _telemetry;
    private PublishChannel? _channel;

    /// <summary>The next one of a queue or chain; whoever has the operation in one sets it.</summary>
    public PublishOperation? Next { get; set; }

    /// <summary>The lane in whose row it waits; the lane sets it.</summary>
    public PublishLane? Lane { get; set; }

    public string Exchange { get; private set; } = "";

    public string RoutingKey { get; private set; } = "";

    public bool Mandatory { get; private set; }

    /// <summary>Known when the message has been described.</summary>
    public string? MessageId { get; protected set; }

    /// <summary>How large the body is; known when the message has been committed.</summary>
    public long Bytes { get; set; }

    /// <summary>Why the broker sent the message back; null when it did not.</summary>
    public (ushort Code, string Text)? Return { get; set; }

    /// <summary>Whether the task has ended.</summary>
    public bool IsSettled => Volatile.Read(ref _state) == Settled;

    /// <summary>Whether the task ends when its token is cancelled though the message is being published already.</summary>
    protected virtual bool CancelsInFlight => true;

    /// <summary>Makes the properties of the message, in the scratch or its own.</summary>
    public abstract BasicProperties Describe(PublishScratch scratch);

    /// <summary>Begins to wait; the task that is returned is the caller's.</summary>
    public ValueTask Begin(string exchange, string routingKey, bool mandatory, CancellationToken cancellationToken)
    {
        Exchange = exchange;
        RoutingKey = routingKey;
        Mandatory = mandatory;
        Lane = null;
        _telemetry.Start(Attributes.Publish, exchange, routingKey);
        var task = new ValueTask(this, _result.Version);
        if (!cancellationToken.CanBeCanceled)
        {
            _holders = 2;
            return task;
        }

        _holders = 3;
        _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((PublishOperation)state!).Cancel(token), this);
        return task;
    }

    /// <summary>Whether the message shall be published: not when it has been cancelled.</summary>
    public bool TryStart() => Interlocked.CompareExchange(ref _state, Publishing, Waiting) == Waiting;

    /// <summary>
    /// Publishes it on a channel: writes the context of the trace into the message, and makes its span the current one, for the client's own to be a child of.
    /// </summary>
    public ValueTask PublishAsync(PublishChannel channel, BasicProperties properties, PublishScratch scratch, IBrokerConnection connection)
    {
        Activity.Current = _telemetry.Current;
        _telemetry.Prepare(properties, connection);
        _channel = channel;
        return SendAsync(channel.Channel, properties, scratch);
    }

    bool IOutgoing.TryCommit(long bodySize)
    {
        Bytes = bodySize;
        _telemetry.Send(bodySize);
        return _channel!.TryCommit(this);
    }

    /// <summary>Ends the task, unless it has ended, and lets the operation go. Nothing of it may be used by the lane after that.</summary>
    public void Finish(Exception? error)
    {
        Forget();
        bool wasCancelled = Interlocked.Exchange(ref _state, Settled) == Settled;
        try
        {
            _telemetry.Stop(Exchange, RoutingKey, wasCancelled ? Failures.Cancelled : error is null ? null : Failures.Of(error), error?.Message);
        }
        catch (Exception e)
        {
            // What a listener of the program throws must not keep this message, and those that are confirmed with it, from their end.
            Lane?.ListenerFailed(e);
        }

        if (!wasCancelled)
        {
            Complete(error);
        }

        // Where the callback has been called, or is being called, it lets go itself.
        if (_cancellation.Unregister())
        {
            LetGo();
        }

        LetGo();
    }

    void IThreadPoolWorkItem.Execute()
    {
        // The caller's code may go on in here, and the operation be another message's when it returns.
        if (_error is { } error)
        {
            _result.SetException(error);
        }
        else
        {
            _result.SetResult(true);
        }
    }

    void IValueTaskSource.GetResult(short token)
    {
        if (Status(token) == ValueTaskSourceStatus.Pending || Interlocked.Exchange(ref _taken, 1) != 0)
        {
            throw Misused();
        }

        try
        {
            _result.GetResult(token);
        }
        finally
        {
            LetGo();
        }
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => Status(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _result.OnCompleted(continuation, state, token, flags);

    /// <summary>Hands it to a channel.</summary>
    protected abstract ValueTask SendAsync(IBrokerChannel channel, BasicProperties properties, PublishScratch scratch);

    /// <summary>Lets go of what was to be published: the caller may take the result much later, or never.</summary>
    protected virtual void Forget()
    {
    }

    /// <summary>Everyone has let go.</summary>
    protected virtual void Recycle()
    {
        _result.Reset();
        _cancellation = default;
        _error = null;
        _state = Waiting;
        _taken = 0;
        Next = null;
        _channel = null;
        MessageId = null;
        Return = null;
    }

    private static InvalidOperationException Misused() =>
        new("A ValueTask is awaited once, and its result is not taken before it is there. Use AsTask() where several shall await it.");

    // Of another version than the operation has by now when its result has been taken.
    private ValueTaskSourceStatus Status(short token) => token == _result.Version ? _result.GetStatus(token) : throw Misused();

    private void Cancel(CancellationToken token)
    {
        int from = Waiting;
        if (Interlocked.CompareExchange(ref _state, Settled, Waiting) is var state && state != Waiting && CancelsInFlight)
        {
            from = Publishing;
            state = Interlocked.CompareExchange(ref _state, Settled, Publishing);
        }

        if (state == from)
        {
            Complete(new OperationCanceledException(token));
            if (from == Waiting)
            {
                Lane?.GiveUp();
            }
        }

        LetGo();
    }

    // On the thread pool, each by itself: neither the client's receive loop nor another message waits for what the caller does then.
    private void Complete(Exception? error)
    {
        _error = error;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) == 0)
        {
            Recycle();
        }
    }
}
