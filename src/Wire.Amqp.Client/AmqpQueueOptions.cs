namespace Wire.Amqp.Client;

/// <summary>Options of a queue.</summary>
public sealed record AmqpQueueOptions
{
    /// <summary>A queue that outlives a restart of the broker.</summary>
    public static AmqpQueueOptions Default { get; } = new();

    /// <summary>
    /// An exclusive queue that is not durable: it goes with the connection that declares it, and only that one may consume, bind, look for
    /// or delete it. Others are refused with RESOURCE_LOCKED (405); any may publish to it.
    /// </summary>
    public static AmqpQueueOptions Temporary { get; } = new() { Durable = false, Exclusive = true };

    /// <summary>Gets whether it outlives a restart of the broker: true by default.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>Gets whether only this connection may use it, with which it goes: false by default.</summary>
    public bool Exclusive { get; init; }

    /// <summary>Gets whether it goes when its last consumer does: false by default.</summary>
    public bool AutoDelete { get; init; }

    /// <summary>
    /// Gets further arguments for its type, such as x-queue-type or x-dead-letter-exchange; null, the default, for nothing. A value is of a
    /// type that a field of a table can have.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }
}
