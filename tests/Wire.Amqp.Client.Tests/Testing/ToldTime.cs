using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>A time that passes when a test says so, for timers that ring once.</summary>
internal sealed class ToldTime : TimeProvider
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly Lock _gate = new();
    private readonly List<ToldTimer> _timers = [];
    private TaskCompletionSource _set = New();
    private TimeSpan _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp()
    {
        lock (_gate)
        {
            return _now.Ticks;
        }
    }

    public override DateTimeOffset GetUtcNow() => Start + TimeSpan.FromTicks(GetTimestamp());

    /// <summary>Waits until something waits for so long a time, at least and at most, from now on.</summary>
    /// <returns>For how long.</returns>
    public async Task<TimeSpan> AwaitedAsync(TimeSpan least, TimeSpan most)
    {
        while (true)
        {
            Task set;
            lock (_gate)
            {
                if (_timers.Find(timer => timer.Due - _now >= least && timer.Due - _now <= most) is { } found)
                {
                    return found.Due - _now;
                }

                set = _set.Task;
            }

            await set.InTime();
        }
    }

    /// <summary>Lets a time pass: what waits for its end, or for less, has waited long enough.</summary>
    public void Pass(TimeSpan time)
    {
        ToldTimer[] due;
        lock (_gate)
        {
            _now += time;
            due = [.. _timers.Where(timer => timer.Due <= _now).OrderBy(timer => timer.Due)];
            _timers.RemoveAll(timer => timer.Due <= _now);
        }

        foreach (ToldTimer timer in due)
        {
            timer.Ring();
        }
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (period != Timeout.InfiniteTimeSpan)
        {
            throw new NotSupportedException("Timers of this time ring once.");
        }

        var timer = new ToldTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private sealed class ToldTimer(ToldTime owner, Action ring) : ITimer
    {
        public TimeSpan Due { get; private set; }

        public void Ring() => ring();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (owner._gate)
            {
                owner._timers.Remove(this);
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    Due = owner._now + dueTime;
                    owner._timers.Add(this);
                    owner._set.SetResult();
                    owner._set = New();
                }

                return true;
            }
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
