using System.Threading.Tasks.Sources;

namespace Wire.Transport.Pending;

/// <summary>An operation under way, and the task of its caller, without the type of its result.</summary>
internal abstract class PendingOperation : Queued, IThreadPoolWorkItem
{
    /// <summary>True while it stands in a <see cref="WaitQueue{T}"/>, which it leaves when it is cancelled; the queue's.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>Gets whether someone awaits the task already.</summary>
    public abstract bool IsAwaited { get; }

    /// <summary>Completes the task with the known result, unless it has ended, and releases the operation.</summary>
    /// <param name="inline">True if what awaits it continues on this thread; otherwise on the pool.</param>
    public abstract void Finish(bool inline);

    /// <summary>Runs on a thread on which continuations may run.</summary>
    void IThreadPoolWorkItem.Execute() => Finish(inline: true);

    /// <summary>Makes the error for a task that is used otherwise than it can be.</summary>
    protected static InvalidOperationException Misused() =>
        new("A ValueTask can be awaited once, and its result cannot be read before it has completed. Use AsTask() to await it several " +
            "times.");
}

/// <summary>
/// An operation under way, and the task of its caller. It belongs to several at once (the caller until the result has been taken, the owner
/// until it has ended, the cancellation while it may call back) and is used again when the last has released it, so that a late event never
/// meets another operation.
/// </summary>
internal abstract class PendingOperation<TResult> : PendingOperation, IValueTaskSource, IValueTaskSource<TResult>
{
    // Bits of the state: the task is being ended; its result is known; and the number of holds on the caller's memory, which the end waits
    // for.
    private const int Claimed = 1;
    private const int Decided = 2;
    private const int OneBufferHold = 4;

    private ManualResetValueTaskSourceCore<TResult> _result = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _cancellation;
    private int _state;
    private int _holders;
    private int _isTaken;
    private bool _isCancellable;
    private bool _isContended;
    private bool _isOwned;
    private volatile bool _isAwaited;

    /// <inheritdoc/>
    public sealed override bool IsAwaited => _isAwaited;

    /// <summary>The result of the task, unless it fails.</summary>
    public TResult Result { get; set; } = default!;

    /// <summary>Gets the reason why it fails; null for success.</summary>
    public Exception? Error { get; set; }

    /// <summary>
    /// Gets whether something other than its owner, such as its token, has settled it: then nothing is left to do.
    /// </summary>
    public bool IsAbandoned => !_isOwned && (Volatile.Read(ref _state) & Claimed) != 0;

    /// <summary>Gets the number that identifies this use to the tasks.</summary>
    public short Token => _result.Version;

    /// <summary>Begins to wait. The cancellation may call back in here.</summary>
    /// <param name="isContended">True if others than the cancellation and the owner may settle it, or hold the caller's memory.</param>
    /// <param name="holdsBuffer">Whether memory of the caller's is in use, as after <see cref="TryHoldBuffer"/>.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    public void StartWaiting(bool isContended, bool holdsBuffer, CancellationToken cancellationToken)
    {
        _isCancellable = cancellationToken.CanBeCanceled;
        _isContended = isContended || _isCancellable;
        _state = holdsBuffer ? OneBufferHold : 0;
        _holders = 2 + (holdsBuffer ? 1 : 0) + (_isCancellable ? 1 : 0);
        if (_isCancellable)
        {
            _cancellation = cancellationToken.UnsafeRegister(
                static (state, token) => ((PendingOperation<TResult>)state!).Cancel(token), this);
        }
    }

    /// <summary>Releases it.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _holders) == 0)
        {
            Recycle();
        }
    }

    /// <summary>
    /// From now on memory of the caller's is in use: whatever happens, the task does not end before it is not any more. To each belongs one
    /// <see cref="ReleaseBuffer"/>.
    /// </summary>
    /// <returns>Whether it is: not when the task has ended already.</returns>
    public bool TryHoldBuffer()
    {
        Interlocked.Increment(ref _holders);
        for (int state = Volatile.Read(ref _state); (state & Claimed) == 0;)
        {
            int before = Interlocked.CompareExchange(ref _state, state + OneBufferHold, state);
            if (before == state)
            {
                return true;
            }

            state = before;
        }

        Release();
        return false;
    }

    /// <summary>The memory is not in use any more.</summary>
    public void ReleaseBuffer()
    {
        int state = Interlocked.Add(ref _state, -OneBufferHold);
        if (state < OneBufferHold && (state & Decided) != 0)
        {
            SetResult(inline: false);
        }

        Release();
    }

    /// <summary>Claims the task for its owner, so that no cancellation ends it; false where it has been cancelled.</summary>
    public bool TryClaim() => _isOwned || (_isOwned = TryDecide());

    /// <summary>Decides how the task ends, unless that has been decided.</summary>
    /// <param name="error">Why it fails; null for success.</param>
    /// <param name="inline">True if what awaits it continues on this thread; otherwise on the pool.</param>
    public void Settle(Exception? error, bool inline = false)
    {
        if (_isOwned || TryDecide())
        {
            Error = error;
            Complete(inline);
        }
    }

    /// <summary>Ends the task, unless it has ended, and lets go. Nothing of it may be used by the owner after that.</summary>
    /// <inheritdoc cref="Settle"/>
    public virtual void Finish(Exception? error, bool inline = false)
    {
        Settle(error, inline);

        // Where the callback has been called, or is being called, it lets go itself.
        if (_isCancellable && _cancellation.Unregister())
        {
            Release();
        }

        Release();
    }

    /// <inheritdoc/>
    public override void Finish(bool inline) => Finish(Error, inline);

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    /// <inheritdoc/>
    public TResult GetResult(short token)
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
            Release();
        }
    }

    /// <inheritdoc/>
    /// <remarks>The operation is of another version by now when its result has been taken.</remarks>
    public ValueTaskSourceStatus GetStatus(short token) => token == _result.Version ? _result.GetStatus(token) : throw Misused();

    /// <inheritdoc/>
    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _isAwaited = true;
        _result.OnCompleted(continuation, state, token, flags);
    }

    /// <summary>The token has fired, and the task ends by that.</summary>
    protected virtual void Cancelled()
    {
    }

    /// <summary>Everyone has let go.</summary>
    protected virtual void Recycle()
    {
        _result.Reset();
        _cancellation = default;
        _isOwned = false;
        _isTaken = 0;
        _isAwaited = false;
        Error = null;
        (Next, Previous) = (null, null);
    }

    private void Cancel(CancellationToken token)
    {
        if (TryDecide())
        {
            Error = new OperationCanceledException(token);
            Cancelled();
            Complete(inline: false);
        }

        Release();
    }

    // With a single settler there is no race.
    private bool TryDecide() => !_isContended || (Interlocked.Or(ref _state, Claimed) & Claimed) == 0;

    private void Complete(bool inline)
    {
        if (!_isContended || Interlocked.Or(ref _state, Decided) < OneBufferHold)
        {
            SetResult(inline);
        }
    }

    private void SetResult(bool inline)
    {
        _result.RunContinuationsAsynchronously = !inline;
        if (Error is null)
        {
            _result.SetResult(Result);
        }
        else
        {
            _result.SetException(Error);
        }
    }
}
