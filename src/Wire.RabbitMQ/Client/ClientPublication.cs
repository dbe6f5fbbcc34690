using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Client;

/// <summary>One message on its way over RabbitMQ.Client, and the task of its publisher.</summary>
internal abstract class ClientPublication : PendingOperation<bool>, IPublishCommit, ISized
{
    private Activity? _span;
    private IAmqpPublishObserver? _observer;

    /// <summary>The method that it is published with.</summary>
    public BasicPublish Method;

    /// <summary>Its properties.</summary>
    public BasicProperties Properties;

    /// <summary>The publisher in whose queue it waits.</summary>
    public ClientPublisher? Publisher { get; private set; }

    /// <summary>The channel on which it is published.</summary>
    public ClientPublisher.Session? Session { get; set; }

    /// <summary>Gets the size of the body; known when the message has been committed.</summary>
    public long BodySize { get; set; }

    /// <summary>Gets the reason why the broker sent the message back; null when it did not.</summary>
    public (ushort Code, string Text)? Returned { get; set; }

    private string Exchange => Method.Exchange.ToString();

    private string RoutingKey => Method.RoutingKey.ToString();

    private string? MessageId => Properties.MessageId.Text();

    /// <summary>Begins to wait; the task that is returned is the caller's.</summary>
    public ValueTask StartWaiting(
        ClientPublisher publisher, in BasicPublish method, in BasicProperties properties, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken)
    {
        Publisher = publisher;
        Method = method;
        Properties = properties;
        _observer = observer;
        _span = Activity.Current;
        var task = new ValueTask(this, Token);
        StartWaiting(isContended: false, holdsBuffer: false, cancellationToken);
        return task;
    }

    /// <summary>Returns the key by which the message is found when it comes back; null if it cannot, or has come back.</summary>
    public static ReturnKey? ReturnKeyOf(ClientPublication sent) => sent is { Method.Mandatory: true, Returned: null }
        ? new ReturnKey(sent.Properties.MessageId, sent.Method.RoutingKey, sent.Method.Exchange)
        : null;

    /// <summary>Marks the oldest matching message as returned.</summary>
    public static void Return(ConfirmIndex<ClientPublication, ReturnKey> returnable, ReturnedMessage returned)
    {
        if (returnable.Remove(new ReturnKey(returned.MessageId, returned.RoutingKey, returned.Exchange)) is { } publication)
        {
            publication.Returned = (returned.ReplyCode, returned.ReplyText);
        }
    }

    /// <summary>Returns whether the message shall be published: not when it has been cancelled.</summary>
    public bool TryStart() => CancelsInFlight ? !IsAbandoned : TryClaim();

    /// <summary>Returns the error for the broker's answer; null for success.</summary>
    public AmqpPublishException? Answered(bool acked) =>
        Returned is { } returned ? AmqpPublishException.Returned(Exchange, RoutingKey, MessageId, returned.Code, returned.Text)
        : acked ? null : AmqpPublishException.Nacked(Exchange, RoutingKey, MessageId);

    /// <summary>Makes the error for a full wait queue.</summary>
    public AmqpPublishException Overflow(int maxWaiting) => AmqpPublishException.Overflow(Exchange, RoutingKey, MessageId, maxWaiting);

    /// <summary>Makes the error for it when its channel has ended before the broker has confirmed it.</summary>
    public AmqpPublishException Unconfirmed(Exception reason) =>
        Answered(acked: true) ?? AmqpPublishException.Unconfirmed(in Method, in Properties, BodySize, reason);

    /// <summary>
    /// Publishes it on a channel, with its caller's span as the current one, so that the client's span becomes its child.
    /// </summary>
    public ValueTask PublishAsync(RawChannel channel)
    {
        Activity.Current = _span;
        return SendAsync(channel);
    }

    bool IPublishCommit.TryCommit(long bodySize)
    {
        BodySize = bodySize;
        _observer?.Written(bodySize);
        return Publisher!.TryCommit(Session!, this);
    }

    /// <inheritdoc/>
    public override void Finish(Exception? error, bool inline = false)
    {
        Forget();
        base.Finish(error, inline);
    }

    /// <summary>
    /// Gets whether cancellation ends the task even while the message is being published: not if the message is the caller's memory.
    /// </summary>
    protected abstract bool CancelsInFlight { get; }

    /// <summary>Hands it to a channel.</summary>
    protected abstract ValueTask SendAsync(RawChannel channel);

    /// <summary>Releases the published object: the caller may take the result much later, or never.</summary>
    protected virtual void Forget() => (_span, _observer) = (null, null);

    /// <inheritdoc/>
    protected override void Cancelled() => Publisher!.Leave(this);

    /// <inheritdoc/>
    protected override void Recycle()
    {
        base.Recycle();
        (Publisher, Session, Returned) = (null, null, null);
        (Method, Properties) = (default, default);
    }
}

/// <summary>The key for matching a returned message.</summary>
internal readonly record struct ReturnKey(AmqpString MessageId, AmqpString RoutingKey, AmqpString Exchange);

/// <inheritdoc/>
internal sealed class ClientPublication<T> : ClientPublication
{
    private static readonly BoundedPool<ClientPublication<T>> Pool = new();

    private T? _message;

    private ClientPublication()
    {
    }

    protected override bool CancelsInFlight => typeof(T) != typeof(RawBody);

    public static ClientPublication<T> Rent(T message)
    {
        ClientPublication<T> publication = Pool.TryTake() ?? new ClientPublication<T>();
        publication._message = message;
        return publication;
    }

    protected override ValueTask SendAsync(RawChannel channel) =>
        channel.PublishAsync(in Method, in Properties, _message!, this, CancellationToken.None);

    protected override void Forget()
    {
        base.Forget();
        _message = default;
    }

    protected override void Recycle()
    {
        base.Recycle();
        Pool.PutBack(this);
    }
}
