using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Consuming;

/// <summary>The deliveries of one life of a channel: which have come, and what the broker is to be told of them. Thread-safe.</summary>
internal sealed class LifeDeliveries(ConsumerSet consumers, ushort prefetch) : IDeliveryListener
{
    private readonly Lock _settling = new();
    private readonly AckWindow _window = new(prefetch);
    private readonly List<Notice> _notices = [];
    private ChannelLife? _life;
    private volatile bool _hasSettled;
    private bool _isSignalled;
    private bool _isSealed;

    /// <inheritdoc/>
    public ulong TagsBefore { get; private set; }

    /// <summary>Whether there is something to tell the broker.</summary>
    public bool HasSettled => _hasSettled;

    /// <summary>Begins, behind those of the life before.</summary>
    public void Begin(ChannelLife life)
    {
        _life = life;
        TagsBefore = consumers.Succeed(life);
    }

    void IDeliveryListener.Delivered(AmqpDelivery delivery) => consumers.Deliver(_life!, delivery);

    void IDeliveryListener.Fetched(AmqpDelivery message, bool noAck) => TryExpect(message.DeliveryTag, !noAck);

    void IDeliveryListener.Cancelled(AmqpString consumerTag) => consumers.Cancelled(_life!, consumerTag);

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

        if (!signal)
        {
            return true;
        }

        LinkChannel channel = _life!.Channel;
        if (channel.Link.IsOnLoop)
        {
            // With those that follow in what was received together.
            channel.Link.AtEndOfRound(channel);
        }
        else
        {
            Signal(channel.Outbox);
        }

        return true;
    }

    /// <summary>Writes what the broker has not been told yet.</summary>
    public void WriteSettled(AmqpBuffer output, ushort channel)
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
                FrameWriter.Write(output, channel, new BasicAck { DeliveryTag = notice.Tag, Multiple = notice.Multiple });
            }
            else
            {
                FrameWriter.Write(output, channel, new BasicReject { DeliveryTag = notice.Tag, Requeue = notice.Settlement == Settlement.Requeue });
            }
        }
    }

    private static void Signal(Outbox outbox)
    {
        bool signal;
        lock (outbox.Gate)
        {
            signal = outbox.Commit(0);
        }

        if (signal)
        {
            outbox.Signal(FrameWriting.Background, 0);
        }
    }
}
