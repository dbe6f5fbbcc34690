using System.Threading.Tasks.Sources;
using Wire.Amqp.V091;

namespace Wire.Amqp.Transport;

/// <summary>
/// One message that is waited for, and the task of whoever published it: until there is room for it, until its bytes have been sent, or until the
/// broker has confirmed it. It belongs to several at once (the caller until the result has been taken, the channel until it has ended, the
/// cancellation while it may call back) and is used again when the last has let it go.
/// </summary>
internal abstract class Publication : SentWaiter, IValueTaskSource
{
    private const int Pending = 0;
    private const int Settled = 1;

    private ManualResetValueTaskSourceCore<bool> _result = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _cancellation;
    private int _state;
    private int _holders;
    private int _taken;

    /// <summary>The next one of a queue; whoever has it in one sets it.</summary>
    public Publication? Next { get; set; }

    /// <summary>How large its frames are.</summary>
    public long Bytes { get; set; }

    /// <summary>Where it goes; the exchange is null where the broker does not send it back.</summary>
    public AmqpString Exchange { get; set; }

    /// <summary>The routing key.</summary>
    public AmqpString RoutingKey { get; set; }

    /// <summary>Its id.</summary>
    public AmqpString MessageId { get; set; }

    /// <summary>Why the broker sent it back; null when it did not.</summary>
    public (ushort Code, string Text)? Return { get; set; }

    /// <summary>Whether it has been written at least once, and may have arrived.</summary>
    public bool IsWritten { get; set; }

    /// <summary>Whether the task has ended.</summary>
    public bool IsSettled => Volatile.Read(ref _state) == Settled;

    /// <summary>Begins to wait; the task that is returned is the caller's.</summary>
    public ValueTask Begin(CancellationToken cancellationToken)
    {
        var task = new ValueTask(this, _result.Version);
        if (!cancellationToken.CanBeCanceled)
        {
            _holders = 2;
            return task;
        }

        _holders = 3;
        _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((Publication)state!).Cancel(token), this);
        return task;
    }

    /// <summary>Ends the task, unless it has ended, and lets go. Nothing of it may be used by the channel after that.</summary>
    public void Finish(Exception? error)
    {
        if (Interlocked.Exchange(ref _state, Settled) == Pending)
        {
            SetResult(error);
        }

        // Where the callback has been called, or is being called, it lets go itself.
        if (_cancellation.Unregister())
        {
            LetGo();
        }

        LetGo();
    }

    public override void Sent(Exception? error) => Finish(error);

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

    /// <summary>Everyone has let go.</summary>
    protected virtual void Recycle()
    {
        _result.Reset();
        _cancellation = default;
        _state = Pending;
        _taken = 0;
        Next = null;
        Return = null;
        IsWritten = false;
        (Exchange, RoutingKey, MessageId) = (default, default, default);
    }

    private static InvalidOperationException Misused() =>
        new("A ValueTask is awaited once, and its result is not taken before it is there. Use AsTask() where several shall await it.");

    // Of another version than the publication has by now when its result has been taken.
    private ValueTaskSourceStatus Status(short token) => token == _result.Version ? _result.GetStatus(token) : throw Misused();

    private void Cancel(CancellationToken token)
    {
        if (Interlocked.Exchange(ref _state, Settled) == Pending)
        {
            SetResult(new OperationCanceledException(token));
        }

        LetGo();
    }

    private void SetResult(Exception? error)
    {
        if (error is null)
        {
            _result.SetResult(true);
        }
        else
        {
            _result.SetException(error);
        }
    }

    private void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) == 0)
        {
            Recycle();
        }
    }
}

/// <summary>A message that has been written, of which nothing is needed any more but whom to tell.</summary>
internal sealed class WrittenPublication : Publication
{
    private static readonly BoundedPool<WrittenPublication> Pool = new();

    private WrittenPublication()
    {
    }

    public static WrittenPublication Take() => Pool.TryTake() ?? new WrittenPublication();

    protected override void Recycle()
    {
        base.Recycle();
        Pool.PutBack(this);
    }
}

/// <summary>A message that has to be written yet, or again.</summary>
internal abstract class UnwrittenPublication : Publication
{
    /// <summary>What it is published with.</summary>
    public BasicPublish Method;

    /// <summary>What it says of itself.</summary>
    public BasicProperties Properties;

    /// <summary>Who sends it.</summary>
    public FrameWriting Writing { get; set; }

    /// <summary>Writes its frames.</summary>
    public abstract void Write(AmqpBuffer output, ushort channel, int frameMax);

    protected override void Recycle()
    {
        base.Recycle();
        Method = default;
        Properties = default;
    }
}

/// <inheritdoc/>
internal sealed class UnwrittenPublication<TContent> : UnwrittenPublication
    where TContent : struct, IContent
{
    private static readonly BoundedPool<UnwrittenPublication<TContent>> Pool = new();

    private TContent _content;

    private UnwrittenPublication()
    {
    }

    public static UnwrittenPublication<TContent> Take(in TContent content, in BasicPublish method, in BasicProperties properties, FrameWriting writing)
    {
        UnwrittenPublication<TContent> publication = Pool.TryTake() ?? new UnwrittenPublication<TContent>();
        publication._content = content;
        publication.Method = method;
        publication.Properties = properties;
        publication.Writing = writing;
        return publication;
    }

    public override void Write(AmqpBuffer output, ushort channel, int frameMax) =>
        MessageFrames.Write(output, channel, in Method, in Properties, in _content, frameMax);

    protected override void Recycle()
    {
        base.Recycle();
        _content = default;
        Pool.PutBack(this);
    }
}
