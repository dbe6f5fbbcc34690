namespace Wire.Amqp.Client;

/// <summary>The fate of a message that its handler could not handle.</summary>
public enum AmqpFailedDelivery
{
    /// <summary>It goes to the dead-letter exchange, or away, where its queue has none.</summary>
    Reject,

    /// <summary>It goes back to its queue, and is delivered again at once: for ever, where it can never be handled.</summary>
    Requeue,
}

/// <summary>Options of a consumer.</summary>
public sealed record AmqpConsumeOptions
{
    internal static AmqpConsumeOptions Default { get; } = new();

    /// <summary>
    /// Gets the name of the consumer on this channel: at most 255 bytes. Null, the default, for a name that is made up.
    /// </summary>
    public string? ConsumerTag { get; init; }

    /// <summary>
    /// Says whether the broker considers each message acknowledged when it sends it: false by default. What is on the way when the
    /// connection is lost is lost then.
    /// </summary>
    public bool NoAck { get; init; }

    /// <summary>Says whether the queue may have no other consumer: false by default.</summary>
    public bool Exclusive { get; init; }

    /// <summary>
    /// Gets the number of handlers that run at a time, and thereby where: 0, the default, on the loop that receives for the whole
    /// connection, which they must not block; from 1 on beside it, where they may block: on a thread of the consumer's own and, when a
    /// handler keeps that, on the thread pool, so many at a time at most, begun in the order of the messages. 1 is one after the other. The
    /// other messages that have come wait, with the memory that they lie in: as many as <see cref="AmqpChannelOptions.Prefetch"/> says, so
    /// leave it no smaller than this, and not without a limit.
    /// </summary>
    public int Concurrency { get; init; }

    /// <summary>
    /// Gets further arguments for the queue's type, such as x-priority; null, the default, for nothing. A value is of a type that a field
    /// of a table can have.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }

    /// <summary>
    /// Says whether a message is acknowledged when its handler has ended, unless the handler has told the broker something else of it, or
    /// has kept it (<see cref="AmqpDelivery.Keep"/>): then its holder acknowledges it. True by default; where it is false, every message
    /// has to be acknowledged or rejected by the program.
    /// </summary>
    public bool AcknowledgeWhenHandled { get; init; } = true;

    /// <summary>
    /// Gets the fate of a message whose handler throws, or whose body cannot be read as the type that was asked for: it is rejected by
    /// default.
    /// </summary>
    public AmqpFailedDelivery OnFailure { get; init; }

    /// <summary>
    /// Called for each message whose handler throws or whose body cannot be read, before <see cref="OnFailure"/>: what it tells the broker
    /// of the message holds. As with a handler, the message is valid until it returns, and with a <see cref="Concurrency"/> of 0 it must
    /// not block. Where there is none, the default, failures are written to <see cref="System.Diagnostics.Trace"/>.
    /// </summary>
    public Action<AmqpDelivery, Exception>? OnError { get; init; }

    internal void Validate() => ArgumentOutOfRangeException.ThrowIfNegative(Concurrency);
}
