using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Delays;

/// <summary>The history of a message that was put aside and has come back, in its headers.</summary>
/// <param name="Retries">How often it was put aside after a failure.</param>
/// <param name="Attempts">The number of attempts before.</param>
/// <param name="Exchange">The exchange that it was published to at first.</param>
/// <param name="RoutingKey">The routing key that it was published with at first.</param>
internal readonly record struct RetryState(int Retries, int Attempts, string Exchange, string RoutingKey)
{
    /// <summary>The beginning of the names of all of its headers, and of those for properties that were set aside.</summary>
    public const string Prefix = "x-wire-retry-";

    private static readonly AmqpString RetriesKey = Prefix + "count";
    private static readonly AmqpString AttemptsKey = Prefix + "attempts";
    private static readonly AmqpString ExchangeKey = Prefix + "exchange";
    private static readonly AmqpString RoutingKeyKey = Prefix + "routing-key";

    /// <summary>Gets the names of its headers.</summary>
    public static string[] Names { get; } =
        [RetriesKey.ToString(), AttemptsKey.ToString(), ExchangeKey.ToString(), RoutingKeyKey.ToString()];

    /// <summary>Reads it; null where the message was not put aside.</summary>
    public static RetryState? Read(FieldTable headers) => headers.String(ExchangeKey) is { } exchange
        ? new RetryState(
            Count(headers, RetriesKey), Count(headers, AttemptsKey), exchange, headers.String(RoutingKeyKey) ?? "")
        : null;

    /// <summary>Writes it.</summary>
    public void Write(List<(AmqpString Name, FieldValue Value)> headers)
    {
        headers.Add((RetriesKey, Retries));
        headers.Add((AttemptsKey, Attempts));
        headers.Add((ExchangeKey, Exchange));
        headers.Add((RoutingKeyKey, RoutingKey));
    }

    // Programs of others may have written anything.
    private static int Count(FieldTable headers, AmqpString name) => (int)Math.Clamp(headers.Integer(name) ?? 0, 0, int.MaxValue / 2);
}
