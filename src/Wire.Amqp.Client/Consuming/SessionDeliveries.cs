using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Consuming;

/// <summary>The deliveries of one session of a channel, and their acknowledgements. Thread-safe.</summary>
internal sealed class SessionDeliveries : IDeliveryListener, IDisposable
{
    private const long Unlimited = 1L << 40;

    private readonly ConsumerSet _consumers;
    private readonly AckBatcher _hold;
    private readonly List<AckCommand> _commands = [];
    private readonly CancellationTokenSource _lost = new();
    private readonly bool _sharesPrefetch;
    private ChannelSession? _session;

    // The offsets of messages of streams that are not settled, by their tags; null before the first.
    private Dictionary<ulong, (StreamPosition Position, long Offset)>? _offsets;

    // The unsettled messages that the broker may have sent, and the bytes that it has sent beyond: used by the receive loop.
    private long _asked;
    private long _beyond;

    // How many answers to basic.recover are due, and the last tag of what the broker has taken back.
    private int _recoveries;
    private ulong _takenBack;

    /// <summary>Creates an empty set.</summary>
    /// <param name="consumers">Their owner.</param>
    /// <param name="options">The options of the channel.</param>
    public SessionDeliveries(ConsumerSet consumers, AmqpChannelOptions options) =>
        (_consumers, _hold, _sharesPrefetch) =
            (consumers, new AckBatcher(options.Prefetch, options.AckDelay, Signal), options.SharesPrefetch);

    /// <inheritdoc/>
    public ulong TagsBefore { get; private set; }

    /// <inheritdoc/>
    public CancellationToken Lost => _lost.Token;

    /// <summary>Gets whether there are acknowledgements to send.</summary>
    public bool HasSettled => _hold.HasEnded;

    /// <summary>Gets whether there are messages of a stream that are not settled.</summary>
    public bool HasStreams
    {
        get
        {
            if (Volatile.Read(ref _offsets) is not { } offsets)
            {
                return false;
            }

            lock (offsets)
            {
                return offsets.Values.Any(each => each.Position.MayBeStream);
            }
        }
    }

    /// <summary>Starts a session, behind the deliveries of the one before.</summary>
    public void Attach(ChannelSession session)
    {
        _session = session;
        TagsBefore = _consumers.Succeed(session);
    }

    /// <summary>
    /// Notes the prefetch count of a consumer that is started (0: no limit), so that acknowledgements are sent early enough.
    /// </summary>
    public void HoldFor(ushort prefetch)
    {
        Interlocked.Add(ref _asked, prefetch == 0 ? Unlimited : prefetch);
        _hold.HoldFor(prefetch);
    }

    /// <summary>The prefetch count of the channel is another one, which holds at once where all its consumers share it.</summary>
    public void PrefetchChanged(ushort count)
    {
        if (_sharesPrefetch)
        {
            HoldFor(count);
        }
    }

    /// <summary>
    /// The broker is told to take back what is not settled. What it has sent before it knows that is not settled either. With the gate of
    /// the send queue, so that nothing that was settled by now is told behind it.
    /// </summary>
    public void BeginRecovery()
    {
        Interlocked.Increment(ref _recoveries);
        Volatile.Write(ref _takenBack, _hold.Drop());
    }

    /// <summary>It has taken all back, and what comes from now on counts. On the receive loop.</summary>
    /// <returns>True.</returns>
    public bool EndRecovery()
    {
        Volatile.Write(ref _takenBack, _hold.Drop());
        Interlocked.Decrement(ref _recoveries);
        return true;
    }

    /// <summary>
    /// Returns whether the broker has taken a delivery back, or may be about to: what a tag means is not known until it has answered.
    /// </summary>
    public bool MayBeTakenBack(ulong tag) => Volatile.Read(ref _recoveries) != 0 || tag <= TagsBefore + Volatile.Read(ref _takenBack);

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

    /// <summary>Adds a delivery that has arrived, with the tag that users see.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="isSettled">True if its receiver settles it.</param>
    /// <returns>False when another session has started, or it is being recovered: the broker has taken the message back.</returns>
    public bool TryExpect(ulong tag, bool isSettled)
    {
        bool isTakenBack = isSettled && Volatile.Read(ref _recoveries) != 0;
        return _hold.TryDeliver(tag - TagsBefore, isSettled && !isTakenBack) && !isTakenBack;
    }

