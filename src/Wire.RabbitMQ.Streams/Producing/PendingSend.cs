using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The task of one send: it waits for room, or for the broker's confirm, and returns the publishing id.
/// </summary>
internal class PendingSend(SendPool? pool = null) : PendingOperation<ulong>, IAwaitedSend
{
    /// <inheritdoc/>
    public long Messages => 1;

    /// <inheritdoc/>
    public void Fail(Func<ulong, StreamPublishException> reason) => Error ??= reason(Result);

    /// <summary>Begins to wait. Under the publisher's gate; the cancellation callback may run here.</summary>
    public void StartWaiting(CancellationToken cancellationToken) =>
        StartWaiting(isContended: false, holdsBuffer: false, cancellationToken);

    /// <inheritdoc/>
    protected override void Recycle()
    {
        base.Recycle();
        pool?.PutBack(this);
    }
}
