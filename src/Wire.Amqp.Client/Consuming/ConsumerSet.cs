using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Topology;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Consuming;

/// <summary>The consumers of a channel, from one session of it to the next, and how their messages are settled.</summary>
[SuppressMessage("Design", "CA1001", Justification = "Calls may wait for their turn after the channel has ended, and then fail.")]
internal sealed class ConsumerSet(RecoveringChannel channel, DeclaredTopology topology, AmqpChannelOptions options)
{
    private const int MostRemoved = 16;

    // Consumers are started again, and cancelled, one at a time, so that one that is cancelled in between is not started again.
    private readonly SemaphoreSlim _turn = new(1);
    private readonly Lock _gate = new();
    private AmqpConsumer[] _consumers = [];

    // Messages for removed consumers go back, except those without acknowledgements.
    private string[] _removedWithoutAck = [];
    private int _made;
    private int _prefetch = -1;
    private ChannelSession? _latest;

    // The index of the last message's consumer, used by the receive loop.
    private int _hit;

    /// <summary>The consumers.</summary>
    public IReadOnlyList<AmqpConsumer> All => Volatile.Read(ref _consumers);

    private ushort Prefetch => _prefetch < 0 ? options.Prefetch : (ushort)_prefetch;

    /// <summary>Consumes the messages of a queue.</summary>
    public async Task<AmqpConsumer> ConsumeAsync(
        string queue, Func<AmqpDelivery, ValueTask> handler, AmqpConsumeOptions how, CancellationToken cancellationToken)
    {
        ChannelSession session = await channel.SessionAsync(cancellationToken).ConfigureAwait(false);
        string tag = how.ConsumerTag is { Length: > 0 } given ? given : $"wire-{Interlocked.Increment(ref _made)}";
        string name = topology.NameOf(queue);
        var consumer = new AmqpConsumer(this, name, topology.FirstNameOf(name), tag, how, handler, Prefetch, channel.Telemetry);
        Add(consumer);
        try
        {
            await consumer.StartAsync(session, name, cancellationToken).ConfigureAwait(false);
            return consumer;
        }
        catch (Exception e) when (e is OperationCanceledException or AmqpConnectionException && session.Channel.End is null)
        {
            // It may exist by now, or soon.
            consumer.Abandon();
            _ = CancelAsync(consumer);
            throw;
        }
        catch (Exception e)
        {
            Remove(consumer, null);
            ForgetQueueOn(e, name);
            throw;
        }
    }

