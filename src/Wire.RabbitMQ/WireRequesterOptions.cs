namespace Wire.RabbitMQ;

/// <summary>Options of requests.</summary>
public sealed record WireRequesterOptions
{
    /// <summary>
    /// Gets the default time that a request waits for its reply: 30 s unless set; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>
    /// for as long as it takes.
    /// </summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the longest time, within its own, for which a request waits for a connection that is down: more than zero, at most a day; 30 s
    /// unless set.
    /// </summary>
    public TimeSpan RecoveryTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the number of replies that are read concurrently: 1 to 65,535; as many as there are processors unless set.</summary>
    public int ReplyConcurrency { get; init; } = Environment.ProcessorCount;

    internal void Validate()
    {
        RequireTime(Timeout, nameof(Timeout));
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(RecoveryTimeout, TimeSpan.Zero, nameof(RecoveryTimeout));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(RecoveryTimeout, TimeSpan.FromDays(1), nameof(RecoveryTimeout));
        ArgumentOutOfRangeException.ThrowIfLessThan(ReplyConcurrency, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ReplyConcurrency, ushort.MaxValue);
    }

    /// <summary>Checks of times to wait, for timers and the expiration of a message.</summary>
    internal static void RequireTime(TimeSpan time, string name)
    {
        if (time != System.Threading.Timeout.InfiniteTimeSpan && (time <= TimeSpan.Zero || time.TotalMilliseconds > int.MaxValue))
        {
            throw new ArgumentOutOfRangeException(
                name, time, "A request waits for more than zero and at most 24 days, or Timeout.InfiniteTimeSpan.");
        }
    }
}
