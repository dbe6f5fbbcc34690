using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ;

/// <summary>
/// The number of attempts to handle a message, and the pauses between them. A message that waits for its next attempt counts as one of the
/// <see cref="WireConsumerOptions.MaxConcurrency"/> that are handled at a time. Immutable.
/// </summary>
public sealed record RetryPolicy
{
    /// <summary>Three attempts: the second at once, the third after 100 ms.</summary>
    public static RetryPolicy Default { get; } = new();

    /// <summary>One attempt.</summary>
    public static RetryPolicy None { get; } = new() { MaxAttempts = 1 };

    /// <summary>Gets the number of attempts in all, the first included: 1 and up; 3 unless set.</summary>
    public int MaxAttempts { get; init; } = 3;

    /// <summary>
    /// The pause before the third attempt, which doubles with each further one; the second follows at once. 100 ms unless set.
    /// </summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest pause. 5 s unless set.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the retries for which the message waits at the broker, after the attempts here; null, the default, for none.
    /// </summary>
    public DelayedRetryPolicy? Delayed { get; init; }

    /// <summary>
    /// Decides whether another attempt makes sense after a handler's exception; null, the default, for always. If it throws itself, there
    /// is no other attempt.
    /// </summary>
    public Func<Exception, bool>? ShouldRetry { get; init; }

    /// <summary>The pause before an attempt.</summary>
    /// <param name="attempt">The attempt, from 2.</param>
    internal TimeSpan DelayBefore(int attempt)
    {
        if (attempt <= 2)
        {
            return TimeSpan.Zero;
        }

        double doubled = Delay.TotalMilliseconds * Math.Pow(2, attempt - 3);
        return doubled < MaxDelay.TotalMilliseconds ? TimeSpan.FromMilliseconds(doubled) : MaxDelay;
    }

    /// <summary>Decides on a message after a failed attempt.</summary>
    /// <param name="attempt">The number of the attempt, since the message has come.</param>
    /// <param name="retries">How often it was put aside before.</param>
    /// <param name="exception">What it failed with.</param>
    internal MessageOutcome After(int attempt, int retries, Exception exception)
    {
        if (ShouldRetry?.Invoke(exception) == false)
        {
            return MessageOutcome.LastFailure;
        }

        return attempt < MaxAttempts ? MessageOutcome.TryAgain
            : Delayed?.WaitBefore(retries + 1, exception) is { } wait ? MessageOutcome.TryLater(wait)
            : MessageOutcome.LastFailure;
    }

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxAttempts, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(Delay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDelay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDelay, TimeSpan.FromDays(1));
        Delayed?.Validate();
    }
}

/// <summary>
/// The retries of a message for which it waits at the broker, so that it holds up no other: in queues that are declared when they are
/// needed, named like its own and <c>.delay.10s</c>. Immutable.
/// </summary>
/// <remarks>
/// Each retry has as many attempts as <see cref="RetryPolicy.MaxAttempts"/> says. Messages that waited come behind others, so there is no
/// order among them. A message that would expire meanwhile is a failure at once, as is one of a stream, which cannot wait. It needs
/// RabbitMQ 3.10, for queues of the type quorum.
/// </remarks>
public sealed record DelayedRetryPolicy
{
    // Into how many queues the messages of one delay are spread.
    private const int Spread = 4;
    private const double LargestJitter = 0.5;

    /// <summary>Five retries: after 10 s, 20 s, 40 s, 80 s and 160 s.</summary>
    public static DelayedRetryPolicy Default { get; } = new();

    /// <summary>Gets the number of retries: 1 and up; 5 unless set.</summary>
    public int MaxRetries { get; init; } = 5;

    /// <summary>Gets the time before the first retry, which doubles with each further one: 1 ms to 24 days; 10 s unless set.</summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets the longest time: at most 24 days, and not less than <see cref="Delay"/>; 1 hour unless set.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromHours(1);

    /// <summary>
    /// Gets the share of the time by which a message comes back earlier: one of four times at random, of which the last is the whole, so
    /// that those which failed together do not all come back together. 0 to 0.5; 0 unless set. Each of the four is a queue.
    /// </summary>
    public double Jitter { get; init; }

    /// <summary>
    /// Gives the time before the first retry for an exception, which then doubles up to <see cref="MaxDelay"/>; null from it, or where it
    /// is not set, for <see cref="Delay"/>. Zero from it is for no retry; if it throws, there is none either. Such a message may come back
    /// up to a third of the time later, behind others that wait, and has no <see cref="Jitter"/>.
    /// </summary>
    public Func<Exception, TimeSpan?>? DelayFor { get; init; }

    /// <summary>Returns the wait before a retry; null for none.</summary>
    /// <param name="retry">The number of the retry, from 1.</param>
    /// <param name="exception">The failure.</param>
    internal Wait? WaitBefore(int retry, Exception exception)
    {
        if (retry > MaxRetries)
        {
            return null;
        }

        if (DelayFor?.Invoke(exception) is not { } first)
        {
            return Wait.InQueueOf(Spreads(Doubled(Delay, retry), Random.Shared.Next(Jitter == 0 ? 1 : Spread)));
        }

        if (first == TimeSpan.Zero)
        {
            return null;
        }

        DelayLevel.Check(first, nameof(DelayFor));
        return Wait.For(Doubled(first, retry));
    }

    /// <summary>Returns the queues of all retries whose exceptions have no time of their own.</summary>
    internal IEnumerable<DelayLevel> Levels() =>
        from retry in Enumerable.Range(1, MaxRetries).TakeWhile(retry => retry == 1 || Doubled(Delay, retry) > Doubled(Delay, retry - 1))
        from spread in Enumerable.Range(0, Jitter == 0 ? 1 : Spread)
        select Wait.InQueueOf(Spreads(Doubled(Delay, retry), spread)).Level;

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxRetries, 1);
        DelayLevel.Check(Delay, nameof(Delay));
        DelayLevel.Check(MaxDelay, nameof(MaxDelay));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDelay, Delay);
        if (Jitter is not (>= 0 and <= LargestJitter))
        {
            throw new ArgumentOutOfRangeException(nameof(Jitter), Jitter, $"The value must be from 0 to {LargestJitter}.");
        }
    }

    private TimeSpan Spreads(TimeSpan delay, int number) => delay * (1 - (Jitter * number / (Spread - 1)));

    private TimeSpan Doubled(TimeSpan first, int retry) =>
        first >= MaxDelay
            ? first
            : TimeSpan.FromMilliseconds(Math.Min(first.TotalMilliseconds * Math.Pow(2, retry - 1), MaxDelay.TotalMilliseconds));
}
