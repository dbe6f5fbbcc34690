namespace Wire.Amqp.Client.Publishing;

/// <summary>The key for matching a returned message.</summary>
internal readonly record struct ReturnKey(AmqpString MessageId, AmqpString RoutingKey, AmqpString Exchange)
{
    /// <summary>The key of a message that may still be returned; null for others.</summary>
    public static ReturnKey? From(Publication sent) =>
        sent is { IsMandatory: true, Return: null } ? new ReturnKey(sent.MessageId, sent.RoutingKey, sent.Exchange) : null;

    /// <summary>The key of a message that came back.</summary>
    public static ReturnKey From(in AmqpDelivery returned) => new(returned.Properties.MessageId, returned.RoutingKey, returned.Exchange);
}
