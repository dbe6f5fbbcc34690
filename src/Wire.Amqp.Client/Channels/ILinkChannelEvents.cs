using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;

namespace Wire.Amqp.Client.Channels;

/// <summary>What happens on a channel, told to whoever has opened it: on the receive loop of the link, in the order in which it came. Nothing here waits.</summary>
internal interface ILinkChannelEvents : IOutboxOwner, IDeliveryOwner
{
    /// <summary>The broker has spoken about messages that were published: the one with this number, or all up to it.</summary>
    void Confirmed(ulong number, bool multiple, bool acked);

    /// <summary>A message came back; it is whoever's is told of it to dispose of.</summary>
    void Returned(AmqpDelivery message);

    /// <summary>A message was delivered; it is whoever's is told of it to dispose of.</summary>
    void Delivered(AmqpDelivery delivery);

    /// <summary>A message was fetched; whoever has asked for it is told afterwards.</summary>
    void Fetched(AmqpDelivery message, bool noAck)
    {
    }

    /// <summary>The broker has cancelled a consumer.</summary>
    void Cancelled(AmqpString consumerTag);

    /// <summary>What was received together has been dealt with, where <see cref="Link.AtEndOfRound"/> asked for it.</summary>
    void RoundEnded();

    /// <summary>The channel has ended: once, and nothing comes after it. On any thread.</summary>
    void Ended(LinkEnd end);
}

/// <summary>Why a link or a channel has ended.</summary>
/// <param name="Error">What whoever uses it further is told.</param>
/// <param name="IsByProgram">Whether the program closed it.</param>
internal sealed record LinkEnd(Exception Error, bool IsByProgram);
