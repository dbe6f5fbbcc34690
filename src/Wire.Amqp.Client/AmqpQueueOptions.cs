using Wire.Amqp.Client.Topology;

namespace Wire.Amqp.Client;

/// <summary>
/// Options of a queue. Immutable. What is set beside the first three are arguments of RabbitMQ for the type of the queue; one that this
/// type or version does not have is refused by the broker, which names it (406).
/// </summary>
/// <remarks>Specification: RabbitMQ, "Queues", optional arguments.</remarks>
public sealed record AmqpQueueOptions
{
    /// <summary>A queue that outlives a restart of the broker.</summary>
    public static AmqpQueueOptions Default { get; } = new();

    /// <summary>
    /// An exclusive queue that is not durable: it goes with the connection that declares it, and only that one may consume, bind, look for
    /// or delete it. Others are refused with RESOURCE_LOCKED (405); any may publish to it.
    /// </summary>
    public static AmqpQueueOptions Temporary { get; } = new() { Durable = false, Exclusive = true };

    /// <summary>A quorum queue: replicated on the nodes of a cluster, and counts the deliveries of each message.</summary>
    public static AmqpQueueOptions Quorum { get; } = new() { Type = AmqpQueueType.Quorum };

    /// <summary>Gets whether it outlives a restart of the broker: true by default.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>Gets whether only this connection may use it, with which it goes: false by default.</summary>
    public bool Exclusive { get; init; }

    /// <summary>Gets whether it goes when its last consumer does: false by default.</summary>
    public bool AutoDelete { get; init; }

    /// <summary>
    /// Gets the type; null, the default, for the broker's choice, which is classic unless the virtual host has another. Quorum queues and
    /// streams are durable, neither exclusive nor deleted by themselves.
    /// </summary>
    public AmqpQueueType? Type { get; init; }

    /// <summary>
    /// Gets the time after which a message that waits expires, in milliseconds, rounded up, 0 to 4,294,967,295 of them; null for never.
    /// </summary>
    public TimeSpan? MessageTtl { get; init; }

    /// <summary>
    /// Gets the time after which the queue is deleted when nobody uses it, with its messages: it has no consumer, and is not declared or
    /// asked for a message. From 1 ms to 4,294,967,295 ms; null for never.
    /// </summary>
    public TimeSpan? Expires { get; init; }

    /// <summary>Gets the largest number of messages that wait, from 0; null for any.</summary>
    public long? MaxLength { get; init; }

    /// <summary>Gets the largest number of bytes of bodies that wait, from 0; null for any.</summary>
    public long? MaxLengthBytes { get; init; }

    /// <summary>
    /// Gets the fate of messages for which there is no room; null for the broker's choice, <see cref="AmqpOverflow.DropHead"/>.
    /// </summary>
    public AmqpOverflow? Overflow { get; init; }

    /// <summary>Gets the largest priority of messages, 1 to 255, of a classic queue; null for none. Few are cheap: up to 10.</summary>
    public byte? MaxPriority { get; init; }

    /// <summary>Gets whether one consumer gets all messages, and another only when it is gone: false by default.</summary>
    public bool SingleActiveConsumer { get; init; }

    /// <summary>
    /// Gets how often a message of a quorum queue may come back before it is a dead letter, or dropped: 0 and up, and -1 for any number
    /// from RabbitMQ 4 on; null for the broker's choice, which is any number for RabbitMQ 3 and 20 for RabbitMQ 4.
    /// </summary>
    public int? DeliveryLimit { get; init; }

    /// <summary>
    /// Gets the exchange for messages that expired, were rejected, or found no room; empty for the default exchange, null for none: they
    /// are dropped.
    /// </summary>
    public string? DeadLetterExchange { get; init; }

    /// <summary>Gets the routing key for these; null for that of the message.</summary>
    public string? DeadLetterRoutingKey { get; init; }

    /// <summary>
    /// Gets whether a message of a quorum queue stays until its dead letter has arrived, which needs
    /// <see cref="AmqpOverflow.RejectPublish"/>: false by default.
    /// </summary>
    public bool DeadLettersAtLeastOnce { get; init; }

    /// <summary>
    /// Gets the age from which a stream deletes messages, whole segments at a time, in seconds, rounded up, from 1; null for any age.
    /// </summary>
    public TimeSpan? MaxAge { get; init; }

    /// <summary>Gets the size of a segment of a stream in bytes, from 1; null for the broker's choice, 500,000,000.</summary>
    public long? MaxSegmentBytes { get; init; }

    /// <summary>
    /// Gets further arguments for its type; null, the default, for nothing. A value is of a type that a field of a table can have. An
    /// argument that has a property here is set in one of the two.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }

    /// <summary>Returns all arguments.</summary>
    /// <exception cref="ArgumentException">A value is out of range, or is set twice.</exception>
    internal IReadOnlyDictionary<string, object?>? AllArguments() => QueueArguments.Of(this);
}

/// <summary>The types of queues that RabbitMQ has.</summary>
public enum AmqpQueueType
{
    /// <summary>On one node.</summary>
    Classic,

    /// <summary>Replicated, for messages that must not be lost.</summary>
    Quorum,

    /// <summary>A log that keeps what was read.</summary>
    Stream,
}

/// <summary>The fates of messages for which a queue has no room.</summary>
public enum AmqpOverflow
{
    /// <summary>The oldest go, to the dead-letter exchange if there is one.</summary>
    DropHead,

    /// <summary>The newest are refused: the publisher gets a negative confirm.</summary>
    RejectPublish,

    /// <summary>The same, and the message goes to the dead-letter exchange. Classic queues have it.</summary>
    RejectPublishToDeadLetters,
}
