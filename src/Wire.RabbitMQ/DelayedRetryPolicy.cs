using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ;

/// <summary>
/// The retries of a message for which it waits at the broker, so that it holds up no other: in queues that are declared when they are
/// needed, named like its own and <c>.delay.10s</c>. Immutable.
/// </summary>
/// <remarks>
/// Each retry has as many attempts as <see cref="RetryPolicy.MaxAttempts"/> says. Messages that waited come behind others, so there is no
/// order among them. It needs RabbitMQ 3.10, for queues of the type quorum; a message of a stream cannot wait, and is a failure at once.
/// </remarks>
public sealed record DelayedRetryPolicy
{
    private const double LargestJitter = 0.5;

    /// <summary>Five retries: after about 10 s, 20 s, 40 s, 80 s and 160 s.</summary>
    public static DelayedRetryPolicy Default { get; } = new();

    /// <summary>Gets the number of retries: 1 and up; 5 unless set.</summary>
    public int MaxRetries { get; init; } = 5;

    /// <summary>
    /// Gets the time before the first retry, which doubles with each further one: 1 ms to 24 days; 10 s unless set. A message may come back
    /// up to a third of the time later, behind others that wait.
    /// </summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets the longest time: at most 24 days; 1 hour unless set.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromHours(1);

    /// <summary>
    /// Gets the share of the time by which a message comes back earlier, at random up to that, so that those which failed together do not
    /// come back together: 0 to 0.5; 0.1 unless set.
    /// </summary>
    public double Jitter { get; init; } = 0.1;

    /// <summary>
    /// Gives the time before the first retry for an exception; null from it, or where it is not set, for <see cref="Delay"/>. Zero from it
    /// is for no retry. If it throws, there is none either.
    /// </summary>
    public Func<Exception, TimeSpan?>? DelayFor { get; init; }

    /// <summary>Returns the time before a retry; null for none.</summary>
    /// <param name="retry">The number of the retry, from 1.</param>
    /// <param name="exception">The failure.</param>
    internal TimeSpan? DelayBefore(int retry, Exception exception)
    {
        if (retry > MaxRetries)
        {
            return null;
        }

        TimeSpan first = DelayFor?.Invoke(exception) ?? Delay;
        if (first == TimeSpan.Zero)
        {
            return null;
        }

        DelayLevel.Check(first, nameof(DelayFor));
        return Doubled(first, retry);
    }

    /// <summary>Returns a time that is a little shorter, at random.</summary>
    internal TimeSpan Jittered(TimeSpan delay) => delay * (1 - (Jitter * Random.Shared.NextDouble()));

    /// <summary>Returns the times before all retries whose exceptions have no time of their own.</summary>
    internal IEnumerable<TimeSpan> Delays() =>
        Enumerable.Range(1, MaxRetries).Select(retry => Doubled(Delay, retry)).TakeWhile((delay, i) => i == 0 || delay > Doubled(Delay, i));

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxRetries, 1);
        DelayLevel.Check(Delay, nameof(Delay));
        DelayLevel.Check(MaxDelay, nameof(MaxDelay));
        if (Jitter is not (>= 0 and <= LargestJitter))
        {
            throw new ArgumentOutOfRangeException(nameof(Jitter), Jitter, $"The value must be from 0 to {LargestJitter}.");
        }
    }

    private TimeSpan Doubled(TimeSpan first, int retry) =>
        TimeSpan.FromMilliseconds(Math.Min(first.TotalMilliseconds * Math.Pow(2, retry - 1), MaxDelay.TotalMilliseconds));
}
