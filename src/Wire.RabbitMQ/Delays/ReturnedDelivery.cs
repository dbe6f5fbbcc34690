using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Delays;

/// <summary>A delivery that has come back from a delay queue: published where it was at first.</summary>
internal sealed class ReturnedDelivery(IDelivery delivery, RetryState state) : DeliveryView(delivery)
{
    public override string Exchange => state.Exchange;

    public override string RoutingKey => state.RoutingKey;

    private RetryState State => state;

    /// <summary>Returns the history of a delivery, which is none where it has not come back.</summary>
    public static RetryState StateOf(IDelivery delivery) =>
        (delivery as ReturnedDelivery)?.State ?? new RetryState(0, 0, 0, 0, delivery.Exchange, delivery.RoutingKey);
}
