namespace Wire.Amqp.Client;

/// <summary>Options of an exchange, besides its type.</summary>
public sealed record AmqpExchangeOptions
{
    /// <summary>An exchange that outlives a restart of the broker.</summary>
    public static AmqpExchangeOptions Default { get; } = new();

    /// <summary>Gets whether it outlives a restart of the broker: true by default.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>Gets whether it goes when its last binding does: false by default.</summary>
    public bool AutoDelete { get; init; }

    /// <summary>Gets whether only other exchanges publish to it, and no program: false by default.</summary>
    public bool Internal { get; init; }

    /// <summary>
    /// Gets further arguments for its type, such as alternate-exchange; null, the default, for nothing. A value is of a type that a field
    /// of a table can have.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }
}
