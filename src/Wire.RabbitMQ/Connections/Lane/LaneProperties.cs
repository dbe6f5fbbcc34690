using RabbitMQ.Client;
using OutgoingProperties = Wire.Amqp.V091.BasicProperties;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>Properties of RabbitMQ.Client as the direct lane writes them.</summary>
internal static class LaneProperties
{
    /// <summary>Makes them: texts stay strings until they are written.</summary>
    /// <exception cref="ArgumentException">The headers cannot be written.</exception>
    public static OutgoingProperties Of(BasicProperties properties, HeaderFields headers) => new()
    {
        ContentType = properties.ContentType,
        ContentEncoding = properties.ContentEncoding,
        Headers = headers.Of(properties.Headers),
        DeliveryMode = properties.IsDeliveryModePresent() ? (byte)properties.DeliveryMode : null,
        Priority = properties.IsPriorityPresent() ? properties.Priority : null,
        CorrelationId = properties.CorrelationId,
        ReplyTo = properties.ReplyTo,
        Expiration = properties.Expiration,
        MessageId = properties.MessageId,
        Timestamp = properties.IsTimestampPresent() ? new Amqp.V091.Timestamp(properties.Timestamp.UnixTime) : null,
        Type = properties.Type,
        UserId = properties.UserId,
        AppId = properties.AppId,
        ClusterId = properties.ClusterId,
    };
}
