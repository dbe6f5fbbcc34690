namespace Wire.RabbitMQ;

/// <summary>Options of a <see cref="WirePublisher"/>. Immutable.</summary>
public sealed record WirePublisherOptions
{
    /// <summary>The largest <see cref="MaxInFlight"/>.</summary>
    internal const int InFlightLimit = 1 << 20;

    /// <summary>Gets the number of channels that publish side by side, 1 to 2,047. They are opened when they are needed.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 2,047.</exception>
    public int MaxChannels { get; init => field = Within(value, 2047, nameof(MaxChannels)); } = 4;

    /// <summary>
    /// Gets the number of messages that each channel may have published and the broker has not confirmed yet, 1 to 1,048,576. Further ones
    /// wait: their tasks stay incomplete, and nothing is serialized for them.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,048,576.</exception>
    public int MaxInFlight { get; init => field = Within(value, InFlightLimit, nameof(MaxInFlight)); } = 2048;

    /// <summary>
    /// Gets the number of bytes of bodies that each channel may have published and the broker has not confirmed yet, 1 to 2,147,483,647; a
    /// single message may be larger. Null, as it is unless set, for what suits the connection: as many as you like over Wire.Amqp.Client,
    /// which keeps nothing of what it has sent, and 256 KiB over RabbitMQ.Client, so little that its pooled memory is used again rather
    /// than allocated for each message. More of it suits large messages and a broker that is far away.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int? MaxBytesInFlight { get; init => field = value is { } bytes ? Within(bytes, int.MaxValue, nameof(MaxBytesInFlight)) : null; }

    /// <summary>
    /// Gets the number of messages that may wait for each channel, 1 to 2,147,483,647: while the connection is down, or the broker has not
    /// confirmed others. A further one fails with an <see cref="Amqp.Client.AmqpPublishException"/>, as <see
    /// cref="Amqp.Client.AmqpPublishFailure.Overflow"/>. 100,000 unless set.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxWaiting { get; init => field = Within(value, int.MaxValue, nameof(MaxWaiting)); } = 100_000;

    /// <summary>
    /// Says whether a message that cannot be routed to any queue comes back and fails, rather than be dropped by the broker. On unless set.
    /// </summary>
    public bool Mandatory { get; init; } = true;

    /// <summary>Says whether messages outlive a restart of the broker, in queues that do. On unless set.</summary>
    public bool Persistent { get; init; } = true;

    /// <summary>
    /// Gets the time that messages wait for a connection that is down before they fail with an <see
    /// cref="Amqp.Client.AmqpConnectionException"/>, and how long <see cref="WirePublisher.DisposeAsync"/> waits for confirmations. 30
    /// seconds unless set.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not more than zero, or more than a day.</exception>
    public TimeSpan RecoveryTimeout
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero, nameof(RecoveryTimeout));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, TimeSpan.FromDays(1), nameof(RecoveryTimeout));
            field = value;
        }
    } = TimeSpan.FromSeconds(30);

    private static int Within(int value, int most, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, most, name);
        return value;
    }
}
