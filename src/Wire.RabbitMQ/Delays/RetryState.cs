using System.Globalization;
using Wire.Amqp;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Delays;

/// <summary>The history of a message that has waited in a delay queue and come back, in its headers.</summary>
/// <param name="Retries">How often it waited after its last attempt had failed.</param>
/// <param name="Deferrals">How often it waited because the program said so.</param>
/// <param name="Attempts">The number of failed attempts before.</param>
/// <param name="Waited">The milliseconds that it waited.</param>
/// <param name="Exchange">The exchange that it was published to at first.</param>
/// <param name="RoutingKey">The routing key that it was published with at first.</param>
internal readonly record struct RetryState(int Retries, int Deferrals, int Attempts, long Waited, string Exchange, string RoutingKey)
{
    /// <summary>The beginning of the names of all of its headers, and of those for properties that were set aside.</summary>
    public const string Prefix = "x-wire-retry-";

    private static readonly AmqpString QueueKey = Prefix + "queue";
    private static readonly AmqpString RetriesKey = Prefix + "count";
    private static readonly AmqpString DeferralsKey = Prefix + "deferrals";
    private static readonly AmqpString AttemptsKey = Prefix + "attempts";
    private static readonly AmqpString WaitedKey = Prefix + "waited";
    private static readonly AmqpString ExchangeKey = Prefix + "exchange";
    private static readonly AmqpString RoutingKeyKey = Prefix + "routing-key";

    // As CopiedProperties sets it aside.
    private static readonly AmqpString ExpirationKey = Prefix + "expiration";

    /// <summary>Gets the names of the headers that a queue gives to what it delivers.</summary>
    public static string[] OfBroker { get; } = [MessageContext.DeliveryCountKey.ToString(), "x-acquired-count", StreamPosition.OffsetKey];

    /// <summary>Gets the names of its headers, and of those of the queue that it was delivered from: a copy is new to its own.</summary>
    public static string[] Names { get; } =
    [
        .. new[] { QueueKey, RetriesKey, DeferralsKey, AttemptsKey, WaitedKey, ExchangeKey, RoutingKeyKey }.Select(key => key.ToString()),
        .. OfBroker,
    ];

    /// <summary>Reads it; null where the message has not waited for this queue: another one's history is none here.</summary>
    public static RetryState? Read(FieldTable headers, string queue) => headers.String(QueueKey) == queue
        ? new RetryState(
            Count(headers, RetriesKey), Count(headers, DeferralsKey), Count(headers, AttemptsKey),
            Math.Clamp(headers.Integer(WaitedKey) ?? 0, 0, long.MaxValue / 2),
            headers.String(ExchangeKey) ?? "", headers.String(RoutingKeyKey) ?? "")
        : null;

    /// <summary>Writes it.</summary>
    public void Write(string queue, List<(AmqpString Name, FieldValue Value)> headers)
    {
        headers.Add((QueueKey, queue));
        headers.Add((RetriesKey, Retries));
        headers.Add((DeferralsKey, Deferrals));
        headers.Add((AttemptsKey, Attempts));
        headers.Add((WaitedKey, Waited));
        headers.Add((ExchangeKey, Exchange));
        headers.Add((RoutingKeyKey, RoutingKey));
    }

    /// <summary>Returns whether a message would expire, as its publisher has said, before it has waited as long in all.</summary>
    public bool Outlives(in BasicProperties properties)
    {
        string? expiration = properties.Expiration.Text() ?? properties.Headers.String(ExpirationKey);
        return ulong.TryParse(expiration, NumberStyles.None, CultureInfo.InvariantCulture, out ulong milliseconds)
            && milliseconds <= (ulong)Waited;
    }

    // Programs of others may have written anything.
    private static int Count(FieldTable headers, AmqpString name) => (int)Math.Clamp(headers.Integer(name) ?? 0, 0, int.MaxValue / 2);
}
