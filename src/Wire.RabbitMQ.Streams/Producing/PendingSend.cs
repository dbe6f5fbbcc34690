using System.Threading.Tasks.Sources;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The task of one send: until there is room for its message, or until the broker has confirmed it. It belongs to several at once (the caller until the
/// result has been taken, the producer until it has answered, the cancellation while it may call back) and is used again when the last has let it go.
/// </summary>
internal class PendingSend : IValueTaskSource, IValueTaskSource<ulong>, IThreadPoolWorkItem
{
    private readonly SendPool? _pool;
    private ManualResetValueTaskSourceCore<ulong> _result = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _cancellation;
    private int _holders;
    private int _isSettled;
    private int _isTaken;
    private bool _isCancellable;
    private bool _isClaimed;
    private volatile bool _isAwaited;

    public PendingSend(SendPool? pool = null) => _pool = pool;

    /// <summary>The next one of a chain, or of those that can be used again.</summary>
    public PendingSend? Next { get; set; }

    /// <summary>Why it has failed; null where it has not.</summary>
    public Exception? Error { get; set; }

    /// <summary>The publishing id of its message.</summary>
    public ulong Id { get; set; }

    /// <summary>Whether somebody awaits the task already.</summary>
    public bool IsAwaited => _isAwaited;

    /// <summary>Whether the task has been cancelled already.</summary>
    public bool IsCancelled => !_isClaimed && Volatile.Read(ref _isSettled) != 0;

    /// <summary>What identifies this use to the tasks.</summary>
    public short Token => _result.Version;

    /// <summary>Begins to wait. Under the producer's lock; the cancellation may call back in here.</summary>
    public void Begin(CancellationToken cancellationToken)
    {
        _isCancellable = cancellationToken.CanBeCanceled;
        _holders = _isCancellable ? 3 : 2;
        if (_isCancellable)
        {
            _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((PendingSend)state!).Cancel(token), this);
        }
    }

    /// <summary>Ends the task as <see cref="Error"/> says, and lets go: nothing of it may be used by the producer after that.</summary>
    /// <param name="inline">Whether what awaits it goes on on this thread; otherwise on the pool.</param>
    public void Finish(bool inline)
    {
        if (_isClaimed || TryClaim())
        {
            _result.RunContinuationsAsynchronously = !inline;
            if (Error is null)
            {
                _result.SetResult(Id);
            }
            else
            {
                _result.SetException(Error);
            }
        }

        // Where the callback has been called, or is being called, it lets go itself.
        if (_isCancellable && _cancellation.Unregister())
        {
            LetGo();
        }

        LetGo();
    }

    /// <summary>Ends the task on a thread that has nothing else to do.</summary>
    void IThreadPoolWorkItem.Execute() => Finish(inline: true);

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    ulong IValueTaskSource<ulong>.GetResult(short token) => GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => token == _result.Version ? _result.GetStatus(token) : throw Misused();

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _isAwaited = true;
        _result.OnCompleted(continuation, state, token, flags);
    }

    /// <summary>The token has fired, and the task has ended by that.</summary>
    protected virtual void Cancelled()
    {
    }

    /// <summary>Everyone has let go.</summary>
    protected virtual void Recycle()
    {
        Reset();
        _pool?.PutBack(this);
    }

    /// <summary>From now on it cannot be cancelled any more, unless it has been: then this is false.</summary>
    protected bool TryClaim() => _isClaimed = !_isCancellable || Interlocked.Exchange(ref _isSettled, 1) == 0;

    protected void Reset()
    {
        _result.Reset();
        _isClaimed = false;
        _cancellation = default;
        _isSettled = 0;
        _isTaken = 0;
        _isAwaited = false;
        Error = null;
        Next = null;
    }

    private static InvalidOperationException Misused() =>
        new("A ValueTask is awaited once, and its result is not taken before it is there. Use AsTask() where several shall await it.");

    private ulong GetResult(short token)
    {
        if (GetStatus(token) == ValueTaskSourceStatus.Pending || Interlocked.Exchange(ref _isTaken, 1) != 0)
        {
            throw Misused();
        }

        try
        {
            return _result.GetResult(token);
        }
        finally
        {
            LetGo();
        }
    }

    private void Cancel(CancellationToken token)
    {
        if (Interlocked.Exchange(ref _isSettled, 1) == 0)
        {
            Cancelled();
            _result.RunContinuationsAsynchronously = true;
            _result.SetException(new OperationCanceledException(token));
        }

        LetGo();
    }

    protected void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) == 0)
        {
            Recycle();
        }
    }
}
