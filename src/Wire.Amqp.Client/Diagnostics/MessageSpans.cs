using System.Diagnostics;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>The attributes by which spans describe a message.</summary>
internal static class MessageSpans
{
    /// <summary>The attributes that a span begins with.</summary>
    /// <param name="operation">The operation, from <see cref="Attributes"/>.</param>
    /// <param name="type">The kind of operation, from there too.</param>
    /// <param name="destination">The destination, as <see cref="Destination"/> composes it.</param>
    public static ActivityTagsCollection Tags(string operation, string type, string destination) => new()
    {
        { Attributes.System, Attributes.RabbitMQ },
        { Attributes.OperationName, operation },
        { Attributes.OperationType, type },
        { Attributes.DestinationName, destination },
    };

    /// <summary>Names a message by its ids, where it has them.</summary>
    public static void SetIds(Activity activity, in BasicProperties properties)
    {
        if (!properties.MessageId.IsNull)
        {
            activity.SetTag(Attributes.MessageId, properties.MessageId.ToString());
        }

        if (!properties.CorrelationId.IsNull)
        {
            activity.SetTag(Attributes.ConversationId, properties.CorrelationId.ToString());
        }
    }

    /// <summary>Describes a message that has arrived.</summary>
    public static void Describe(Activity activity, BrokerEndpoint? server, IArrivedMessage message, in BasicProperties properties)
    {
        activity.SetTag(Attributes.DeliveryTag, (long)message.Tag);
        Spans.SetBodySize(activity, message.BodySize);
        Spans.SetServer(activity, server);
        if (message.RoutingKey.Length != 0)
        {
            activity.SetTag(Attributes.RoutingKey, message.RoutingKey);
        }

        SetIds(activity, in properties);
    }
}
