namespace Wire.RabbitMQ.Streams;

/// <summary>What can be said of a message that is sent.</summary>
public readonly record struct StreamSendOptions
{
    /// <summary>
    /// A publishing id of the caller's own, such as the number of a line: 1 to 9,223,372,036,854,775,807, and larger than that of the message before. A producer with a name
    /// does not store what has an id that the broker has seen. Null, the default, for the next one. Not with <see cref="StreamProducerOptions.SubEntries"/>.
    /// </summary>
    public ulong? PublishingId { get; init; }

    /// <summary>
    /// What the broker chooses chunks by for consumers that filter: at most 32,767 bytes of UTF-8. Null, the default, for none. For brokers from 3.13 on; not
    /// with <see cref="StreamProducerOptions.SubEntries"/>.
    /// </summary>
    public string? Filter { get; init; }
}
