namespace Wire.Amqp.Client.Diagnostics;

/// <summary>The names by which activities and metrics call the destination of a message.</summary>
internal static class Destination
{
    private const string DefaultExchange = "amq.default";
    private const string ReplyTo = "amq.rabbitmq.reply-to";
    private const string Generated = "amq.gen";

    /// <summary>
    /// The low-cardinality part of a destination: the exchange; for the default exchange the queue, and for a queue named by the broker
    /// only its kind.
    /// </summary>
    public static string Name(string exchange, string routingKey) =>
        exchange.Length != 0 ? exchange
        : routingKey.Length == 0 ? DefaultExchange
        : routingKey.StartsWith(ReplyTo, StringComparison.Ordinal) ? ReplyTo
        : routingKey.StartsWith(Generated, StringComparison.Ordinal) ? Generated
        : routingKey;

    /// <summary>The destination of a published message, composed as in the conventions.</summary>
    public static string Full(string exchange, string routingKey) =>
        exchange.Length == 0 ? (routingKey.Length == 0 ? DefaultExchange : routingKey)
        : routingKey.Length == 0 ? exchange
        : $"{exchange}:{routingKey}";

    /// <summary>
    /// The destination of a message from a queue, composed as in the conventions: empty parts are left out, and a queue that equals its
    /// routing key is named once.
    /// </summary>
    public static string Full(string exchange, string routingKey, string queue) =>
        routingKey.Length == 0 || routingKey == queue ? Full(exchange, queue) : Full(exchange, $"{routingKey}:{queue}");
}
