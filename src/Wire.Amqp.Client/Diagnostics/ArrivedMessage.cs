using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>A delivery as a span describes it, taken before its handler may release it.</summary>
internal sealed class ArrivedMessage(AmqpDelivery delivery) : IArrivedMessage
{
    public ulong Tag { get; } = delivery.DeliveryTag;

    public string Exchange { get; } = delivery.Exchange.ToString();

    public string RoutingKey { get; } = delivery.RoutingKey.ToString();

    public BasicProperties Properties { get; } = PropertiesOf(delivery);

    public long BodySize { get; } = delivery.BodySize;

    // Of damaged ones the handler says so that reads them.
    private static BasicProperties PropertiesOf(AmqpDelivery delivery)
    {
        try
        {
            BasicProperties properties = delivery.Properties;
            _ = properties.Headers.Count;
            return properties;
        }
        catch (AmqpFormatException)
        {
            return default;
        }
    }
}
