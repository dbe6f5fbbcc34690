namespace Wire.Transport.Tests;

/// <summary>A time that passes only when a test says so; it has no timers.</summary>
internal sealed class StoppedTime : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _ticks);

    public void Pass(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
}
