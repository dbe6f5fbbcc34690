using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>Waits until the bytes up to its <see cref="Queued.Position"/> have been handed to the socket.</summary>
internal interface ISentWaiter
{
    /// <summary>Called when they have been sent, or will not be.</summary>
    void Sent(Exception? error);
}
