namespace Wire.RabbitMQ.Outbox;

/// <summary>The names of the two tables, as they are quoted in statements. Immutable.</summary>
public sealed record OutboxTables
{
    /// <summary>Gets <c>wire_outbox</c> and <c>wire_inbox</c>, in the schema that the connection has.</summary>
    public static OutboxTables Default { get; } = new();

    /// <summary>Gets the schema of both; null, the default, for that of the connection.</summary>
    /// <exception cref="ArgumentException">Empty.</exception>
    public string? Schema { get; init => field = value is null ? null : Named(value, nameof(Schema)); }

    /// <summary>Gets the table of the messages to be sent.</summary>
    /// <exception cref="ArgumentException">Empty.</exception>
    public string Outbox { get; init => field = Named(value, nameof(Outbox)); } = "wire_outbox";

    /// <summary>Gets the table of the messages that were handled.</summary>
    /// <exception cref="ArgumentException">Empty.</exception>
    public string Inbox { get; init => field = Named(value, nameof(Inbox)); } = "wire_inbox";

    private static string Named(string value, string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(value, name);
        return value;
    }
}
