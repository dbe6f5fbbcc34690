using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;

namespace Wire.Amqp.Client.Channels;

/// <summary>Listens to a channel on which there are only calls.</summary>
internal sealed class DeafChannel : ILinkChannelEvents
{
    public static DeafChannel Instance { get; } = new();

    bool IOutboxOwner.HasKeptBack => false;

    void ILinkChannelEvents.Confirmed(ulong number, bool multiple, bool acked)
    {
    }

    void ILinkChannelEvents.Returned(AmqpDelivery message) => message.Dispose();

    void ILinkChannelEvents.Delivered(AmqpDelivery delivery) => delivery.Dispose();

    void ILinkChannelEvents.Cancelled(AmqpString consumerTag)
    {
    }

    void ILinkChannelEvents.RoundEnded()
    {
    }

    void ILinkChannelEvents.Ended(LinkEnd end)
    {
    }

    void IDeliveryOwner.Settle(ulong deliveryTag, Settlement settlement)
    {
    }

    void IOutboxOwner.WriteKeptBack(AmqpBuffer output)
    {
    }

    void IOutboxOwner.RoomMade()
    {
    }
}
