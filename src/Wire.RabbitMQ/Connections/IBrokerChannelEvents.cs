using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// Who has a channel hears here what happens on it, on the threads that receive: nothing in here waits, or throws. Confirmations and returns are told one
/// after the other, deliveries as <see cref="ChannelUse.Concurrency"/> says. What cannot happen on a channel, as it is used, is left out.
/// </summary>
internal interface IBrokerChannelEvents
{
    /// <summary>The broker has spoken about a published message, or all up to it. It may do so before the call that publishes it has returned.</summary>
    void Confirmed(ulong number, bool multiple, bool acked)
    {
    }

    /// <summary>A message came back, since it cannot be routed. Where the channel confirms, its confirmation follows.</summary>
    void Returned(BasicReturnEventArgs returned)
    {
    }

    /// <summary>A message was delivered. It is valid during the call, and its body afterwards where it is kept.</summary>
    void Delivered(in Incoming incoming)
    {
    }

    /// <summary>The broker has cancelled the consumer: its queue was deleted, or has moved.</summary>
    void Cancelled()
    {
    }

    /// <summary>The channel has come to its end, whoever brought that about. Told once; what is told afterwards means nothing.</summary>
    void Closed(ShutdownEventArgs reason);
}
