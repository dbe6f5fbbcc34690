using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Tool.Messages;

namespace Wire.Tool.Queues;

/// <summary>Copies what a message of a queue has.</summary>
internal static class QueueMessages
{
    private const long MemoryOfHeaderByte = 16;

    private const byte Persistent = 2;

    /// <summary>Makes a message that is independent of the delivery.</summary>
    /// <param name="number">Its number in the output.</param>
    /// <param name="delivery">The delivery.</param>
    /// <param name="limits">What its body may cost.</param>
    public static BrokerMessage Read(long number, AmqpDelivery delivery, Limits limits)
    {
        List<MessageFact> facts =
        [
            new("exchange", delivery.Exchange.ToString()),
            new("routing-key", delivery.RoutingKey.ToString()),
            new("redelivered", delivery.Redelivered),
        ];
        List<MessageFact> headers = [];
        BasicProperties properties;
        try
        {
            properties = delivery.Properties;
            AddTo(facts, in properties);
            foreach ((AmqpString name, FieldValue value) in properties.Headers)
            {
                headers.Add(new(name.ToString(), value.ToObject()));
            }
        }
        catch (AmqpFormatException exception)
        {
            string damage = exception.Message;
            return NewMessage(0, () => MessageBody.Missing(damage));
        }

        if (delivery.IsTooLarge)
        {
            return NewMessage(0, () => MessageBody.Missing("The body has more bytes than --memory allows."));
        }

        byte[] body = delivery.Body.ToArray();
        string? contentType = TextOf(properties.ContentType);
        string? contentEncoding = TextOf(properties.ContentEncoding);
        // A header of one byte becomes an object.
        long held = body.Length + (MemoryOfHeaderByte * properties.Headers.Encoded.Length);
        return NewMessage(held, () => MessageBody.Read(body, contentType, contentEncoding, limits));

        BrokerMessage NewMessage(long bytes, Func<MessageBody> read) =>
            new(number, facts, "headers", headers, new(delivery.BodySize, bytes, read));
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
