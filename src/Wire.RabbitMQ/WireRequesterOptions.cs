namespace Wire.RabbitMQ;

/// <summary>Options of requests.</summary>
public sealed record WireRequesterOptions
{
    /// <summary>
    /// Gets the time that a request waits for its reply when it does not say so itself: 30 s unless set; <see
    /// cref="System.Threading.Timeout.InfiniteTimeSpan"/> for as long as it takes.
    /// </summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the longest time, within its own, for which a request waits for a connection that is down: more than zero, at most a day; 30 s
    /// unless set.
    /// </summary>
    public TimeSpan RecoveryTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the number of replies that are read side by side: 1 to 65,535; as many as there are processors unless set.</summary>
    public int ReplyConcurrency { get; init; } = Environment.ProcessorCount;

    internal void Validate()
    {
        RequireTime(Timeout, nameof(Timeout));
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(RecoveryTimeout, TimeSpan.Zero, nameof(RecoveryTimeout));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(RecoveryTimeout, TimeSpan.FromDays(1), nameof(RecoveryTimeout));
        ArgumentOutOfRangeException.ThrowIfLessThan(ReplyConcurrency, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ReplyConcurrency, ushort.MaxValue);
    }

    /// <summary>A time to wait that timers and the expiration of a message can have.</summary>
    internal static void RequireTime(TimeSpan time, string name)
    {
        if (time != System.Threading.Timeout.InfiniteTimeSpan && (time <= TimeSpan.Zero || time.TotalMilliseconds > int.MaxValue))
        {
            throw new ArgumentOutOfRangeException(
                name, time, "A request waits for more than zero and at most 24 days, or Timeout.InfiniteTimeSpan.");
        }
    }
}
