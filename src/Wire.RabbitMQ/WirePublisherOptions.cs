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
    /// Gets the number of unconfirmed messages that each channel may have published, 1 to 1,048,576. Further ones wait: their tasks stay
    /// incomplete, and nothing is serialized for them.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,048,576.</exception>
    public int MaxInFlight { get; init => field = Within(value, InFlightLimit, nameof(MaxInFlight)); } = 2048;

    /// <summary>
    /// Gets the number of bytes of unconfirmed bodies that each channel may have published, 1 to 2,147,483,647; a single message may be
    /// larger. Null, the default, for a value that suits the connection: no limit over Wire.Amqp.Client, which keeps no sent bytes, and 256
    /// KiB over RabbitMQ.Client, so that its pooled memory is reused. A larger value suits large messages and a distant broker.
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
    /// Gets whether a message that cannot be routed to any queue is returned and fails, rather than being dropped by the broker. On unless
    /// set.
    /// </summary>
    public bool Mandatory { get; init; } = true;

    /// <summary>Gets whether messages survive a restart of the broker, in durable queues. On unless set.</summary>
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

    /// <summary>
    /// Gets the exchanges of messages that are published without one: <see cref="WirePublisher.PublishAsync{T}(T, PublishOptions?,
    /// CancellationToken)"/>. Null, the default, for those of the host, and <see cref="WireConventions.Default"/> elsewhere.
    /// </summary>
    public WireConventions? Conventions { get; init; }

    /// <summary>
    /// Gets what stands around the publishing of each message, the first outermost; none unless set. Requests, replies, copies for error
    /// and delay queues, and what an outbox sends do not go through it.
    /// </summary>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public IReadOnlyList<IPublishMiddleware> Middleware
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(Middleware));
    } = [];

    private static int Within(int value, int most, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, most, name);
        return value;
    }
}