    /// <summary>Takes a message of a queue that may be a stream, whose position moves when it is settled.</summary>
    /// <param name="position">The position of its consumer.</param>
    /// <param name="tag">The tag that users see.</param>
    /// <param name="delivery">The message.</param>
    /// <param name="noAck">True if nobody settles it.</param>
    /// <returns>False where it was settled before the connection was lost, and is not to be handled again.</returns>
    public bool TryAccept(StreamPosition position, ulong tag, AmqpDelivery delivery, bool noAck)
    {
        long? offset;
        try
        {
            offset = StreamPosition.OffsetOf(delivery.Properties);
        }
        catch (AmqpFormatException)
        {
            // The handler finds out.
            return true;
        }

        bool isNew = position.TryDeliver(_session!, offset, delivery.Redelivered);
        if (isNew && noAck && offset is { } last)
        {
            position.Settle(last);
        }
        else if (isNew && position.MayBeStream && offset is { } number)
        {
            _offsets ??= [];
            lock (_offsets)
            {
                _offsets.Add(tag, (position, number));
            }
        }

        return isNew;
    }

    /// <summary>Ends this session: none of its deliveries counts any more.</summary>
    /// <returns>The last tag that users have seen.</returns>
    public ulong Seal() => TagsBefore + _hold.Seal();

    void IDeliveryOwner.Settle(ulong deliveryTag, Settlement settlement) =>
        TrySettle(deliveryTag + TagsBefore, multiple: false, settlement);

    /// <summary>Settles a delivery, or all up to it (0 for all) that are not settled.</summary>
    /// <param name="tag">The tag that users see.</param>
    /// <param name="multiple">True if all up to it have.</param>
    /// <param name="settlement">The decision.</param>
    /// <returns>False when there was none to settle.</returns>
    public bool TrySettle(ulong tag, bool multiple, Settlement settlement)
    {
        bool isOnLoop = _session?.IsOnLoop == true;
        if (!_hold.TryEnd(tag == 0 ? 0 : tag - TagsBefore, multiple, settlement, mayHold: !isOnLoop, out bool mustSend))
        {
            return false;
        }

        if (_offsets is { } offsets)
        {
            Move(offsets, tag, multiple, settlement);
        }

        if (mustSend && isOnLoop)
        {
            // Sent with those that follow in the bytes that were received together.
            _session!.Channel.Link.AtEndOfRound(_session);
        }
        else if (mustSend)
        {
            Signal();
        }

        return true;
    }

    /// <summary>Sends the acknowledgements that are held, if there are any.</summary>
    public void SendAcks()
    {
        if (_hold.TryBeginSend())
        {
            Signal();
        }
    }

    /// <summary>Ends the session: nothing is held any more.</summary>
    public void Dispose()
    {
        _hold.Dispose();
        _ = _lost.CancelAsync();
    }

    /// <summary>Writes acknowledgements that were not sent yet.</summary>
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

    // A stream does not take a message back: it comes again where the consumer begins again behind the one before it.
    private static void Move(
        Dictionary<ulong, (StreamPosition Position, long Offset)> offsets, ulong tag, bool multiple, Settlement settlement)
    {
        lock (offsets)
        {
            if (!multiple)
            {
                Move(offsets, tag, settlement);
                return;
            }

            foreach (ulong each in offsets.Keys.Where(each => tag == 0 || each <= tag).ToArray())
            {
                Move(offsets, each, settlement);
            }
        }
    }

    private static void Move(Dictionary<ulong, (StreamPosition Position, long Offset)> offsets, ulong tag, Settlement settlement)
    {
        if (offsets.Remove(tag, out (StreamPosition Position, long Offset) found) && settlement != Settlement.Requeue)
        {
            found.Position.Settle(found.Offset);
        }
    }

    // RabbitMQ sends the chunks of a stream as a whole, and so somewhat more messages than were asked for.
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
