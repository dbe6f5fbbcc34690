using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Outbox.Messages;

/// <summary>
/// The properties of a message as a table of AMQP 0-9-1, in which those that are absent have no field: what is added later, older senders
/// pass over.
/// </summary>
internal static class StoredProperties
{
    private static readonly AmqpString Mandatory = "mandatory";
    private static readonly AmqpString ContentType = "content-type";
    private static readonly AmqpString ContentEncoding = "content-encoding";
    private static readonly AmqpString Headers = "headers";
    private static readonly AmqpString DeliveryMode = "delivery-mode";
    private static readonly AmqpString Priority = "priority";
    private static readonly AmqpString CorrelationId = "correlation-id";
    private static readonly AmqpString ReplyTo = "reply-to";
    private static readonly AmqpString Expiration = "expiration";
    private static readonly AmqpString MessageId = "message-id";
    private static readonly AmqpString Timestamp = "timestamp";
    private static readonly AmqpString Type = "type";
    private static readonly AmqpString UserId = "user-id";
    private static readonly AmqpString AppId = "app-id";

    /// <summary>Writes properties.</summary>
    /// <param name="properties">The properties.</param>
    /// <param name="isMandatory">True if the message fails when it cannot be routed.</param>
    public static byte[] Write(in BasicProperties properties, bool isMandatory)
    {
        var table = new FieldTableBuilder();
        table.Add(Mandatory, isMandatory);
        AddText(ContentType, properties.ContentType);
        AddText(ContentEncoding, properties.ContentEncoding);
        AddText(CorrelationId, properties.CorrelationId);
        AddText(ReplyTo, properties.ReplyTo);
        AddText(Expiration, properties.Expiration);
        AddText(MessageId, properties.MessageId);
        AddText(Type, properties.Type);
        AddText(UserId, properties.UserId);
        AddText(AppId, properties.AppId);
        AddNumber(DeliveryMode, properties.DeliveryMode);
        AddNumber(Priority, properties.Priority);
        if (properties.Timestamp is { } time)
        {
            table.Add(Timestamp, time);
        }

        if (!properties.Headers.IsNull)
        {
            table.Add(Headers, properties.Headers);
        }

        return table.Table.Encoded.ToArray();

        void AddText(AmqpString name, AmqpString value)
        {
            if (!value.IsNull)
            {
                table.Add(name, value);
            }
        }

        void AddNumber(AmqpString name, byte? value)
        {
            if (value is { } number)
            {
                table.Add(name, number);
            }
        }
    }

    /// <summary>Reads properties, which are views of the bytes.</summary>
    /// <exception cref="AmqpFormatException">The bytes are damaged.</exception>
    public static (BasicProperties Properties, bool IsMandatory) Read(byte[] encoded)
    {
        var table = new FieldTable(encoded);
        return (
            new BasicProperties
            {
                ContentType = Text(ContentType),
                ContentEncoding = Text(ContentEncoding),
                Headers = table.TryGetValue(Headers, out FieldValue headers) ? headers.AsTable() : default,
                DeliveryMode = Number(DeliveryMode),
                Priority = Number(Priority),
                CorrelationId = Text(CorrelationId),
                ReplyTo = Text(ReplyTo),
                Expiration = Text(Expiration),
                MessageId = Text(MessageId),
                Timestamp = table.TryGetValue(Timestamp, out FieldValue time) ? time.AsTimestamp() : null,
                Type = Text(Type),
                UserId = Text(UserId),
                AppId = Text(AppId),
            },
            !table.TryGetValue(Mandatory, out FieldValue mandatory) || mandatory.AsBoolean());

        AmqpString Text(AmqpString name) => table.TryGetValue(name, out FieldValue value) ? value.AsString() : default;

        byte? Number(AmqpString name) => table.TryGetValue(name, out FieldValue value) ? (byte)value.AsInt64() : null;
    }
}
