using System.Buffers;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>A delivery with unreadable properties, which are left out.</summary>
internal sealed class BareDelivery(IDelivery delivery) : IDelivery
{
    public ulong Tag => delivery.Tag;

    public bool Redelivered => delivery.Redelivered;

    public string Exchange => delivery.Exchange;

    public string RoutingKey => delivery.RoutingKey;

    public BasicProperties Properties => default;

    public ReadOnlySequence<byte> Body => delivery.Body;

    public long BodySize => delivery.BodySize;

    public CancellationToken Lost => delivery.Lost;

    public void Settle(Settlement settlement) => delivery.Settle(settlement);
}
