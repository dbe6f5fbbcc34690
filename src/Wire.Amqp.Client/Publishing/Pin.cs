using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>Waits in an outbox until that does not use the memory any more in which the body of a publication lies.</summary>
internal sealed class Pin : SentWaiter
{
    private static readonly BoundedPool<Pin> Pool = new();

    private Publication? _publication;

    private Pin()
    {
    }

    /// <summary>Holds the task of a publication that has been pinned until everything up to a mark has been sent or let go of. With the gate of the outbox.</summary>
    public static void Hold(Publication publication, Outbox outbox, long mark)
    {
        Pin pin = Pool.TryTake() ?? new Pin();
        pin._publication = publication;
        if (!outbox.TryWait(pin, mark))
        {
            pin.Sent(null);
        }
    }

    public override void Sent(Exception? error)
    {
        Publication publication = _publication!;
        _publication = null;
        Pool.PutBack(this);
        publication.Unpin();
    }
}
