using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Channels;

/// <summary>A channel on one link: what a recovering <see cref="AmqpChannel"/> has for as long as the link lasts, with numbers and tags that begin at 1.</summary>
internal sealed class ChannelLife(AmqpChannel owner, AmqpChannelOptions options) : ILinkChannelEvents
{
    private readonly Lock _settling = new();
    private readonly AckWindow _window = new(options.Prefetch);
    private readonly List<Notice> _notices = [];
    private LinkChannel? _channel;
    private ConfirmHold? _hold;

    // Whether the broker has spoken in what was received together: the receive loop's.
    private bool _hasConfirmed;
    private volatile bool _hasSettled;
    private bool _isSignalled;
    private bool _isSealed;

    /// <inheritdoc/>
    public ulong TagsBefore { get; private set; }

    /// <summary>The channel of the link.</summary>
    public LinkChannel Channel => _channel!;

    /// <summary>What it sends.</summary>
    public Outbox Outbox => _channel!.Outbox;

    /// <summary>Its number.</summary>
    public ushort Number => _channel!.Number;

    /// <summary>The largest frame.</summary>
    public int FrameMax => _channel!.Link.FrameMax;

    /// <summary>What has not been confirmed; null without confirms.</summary>
    public Unconfirmed? Ring { get; } = options.Confirms ? new Unconfirmed(options.MaxInFlight) : null;

    bool IOutboxOwner.HasKeptBack => _hasSettled;

    /// <summary>Whether small messages may wait for more to go with them, while so many are in flight. Whoever has one wait says so with <see cref="Linger"/>.</summary>
    public bool MayLinger(int inFlight, long bytes) => inFlight > ConfirmHold.HoldsFrom && Outbox.Unsent + bytes < ConfirmHold.MostBytes;

    /// <summary>Has what lingers sent soon.</summary>
    public void Linger() => _hold!.BeginTime();

    /// <summary>Opens it on a link.</summary>
    public static async Task<ChannelLife> OpenAsync(Link link, AmqpChannel owner, AmqpChannelOptions options, Lock gate, CancellationToken cancellationToken)
    {
        var life = new ChannelLife(owner, options);
        life._hold = options.Confirms ? new ConfirmHold(link.Completing, life.Flush) : null;
        life.TagsBefore = owner.Succeed(life);
        LinkChannel channel = life._channel = await link.OpenChannelAsync(gate, life, cancellationToken).ConfigureAwait(false);
        try
        {
            if (options.Prefetch != 0)
            {
                await channel.CallAsync<BasicQos, BasicQosOk>(new BasicQos { PrefetchCount = options.Prefetch }, cancellationToken).ConfigureAwait(false);
            }

            if (options.Confirms)
            {
                await channel.CallAsync<ConfirmSelect, ConfirmSelectOk>(new ConfirmSelect(), cancellationToken).ConfigureAwait(false);
            }

            return life;
        }
        catch
        {
            await channel.CloseAsync(CancellationToken.None).ConfigureAwait(false);
            throw;
        }
    }

    void ILinkChannelEvents.Confirmed(ulong number, bool multiple, bool acked)
    {
        if (Ring is null)
        {
            return;
        }

        _hold!.Add(Ring.Take(number, multiple, acked));
        if (!_hasConfirmed)
        {
            // With those that follow in what was received together.
            _hasConfirmed = true;
            Channel.Link.AtEndOfRound(Channel);
        }
    }

    void ILinkChannelEvents.Returned(AmqpDelivery message)
    {
        Ring?.Return(in message);
        owner.Return(message);
    }

    void ILinkChannelEvents.Delivered(AmqpDelivery delivery) => owner.Deliver(this, delivery);

    void ILinkChannelEvents.Fetched(AmqpDelivery message, bool noAck) => TryExpect(message.DeliveryTag, !noAck);

    void ILinkChannelEvents.Cancelled(AmqpString consumerTag) => owner.Cancelled(this, consumerTag);

    void ILinkChannelEvents.RoundEnded()
    {
        if (_hasConfirmed)
        {
            _hasConfirmed = false;
            if (_hold!.TryRelease(Ring!.Count))
            {
                owner.RoomMade();
            }
        }

        // On this thread, which has nothing else to do: to wake another costs more than to send.
        Outbox.Flush();
    }

    void ILinkChannelEvents.Ended(LinkEnd end)
    {
        _hold?.Dispose();
        owner.LifeEnded(this, end);
    }

    void IOutboxOwner.RoomMade() => owner.RoomMade();

    /// <summary>A delivery has come, with the tag that users see.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="isSettled">Whether its receiver tells the broker what has become of it.</param>
    /// <returns>False when another life has begun: the broker has the message back.</returns>
    public bool TryExpect(ulong tag, bool isSettled)
    {
        lock (_settling)
        {
            if (_isSealed)
            {
                return false;
            }

            if (isSettled)
            {
                _window.Deliver(tag - TagsBefore);
            }
            else
            {
                _window.Skip(tag - TagsBefore);
            }

            return true;
        }
    }

    /// <summary>Another life begins: no delivery of this one counts any more.</summary>
    /// <returns>The last tag that users have seen.</returns>
    public ulong Seal()
    {
        lock (_settling)
        {
            _isSealed = true;
            return TagsBefore + _window.Latest;
        }
    }

    void IDeliveryOwner.Settle(ulong deliveryTag, Settlement settlement) => TrySettle(deliveryTag + TagsBefore, multiple: false, settlement);

    /// <summary>A delivery has ended, or all up to it (0 for all), as far as they had not.</summary>
    /// <param name="tag">The tag that users see.</param>
    /// <param name="multiple">Whether all up to it have.</param>
    /// <param name="settlement">What the broker is told.</param>
    /// <returns>False when there was none to end.</returns>
    public bool TrySettle(ulong tag, bool multiple, Settlement settlement)
    {
        bool signal;
        lock (_settling)
        {
            ulong own = tag == 0 ? 0 : tag - TagsBefore;
            if (!(multiple ? _window.EndUpTo(own, settlement) : _window.End(own, settlement)))
            {
                return false;
            }

            _hasSettled = true;
            signal = !_isSignalled;
            _isSignalled = true;
        }

        if (signal && Channel.Link.IsOnLoop)
        {
            // With those that follow in what was received together.
            Channel.Link.AtEndOfRound(Channel);
        }
        else if (signal)
        {
            SignalSettled();
        }

        return true;
    }

    void IOutboxOwner.WriteKeptBack(AmqpBuffer output)
    {
        lock (_settling)
        {
            _notices.Clear();
            _window.Take(_notices);
            _hasSettled = false;
            _isSignalled = false;
        }

        foreach (Notice notice in _notices)
        {
            if (notice.Settlement == Settlement.Ack)
            {
                FrameWriter.Write(output, Number, new BasicAck { DeliveryTag = notice.Tag, Multiple = notice.Multiple });
            }
            else
            {
                FrameWriter.Write(output, Number, new BasicReject { DeliveryTag = notice.Tag, Requeue = notice.Settlement == Settlement.Requeue });
            }
        }
    }

    private void Flush()
    {
        owner.RoomMade();
        Outbox.Flush();
    }

    private void SignalSettled()
    {
        bool signal;
        lock (Outbox.Gate)
        {
            signal = Outbox.Commit(0);
        }

        if (signal)
        {
            Outbox.Signal(FrameWriting.Background, 0);
        }
    }
}
