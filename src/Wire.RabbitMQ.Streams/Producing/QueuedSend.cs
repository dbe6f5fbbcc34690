using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>A send that waits in the queue of a publisher until there is room.</summary>
internal abstract class QueuedSend(Publisher? publisher) : PendingSend
{
    public Publisher? Publisher { get; set; } = publisher;

    /// <summary>Writes it when it is its turn, under the publisher's gate.</summary>
    /// <param name="writer">The writer of its message.</param>
    /// <param name="outcomes">The results of written messages.</param>
    /// <returns>True if this ends its task.</returns>
    public abstract bool Enter(PublishWriter writer, PublishOutcomes outcomes);

    protected override void Cancelled() => Publisher!.Leave(this);
}

/// <summary>A message that waits until there is room, and then is written.</summary>
internal sealed class QueuedSend<TContent> : QueuedSend
    where TContent : struct, IMessageContent
{
    private static readonly BoundedPool<QueuedSend<TContent>> Pool = new();

    private TContent _content;
    private StreamSendOptions _options;
    private bool _untilConfirmed;

    private QueuedSend()
        : base(null)
    {
    }

    public static QueuedSend<TContent> Rent(Publisher publisher, in TContent content, in StreamSendOptions options, bool untilConfirmed)
    {
        QueuedSend<TContent> waiting = Pool.TryTake() ?? new QueuedSend<TContent>();
        waiting.Publisher = publisher;
        waiting._content = content;
        waiting._options = options;
        waiting._untilConfirmed = untilConfirmed;
        return waiting;
    }

    public override bool Enter(PublishWriter writer, PublishOutcomes outcomes)
    {
        // A message that is cancelled now is not written; a written one is not reported as cancelled.
        if (_untilConfirmed ? IsAbandoned : !TryClaim())
        {
            return true;
        }

        try
        {
            Result = writer.Write(in _content, in _options, _untilConfirmed ? this : null);
            return !_untilConfirmed;
        }
        catch (Exception e)
        {
            Error = e;
            return true;
        }
    }

    protected override void Recycle()
    {
        base.Recycle();
        _content = default;
        _options = default;
        Publisher = null;
        Pool.PutBack(this);
    }
}

/// <summary>A flush: it begins when the sends that were queued before it have been written.</summary>
internal sealed class WaitingFlush(Publisher publisher, TaskCompletionSource flushed) : QueuedSend(publisher)
{
    public TaskCompletionSource Flushed => flushed;

    public override bool Enter(PublishWriter writer, PublishOutcomes outcomes)
    {
        outcomes.FlushBehind(flushed);
        return false;
    }
}
