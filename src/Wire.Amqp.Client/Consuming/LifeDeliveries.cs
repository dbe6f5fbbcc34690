using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Consuming;

/// <summary>The deliveries of one life of a channel: which have come, and what the broker is to be told of them. Thread-safe.</summary>
internal sealed class LifeDeliveries : IDeliveryListener, IDisposable
{
    private readonly ConsumerSet _consumers;
    private readonly Lock _settling = new();
    private readonly AckWindow _window;
    private readonly List<Notice> _notices = [];
    private readonly TimeSpan _delay;
    private readonly Timer? _timer;
    private ChannelLife? _life;
    private volatile bool _hasSettled;
    private bool _isSignalled;
    private bool _isSealed;
    private bool _isTimed;

    // The broker sends more when it is told: early enough that it never waits, late enough that there is something to put together.
    private int _enough = int.MaxValue;

    /// <summary>None yet.</summary>
    /// <param name="consumers">Whose they are.</param>
    /// <param name="options">What the channel was opened with.</param>
    public LifeDeliveries(ConsumerSet consumers, AmqpChannelOptions options)
    {
        _consumers = consumers;
        _window = new AckWindow(options.Prefetch);
        _delay = options.AckDelay;
        if (_delay != TimeSpan.Zero)
        {
            _timer = new Timer(static life => ((LifeDeliveries)life!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
        }
    }

    /// <inheritdoc/>
    public ulong TagsBefore { get; private set; }

    /// <summary>Whether there is something to tell the broker.</summary>
    public bool HasSettled => _hasSettled;

    /// <summary>Begins, behind those of the life before.</summary>
    public void Begin(ChannelLife life)
    {
        _life = life;
        TagsBefore = _consumers.Succeed(life);
    }

    /// <summary>A consumer is started, to which the broker sends so many ahead (0: any number): it is told early enough for that.</summary>
    public void HoldFor(ushort prefetch)
    {
        if (prefetch != 0)
        {
            lock (_settling)
            {
                _enough = Math.Min(_enough, Math.Max(1, prefetch / 4));
            }
        }
    }

    void IDeliveryListener.Delivered(AmqpDelivery delivery) => _consumers.Deliver(_life!, delivery);

    void IDeliveryListener.Fetched(AmqpDelivery message, bool noAck) => TryExpect(message.DeliveryTag, !noAck);

    void IDeliveryListener.Cancelled(AmqpString consumerTag) => _consumers.Cancelled(_life!, consumerTag);

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
        LinkChannel channel;
        bool isOnLoop;
        lock (_settling)
        {
            ulong own = tag == 0 ? 0 : tag - TagsBefore;
            if (!(multiple ? _window.EndUpTo(own, settlement) : _window.End(own, settlement)))
            {
                return false;
            }

            _hasSettled = true;
            if (_isSignalled)
            {
                return true;
            }

            channel = _life!.Channel;
            isOnLoop = channel.Link.IsOnLoop;
            if (_timer is not null && !isOnLoop && _window.Ended < _enough && _window.Open != 0)
            {
                if (!_isTimed)
                {
                    _isTimed = true;
                    _timer.Change(_delay, Timeout.InfiniteTimeSpan);
                }

                return true;
            }

            _isSignalled = true;
        }

        if (isOnLoop)
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

    /// <summary>Has the broker told of what is held, if anything is.</summary>
    public void Tell()
    {
        lock (_settling)
        {
            if (!_hasSettled || _isSignalled)
            {
                return;
            }

            _isSignalled = true;
        }

        Signal(_life!.Channel.Outbox);
    }

    /// <summary>The life has ended: nothing is held any more.</summary>
    public void Dispose()
    {
        lock (_settling)
        {
            _enough = 0;
        }

        _timer?.Dispose();
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

    private void OnTimer()
    {
        lock (_settling)
        {
            _isTimed = false;
        }

        Tell();
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
