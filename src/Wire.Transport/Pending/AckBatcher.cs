using Wire.Transport.Threads;

namespace Wire.Transport.Pending;

/// <summary>
/// The deliveries of a channel, and their acknowledgements: holds these back for a while, so that more are sent together. One sends at a
/// time. Thread-safe.
/// </summary>
internal sealed class AckBatcher : IDisposable
{
    private readonly Lock _gate = new();
    private readonly AckWindow _window;
    private readonly TimeSpan _delay;
    private readonly Action _tell;
    private readonly Alarm _alarm;
    private TaskCompletionSource? _told;
    private volatile bool _hasEnded;
    private bool _isSending;
    private bool _isSealed;

    // The broker sends more when it gets acknowledgements: early enough that it never waits, late enough that several are sent together.
    private int _enough;

    /// <summary>Holds nothing yet.</summary>
    /// <param name="capacity">How many deliveries there are at a time, without growing: the prefetch count.</param>
    /// <param name="delay">The longest time for which something is held; zero for not at all.</param>
    /// <param name="tell">
    /// Sends what was held for that long, and then calls <see cref="IsSent"/>. On the thread of the alarms.
    /// </param>
    public AckBatcher(int capacity, TimeSpan delay, Action tell)
    {
        (_window, _delay, _tell) = (new AckWindow(capacity), delay, tell);
        _enough = delay == TimeSpan.Zero ? 1 : int.MaxValue;
        _alarm = new Alarm(DelayIsOver);
    }

    /// <summary>Gets whether acknowledgements are due.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>
    /// Gets the number of deliveries that have come and not ended. On the thread of those that come; others may end some meanwhile.
    /// </summary>
    public int Open => _window.Open;

    /// <summary>Gets whether anything is held.</summary>
    public bool IsHolding => Volatile.Read(ref _enough) > 1;

    /// <summary>
    /// Notes the prefetch count of a consumer that is started (0: no limit), so that acknowledgements are sent early enough.
    /// </summary>
    public void HoldFor(ushort prefetch)
    {
        if (prefetch != 0)
        {
            lock (_gate)
            {
                _enough = Math.Min(_enough, Math.Max(1, prefetch / 4));
            }
        }
    }

    /// <summary>Adds a delivery.</summary>
    /// <param name="tag">Its tag: one more than that of the last one, from 1.</param>
    /// <param name="isSettled">True if the broker expects an acknowledgement.</param>
    /// <returns>False when deliveries do not count any more.</returns>
    /// <exception cref="InvalidOperationException">It has another tag.</exception>
    public bool TryDeliver(ulong tag, bool isSettled)
    {
        lock (_gate)
        {
            if (_isSealed)
            {
                return false;
            }

            if (isSettled)
            {
                _window.Deliver(tag);
            }
            else
            {
                _window.Skip(tag);
            }

            return true;
        }
    }

    /// <summary>Settles a delivery, or all up to it (0 for all) that are not settled.</summary>
    /// <param name="tag">Its tag.</param>
    /// <param name="multiple">True if all up to it have.</param>
    /// <param name="settlement">The decision.</param>
    /// <param name="mayHold">True if it may be held back.</param>
    /// <param name="mustSend">Whether the caller sends, and then calls <see cref="IsSent"/>.</param>
    /// <returns>False when there was none to settle.</returns>
    public bool TryEnd(ulong tag, bool multiple, Settlement settlement, bool mayHold, out bool mustSend)
    {
        lock (_gate)
        {
            mustSend = false;
            if (!(multiple ? _window.EndUpTo(tag, settlement) : _window.Settle(tag, settlement)))
            {
                return false;
            }

            _hasEnded = !_isSealed;
            mustSend = _hasEnded && !_isSending && !(mayHold && Hold());
            _isSending |= mustSend;
            return true;
        }
    }

    /// <summary>Makes the caller send what is due, unless another does; afterwards it calls <see cref="IsSent"/>.</summary>
    public bool TryBeginSend()
    {
        lock (_gate)
        {
            return _hasEnded && !_isSending && (_isSending = true);
        }
    }

    /// <summary>Takes all acknowledgements that are due, to be sent in this order.</summary>
    public void Drain(List<AckCommand> notices)
    {
        lock (_gate)
        {
            notices.Clear();
            _window.Drain(notices);
            _hasEnded = false;
        }
    }

    /// <summary>Ends what <see cref="TryBeginSend"/> began; false when more is due, so that the caller continues.</summary>
    public bool IsSent()
    {
        TaskCompletionSource? told;
        lock (_gate)
        {
            _isSending = _hasEnded && !Hold();
            if (_isSending)
            {
                return false;
            }

            (told, _told) = (_told, null);
        }

        told?.TrySetResult();
        return true;
    }

    /// <summary>Ends when nothing is being sent, or the state no longer matters.</summary>
    public Task WhenTold()
    {
        lock (_gate)
        {
            return _isSending && !_isSealed
                ? (_told ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task
                : Task.CompletedTask;
        }
    }

    /// <summary>Drops all deliveries: the broker has them back, and is told nothing of them.</summary>
    /// <returns>The last tag.</returns>
    public ulong Drop()
    {
        lock (_gate)
        {
            _window.Drop();
            _hasEnded = false;
            return _window.Latest;
        }
    }

    /// <summary>Ends counting: no delivery is held any more.</summary>
    /// <returns>The last tag.</returns>
    public ulong Seal()
    {
        TaskCompletionSource? told;
        ulong last;
        lock (_gate)
        {
            (_isSealed, _hasEnded) = (true, false);
            (told, _told) = (_told, null);
            last = _window.Latest;
        }

        told?.TrySetResult();
        return last;
    }

    /// <summary>Releases everything that is held.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _enough = 0;
        }

        _alarm.Dispose();
    }

    // True if ended messages are held back; guarded by the gate.
    private bool Hold()
    {
        if (_window.Ended >= _enough)
        {
            return false;
        }

        _alarm.RingAfter(_delay);
        return true;
    }

    private void DelayIsOver()
    {
        if (TryBeginSend())
        {
            _tell();
        }
    }
}
