using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>Waits in a send queue until the queue does not use the memory of a publication's body any more.</summary>
internal sealed class BufferHold : Queued, ISentWaiter
{
    private static readonly BoundedPool<BufferHold> Pool = new();

    private Publication? _publication;

    private BufferHold()
    {
    }

    /// <summary>
    /// Holds the task of a publication whose memory is in use until everything up to a position has been sent or released. With the gate of
    /// the send queue.
    /// </summary>
    public static void Start(Publication publication, SendQueue sendQueue, long position)
    {
        BufferHold hold = Pool.TryTake() ?? new BufferHold();
        hold._publication = publication;
        if (!sendQueue.TryWait(hold, position))
        {
            hold.Sent(null);
        }
    }

    /// <inheritdoc/>
    public void Sent(Exception? error)
    {
        Publication publication = _publication!;
        _publication = null;
        Pool.PutBack(this);
        publication.ReleaseBuffer();
    }
}
