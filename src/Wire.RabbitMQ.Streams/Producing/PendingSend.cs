using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The task of one send: until there is room for its message, or until the broker has confirmed it. It gives the publishing id of its
/// message.
/// </summary>
internal class PendingSend(SendPool? pool = null) : PendingOperation<ulong>
{
    /// <summary>Begins to wait. Under the publisher's gate; the cancellation may call back in here.</summary>
    public void StartWaiting(CancellationToken cancellationToken) =>
        StartWaiting(isContended: false, holdsBuffer: false, cancellationToken);

    /// <inheritdoc/>
    protected override void Recycle()
    {
        base.Recycle();
        pool?.PutBack(this);
    }
}
