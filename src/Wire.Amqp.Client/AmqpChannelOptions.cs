namespace Wire.Amqp.Client;

/// <summary>Options of a channel.</summary>
public sealed record AmqpChannelOptions
{
    /// <summary>Gets whether the broker confirms each message, which its task then waits for: true by default.</summary>
    public bool Confirms { get; init; } = true;

    /// <summary>
    /// Gets the number of messages that may be published and not confirmed: 2,048 by default, from 1 on. Further ones wait, in their order.
    /// </summary>
    public int MaxInFlight { get; init; } = 2048;

    /// <summary>
    /// Gets the number of bytes of bodies that may be published and not confirmed: as many as you like by default, from 1 on. Further
    /// messages wait; one alone may be larger.
    /// </summary>
    public long MaxBytesInFlight { get; init; } = long.MaxValue;

    /// <summary>
    /// Gets the number of messages that may wait, for a connection that is down or for others to be confirmed: 100,000 by default, from 1
    /// on. A further one fails with an <see cref="AmqpPublishException"/>, <see cref="AmqpPublishFailure.Overflow"/>.
    /// </summary>
    public int MaxWaiting { get; init; } = 100_000;

    /// <summary>
    /// Gets the number of deliveries that the broker sends ahead to each consumer of the channel before they are acknowledged: 250 by
    /// default, 0 for no limit.
    /// </summary>
    public ushort Prefetch { get; init; } = 250;

    /// <summary>
    /// Gets whether <see cref="Prefetch"/> is for all consumers of the channel together: false by default, for each of them. RabbitMQ has
    /// it for classic queues, and closes the connection over consumers of quorum queues on such a channel (540); from 4.3 on it reads the
    /// count as one for each consumer all the same.
    /// </summary>
    public bool SharesPrefetch { get; init; }

    /// <summary>
    /// Gets the longest time for which acknowledgements and rejections are held back so that more are sent together: zero by default, up to
    /// a day. They are sent earlier when a quarter of <see cref="Prefetch"/> has gathered, with whatever else is sent on the channel, and
    /// when a consumer or the channel ends. Those of handlers that end at once on the receive loop are not held: they are sent with what
    /// was received together.
    /// </summary>
    public TimeSpan AckDelay { get; init; }

    /// <summary>
    /// Gets whether a message that is published with <c>Mandatory</c> and without a <c>MessageId</c> gets one, on a channel with confirms:
    /// true by default. A returned message is matched by this id. Without it, returned messages with the same exchange and routing key are
    /// matched in the order in which they were published.
    /// </summary>
    public bool IdentifiesMandatory { get; init; } = true;

    /// <summary>
    /// Gets the time that messages wait for a connection that is down before they fail with an <see cref="AmqpConnectionException"/>: <see
    /// cref="Timeout.InfiniteTimeSpan"/>, as long as it takes, by default.
    /// </summary>
    public TimeSpan RecoveryTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Gets whether the channel is opened again when the broker has closed it because of what was done on it, such as publishing to an
    /// exchange that is not there: false by default. Unconfirmed messages fail, and waiting ones are published. Consumers are started
    /// again, with the same tags and handlers, and have what they had not acknowledged once more.
    /// </summary>
    public bool Reopens { get; init; }

    /// <summary>
    /// Gets whether the channel ends when its connection is lost, for code that must not continue on a recovered channel: false by default.
    /// </summary>
    public bool EndsWithConnection { get; init; }

    /// <summary>Gets the serializer of objects that are published; null, the default, for that of the connection.</summary>
    public AmqpBody? Body { get; init; }

    /// <summary>
    /// Gets whether there are spans and numbers of its messages: not where they are told in the words of what publishes and consumes.
    /// </summary>
    internal bool HasTelemetry { get; init; } = true;

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxInFlight, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxBytesInFlight, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxWaiting, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(AckDelay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(AckDelay, TimeSpan.FromDays(1));
        if (RecoveryTimeout != Timeout.InfiniteTimeSpan
            && (RecoveryTimeout <= TimeSpan.Zero || RecoveryTimeout.TotalMilliseconds > int.MaxValue))
        {
            throw new ArgumentOutOfRangeException(
                nameof(RecoveryTimeout), RecoveryTimeout,
                "Messages wait for more than zero and at most 24 days, or Timeout.InfiniteTimeSpan.");
        }

        if (Reopens && EndsWithConnection)
        {
            throw new ArgumentException(
                $"A channel that is opened anew ({nameof(Reopens)}) does not end with its connection ({nameof(EndsWithConnection)}).");
        }
    }
}
