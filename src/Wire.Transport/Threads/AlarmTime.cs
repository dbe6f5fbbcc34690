namespace Wire.Transport.Threads;

/// <summary>
/// The system's time, with timers that run on a thread of their own and so also where every thread of the pool is kept, and where an alarm
/// waits for a lock. What they call takes no lock under which the program's code runs, or wakes another thread, and throws nothing.
/// </summary>
internal sealed class AlarmTime : TimeProvider
{
    private AlarmTime()
    {
    }

    /// <summary>Gets the instance.</summary>
    public static AlarmTime Instance { get; } = new();

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new AlarmTimer(callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class AlarmTimer(TimerCallback callback, object? state) : ITimer
    {
        private readonly Lock _gate = new();
        private Alarm? _alarm;
        private bool _isDisposed;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (_gate)
            {
                if (_isDisposed)
                {
                    return false;
                }

                _alarm?.Dispose();
                _alarm = null;
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    _alarm = new Alarm(() => Ring(period), AlarmThread.Heartbeats);
                    _alarm.RingAfter(dueTime);
                }

                return true;
            }
        }

        public void Dispose()
        {
            lock (_gate)
            {
                _isDisposed = true;
                _alarm?.Dispose();
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        private void Ring(TimeSpan period)
        {
            lock (_gate)
            {
                if (_isDisposed)
                {
                    return;
                }

                if (period != Timeout.InfiniteTimeSpan)
                {
                    _alarm?.RingAfter(period);
                }
            }

            callback(state);
        }
    }
}
