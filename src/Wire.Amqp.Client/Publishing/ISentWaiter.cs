using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>Waits until bytes have been handed to the socket; its <see cref="Queued.Position"/> says up to where.</summary>
internal interface ISentWaiter
{
    /// <summary>Called when they have been sent, or will not be.</summary>
    void Sent(Exception? error);
}
