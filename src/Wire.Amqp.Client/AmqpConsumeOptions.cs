using Wire.Amqp.Client.Consuming;

namespace Wire.Amqp.Client;

/// <summary>The fate of a message that its handler could not handle.</summary>
public enum AmqpFailedDelivery
{
    /// <summary>It goes to the dead-letter exchange, or is dropped where its queue has none.</summary>
    Reject,

    /// <summary>It returns to its queue, and is redelivered at once: for ever, if it can never be handled.</summary>
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
    /// Gets whether the broker considers each message acknowledged when it sends it: false by default. Messages in transit are lost with
    /// the connection.
    /// </summary>
    public bool NoAck { get; init; }

    /// <summary>Gets whether the queue may have no other consumer: false by default.</summary>
    public bool Exclusive { get; init; }

    /// <summary>
    /// Gets the number of handlers that run at a time. With 0, the default, they run on the loop that receives for the whole connection,
    /// and must not block it. From 1 on they run beside it and may block: on a thread of the consumer and, while a handler blocks that, on
    /// the thread pool, started in the order of the messages. 1 handles one message after the other. Further messages wait, with their
    /// memory: as many as <see cref="AmqpChannelOptions.Prefetch"/> says, which should not be smaller than this, and not 0.
    /// </summary>
    public int Concurrency { get; init; }

    /// <summary>
    /// Gets further arguments for the queue's type, such as x-priority, or x-stream-offset for where a stream is begun; null, the
    /// default, for nothing. A value is of a type that a field of a table can have.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }

    /// <summary>
    /// Gets whether a message is acknowledged when its handler has ended, unless the handler has settled it, or has kept it (<see
    /// cref="AmqpDelivery.Keep"/>): then its holder acknowledges it. True by default; where it is false, every message has to be
    /// acknowledged or rejected by the program.
    /// </summary>
    public bool AcknowledgeWhenHandled { get; init; } = true;

    /// <summary>
    /// Gets the fate of a message whose handler throws, or whose body cannot be read as the type that was asked for: it is rejected by
    /// default.
    /// </summary>
    public AmqpFailedDelivery OnFailure { get; init; }

    /// <summary>
    /// Called for each message whose handler throws or whose body cannot be read, before <see cref="OnFailure"/>: its decision about the
    /// message counts. As with a handler, the message is valid until it returns, and with a <see cref="Concurrency"/> of 0 it must not
    /// block. Where there is none, the default, failures are written to <see cref="System.Diagnostics.Trace"/>.
    /// </summary>
    public Action<AmqpDelivery, Exception>? OnError { get; init; }

    /// <summary>Gets the position in a stream that it shares with those before it; null for one of its own.</summary>
    internal StreamPosition? Position { get; init; }

    internal void Validate() => ArgumentOutOfRangeException.ThrowIfNegative(Concurrency);
}