    /// <summary>Fetches a message; null when there is none.</summary>
    public async Task<AmqpDelivery?> GetAsync(string queue, bool noAck, CancellationToken cancellationToken)
    {
        LinkChannel current = await channel.ChannelAsync(cancellationToken).ConfigureAwait(false);
        string name = topology.NameOf(queue);
        try
        {
            return await current.GetAsync(new BasicGet { Queue = name, NoAck = noAck }, cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpChannelException e)
        {
            ForgetQueueOn(e, name);
            throw;
        }
    }

    /// <summary>Changes how many messages the broker sends ahead to each consumer that is started from now on.</summary>
    public async Task SetPrefetchAsync(ushort count, CancellationToken cancellationToken)
    {
        ChannelSession session = await channel.SessionAsync(cancellationToken).ConfigureAwait(false);
        await session.Channel.CallAsync<BasicQos, BasicQosOk, bool>(
            new BasicQos { PrefetchCount = count, Global = options.SharesPrefetch },
            _ =>
            {
                _prefetch = count;
                session.Deliveries.PrefetchChanged(count);
                return true;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>A delivery has ended, or all up to it (0 for all).</summary>
    /// <exception cref="InvalidOperationException">There is none to end.</exception>
    public void Settle(ulong deliveryTag, bool multiple, Settlement settlement)
    {
        ChannelSession? session;
        lock (channel.Gate)
        {
            channel.ThrowIfClosed();
            session = _latest;
        }

        bool isOfAll = deliveryTag == 0 && multiple;
        if (session is null || (deliveryTag != 0 && session.Deliveries.MayBeTakenBack(deliveryTag)))
        {
            return;
        }

        // It may be taken back meanwhile.
        if (!session.Deliveries.TrySettle(deliveryTag, multiple, settlement) && !isOfAll && !session.Deliveries.MayBeTakenBack(deliveryTag))
        {
            throw new InvalidOperationException(
                $"The channel has no message with the delivery tag {deliveryTag} to acknowledge or reject: it never arrived, was " +
                "acknowledged or rejected before, or went to a consumer without acknowledgements.");
        }
    }

    /// <summary>Starts a session of the channel, which counts its deliveries on from the one before.</summary>
    /// <returns>The last tag that users have seen.</returns>
    public ulong Succeed(ChannelSession session) => Interlocked.Exchange(ref _latest, session)?.Deliveries.Seal() ?? 0;

    /// <summary>
    /// Starts the consumers on a new session, when the queues are there: with the same tags and handlers, in their order. May be called
    /// again with another session.
    /// </summary>
    /// <exception cref="IOException">The link has ended.</exception>
    public async Task<ConsumersRestored> RestoreAsync(ChannelSession session, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ushort prefetch = options.Prefetch;
            foreach (AmqpConsumer consumer in _consumers)
            {
                // A consumer that was not started waits for an answer on another session, which fails.
                if (!consumer.IsWanted || consumer.Session is null || consumer.Session == session)
                {
                    continue;
                }

                prefetch = await SetPrefetchAsync(session, prefetch, consumer.Prefetch, cancellationToken).ConfigureAwait(false);
                try
                {
                    await consumer.StartAsync(session, topology.NameOf(consumer.QueueFirstName), cancellationToken).ConfigureAwait(false);
                    consumer.RetriedOn = null;
                }
                catch (AmqpChannelException e)
                {
                    Link link = session.Channel.Link;
                    if (e.Reason.IsOfQueueThatIsLocked)
                    {
                        return ConsumersRestored.OneWaits;
                    }

                    if (consumer.TryGiveUpPosition(e.Reason))
                    {
                        return ConsumersRestored.OneRefused;
                    }

                    var error = new AmqpConsumerException(
                        $"The consumer '{consumer.ConsumerTag}' of the queue '{consumer.Queue}' could not be started again after its " +
                        $"channel or connection was lost: {e.Reason}.",
                        e);
                    if (e.Reason.IsOfQueueThatIsDown && consumer.MayWaitForQueue(session))
                    {
                        channel.ReportFailure(error);
                        return ConsumersRestored.OneWaits;
                    }

                    // Once: where it cannot be declared again, it is refused the next time.
                    string name = topology.NameOf(consumer.QueueFirstName);
                    if (e.Reason.IsMissing && consumer.RetriedOn != link && topology.TakeBack(name))
                    {
                        consumer.RetriedOn = link;
                        return ConsumersRestored.OneRefused;
                    }

                    Remove(consumer, error);
                    ForgetQueueOn(e, name);
                    return ConsumersRestored.OneRefused;
                }
            }

            await SetPrefetchAsync(session, prefetch, Prefetch, cancellationToken).ConfigureAwait(false);
            return ConsumersRestored.All;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>
    /// A session has ended without its link, and with it the queues that delete themselves: those of which all consumers were on it are
    /// missing there now.
    /// </summary>
    public void TakeBackQueues(ChannelSession session)
    {
        lock (_gate)
        {
            foreach (IGrouping<string, AmqpConsumer> gone in
                _consumers.Where(consumer => consumer.Session == session && consumer.IsCounted).GroupBy(each => each.QueueFirstName))
            {
                topology.TakeBack(gone.Key, gone.Count());
            }
        }
    }

    /// <summary>Takes a message. On the receive loop.</summary>
    public void Deliver(ChannelSession session, AmqpDelivery delivery)
    {
        AmqpConsumer? consumer = Find(delivery.ConsumerTag.Utf8.Span);
        ulong tag = delivery.DeliveryTag;
        bool isSettled =
            consumer is { NoAck: false } || (consumer is null && !_removedWithoutAck.Contains(delivery.ConsumerTag.ToString()));
        if (consumer is { IsOfReplies: true })
        {
            // The broker does not count these.
            consumer.Handle(session, tag, delivery);
        }
        else if (!session.Deliveries.TryExpect(tag, isSettled))
        {
            delivery.Dispose();
        }
        else if (consumer is not null)
        {
            consumer.Handle(session, tag, delivery);
        }
        else
        {
            // It was for a consumer that has just been removed: others may be waiting for it, but for one of a stream.
            if (isSettled && !StreamPosition.HasOffset(delivery.Properties))
            {
                session.Deliveries.TrySettle(tag, multiple: false, Settlement.Requeue);
            }

            delivery.Dispose();
        }
    }

    /// <summary>The broker has cancelled a consumer. On the receive loop.</summary>
    public void Cancelled(ChannelSession session, AmqpString consumerTag)
    {
        if (Find(consumerTag.Utf8.Span) is { } consumer)
        {
            topology.RemoveQueue(topology.NameOf(consumer.QueueFirstName));
            Remove(consumer, new AmqpConsumerException(
                $"The broker has cancelled the consumer '{consumer.ConsumerTag}' of the queue '{consumer.Queue}' on " +
                $"channel {session.Number}: the queue was deleted or moved to another node, or a message was kept for longer than its " +
                "consumer time-out. Consume again, where the queue is gone when it is back."));
        }
    }

    /// <summary>Ends a consumer for the program.</summary>
    public async Task CancelAsync(AmqpConsumer consumer)
    {
        // RabbitMQ closes the connection where it is told to cancel a consumer that it has not started yet.
        await consumer.Started.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (consumer.Session is { } session)
            {
                await session.Channel.CallAsync<BasicCancel, BasicCancelOk>(
                    new BasicCancel { ConsumerTag = consumer.ConsumerTag }, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            // It has ended with its link or channel.
        }
        finally
        {
            _turn.Release();
        }

        if (Remove(consumer, null) is (var orphan, var link))
        {
            await TopologyRestore.TryDeleteUnusedAsync(link, orphan).ConfigureAwait(false);
        }
    }

    private async Task<ushort> SetPrefetchAsync(
        ChannelSession session, ushort before, ushort count, CancellationToken cancellationToken)
    {
        if (before != count)
        {
            var qos = new BasicQos { PrefetchCount = count, Global = options.SharesPrefetch };
            await session.Channel.CallAsync<BasicQos, BasicQosOk>(qos, cancellationToken).ConfigureAwait(false);
            session.Deliveries.PrefetchChanged(count);
        }

        return count;
    }

    /// <summary>A consumer has been started for the first time. On the receive loop.</summary>
    public void Count(AmqpConsumer consumer)
    {
        lock (_gate)
        {
            if (!consumer.HasEnded)
            {
                topology.AddConsumer(consumer.QueueFirstName);
                consumer.IsCounted = true;
            }
        }
    }

    // Queues and exchanges that the broker reports as missing are not declared again.
    private void ForgetQueueOn(Exception error, string queue)
    {
        if (error is AmqpChannelException { Reason.IsMissing: true })
        {
            topology.RemoveQueue(queue);
        }
    }

    private void Add(AmqpConsumer consumer)
    {
        lock (_gate)
        {
            if (_consumers.Any(other => other.ConsumerTag == consumer.ConsumerTag))
            {
                throw new ArgumentException(
                    $"The channel already has a consumer '{consumer.ConsumerTag}': give each a different tag, or none.");
            }

            _consumers = [.. _consumers, consumer];
        }
    }

    private (string Name, Link Link)? Remove(AmqpConsumer consumer, Exception? error)
    {
        lock (_gate)
        {
            _consumers = [.. _consumers.Where(other => other != consumer)];
            if (consumer.NoAck)
            {
                _removedWithoutAck = [.. _removedWithoutAck.Append(consumer.ConsumerTag).TakeLast(MostRemoved)];
            }
        }

        return EndConsumer(consumer, error);
    }

    /// <summary>The channel has ended.</summary>
    /// <remarks>They stay in the list: there may be messages for them until the broker knows of it.</remarks>
    public void EndAll(LinkEnd end)
    {
        foreach (AmqpConsumer consumer in Volatile.Read(ref _consumers))
        {
            EndConsumer(consumer, end.IsByProgram ? null : LinkChannel.Ended(end));
        }
    }

    private (string Name, Link Link)? EndConsumer(AmqpConsumer consumer, Exception? error)
    {
        consumer.Complete(error);
        lock (_gate)
        {
            bool wasCounted = consumer.IsCounted;
            consumer.IsCounted = false;
            if (!wasCounted)
            {
                return null;
            }

            // Where it was to be started again, its queue may have been declared for that.
            LinkChannel last = consumer.Session!.Channel;
            return topology.RemoveConsumer(consumer.QueueFirstName, last.End is null || !channel.IsOpen ? last.Link : null);
        }
    }

    // Most channels have one consumer, and most messages are for the one of the message before.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private AmqpConsumer? Find(ReadOnlySpan<byte> tag)
    {
        AmqpConsumer[] consumers = Volatile.Read(ref _consumers);
        int hit = _hit;
        return hit < consumers.Length && consumers[hit].HasTag(tag) ? consumers[hit] : Search(consumers, tag);
    }

    private AmqpConsumer? Search(AmqpConsumer[] consumers, ReadOnlySpan<byte> tag)
    {
        for (int i = 0; i < consumers.Length; i++)
        {
            if (consumers[i].HasTag(tag))
            {
                _hit = i;
                return consumers[i];
            }
        }

        return null;
    }
}
