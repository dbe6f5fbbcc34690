using System.Buffers;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Connections;

/// <summary>A delivery of which something is seen differently.</summary>
internal abstract class DeliveryView(IDelivery delivery) : IDelivery
{
    public ulong Tag => delivery.Tag;

    public bool Redelivered => delivery.Redelivered;

    public virtual string Exchange => delivery.Exchange;

    public virtual string RoutingKey => delivery.RoutingKey;

    public virtual BasicProperties Properties => delivery.Properties;

    public ReadOnlySequence<byte> Body => delivery.Body;

    public long BodySize => delivery.BodySize;

    public CancellationToken Lost => delivery.Lost;

    public void Settle(Settlement settlement) => delivery.Settle(settlement);

    public void Keep() => delivery.Keep();

    public void Release() => delivery.Release();
}
