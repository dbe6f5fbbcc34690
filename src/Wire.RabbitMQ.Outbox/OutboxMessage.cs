namespace Wire.RabbitMQ.Outbox;

/// <summary>
/// A row of the outbox: a message that waits to be sent. <see cref="WireOutbox"/> makes them; a program reads them, as to see which the
/// broker refuses.
/// </summary>
public sealed class OutboxMessage
{
    /// <summary>Gets the number by which the database counts, in the order of the inserts.</summary>
    public long Id { get; init; }

    /// <summary>Gets the id of the message, at most 255 bytes, which stays the same however often it is sent.</summary>
    public required string MessageId { get; init; }

    /// <summary>Gets the exchange; empty for the default one.</summary>
    public required string Exchange { get; init; }

    /// <summary>Gets the routing key.</summary>
    public required string RoutingKey { get; init; }

    /// <summary>Gets the key of messages that are sent in the order of their ids; null for none.</summary>
    public string? OrderingKey { get; init; }

    /// <summary>
    /// Gets the name of the type whose exchange is declared before, with its assembly; null where the message has an exchange of its own.
    /// </summary>
    public string? MessageType { get; init; }

    /// <summary>Gets the properties and headers, as a table of AMQP 0-9-1.</summary>
    public required byte[] Properties { get; init; }

    /// <summary>Gets the body.</summary>
    public required byte[] Body { get; init; }

    /// <summary>Gets the time at which the row was made, in milliseconds since 1970, by the clock of the program.</summary>
    public long CreatedAt { get; init; }

    /// <summary>
    /// Gets the time from which it may be claimed, in milliseconds since 1970, by the clock of the database: when a claim or a pause after
    /// a failure ends, and 0 at first.
    /// </summary>
    public long DueAt { get; init; }

    /// <summary>Gets the claim under which a sender has it; null for none.</summary>
    public string? Claim { get; init; }

    /// <summary>Gets the number of attempts that have failed.</summary>
    public int Attempts { get; init; }

    /// <summary>Gets the reason why the last attempt has failed; null where none has.</summary>
    public string? LastError { get; init; }
}

/// <summary>A row of the inbox: a message that a consumer has handled.</summary>
public sealed class InboxMessage
{
    /// <summary>Gets the consumer: its queue, unless the program names another.</summary>
    public required string Consumer { get; init; }

    /// <summary>Gets the id of the message.</summary>
    public required string MessageId { get; init; }

    /// <summary>
    /// Gets the time at which it was handled, in milliseconds since 1970, by the clock of the database.
    /// </summary>
    public long HandledAt { get; init; }
}
