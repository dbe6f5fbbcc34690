using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Topology;

/// <summary>An exchange that was declared.</summary>
internal sealed record TopologyExchange(string Name, string Type, AmqpExchangeOptions Options, FieldTable Arguments)
{
    public ExchangeDeclare Method => new()
    {
        Exchange = Name,
        Type = Type,
        Durable = Options.Durable,
        AutoDelete = Options.AutoDelete,
        Internal = Options.Internal,
        Arguments = Arguments,
    };
}

/// <summary>A queue that was declared.</summary>
internal sealed record TopologyQueue(string Name, bool IsNamedByBroker, AmqpQueueOptions Options, FieldTable Arguments)
{
    /// <summary>Gets the name under which it was declared first.</summary>
    public string FirstName { get; init; } = Name;

    public QueueDeclare Method => new()
    {
        Queue = IsNamedByBroker ? "" : Name,
        Durable = Options.Durable,
        Exclusive = Options.Exclusive,
        AutoDelete = Options.AutoDelete,
        Arguments = Arguments,
    };
}

/// <summary>A binding of a queue, or of an exchange, to an exchange.</summary>
internal sealed record TopologyBinding(bool IsOfQueue, string Destination, string Source, string RoutingKey, FieldTable Arguments)
{
    public override string ToString() =>
        $"The binding of the {(IsOfQueue ? "queue" : "exchange")} '{Destination}' to the exchange '{Source}' with the routing key " +
        $"'{RoutingKey}'";
}
