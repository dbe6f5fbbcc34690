using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Channels;

/// <summary>
/// A channel on one link, one after the other for a <see cref="RecoveringChannel"/>, with numbers and tags that begin at 1.
/// </summary>
internal sealed class ChannelSession(RecoveringChannel owner, AmqpChannelOptions options)
    : IChannelListener, IPublishListener, IRoundListener
{
    private LinkChannel? _channel;
    private ConfirmBatcher? _hold;

    // True if the bytes received together included confirms; used by the receive loop.
    private bool _hasConfirmed;

    /// <summary>Its deliveries.</summary>
    public SessionDeliveries Deliveries { get; } = new(owner.Consumers, options);

    /// <summary>The channel of the link.</summary>
    public LinkChannel Channel => _channel!;

    /// <summary>Gets its send queue.</summary>
    public SendQueue SendQueue => _channel!.SendQueue;

    /// <summary>Its number.</summary>
    public ushort Number => _channel!.Number;

    /// <summary>The largest frame.</summary>
    public int FrameMax => _channel!.Link.FrameMax;

    /// <summary>Gets the time within which the broker answers, or a call fails.</summary>
    public TimeSpan CallTimeout => owner.CallTimeout;

    /// <summary>Gets whether this is the receiving thread; never before it has been opened.</summary>
    public bool IsOnLoop => _channel?.Link.IsOnLoop == true;

    /// <summary>Gets the messages that are not confirmed; null without confirms.</summary>
    public Unconfirmed? Ring { get; } = options.Confirms ? new Unconfirmed(options.MaxInFlight, options.MaxBytesInFlight) : null;

    bool IPublishListener.HasUnconfirmed => Ring is { Count: > 0 };

    bool ISendQueueOwner.HasPendingAcks => Deliveries.HasSettled;

    /// <summary>
    /// Returns whether small messages may wait for more to go with them, while so many are in flight. Code that lets one wait calls <see
    /// cref="Linger"/>.
    /// </summary>
    public bool MayLinger(int inFlight, long bytes) =>
        inFlight > ConfirmBatcher.HoldsFrom && SendQueue.Unsent + bytes < ConfirmBatcher.MostBytes;

    /// <summary>Schedules sending of lingering messages.</summary>
    public void Linger() => _hold!.BeginTime();

    /// <summary>Has the broker take back all deliveries that are not settled, and deliver them again.</summary>
    /// <exception cref="InvalidOperationException">Messages of a stream are among them.</exception>
    public Task RecoverAsync(CancellationToken cancellationToken) => Deliveries.HasStreams
        ? throw new InvalidOperationException(
            "The channel has had messages of a stream, which takes none back: the broker would close the connection. Settle messages of "
            + "queues one by one, or consume the stream on a channel of its own.")
        : Channel.WaitAsync(
            Channel.Begin<BasicRecover, BasicRecoverOk, bool>(
                new BasicRecover { Requeue = true }, _ => Deliveries.EndRecovery(), Deliveries.BeginRecovery),
            BasicRecover.Id,
            cancellationToken);

    /// <summary>Opens it on a link.</summary>
    public static async Task<ChannelSession> OpenAsync(
        Link link, RecoveringChannel owner, AmqpChannelOptions options, CancellationToken cancellationToken)
    {
        var session = new ChannelSession(owner, options);
        session._hold = options.Confirms ? new ConfirmBatcher(link.Complete, session.Flush) : null;
        session.Deliveries.Attach(session);
        LinkChannel channel =
            session._channel = await link.OpenChannelAsync(owner.Gate, session, session, session.Deliveries, cancellationToken)
                .ConfigureAwait(false);
        try
        {
            if (options.Prefetch != 0)
            {
                await channel.CallAsync<BasicQos, BasicQosOk>(
                    new BasicQos { PrefetchCount = options.Prefetch, Global = options.SharesPrefetch }, cancellationToken)
                    .ConfigureAwait(false);
            }

            if (options.Confirms)
            {
                await channel.CallAsync<ConfirmSelect, ConfirmSelectOk>(new ConfirmSelect(), cancellationToken).ConfigureAwait(false);
            }

            return session;
        }
        catch
        {
            await channel.CloseAsync(CancellationToken.None).ConfigureAwait(false);
            throw;
        }
    }

    void IPublishListener.Confirmed(ulong number, bool multiple, bool acked)
    {
        if (Ring is null)
        {
            return;
        }

        _hold!.Add(Ring.Remove(number, multiple, acked));
        if (!_hasConfirmed)
        {
            // Sent with those that follow in the bytes that were received together.
            _hasConfirmed = true;
            Channel.Link.AtEndOfRound(this);
        }
    }

    void IPublishListener.Returned(AmqpDelivery message)
    {
        Ring?.Return(in message);
        owner.Return(message);
    }

    void IRoundListener.RoundEnded()
    {
        if (_hasConfirmed)
        {
            _hasConfirmed = false;
            if (_hold!.TryRelease(Ring!.Count))
            {
                owner.Publisher.RoomMade();
            }

            owner.Publisher.MayBeEmpty();
        }

        // On this thread, which has nothing else to do: waking another costs more than sending.
        SendQueue.Flush(FrameWriting.Inline);
    }

    void IChannelListener.Ended(LinkEnd end)
    {
        _hold?.Dispose();
        Deliveries.Dispose();
        owner.SessionEnded(this, end);
    }

    void ISendQueueOwner.RoomMade() => owner.Publisher.RoomMade();

    void ISendQueueOwner.WritePendingAcks(AmqpBuffer output) => Deliveries.WriteSettled(output, Number);

    private void Flush()
    {
        owner.Publisher.RoomMade();
        SendQueue.Flush(FrameWriting.Background);
    }
}
