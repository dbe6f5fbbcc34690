using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Something that waits in the row of a producer until there is room.</summary>
internal abstract class Waiting(StreamProducer? producer) : PendingSend
{
    public StreamProducer? Producer { get; set; } = producer;

    /// <summary>It is its turn, under the producer's lock.</summary>
    /// <returns>Whether its task ends by that.</returns>
    public abstract bool Enter();

    protected override void Cancelled() => Producer!.Leave(this);
}

/// <summary>A message that waits until there is room, and then is written.</summary>
internal sealed class Waiting<TContent> : Waiting
    where TContent : struct, IMessageContent
{
    private static readonly BoundedPool<Waiting<TContent>> Pool = new();

    private TContent _content;
    private StreamSendOptions _options;
    private bool _untilConfirmed;

    private Waiting()
        : base(null)
    {
    }

    public static Waiting<TContent> Take(StreamProducer producer, in TContent content, in StreamSendOptions options, bool untilConfirmed)
    {
        Waiting<TContent> waiting = Pool.TryTake() ?? new Waiting<TContent>();
        waiting.Producer = producer;
        waiting._content = content;
        waiting._options = options;
        waiting._untilConfirmed = untilConfirmed;
        return waiting;
    }

    public override bool Enter()
    {
        // Cancelled in this moment, it is not written; a task that ends with that is not taken for cancelled when it has been written.
        if (_untilConfirmed ? IsAbandoned : !TryClaim())
        {
            return true;
        }

        try
        {
            Result = Producer!.Write(in _content, in _options, _untilConfirmed ? this : null);
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
        Producer = null;
        Pool.PutBack(this);
    }
}

/// <summary>A flush, which begins behind those that wait before it.</summary>
internal sealed class WaitingFlush(StreamProducer producer, TaskCompletionSource flushed) : Waiting(producer)
{
    public TaskCompletionSource Flushed => flushed;

    public override bool Enter()
    {
        Producer!.FlushBehind(flushed);
        return false;
    }
}
