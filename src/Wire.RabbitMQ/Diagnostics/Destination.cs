namespace Wire.RabbitMQ.Diagnostics;

/// <summary>The names by which activities and metrics call the destination of a message.</summary>
internal static class Destination
{
    private const string DefaultExchange = "amq.default";
    private const string ReplyTo = "amq.rabbitmq.reply-to";
    private const string Generated = "amq.gen";

    /// <summary>
    /// The part of a destination that takes few values: the exchange; with the default one the queue, and of a queue with a name made by
    /// the broker only what kind it is.
    /// </summary>
    public static string Name(string exchange, string routingKey) =>
        exchange.Length != 0 ? exchange
        : routingKey.Length == 0 ? DefaultExchange
        : routingKey.StartsWith(ReplyTo, StringComparison.Ordinal) ? ReplyTo
        : routingKey.StartsWith(Generated, StringComparison.Ordinal) ? Generated
        : routingKey;

    /// <summary>The destination of a message that is published, as the conventions put it together.</summary>
    public static string Full(string exchange, string routingKey) =>
        exchange.Length == 0 ? (routingKey.Length == 0 ? DefaultExchange : routingKey)
        : routingKey.Length == 0 ? exchange
        : $"{exchange}:{routingKey}";

    /// <summary>
    /// The destination of a message that came from a queue, as the conventions put it together: what is empty is left out, and a queue that
    /// is its own routing key is named once.
    /// </summary>
    public static string Full(string exchange, string routingKey, string queue) =>
        routingKey.Length == 0 || routingKey == queue ? Full(exchange, queue) : Full(exchange, $"{routingKey}:{queue}");
}
