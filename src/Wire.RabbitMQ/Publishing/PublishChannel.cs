using RabbitMQ.Client.Events;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Publishing;

/// <summary>A channel of a lane, from its opening to its end, with what is in flight on it. A lane has one at a time, and each has its own numbers.</summary>
internal sealed class PublishChannel : IBrokerChannelEvents, IAsyncDisposable
{
    private readonly PublishLane _lane;

    private PublishChannel(IBrokerChannel channel, PublishLane lane, WirePublisherOptions options)
    {
        Channel = channel;
        _lane = lane;
        InFlight = new InFlightRing(options.MaxInFlight, options.MaxBytesInFlight);
    }

    /// <summary>What publishes.</summary>
    public IBrokerChannel Channel { get; }

    /// <summary>What is in flight; the lane's lock guards it.</summary>
    public InFlightRing InFlight { get; }

    /// <summary>Whether the lane is through with it; the lane's lock guards it.</summary>
    public bool IsClosed { get; set; }

    /// <summary>Whether one can publish on it.</summary>
    public bool IsOpen => Channel.IsOpen;

    /// <summary>Why it was closed; null where that is not known.</summary>
    public ShutdownEventArgs? CloseReason => Channel.CloseReason;

    /// <summary>Opens one, whose events go to the lane.</summary>
    public static async Task<PublishChannel> OpenAsync(ChannelSource source, PublishLane lane, WirePublisherOptions options, CancellationToken cancellationToken)
    {
        IBrokerChannel channel = await source.OpenAsync(new ChannelUse(Confirms: true), cancellationToken).ConfigureAwait(false);
        var opened = new PublishChannel(channel, lane, options);
        channel.Listen(opened);
        return opened;
    }

    /// <summary>A message is about to be sent on it; false where it must not be, since the lane is through with the channel.</summary>
    public bool TryCommit(PublishOperation operation) => _lane.TryCommit(this, operation);

    /// <summary>Takes the channel off the connection. Call it outside of its events.</summary>
    public ValueTask DisposeAsync() => Channel.DisposeAsync();

    void IBrokerChannelEvents.Confirmed(ulong number, bool multiple, bool acked) => _lane.Confirm(this, number, multiple, acked);

    void IBrokerChannelEvents.Returned(BasicReturnEventArgs returned) => _lane.Return(this, returned);

    void IBrokerChannelEvents.Closed(ShutdownEventArgs reason) => _lane.Close(this, reason);
}
