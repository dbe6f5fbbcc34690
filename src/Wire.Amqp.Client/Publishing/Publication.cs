using System.Threading.Tasks.Sources;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// One message that is waited for, and the task of whoever published it: until there is room for it, until its bytes have been sent, or until the
/// broker has confirmed it. It belongs to several at once (the caller until the result has been taken, the channel until it has ended, the
/// cancellation while it may call back) and is used again when the last has let it go.
/// </summary>
internal abstract class Publication : SentWaiter, IValueTaskSource, IThreadPoolWorkItem
{
    // Of the state: somebody ends the task; it is known how; and how many pins there are, which the end waits for.
    private const int Claimed = 1;
    private const int Decided = 2;
    private const int OnePin = 4;

    private ManualResetValueTaskSourceCore<bool> _result = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _cancellation;
    private Exception? _error;
    private int _state;
    private int _holders;
    private int _taken;
    private volatile bool _isAwaited;

    /// <summary>The next one of a queue; whoever has it in one sets it.</summary>
    public Publication? Next { get; set; }

    /// <summary>Where it goes; the exchange is null where the broker does not send it back.</summary>
    public AmqpString Exchange { get; set; }

    /// <summary>The routing key.</summary>
    public AmqpString RoutingKey { get; set; }

    /// <summary>Its id.</summary>
    public AmqpString MessageId { get; set; }

    /// <summary>Why the broker sent it back; null when it did not.</summary>
    public (ushort Code, string Text)? Return { get; set; }

    /// <summary>Whether the broker has refused it.</summary>
    public bool IsRefused { get; set; }

    /// <summary>Whether it has been written at least once, and may have arrived.</summary>
    public bool IsWritten { get; set; }

    /// <summary>Whether somebody awaits the task already.</summary>
    public bool IsAwaited => _isAwaited;

    /// <summary>Whether it has been decided how the task ends.</summary>
    public bool IsSettled => (Volatile.Read(ref _state) & Claimed) != 0;

    /// <summary>Begins to wait; the task that is returned is the caller's.</summary>
    /// <param name="cancellationToken">Ends the task.</param>
    /// <param name="pinned">Whether memory of the caller's is in use, as after <see cref="TryPin"/>.</param>
    public ValueTask Begin(CancellationToken cancellationToken, bool pinned = false)
    {
        var task = new ValueTask(this, _result.Version);
        _state = pinned ? OnePin : 0;
        _holders = 2 + (pinned ? 1 : 0) + (cancellationToken.CanBeCanceled ? 1 : 0);
        if (!cancellationToken.CanBeCanceled)
        {
            return task;
        }

        _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((Publication)state!).Cancel(token), this);
        return task;
    }

    /// <summary>Keeps it from being used again until <see cref="LetGo"/>. By whoever has it.</summary>
    public void Hold() => Interlocked.Increment(ref _holders);

    /// <summary>
    /// From now on memory of the caller's is in use, by an outbox: whatever happens, the task does not end before that has sent it, or has let go of
    /// it otherwise. To each belongs one <see cref="Unpin"/>.
    /// </summary>
    /// <returns>Whether it is: not when the task has ended already.</returns>
    public bool TryPin()
    {
        Hold();
        for (int state = Volatile.Read(ref _state); (state & Claimed) == 0;)
        {
            int before = Interlocked.CompareExchange(ref _state, state + OnePin, state);
            if (before == state)
            {
                return true;
            }

            state = before;
        }

        LetGo();
        return false;
    }

    /// <summary>The memory is not in use any more.</summary>
    public void Unpin()
    {
        int state = Interlocked.Add(ref _state, -OnePin);
        if (state < OnePin && (state & Decided) != 0)
        {
            SetResult();
        }

        LetGo();
    }

    /// <summary>Decides how the task ends, unless that has been decided.</summary>
    /// <param name="error">Why it fails; null for success.</param>
    /// <param name="inline">Whether what awaits it goes on on this thread; otherwise on the pool.</param>
    public void Settle(Exception? error, bool inline = false)
    {
        if ((Interlocked.Or(ref _state, Claimed) & Claimed) != 0)
        {
            return;
        }

        _error = error;
        if (Interlocked.Or(ref _state, Decided) < OnePin)
        {
            SetResult(inline);
        }
    }

    /// <summary>Ends the task, unless it has ended, and lets go. Nothing of it may be used by the channel after that.</summary>
    /// <param name="error">Why it fails; null for success.</param>
    /// <param name="inline">Whether what awaits it goes on on this thread; otherwise on the pool.</param>
    public void Finish(Exception? error, bool inline = false)
    {
        Settle(error, inline);

        // Where the callback has been called, or is being called, it lets go itself.
        if (_cancellation.Unregister())
        {
            LetGo();
        }

        LetGo();
    }

    /// <summary>The same, as the broker has answered.</summary>
    public void FinishAnswered(bool inline) => Finish(AmqpPublishException.Answered(this), inline);

    /// <summary>On the thread on which what awaits it goes on.</summary>
    void IThreadPoolWorkItem.Execute() => FinishAnswered(inline: true);

    public override void Sent(Exception? error) => Finish(error);

    /// <summary>Lets go of it.</summary>
    public void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) == 0)
        {
            Recycle();
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

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _isAwaited = true;
        _result.OnCompleted(continuation, state, token, flags);
    }

    /// <summary>Everyone has let go.</summary>
    protected virtual void Recycle()
    {
        _result.Reset();
        _cancellation = default;
        _state = 0;
        _error = null;
        _taken = 0;
        Next = null;
        Return = null;
        IsWritten = false;
        IsRefused = false;
        _isAwaited = false;
        (Exchange, RoutingKey, MessageId) = (default, default, default);
    }

    private static InvalidOperationException Misused() =>
        new("A ValueTask is awaited once, and its result is not taken before it is there. Use AsTask() where several shall await it.");

    // Of another version than the publication has by now when its result has been taken.
    private ValueTaskSourceStatus Status(short token) => token == _result.Version ? _result.GetStatus(token) : throw Misused();

    private void Cancel(CancellationToken token)
    {
        Settle(new OperationCanceledException(token));
        LetGo();
    }

    private void SetResult(bool inline = false)
    {
        _result.RunContinuationsAsynchronously = !inline;
        if (_error is null)
        {
            _result.SetResult(true);
        }
        else
        {
            _result.SetException(_error);
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
    public abstract MessageParts Write(AmqpBuffer output, ushort channel, in Framing framing);

    /// <summary>Writes the rest of its body, where it is too large to be gathered.</summary>
    public abstract void WriteRest(ChannelLife life, in MessageParts parts);

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

    public override MessageParts Write(AmqpBuffer output, ushort channel, in Framing framing) =>
        MessageFrames.Write(output, channel, in Method, in Properties, in _content, in framing);

    public override void WriteRest(ChannelLife life, in MessageParts parts) =>
        life.Outbox.Stream.Write(in _content, in parts, life.Number, life.FrameMax, Writing);

    protected override void Recycle()
    {
        base.Recycle();
        _content = default;
        Pool.PutBack(this);
    }
}
