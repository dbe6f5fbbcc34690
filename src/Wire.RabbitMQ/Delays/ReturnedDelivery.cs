using System.Buffers;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Delays;

/// <summary>A delivery that has come back from a delay queue: published where it was at first.</summary>
internal sealed class ReturnedDelivery(IDelivery delivery, RetryState state) : IDelivery
{
    private RetryState State => state;

    public ulong Tag => delivery.Tag;

    public bool Redelivered => delivery.Redelivered;

    public string Exchange => state.Exchange;

    public string RoutingKey => state.RoutingKey;

    public BasicProperties Properties => delivery.Properties;

    public ReadOnlySequence<byte> Body => delivery.Body;

    public long BodySize => delivery.BodySize;

    public CancellationToken Lost => delivery.Lost;

    /// <summary>Returns the history of a delivery, which is none where it has not come back.</summary>
    public static RetryState StateOf(IDelivery delivery) =>
        (delivery as ReturnedDelivery)?.State ?? new RetryState(0, 0, 0, 0, delivery.Exchange, delivery.RoutingKey);

    public void Settle(Settlement settlement) => delivery.Settle(settlement);
}
