using System.Diagnostics;
using RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Publishing;

/// <summary>One message on its way, and the task of whoever published it.</summary>
internal abstract class PublishOperation : PendingOperation<bool>, IOutgoing
{
    private SendTelemetry _telemetry;
    private PublishChannel? _channel;

    /// <summary>The lane in whose row it waits; the lane sets it.</summary>
    public PublishLane? Lane { get; set; }

    public string Exchange { get; private set; } = "";

    public string RoutingKey { get; private set; } = "";

    public bool Mandatory { get; private set; }

    /// <summary>Known when the message has been described.</summary>
    public string? MessageId { get; protected set; }

    /// <summary>How large the body is; known when the message has been committed.</summary>
    public long Bytes { get; set; }

    /// <summary>Why the broker sent the message back; null when it did not.</summary>
    public (ushort Code, string Text)? Return { get; set; }

    /// <summary>Whether the task ends when its token is cancelled though the message is being published already.</summary>
    protected virtual bool CancelsInFlight => true;

    /// <summary>Makes the properties of the message, in the scratch or its own.</summary>
    public abstract BasicProperties Describe(PublishScratch scratch);

    /// <summary>Begins to wait; the task that is returned is the caller's.</summary>
    public ValueTask Begin(string exchange, string routingKey, bool mandatory, CancellationToken cancellationToken)
    {
        Exchange = exchange;
        RoutingKey = routingKey;
        Mandatory = mandatory;
        _telemetry.Start(Attributes.Publish, exchange, routingKey);
        var task = new ValueTask(this, Token);
        Begin(isContended: false, holdsBuffer: false, cancellationToken);
        return task;
    }

    /// <summary>Whether the message shall be published: not when it has been cancelled.</summary>
    public bool TryStart() => CancelsInFlight ? !IsAbandoned : TryClaim();

    /// <summary>
    /// Publishes it on a channel: writes the context of the trace into the message, and makes its span the current one, for the client's own to be a child of.
    /// </summary>
    public ValueTask PublishAsync(PublishChannel channel, BasicProperties properties, PublishScratch scratch, IBrokerConnection connection)
    {
        Activity.Current = _telemetry.Current;
        _telemetry.Prepare(properties, connection);
        _channel = channel;
        return SendAsync(channel.Channel, properties, scratch);
    }

    bool IOutgoing.TryCommit(long bodySize)
    {
        Bytes = bodySize;
        _telemetry.Send(bodySize);
        return _channel!.TryCommit(this);
    }

    /// <inheritdoc/>
    public override void Finish(Exception? error, bool inline = false)
    {
        Forget();
        bool wasCancelled = !TryClaim();
        try
        {
            _telemetry.Stop(Exchange, RoutingKey, wasCancelled ? Failures.Cancelled : error is null ? null : Failures.Of(error), error?.Message);
        }
        catch (Exception e)
        {
            // What a listener of the program throws must not keep this message, and those that are confirmed with it, from their end.
            Lane?.ListenerFailed(e);
        }

        base.Finish(error, inline);
    }

    /// <summary>Hands it to a channel.</summary>
    protected abstract ValueTask SendAsync(IBrokerChannel channel, BasicProperties properties, PublishScratch scratch);

    /// <summary>Lets go of what was to be published: the caller may take the result much later, or never.</summary>
    protected virtual void Forget()
    {
    }

    /// <inheritdoc/>
    protected override void Cancelled() => Lane?.Leave(this);

    /// <inheritdoc/>
    protected override void Recycle()
    {
        base.Recycle();
        Lane = null;
        _channel = null;
        MessageId = null;
        Return = null;
    }
}
