namespace Wire.RabbitMQ.Outbox;

/// <summary>Options of an <see cref="OutboxSender"/>. Immutable.</summary>
public sealed record OutboxSenderOptions
{
    private static readonly TimeSpan MostTime = TimeSpan.FromDays(24);

    /// <summary>
    /// Gets the time after which it looks for messages that nobody has woken it for: those of other processes, and those whose pause is
    /// over. 1 second unless set; 10 ms to 24 days.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 10 ms, or more than 24 days.</exception>
    public TimeSpan PollInterval { get; init => field = Within(value, nameof(PollInterval)); } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets the number of messages that it claims at a time, 1 to 10,000: 200 unless set. Up to four such batches are in flight.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 10,000.</exception>
    public int BatchSize
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, nameof(BatchSize));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 10_000, nameof(BatchSize));
            field = value;
        }
    } = 200;

    /// <summary>
    /// Gets the time for which messages are claimed: a message that was not sent in half of it fails, and those of a process that has
    /// ended are sent by another after it. 1 minute unless set; 10 ms to 24 days.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 10 ms, or more than 24 days.</exception>
    public TimeSpan ClaimTime { get; init => field = Within(value, nameof(ClaimTime)); } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Gets the pause after the first failure of a message; each further one doubles it, up to <see cref="MaxRetryPause"/>. 1 second unless
    /// set; 10 ms to 24 days.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 10 ms, or more than 24 days.</exception>
    public TimeSpan RetryPause { get; init => field = Within(value, nameof(RetryPause)); } = TimeSpan.FromSeconds(1);

    /// <summary>Gets the longest pause after a failure of a message. 5 minutes unless set; 10 ms to 24 days.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 10 ms, or more than 24 days.</exception>
    public TimeSpan MaxRetryPause { get; init => field = Within(value, nameof(MaxRetryPause)); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// Gets the time after which it deletes messages from the inbox: longer than any message may take to come again. 7 days unless set;
    /// null to keep them for ever.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not more than zero.</exception>
    public TimeSpan? InboxRetention
    {
        get;
        init
        {
            if (value is { } time)
            {
                ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(time, TimeSpan.Zero, nameof(InboxRetention));
            }

            field = value;
        }
    } = TimeSpan.FromDays(7);

    /// <summary>Returns the pause after a failure.</summary>
    /// <param name="attempts">The number of failures before it.</param>
    internal TimeSpan PauseAfter(int attempts) =>
        TimeSpan.FromMilliseconds(Math.Min(MaxRetryPause.TotalMilliseconds, RetryPause.TotalMilliseconds * Math.Pow(2, attempts)));

    private static TimeSpan Within(TimeSpan value, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.FromMilliseconds(10), name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, MostTime, name);
        return value;
    }
}
