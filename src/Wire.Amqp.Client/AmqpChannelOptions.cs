namespace Wire.Amqp.Client;

/// <summary>Options of a channel.</summary>
public sealed record AmqpChannelOptions
{
    /// <summary>Says whether the broker confirms each message, which its task then waits for: true by default.</summary>
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
    /// Gets the time that what the broker is to be told of messages (acknowledged, rejected) is held back at most, so that more goes
    /// together: nothing, the default, up to a day. It goes earlier when a quarter of <see cref="Prefetch"/> has gathered, with whatever
    /// else is sent on the channel, and when a consumer or the channel ends. What is said on the receive loop, as by handlers that end at
    /// once there, is not held: it goes with what was received together.
    /// </summary>
    public TimeSpan AckDelay { get; init; }

    /// <summary>
    /// Says whether a message that is published with <c>Mandatory</c> and without a <c>MessageId</c> gets one, on a channel with confirms:
    /// true by default. By that it is known when it comes back; without, messages with the same exchange and routing key that are in flight
    /// at a time are taken to come back in the order in which they were published.
    /// </summary>
    public bool IdentifiesMandatory { get; init; } = true;

    /// <summary>
    /// Gets the time that messages wait for a connection that is down before they fail with an <see cref="AmqpConnectionException"/>: <see
    /// cref="Timeout.InfiniteTimeSpan"/>, as long as it takes, by default.
    /// </summary>
    public TimeSpan RecoveryTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Says whether the channel is opened again when the broker has closed it because of what was done on it, such as publishing to an
    /// exchange that is not there: false by default. What is not confirmed fails, and what waits goes out.
    /// </summary>
    public bool Reopens { get; init; }

    /// <summary>
    /// Says whether the channel ends when its connection is lost, for those to whom it is no longer the same when that is back: false by
    /// default.
    /// </summary>
    public bool EndsWithConnection { get; init; }

    /// <summary>Gets the serializer of objects that are published; null, the default, for what the connection has.</summary>
    public AmqpBody? Body { get; init; }

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
