using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// One message that is waited for: until there is room for it, until its bytes have been sent, or until the broker has confirmed it.
/// </summary>
internal abstract class Publication : PendingOperation<bool>, ISentWaiter, ISized
{
    /// <summary>Gets its destination.</summary>
    public AmqpString Exchange { get; set; }

    /// <summary>The routing key.</summary>
    public AmqpString RoutingKey { get; set; }

    /// <summary>Its id.</summary>
    public AmqpString MessageId { get; set; }

    /// <summary>The user that it is published as; none where it does not say.</summary>
    public AmqpString UserId { get; set; }

    /// <summary>The time after which it expires.</summary>
    public AmqpString Expiration { get; set; }

    /// <summary>Gets or sets whether the broker sends it back where it cannot be routed.</summary>
    public bool IsMandatory { get; set; }

    /// <summary>Gets the size of its body.</summary>
    public long BodySize { get; set; }

    /// <summary>Gets the reason why the broker sent it back; null when it did not.</summary>
    public (ushort Code, string Text)? Return { get; set; }

    /// <summary>Gets or sets whether the broker has refused it.</summary>
    public bool IsRefused { get; set; }

    /// <summary>Gets or sets whether it has been written at least once, and may have arrived.</summary>
    public bool IsWritten { get; set; }

    /// <summary>
    /// Gets the number of times that the broker has closed the connection over an error while it was under way.
    /// </summary>
    public int Losses { get; set; }

    /// <summary>Gets whether it may be the reason for that, and is therefore sent alone.</summary>
    public bool IsSuspect => Losses == Suspects.MostLosses - 1;

    /// <summary>Begins to wait; the task that is returned is the caller's.</summary>
    /// <param name="cancellationToken">Ends the task.</param>
    /// <param name="holdsBuffer">True if memory of the caller's is in use.</param>
    public ValueTask StartWaiting(CancellationToken cancellationToken, bool holdsBuffer = false)
    {
        var task = new ValueTask(this, Token);
        StartWaiting(isContended: true, holdsBuffer, cancellationToken);
        return task;
    }

    /// <summary>Completes the task with the broker's answer.</summary>
    public override void Finish(bool inline) => Finish(AmqpPublishException.Answered(this), inline);

    void ISentWaiter.Sent(Exception? error) => Finish(error);

    /// <inheritdoc/>
    protected override void Recycle()
    {
        base.Recycle();
        Return = null;
        IsWritten = false;
        IsRefused = false;
        Losses = 0;
        (Exchange, RoutingKey, MessageId) = (default, default, default);
        (UserId, Expiration) = (default, default);
    }
}

/// <summary>A message that has been written, of which only the waiting task is still needed.</summary>
internal sealed class WrittenPublication : Publication
{
    private static readonly BoundedPool<WrittenPublication> Pool = new();

    private WrittenPublication()
    {
    }

    public static WrittenPublication Rent() => Pool.TryTake() ?? new WrittenPublication();

    protected override void Recycle()
    {
        base.Recycle();
        Pool.PutBack(this);
    }
}

/// <summary>A message that has to be written yet, or again.</summary>
internal abstract class UnwrittenPublication : Publication
{
    /// <summary>The method that it is published with.</summary>
    public BasicPublish Method;

    /// <summary>Its properties.</summary>
    public BasicProperties Properties;

    /// <summary>Gets its sender.</summary>
    public FrameWriting Writing { get; set; }

    /// <summary>The writer of its rest, where it is too large to be gathered.</summary>
    protected BodyStream? Stream;

    /// <summary>Gets its observer; null for none.</summary>
    public IAmqpPublishObserver? Observer { get; set; }

    /// <summary>Gets the publisher with which it waits.</summary>
    public Publisher? Publisher { get; set; }

    /// <summary>Writes its frames.</summary>
    public abstract MessageParts Write(AmqpBuffer output, ushort channel, in BodyFraming framing);

    /// <summary>Writes the rest of its body, where it is too large to be gathered.</summary>
    public abstract void WriteRest(ChannelSession session, in MessageParts parts);

    /// <inheritdoc/>
    protected override void Cancelled()
    {
        Volatile.Read(ref Stream)?.MayGoOn();
        Publisher!.Leave(this);
    }

    protected override void Recycle()
    {
        base.Recycle();
        Publisher = null;
        Observer = null;
        Method = default;
        Properties = default;
    }
}

/// <inheritdoc/>
internal sealed class UnwrittenPublication<TContent> : UnwrittenPublication
    where TContent : struct, IContent
{
    private static readonly BoundedPool<UnwrittenPublication<TContent>> Pool = new();

    private TContent _content;

    private UnwrittenPublication()
    {
    }

    public static UnwrittenPublication<TContent> Rent(
        Publisher publisher, in TContent content, in BasicPublish method, in BasicProperties properties, FrameWriting writing)
    {
        UnwrittenPublication<TContent> publication = Pool.TryTake() ?? new UnwrittenPublication<TContent>();
        publication.Publisher = publisher;
        publication._content = content;
        publication.Method = method;
        publication.Properties = properties;
        publication.Writing = writing;
        return publication;
    }

    public override MessageParts Write(AmqpBuffer output, ushort channel, in BodyFraming framing) =>
        MessageFrames.Write(output, channel, in Method, in Properties, in _content, in framing);

    public override void WriteRest(ChannelSession session, in MessageParts parts)
    {
        BodyStream stream = session.SendQueue.Stream;
        Volatile.Write(ref Stream, stream);
        try
        {
            stream.Write(in _content, in parts, session, this);
        }
        finally
        {
            // Unless it is being written again by now, in the next session.
            Interlocked.CompareExchange(ref Stream, null, stream);
        }
    }

    protected override void Recycle()
    {
        base.Recycle();
        _content = default;
        Pool.PutBack(this);
    }
}
