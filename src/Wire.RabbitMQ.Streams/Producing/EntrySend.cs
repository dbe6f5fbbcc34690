using System.Threading.Tasks.Sources;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The task of the messages of an entry, which the broker confirms together. A message costs nothing more then, but for who waits before
/// the answer comes. It is not used again, because nobody knows who still has it. Thread-safe.
/// </summary>
/// <param name="firstId">The publishing id of the first message of the entry; the token of another is how far it is behind.</param>
internal sealed class EntrySend(ulong firstId) : PendingOperation, IValueTaskSource, IAwaitedSend
{
    // Who waits, the latest first; Ended when the broker has answered.
    private Awaiter? _awaiters;
    private Func<ulong, StreamPublishException>? _reason;
    private int _messages;

    /// <inheritdoc/>
    public override bool IsAwaited => _awaiters is { } last && last != Awaiter.Ended;

    /// <inheritdoc/>
    public long Messages => _messages;

    private bool HasEnded => Volatile.Read(ref _awaiters) == Awaiter.Ended;

    /// <summary>Adds a message. Under the publisher's gate.</summary>
    /// <returns>Its task.</returns>
    public ValueTask Add(ulong id)
    {
        _messages++;
        return new ValueTask(this, (short)(id - firstId));
    }

    /// <inheritdoc/>
    public void Fail(Func<ulong, StreamPublishException> reason) => _reason = reason;

    /// <inheritdoc/>
    public override void Finish(bool inline)
    {
        Awaiter? last = Interlocked.Exchange(ref _awaiters, Awaiter.Ended);
        Awaiter? first = null;
        while (last is not null)
        {
            (last.Next, first, last) = (first, last, last.Next);
        }

        while (first is not null)
        {
            Awaiter? next = first.Next;
            first.Continue(inline && next is null);
            first = next;
        }
    }

    /// <inheritdoc/>
    public ValueTaskSourceStatus GetStatus(short token) => !HasEnded
        ? ValueTaskSourceStatus.Pending
        : _reason is null ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Faulted;

    /// <inheritdoc/>
    public void GetResult(short token)
    {
        if (!HasEnded)
        {
            throw Misused();
        }

        if (_reason is { } reason)
        {
            throw reason(firstId + (ushort)token);
        }
    }

    /// <inheritdoc/>
    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Awaiter awaiter = Awaiter.Rent(continuation, state, flags);
        Awaiter? last = Volatile.Read(ref _awaiters);
        while (last != Awaiter.Ended)
        {
            awaiter.Next = last;
            Awaiter? before = Interlocked.CompareExchange(ref _awaiters, awaiter, last);
            if (before == last)
            {
                return;
            }

            last = before;
        }

        awaiter.Continue(inline: false);
    }

    // What continues, with its context, which the runtime's core knows how to keep.
    private sealed class Awaiter
    {
        public static readonly Awaiter Ended = new();

        private static readonly BoundedPool<Awaiter> Pool = new();

        private ManualResetValueTaskSourceCore<bool> _core;

        public Awaiter? Next { get; set; }

        public static Awaiter Rent(Action<object?> continuation, object? state, ValueTaskSourceOnCompletedFlags flags)
        {
            Awaiter awaiter = Pool.TryTake() ?? new Awaiter();
            awaiter._core.OnCompleted(continuation, state, awaiter._core.Version, flags);
            return awaiter;
        }

        public void Continue(bool inline)
        {
            _core.RunContinuationsAsynchronously = !inline;
            _core.SetResult(true);
            _core.Reset();
            Next = null;
            Pool.PutBack(this);
        }
    }
}
