using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>A delivery with unreadable properties, which are left out.</summary>
internal sealed class BareDelivery(IDelivery delivery) : DeliveryView(delivery)
{
    public override BasicProperties Properties => default;
}
