using Wire.RabbitMQ.Types;

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

    /// <summary>Gets how objects are gathered, by their types; null where none are.</summary>
    internal TypeTable<GatheringOptions>? Gathered { get; private init; }

    /// <summary>
    /// Makes a copy with which objects of a type that wait for the broker are gathered: many of them become one message, which costs the
    /// broker as much as one. Each keeps its own task, id and headers, and <see cref="WireConsumer"/> handles each by itself; consumers of
    /// other libraries, and of earlier releases, refuse such a message. Of several types an object has the one of its class, the nearest
    /// base class or the most derived interface.
    /// </summary>
    /// <remarks>
    /// Gathered are objects with one exchange, routing key, priority, expiration, user and <see cref="PublishOptions.OrderingKey"/>, in the
    /// order of the calls; while the channel is idle, an object goes out alone. The broker sees none of their headers, by which an exchange
    /// could route: one with CC, BCC or a header that begins with x- goes alone. They are confirmed, returned or refused together. <see
    /// cref="MaxWaiting"/> counts objects beyond as many full messages as <see cref="MaxInFlight"/> says. Requests, replies and what an
    /// outbox sends are not gathered.
    /// </remarks>
    /// <typeparam name="T">The type; <see cref="object"/> for all.</typeparam>
    /// <param name="options">How; the defaults when left out.</param>
    /// <exception cref="ArgumentException">There are options for this type already.</exception>
    public WirePublisherOptions Gathering<T>(GatheringOptions? options = null)
    {
        var gathered = new TypeTable<GatheringOptions>(Gathered);
        return gathered.TryAdd(typeof(T), options ?? new GatheringOptions())
            ? this with { Gathered = gathered }
            : throw new ArgumentException($"{typeof(T)} is gathered already: with one set of options.");
    }

    internal static int Within(int value, int most, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, most, name);
        return value;
    }
}

/// <summary>Options of objects that are gathered in one message: <see cref="WirePublisherOptions.Gathering"/>. Immutable.</summary>
public sealed record GatheringOptions
{
    // What RabbitMQ takes as a message by default, and half of it for the last object.
    private const int MostBytes = 1 << 23;

    /// <summary>Gets the number of objects of a message, 1 to 65,536: 1,000 unless set. With as many it is sent.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 65,536.</exception>
    public int MaxCount { get; init => field = WirePublisherOptions.Within(value, 1 << 16, nameof(MaxCount)); } = 1_000;

    /// <summary>
    /// Gets the number of bytes from which on a message is sent, 1 to 8,388,608: 100,000 unless set, which is within one frame. Its last
    /// object may go beyond.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 8,388,608.</exception>
    public int MaxBytes { get; init => field = WirePublisherOptions.Within(value, MostBytes, nameof(MaxBytes)); } = 100_000;

    /// <summary>
    /// Gets the longest time that an object waits for others, zero to a minute: 1 ms unless set. Timers count in milliseconds: with less
    /// than one, a message is sent when the thread pool has a turn.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than zero or more than a minute.</exception>
    public TimeSpan MaxDelay
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero, nameof(MaxDelay));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, TimeSpan.FromMinutes(1), nameof(MaxDelay));
            field = value;
        }
    } = TimeSpan.FromMilliseconds(1);
}
