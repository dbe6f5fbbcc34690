namespace Wire.RabbitMQ.Streams;

/// <summary>
/// The number of attempts to handle a message, and the pauses between them, for which the messages behind it wait: the order is kept.
/// Immutable.
/// </summary>
public sealed record StreamRetryPolicy
{
    /// <summary>Three attempts: the second at once, the third after 100 ms.</summary>
    public static StreamRetryPolicy Default { get; } = new();

    /// <summary>One attempt.</summary>
    public static StreamRetryPolicy None { get; } = new() { MaxAttempts = 1 };

    /// <summary>Gets the number of attempts in all, the first included: 1 and up; 3 unless set.</summary>
    public int MaxAttempts { get; init; } = 3;

    /// <summary>
    /// The pause before the third attempt, which doubles with each further one; the second follows at once. 100 ms unless set.
    /// </summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest pause: up to 1 day. 5 s unless set.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromSeconds(5);

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

    /// <summary>Decides whether there is another attempt.</summary>
    /// <param name="attempt">The number of the attempt that has failed.</param>
    /// <param name="exception">What it failed with; where the decision fails as well, both.</param>
    internal bool IsThereAnother(int attempt, ref Exception exception)
    {
        if (attempt >= MaxAttempts)
        {
            return false;
        }

        try
        {
            return ShouldRetry?.Invoke(exception) != false;
        }
        catch (Exception e)
        {
            exception = new AggregateException(
                $"The handler failed, and {nameof(ShouldRetry)} threw when it was asked about the failure: there is no further attempt.",
                exception,
                e);
            return false;
        }
    }

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxAttempts, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(Delay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDelay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDelay, TimeSpan.FromDays(1));
    }
}
