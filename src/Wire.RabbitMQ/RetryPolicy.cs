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
