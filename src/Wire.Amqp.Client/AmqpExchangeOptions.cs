namespace Wire.Amqp.Client;

/// <summary>What an exchange is like, besides its type.</summary>
public sealed record AmqpExchangeOptions
{
    /// <summary>An exchange that outlives a restart of the broker.</summary>
    public static AmqpExchangeOptions Default { get; } = new();

    /// <summary>Whether it outlives a restart of the broker: true by default.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>Whether it goes when its last binding does: false by default.</summary>
    public bool AutoDelete { get; init; }

    /// <summary>Whether only other exchanges publish to it, and no program: false by default.</summary>
    public bool Internal { get; init; }

    /// <summary>
    /// What its type takes besides, such as alternate-exchange; null, the default, for nothing. A value is of a type that a field of a
    /// table can have.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }
}
