using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Tool.Messages;

namespace Wire.Tool.Queues;

/// <summary>Copies what a message of a queue has.</summary>
internal static class QueueMessages
{
    private const string Headers = "headers";

    private const long MemoryOfHeaderByte = 16;

    private const byte Persistent = 2;

    /// <summary>Makes messages that are independent of the delivery: one, or those that it holds.</summary>
    /// <param name="number">Its number in the output.</param>
    /// <param name="delivery">The delivery.</param>
    /// <param name="limits">What bodies may cost.</param>
    public static IReadOnlyList<BrokerMessage> ReadAll(long number, AmqpDelivery delivery, Limits limits)
    {
        try
        {
            BasicProperties whole = delivery.Properties;
            if (delivery.IsTooLarge || !GatheredBody.IsContentType(whole.ContentType))
            {
                return [Read(number, delivery, limits)];
            }

            GatheredMessage[] gathered = GatheredBody.Read(in whole, delivery.Body, limits.MaxAllocation);
            return
            [
                .. gathered.Select((message, i) => NewMessage(
                    number,
                    [.. PlaceOf(delivery), new("gathered", FormattableString.Invariant($"{i + 1} of {gathered.Length}"))],
                    message.Properties,
                    message.Body,
                    limits)),
            ];
        }
        catch (AmqpFormatException exception)
        {
            return [Read(number, delivery, limits, exception.Message)];
        }
    }

    /// <summary>Makes a message that is independent of the delivery.</summary>
    /// <param name="number">Its number in the output.</param>
    /// <param name="delivery">The delivery.</param>
    /// <param name="limits">What its body may cost.</param>
    /// <param name="refusal">Why its body is not what it says that it is; null where that is not known.</param>
    public static BrokerMessage Read(long number, AmqpDelivery delivery, Limits limits, string? refusal = null)
    {
        List<MessageFact> facts = PlaceOf(delivery);
        try
        {
            BasicProperties properties = delivery.Properties;
            return delivery.IsTooLarge
                ? new(
                    number, AllOf(facts, in properties), Headers, HeadersOf(in properties),
                    Missing("The body has more bytes than --memory allows."))
                : NewMessage(number, facts, in properties, delivery.Body.ToArray(), limits, refusal);
        }
        catch (AmqpFormatException exception)
        {
            return new(number, facts, Headers, [], Missing(exception.Message));
        }

        ReceivedBody Missing(string why) => new(delivery.BodySize, 0, () => MessageBody.Missing(why));
    }

    private static BrokerMessage NewMessage(
        long number, List<MessageFact> facts, in BasicProperties properties, ReadOnlyMemory<byte> body, Limits limits,
        string? refusal = null)
    {
        string? contentType = TextOf(properties.ContentType);
        string? contentEncoding = TextOf(properties.ContentEncoding);

        // A header of one byte becomes an object.
        long held = body.Length + (MemoryOfHeaderByte * properties.Headers.Encoded.Length);
        return new(
            number,
            AllOf(facts, in properties),
            Headers,
            HeadersOf(in properties),
            new(body.Length, held, () => refusal is null
                ? MessageBody.Read(body, contentType, contentEncoding, limits)
                : MessageBody.Refused(body, refusal)));
    }

    private static List<MessageFact> PlaceOf(AmqpDelivery delivery) =>
    [
        new("exchange", delivery.Exchange.ToString()),
        new("routing-key", delivery.RoutingKey.ToString()),
        new("redelivered", delivery.Redelivered),
    ];

    private static List<MessageFact> HeadersOf(in BasicProperties properties)
    {
        List<MessageFact> headers = [];
        foreach ((AmqpString name, FieldValue value) in properties.Headers)
        {
            headers.Add(new(name.ToString(), value.ToObject()));
        }

        return headers;
    }

    private static List<MessageFact> AllOf(List<MessageFact> facts, in BasicProperties properties)
    {
        AddTo(facts, in properties);
        return facts;
    }

    private static void AddTo(List<MessageFact> facts, in BasicProperties properties)
    {
        Add("message-id", TextOf(properties.MessageId));
        Add("correlation-id", TextOf(properties.CorrelationId));
        Add("type", TextOf(properties.Type));
        Add("content-type", TextOf(properties.ContentType));
        Add("content-encoding", TextOf(properties.ContentEncoding));
        Add("timestamp", properties.Timestamp?.ToString());
        Add("app-id", TextOf(properties.AppId));
        Add("user-id", TextOf(properties.UserId));
        Add("reply-to", TextOf(properties.ReplyTo));
        Add("expiration", TextOf(properties.Expiration));
        Add("priority", properties.Priority);
        Add("persistent", properties.DeliveryMode is { } mode ? mode == Persistent : null);

        void Add(string name, object? value)
        {
            if (value is not null)
            {
                facts.Add(new(name, value));
            }
        }
    }

    private static string? TextOf(AmqpString text) => text.IsNull ? null : text.ToString();
}
