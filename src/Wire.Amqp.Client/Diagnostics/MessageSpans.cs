using System.Diagnostics;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>The attributes by which spans describe a message.</summary>
internal static class MessageSpans
{
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
