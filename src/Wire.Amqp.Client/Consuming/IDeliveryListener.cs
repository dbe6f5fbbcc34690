using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Consuming;

/// <summary>
/// The channel that messages came on, for as long as it lives: one that has ended ignores how they are settled, as the broker has them
/// back. Thread-safe.
/// </summary>
internal interface IDeliveryOwner
{
    /// <summary>
    /// Gets the number of tags that were used on earlier links. It is added to the broker's tags, so that a tag means one delivery for as
    /// long as the channel lives.
    /// </summary>
    ulong TagsBefore => 0;

    /// <summary>Gets a token that fires on the thread pool when the broker takes the deliveries back that are not settled.</summary>
    CancellationToken Lost { get; }

    /// <summary>Settles a delivery. Called once for each at most, on any thread.</summary>
    void Settle(ulong deliveryTag, Settlement settlement);
}

/// <summary>Listens to a channel of a link for its consumers. Called on the receive loop of the link; nothing here waits.</summary>
internal interface IDeliveryListener : IDeliveryOwner
{
    /// <summary>A message was delivered; the listener disposes of it.</summary>
    void Delivered(AmqpDelivery delivery);

    /// <summary>A message was fetched; the call that asked for it is completed afterwards.</summary>
    void Fetched(AmqpDelivery message, bool noAck)
    {
    }

    /// <summary>The broker has cancelled a consumer.</summary>
    void Cancelled(AmqpString consumerTag);
}
