using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Consuming;

/// <summary>The deliveries of one session of a channel: which have come, and what the broker is to be told of them. Thread-safe.</summary>
internal sealed class SessionDeliveries : IDeliveryListener, IDisposable
{
    private const long Unlimited = 1L << 40;

    private readonly ConsumerSet _consumers;
    private readonly AckBatcher _hold;
    private readonly List<AckCommand> _commands = [];
    private ChannelSession? _session;

    // How many messages the broker may have sent that it was told nothing of, and how many bytes it has sent beyond: the receive loop's.
    private long _asked;
    private long _beyond;

    /// <summary>None yet.</summary>
    /// <param name="consumers">Their owner.</param>
    /// <param name="options">What the channel was opened with.</param>
    public SessionDeliveries(ConsumerSet consumers, AmqpChannelOptions options) =>
        (_consumers, _hold) = (consumers, new AckBatcher(options.Prefetch, options.AckDelay, Signal));

    /// <inheritdoc/>
    public ulong TagsBefore { get; private set; }

    /// <summary>Says whether there is something to tell the broker.</summary>
    public bool HasSettled => _hold.HasEnded;

    /// <summary>Begins, behind those of the session before.</summary>
    public void Attach(ChannelSession session)
    {
        _session = session;
        TagsBefore = _consumers.Succeed(session);
    }

    /// <summary>A consumer is started, to which the broker sends so many ahead (0: any number): it is told early enough for that.</summary>
    public void HoldFor(ushort prefetch)
    {
        Interlocked.Add(ref _asked, prefetch == 0 ? Unlimited : prefetch);
        _hold.HoldFor(prefetch);
    }

    void IDeliveryListener.Delivered(AmqpDelivery delivery)
    {
        if (_hold.Open > Volatile.Read(ref _asked))
        {
            LimitBeyond(delivery);
        }
        else
        {
            _beyond = 0;
        }

        _consumers.Deliver(_session!, delivery);
    }

    void IDeliveryListener.Fetched(AmqpDelivery message, bool noAck)
    {
        Interlocked.Increment(ref _asked);
        TryExpect(message.DeliveryTag, !noAck);
    }

    void IDeliveryListener.Cancelled(AmqpString consumerTag) => _consumers.Cancelled(_session!, consumerTag);

    /// <summary>A delivery has come, with the tag that users see.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="isSettled">Whether its receiver tells the broker what has become of it.</param>
    /// <returns>False when another session has begun: the broker has the message back.</returns>
    public bool TryExpect(ulong tag, bool isSettled) => _hold.TryDeliver(tag - TagsBefore, isSettled);

    /// <summary>Another session begins: no delivery of this one counts any more.</summary>
    /// <returns>The last tag that users have seen.</returns>
    public ulong Seal() => TagsBefore + _hold.Seal();

    void IDeliveryOwner.Settle(ulong deliveryTag, Settlement settlement) =>
        TrySettle(deliveryTag + TagsBefore, multiple: false, settlement);

    /// <summary>A delivery has ended, or all up to it (0 for all), as far as they had not.</summary>
    /// <param name="tag">The tag that users see.</param>
    /// <param name="multiple">Whether all up to it have.</param>
    /// <param name="settlement">What the broker is told.</param>
    /// <returns>False when there was none to end.</returns>
    public bool TrySettle(ulong tag, bool multiple, Settlement settlement)
    {
        bool isOnLoop = _session?.IsOnLoop == true;
        if (!_hold.TryEnd(tag == 0 ? 0 : tag - TagsBefore, multiple, settlement, mayHold: !isOnLoop, out bool mustSend))
        {
            return false;
        }

        if (mustSend && isOnLoop)
        {
            // With those that follow in what was received together.
            _session!.Channel.Link.AtEndOfRound(_session);
        }
        else if (mustSend)
        {
            Signal();
        }

        return true;
    }

    /// <summary>Has the broker told of what is held, if anything is.</summary>
    public void SendAcks()
    {
        if (_hold.TryBeginSend())
        {
            Signal();
        }
    }

    /// <summary>The session has ended: nothing is held any more.</summary>
    public void Dispose() => _hold.Dispose();

    /// <summary>Writes what the broker has not been told yet.</summary>
    public void WriteSettled(AmqpBuffer output, ushort channel)
    {
        do
        {
            _hold.Drain(_commands);
            foreach (AckCommand notice in _commands)
            {
                if (notice.Settlement == Settlement.Ack)
                {
                    FrameWriter.Write(output, channel, new BasicAck { DeliveryTag = notice.Tag, Multiple = notice.Multiple });
                }
                else
                {
                    FrameWriter.Write(
                        output, channel, new BasicReject { DeliveryTag = notice.Tag, Requeue = notice.Settlement == Settlement.Requeue });
                }
            }
        }
        while (!_hold.IsSent());
    }

    // RabbitMQ sends the chunks of a stream as a whole, and so some messages more than were asked for, but not endlessly.
    private void LimitBeyond(AmqpDelivery delivery)
    {
        long limit = _session!.Channel.Link.Deliveries.MaxBeyond;
        _beyond += delivery.BodySize + PooledDelivery.CostOfMessage;
        if (_beyond > limit)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Frame,
                0,
                $"Expected at most {_asked:N0} unacknowledged messages on channel {_session.Number}, the prefetch count, " +
                $"or {limit:N0} bytes more, found further ones");
        }
    }

    private void Signal() => _session!.SendQueue.Flush(FrameWriting.Background);
}
