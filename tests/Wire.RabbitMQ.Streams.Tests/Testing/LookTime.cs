using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A time that passes when a test says so, second by second, for timers that ring each second.</summary>
internal sealed class LookTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<Action> _looks = [];
    private long _seconds;

    public override long TimestampFrequency => 1;

    public override long GetTimestamp() => Volatile.Read(ref _seconds);

    /// <summary>Lets seconds pass, each with a look.</summary>
    public void Pass(int seconds)
    {
        for (; seconds > 0; seconds--)
        {
            Interlocked.Increment(ref _seconds);
            Action[] looks;
            lock (_gate)
            {
                looks = [.. _looks];
            }

            Array.ForEach(looks, look => look());
        }
    }

    /// <summary>Lets time pass until something holds.</summary>
    public Task PassUntilAsync(Func<bool> holds, string what) => Until.HoldsAsync(
        () =>
        {
            Pass(1);
            return holds();
        },
        what);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Assert.Equal(TimeSpan.FromSeconds(1), period);
        lock (_gate)
        {
            _looks.Add(() => callback(state));
        }

        return System.CreateTimer(_ => { }, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }
}
