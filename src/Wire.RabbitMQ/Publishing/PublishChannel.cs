using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ;

/// <summary>A channel of a lane, from its opening to its end, with what is in flight on it. A lane has one at a time, and each has its own numbers.</summary>
internal sealed class PublishChannel : IAsyncDisposable
{
    // The client counts and we keep track: its own tracking costs a task, a header and an exception per message.
    private static readonly CreateChannelOptions Options = new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: false);

    // Ends a publish that waits in the client. On a connection that is gone it would wait for ever when the client's row of frames is full: room is
    // made by the end of the connection, which waits for the end of the channel, which waits for the publish.
    private readonly CancellationTokenSource _gone = new();

    // One for all who end it: what has been disposed of before the callbacks have been called calls none.
    private readonly Lazy<Task> _end;
    private readonly IChannel _channel;
    private readonly PublishLane _lane;

    private PublishChannel(IChannel channel, PublishLane lane, WirePublisherOptions options)
    {
        _channel = channel;
        _lane = lane;
        _end = new Lazy<Task>(_gone.CancelAsync);
        InFlight = new InFlightRing(options.MaxInFlight, options.MaxBytesInFlight);
    }

    /// <summary>What is in flight; the lane's lock guards it.</summary>
    public InFlightRing InFlight { get; }

    /// <summary>Whether the lane is through with it; the lane's lock guards it.</summary>
    public bool IsClosed { get; set; }

    /// <summary>Whether the client can publish on it.</summary>
    public bool IsOpen => _channel.IsOpen;

    /// <summary>Why it was closed; null where the client says nothing.</summary>
    public ShutdownEventArgs? CloseReason => _channel.CloseReason;

    /// <summary>Opens one, whose events go to the lane.</summary>
    public static async Task<PublishChannel> OpenAsync(ChannelSource source, PublishLane lane, WirePublisherOptions options, CancellationToken cancellationToken)
    {
        IChannel channel = await source.OpenAsync(Options, cancellationToken).ConfigureAwait(false);
        var opened = new PublishChannel(channel, lane, options);
        channel.BasicAcksAsync += opened.OnAckAsync;
        channel.BasicNacksAsync += opened.OnNackAsync;
        channel.BasicReturnAsync += opened.OnReturnAsync;
        channel.ChannelShutdownAsync += opened.OnShutdownAsync;
        return opened;
    }

    /// <summary>Publishes; the message may be forgotten when the task has ended.</summary>
    public ValueTask PublishAsync(PublishOperation operation, in Outgoing outgoing) =>
        _channel.BasicPublishAsync(operation.Exchange, operation.RoutingKey, operation.Mandatory, outgoing.Properties, outgoing.Body, _gone.Token);

    /// <summary>Takes the channel off the connection. Call it outside of the client's events.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.Value.ConfigureAwait(false);
        await ChannelSource.DropAsync(_channel).ConfigureAwait(false);
        _gone.Dispose();
    }

    private Task OnAckAsync(object sender, BasicAckEventArgs ack)
    {
        _lane.Confirm(this, ack.DeliveryTag, ack.Multiple, acked: true);
        return Task.CompletedTask;
    }

    private Task OnNackAsync(object sender, BasicNackEventArgs nack)
    {
        _lane.Confirm(this, nack.DeliveryTag, nack.Multiple, acked: false);
        return Task.CompletedTask;
    }

    private Task OnReturnAsync(object sender, BasicReturnEventArgs returned)
    {
        _lane.Return(this, returned);
        return Task.CompletedTask;
    }

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        _lane.Close(this, reason);
        _ = _end.Value;
        return Task.CompletedTask;
    }
}
