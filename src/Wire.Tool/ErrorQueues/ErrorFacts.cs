using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;

namespace Wire.Tool.ErrorQueues;

/// <summary>
/// The facts of a failure that the headers of a message have: those of a consumer of Wire.RabbitMQ, or, where it was dead-lettered, of the
/// broker.
/// </summary>
internal sealed partial record ErrorFacts
{
    /// <summary>The beginning of the names of the consumer's headers.</summary>
    public const string Prefix = "x-wire-error-";

    /// <summary>
    /// The header of the broker, with one entry for each queue that the message was dead-lettered from, the last one first.
    /// </summary>
    public const string Deaths = "x-death";

    private const string None = "unknown";
    private const string Unreadable = "unreadable";
    private const string TooLarge = "too-large";
    private const int KeyLength = 300;

    // What a group keeps of its first message.
    private const int MostMessage = 2048;
    private const int MostText = 512;
    private const int IdBytes = 4;

    /// <summary>Gets the reason in one word, such as <c>handler-failed</c>.</summary>
    public required string Reason { get; init; }

    /// <summary>Gets the type of the exception; null where there is none.</summary>
    public string? Exception { get; init; }

    /// <summary>Gets the message of the exception; null where there is none.</summary>
    public string? Message { get; init; }

    /// <summary>Gets the queue that the message was in; null where it is not known.</summary>
    public string? Queue { get; init; }

    /// <summary>Gets the exchange that it was published to; null where it is not known.</summary>
    public string? Exchange { get; init; }

    /// <summary>Gets the routing key that it was published with; null where it is not known.</summary>
    public string? RoutingKey { get; init; }

    /// <summary>Gets the number of attempts; null where it is not known.</summary>
    public long? Attempts { get; init; }

    /// <summary>Gets the time of the failure; null where it is not known.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>Gets the expiration that the broker took from a dead letter; null for none.</summary>
    public string? Expiration { get; init; }

    /// <summary>Gets the names of headers that the copy in the error queue does not have; null for none.</summary>
    public string? LeftOut { get; init; }

    /// <summary>Gets whether the broker has moved the message.</summary>
    public bool IsDeadLetter { get; init; }

    /// <summary>Gets the reason why the message cannot be sent back; null where it can.</summary>
    public string? Obstacle =>
        Reason == TooLarge ? "its body was too large for the consumer, and is not in the error queue"
        : LeftOut is not null ? $"its headers {LeftOut} had no room in the error queue"
        : Reason == Unreadable ? "its properties are damaged"
        : Queue is null ? "no header says which queue it came from"
        : null;

    /// <summary>Gets the number of its group: the same for all failures of one kind, in every run.</summary>
    public string Group
    {
        get
        {
            string message = Cut(Numbers().Replace(Message ?? "", "#"), KeyLength);
            string key = string.Join('\0', Reason, Queue, Exception, message);
            return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)).AsSpan(0, IdBytes));
        }
    }

    /// <summary>Reads the headers of a message.</summary>
    public static ErrorFacts Read(AmqpDelivery delivery)
    {
        try
        {
            FieldTable headers = delivery.Properties.Headers;
            return TextOf(headers, Prefix + "reason") is { } reason ? ReadError(headers, reason)
                : ReadDeath(headers) ?? new ErrorFacts { Reason = None };
        }
        catch (AmqpFormatException exception)
        {
            return new() { Reason = Unreadable, Exception = exception.GetType().FullName, Message = exception.Message };
        }
    }

    /// <summary>Returns whether it is of a group, by the number of that or by its reason; all are of the group null.</summary>
    public bool IsOf(string? group) => group is null || group == Reason || group == Group;

    private static ErrorFacts ReadError(FieldTable headers, string reason) => new()
    {
        Reason = reason,
        Exception = TextOf(headers, Prefix + "exception"),
        Message = TextOf(headers, Prefix + "message", MostMessage),
        Queue = TextOf(headers, Prefix + "queue"),
        Exchange = TextOf(headers, Prefix + "exchange"),
        RoutingKey = TextOf(headers, Prefix + "routing-key"),
        Attempts = NumberOf(headers, Prefix + "attempts"),
        Time = TimeOf(headers, Prefix + "time"),
        LeftOut = TextOf(headers, Prefix + "left-out"),
    };

    private static ErrorFacts? ReadDeath(FieldTable headers)
    {
        if (!headers.TryGetValue(Deaths, out FieldValue deaths) || deaths.Type != FieldType.Array)
        {
            return null;
        }

        FieldArray.Enumerator entries = deaths.AsArray().GetEnumerator();
        if (!entries.MoveNext() || entries.Current.Type != FieldType.Table)
        {
            return null;
        }

        FieldTable last = entries.Current.AsTable();
        return new()
        {
            Reason = TextOf(last, "reason") ?? None,
            Queue = TextOf(last, "queue"),
            Exchange = TextOf(last, "exchange"),
            RoutingKey = FirstOf(last, "routing-keys"),
            Attempts = NumberOf(last, "count"),
            Time = TimeOf(last, "time"),
            Expiration = TextOf(last, "original-expiration"),
            IsDeadLetter = true,
        };
    }

    private static string Cut(string text, int length) => text.Length <= length ? text : text[..length];

    private static string? TextOf(FieldTable table, string name, int most = MostText) =>
        table.TryGetValue(name, out FieldValue value) && value.Type == FieldType.String ? Cut(value.AsString().ToString(), most) : null;

    private static string? FirstOf(FieldTable table, string name)
    {
        if (!table.TryGetValue(name, out FieldValue value) || value.Type != FieldType.Array)
        {
            return null;
        }

        FieldArray.Enumerator elements = value.AsArray().GetEnumerator();
        return elements.MoveNext() && elements.Current.Type == FieldType.String ? elements.Current.AsString().ToString() : null;
    }

    private static long? NumberOf(FieldTable table, string name) =>
        table.TryGetValue(name, out FieldValue value) && value.ToObject() is IConvertible and not string and var number
            && Convert.ToDouble(number, CultureInfo.InvariantCulture) is >= long.MinValue and < long.MaxValue and var inRange
            ? (long)inRange : null;

    private static DateTimeOffset? TimeOf(FieldTable table, string name) =>
        table.TryGetValue(name, out FieldValue value) && value.Type == FieldType.Timestamp
            && value.AsTimestamp().TryToDateTimeOffset(out DateTimeOffset time) ? time : null;

    [GeneratedRegex("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9]+", RegexOptions.CultureInvariant)]
    private static partial Regex Numbers();
}
