namespace Wire.Amqp.Client.Publishing;

/// <summary>Listens to a channel of a link for its publisher. Called on the receive loop of the link; nothing here waits.</summary>
internal interface IPublishListener
{
    /// <summary>Gets whether there are messages that are not confirmed; never without confirms. On any thread.</summary>
    bool HasUnconfirmed { get; }

    /// <summary>The broker has confirmed or refused published messages: the one with this number, or all up to it.</summary>
    void Confirmed(ulong number, bool multiple, bool acked);

    /// <summary>A message came back; the listener disposes of it.</summary>
    void Returned(AmqpDelivery message);
}
