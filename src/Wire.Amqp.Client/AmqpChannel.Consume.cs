using System.Diagnostics;
using System.Runtime.CompilerServices;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client;

/// <summary>What has become of the consumers of a channel on a new life of it.</summary>
internal enum ConsumersRestored
{
    /// <summary>They consume.</summary>
    All,

    /// <summary>The broker has refused one, which has ended and will not be tried again, and has closed the life: on another one the others can consume.</summary>
    OneRefused,

    /// <summary>
    /// The broker has closed the life, since a queue is another connection's still, or has deleted itself, as happens when the broker notices the end of that
    /// connection: to be tried again on another after a pause, when the topology was restored again.
    /// </summary>
    OneToRetry,
}

/// <summary>Consuming.</summary>
public sealed partial class AmqpChannel
{
    // Consumers are started again, and cancelled, one at a time: so one that is cancelled meanwhile does not come back.
    private readonly SemaphoreSlim _consumerTurn = new(1);
    private readonly Lock _consumersGate = new();
    private AmqpConsumer[] _consumers = [];
    private int _consumersMade;
    private int _prefetch = -1;
    private ChannelLife? _latest;

    // Where the consumer of the last message is: the receive loop's.
    private int _hit;

    /// <summary>
    /// Told of each message that was published with <see cref="BasicPublish.Mandatory"/> and came back, as no queue is bound for it. On a channel with
    /// confirms its task fails as well. On the receive loop: it must not block, and the message is valid until it returns, or until it is disposed of where
    /// it has called <see cref="AmqpDelivery.Keep"/>.
    /// </summary>
    public event Action<AmqpDelivery>? Returned;

    private ushort Prefetch => _prefetch < 0 ? _options.Prefetch : (ushort)_prefetch;

    /// <summary>Consumes the messages of a queue.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="handler">
    /// Called with each message, in the order in which they come, on the loop that receives for the whole connection: it must not block. It may be
    /// asynchronous; then the next message may come before it has ended, as many as <see cref="AmqpChannelOptions.Prefetch"/> says. The message is valid until it has
    /// ended.
    /// </param>
    /// <param name="options">How; by default, messages are acknowledged when the handler has ended, and rejected when it throws.</param>
    /// <param name="cancellationToken">Ends the wait for the broker's answer: then there is no consumer.</param>
    /// <returns>The consumer, which may have been called with messages by then.</returns>
    /// <exception cref="ArgumentException">There is a consumer with this tag on the channel, or an argument is of a type that no field has.</exception>
    /// <exception cref="AmqpChannelException">There is no such queue (404), it belongs to another connection (405), is consumed exclusively or may not be read (403). The channel has ended.</exception>
    /// <exception cref="AmqpConnectionException">The connection was lost before the broker has answered, or is lost for good. As long as it is being recovered, the call waits.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task<AmqpConsumer> ConsumeAsync(string queue, Func<AmqpDelivery, ValueTask> handler, AmqpConsumeOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        ArgumentNullException.ThrowIfNull(handler);
        options ??= AmqpConsumeOptions.Default;
        ChannelLife life = await LifeAsync(cancellationToken).ConfigureAwait(false);
        string tag = options.ConsumerTag is { Length: > 0 } given ? given : $"wire-{Interlocked.Increment(ref _consumersMade)}";
        string name = Topology.NameOf(queue);
        var consumer = new AmqpConsumer(this, name, tag, options, handler, Prefetch);
        Add(consumer);
        try
        {
            await consumer.StartAsync(life, name, cancellationToken).ConfigureAwait(false);
            return consumer;
        }
        catch (OperationCanceledException)
        {
            // It may be there by now, or be there soon; what it brings meanwhile is handled.
            consumer.TryGiveUp();
            _ = CancelAsync(consumer, life);
            throw;
        }
        catch
        {
            Remove(consumer, null);
            throw;
        }
    }

    /// <summary>Consumes the objects of a queue: each is read from the bytes that were received, by what the connection serializes with.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="handler">Called with each object and the message that it is of, as with the other overload. An object that cannot be read is a failure, as if the handler had thrown.</param>
    /// <param name="options">How; by default, messages are acknowledged when the handler has ended, and rejected when it throws.</param>
    /// <param name="cancellationToken">Ends the wait for the broker's answer: then there is no consumer.</param>
    /// <inheritdoc cref="ConsumeAsync(string, Func{AmqpDelivery, ValueTask}, AmqpConsumeOptions?, CancellationToken)"/>
    public Task<AmqpConsumer> ConsumeAsync<T>(string queue, Func<T?, AmqpDelivery, ValueTask> handler, AmqpConsumeOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeAsync(queue, delivery => handler(delivery.Read<T>(), delivery), options, cancellationToken);
    }

    /// <summary>Fetches a message. To consume is far faster.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="noAck">Whether the broker takes it for acknowledged as it sends it.</param>
    /// <param name="cancellationToken">Ends the wait; a message that comes all the same goes back to the queue, unless <paramref name="noAck"/> is set: then it is lost.</param>
    /// <returns>The message, of which the caller disposes; null when there is none.</returns>
    /// <exception cref="AmqpChannelException">There is no such queue (404), it belongs to another connection (405), or may not be read (403). The channel has ended.</exception>
    /// <exception cref="AmqpConnectionException">The connection was lost before the broker has answered, or is lost for good. As long as it is being recovered, the call waits.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task<AmqpDelivery?> GetAsync(string queue, bool noAck = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        return await channel.GetAsync(new BasicGet { Queue = Topology.NameOf(queue), NoAck = noAck }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Changes how many messages the broker sends ahead to each consumer that is started on the channel from now on.</summary>
    /// <param name="count">How many; 0 for no limit.</param>
    /// <param name="cancellationToken">Ends the wait; it may be changed all the same.</param>
    /// <exception cref="AmqpConnectionException">The connection was lost before the broker has answered, or is lost for good. As long as it is being recovered, the call waits.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task SetPrefetchAsync(ushort count, CancellationToken cancellationToken = default)
    {
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        await channel.CallAsync<BasicQos, BasicQosOk, bool>(
            new BasicQos { PrefetchCount = count },
            _ =>
            {
                _prefetch = count;
                return true;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Tells the broker that a message is done, by its <see cref="AmqpDelivery.DeliveryTag"/>: for those who keep tags instead of messages.</summary>
    /// <param name="deliveryTag">The tag; with <paramref name="multiple"/>, 0 for all.</param>
    /// <param name="multiple">Whether it holds for all messages up to this one that the broker has not been told of, whichever consumer of the channel has them, kept ones included.</param>
    /// <remarks>
    /// May be mixed with <see cref="AmqpDelivery.Ack"/> and with what happens when a handler has ended: what the broker is told first of a message holds.
    /// Set <see cref="AmqpConsumeOptions.AcknowledgeWhenHandled"/> to false where a message is to be settled after its handler. The tag of a message that came before the
    /// connection was lost means nothing any more and is ignored: the broker has the message back.
    /// </remarks>
    /// <exception cref="InvalidOperationException">No message with this tag has come, it was acknowledged or rejected before, or it needs no acknowledgement.</exception>
    /// <exception cref="AmqpChannelException">The broker has closed the channel before.</exception>
    /// <exception cref="AmqpConnectionException">The connection is lost for good.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public void Ack(ulong deliveryTag, bool multiple = false) => Settle(deliveryTag, multiple, Settlement.Ack);

    /// <summary>Tells the broker that a message cannot be handled, by its <see cref="AmqpDelivery.DeliveryTag"/>.</summary>
    /// <param name="deliveryTag">The tag; with <paramref name="multiple"/>, 0 for all.</param>
    /// <param name="multiple">Whether it holds for all messages up to this one that the broker has not been told of.</param>
    /// <param name="requeue">Whether it goes back to the queue; otherwise to the dead-letter exchange, if the queue has one.</param>
    /// <inheritdoc cref="Ack"/>
    public void Nack(ulong deliveryTag, bool multiple, bool requeue) => Settle(deliveryTag, multiple, requeue ? Settlement.Requeue : Settlement.Reject);

    /// <summary>Tells the broker that a message cannot be handled, by its <see cref="AmqpDelivery.DeliveryTag"/>.</summary>
    /// <param name="deliveryTag">The tag.</param>
    /// <param name="requeue">Whether it goes back to the queue; otherwise to the dead-letter exchange, if the queue has one.</param>
    /// <inheritdoc cref="Ack"/>
    public void Reject(ulong deliveryTag, bool requeue) => Nack(deliveryTag, multiple: false, requeue);

    /// <summary>A life of the channel begins, which counts its deliveries on from the one before.</summary>
    /// <returns>The last tag that users have seen.</returns>
    internal ulong Succeed(ChannelLife life) => Interlocked.Exchange(ref _latest, life)?.Seal() ?? 0;

    /// <summary>Starts the consumers on a new life, when the queues are there: with the same tags and handlers, in their order. May be called again with another life.</summary>
    /// <exception cref="IOException">The link has ended.</exception>
    internal async Task<ConsumersRestored> RestoreConsumersAsync(ChannelLife life, CancellationToken cancellationToken)
    {
        await _consumerTurn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ushort prefetch = _options.Prefetch;
            foreach (AmqpConsumer consumer in _consumers)
            {
                // One that was not started waits for its answer on another life, which fails.
                if (!consumer.IsWanted || consumer.Life is null || consumer.Life == life)
                {
                    continue;
                }

                prefetch = await SetPrefetchAsync(life, prefetch, consumer.Prefetch, cancellationToken).ConfigureAwait(false);
                try
                {
                    await consumer.StartAsync(life, Topology.NameOf(consumer.Queue), cancellationToken).ConfigureAwait(false);
                }
                catch (AmqpChannelException e)
                {
                    if (IsLocked(e.Reason))
                    {
                        return ConsumersRestored.OneToRetry;
                    }

                    // Once: where it cannot be declared anew, it is refused the next time.
                    Link link = life.Channel.Link;
                    if (e.Reason.ReplyCode == ReplyCodes.NotFound && consumer.RetriedOn != link && Topology.TakeBack(Topology.NameOf(consumer.Queue)))
                    {
                        consumer.RetriedOn = link;
                        return ConsumersRestored.OneToRetry;
                    }

                    Remove(consumer, new AmqpConsumerException($"The consumer '{consumer.ConsumerTag}' of the queue '{consumer.Queue}' could not be started again after the connection was lost: {e.Reason}.", e));
                    return ConsumersRestored.OneRefused;
                }
            }

            await SetPrefetchAsync(life, prefetch, Prefetch, cancellationToken).ConfigureAwait(false);
            return ConsumersRestored.All;
        }
        finally
        {
            _consumerTurn.Release();
        }
    }

    /// <summary>A message has come. On the receive loop.</summary>
    internal void Deliver(ChannelLife life, AmqpDelivery delivery)
    {
        AmqpConsumer? consumer = Find(delivery.ConsumerTag.Utf8.Span);
        ulong tag = delivery.DeliveryTag;
        if (!life.TryExpect(tag, isSettled: consumer is not { NoAck: true }))
        {
            delivery.Dispose();
        }
        else if (consumer is not null)
        {
            consumer.Handle(life, tag, delivery);
        }
        else
        {
            throw new AmqpFormatException(AmqpFormatError.Frame, 0, $"A message came on channel {life.Number} for the consumer '{delivery.ConsumerTag}', which there is not");
        }
    }

    /// <summary>A message has come back. On the receive loop.</summary>
    internal void Return(AmqpDelivery message)
    {
        try
        {
            Returned?.Invoke(message);
        }
        catch (Exception e)
        {
            Trace.TraceError($"A handler of {nameof(AmqpChannel)}.{nameof(Returned)} has thrown: {e}");
        }

        message.EndHandler();
    }

    /// <summary>The broker has cancelled a consumer. On the receive loop.</summary>
    internal void Cancelled(ChannelLife life, AmqpString consumerTag)
    {
        if (Find(consumerTag.Utf8.Span) is { } consumer)
        {
            Remove(consumer, new AmqpConsumerException($"The broker has cancelled the consumer '{consumer.ConsumerTag}' of the queue '{consumer.Queue}' on channel {life.Number}: the queue was deleted, or has gone to another node. Consume again when it is there."));
        }
    }

    /// <summary>Ends a consumer that the program does not want any more.</summary>
    internal Task CancelAsync(AmqpConsumer consumer) => CancelAsync(consumer, null);

    private static bool IsLocked(AmqpCloseReason reason) =>
        reason.ReplyCode == ReplyCodes.ResourceLocked
        || (reason.ReplyCode == ReplyCodes.AccessRefused && reason.ReplyText.Contains("exclusive use", StringComparison.Ordinal));

    private static async Task<ushort> SetPrefetchAsync(ChannelLife life, ushort before, ushort count, CancellationToken cancellationToken)
    {
        if (before != count)
        {
            await life.Channel.CallAsync<BasicQos, BasicQosOk>(new BasicQos { PrefetchCount = count }, cancellationToken).ConfigureAwait(false);
        }

        return count;
    }

    // Of one whose start was not waited for, the life where it was to be started.
    private async Task CancelAsync(AmqpConsumer consumer, ChannelLife? started)
    {
        await _consumerTurn.WaitAsync().ConfigureAwait(false);
        try
        {
            if ((consumer.Life ?? started) is { } life)
            {
                await life.Channel.CallAsync<BasicCancel, BasicCancelOk>(new BasicCancel { ConsumerTag = consumer.ConsumerTag }, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            // It has ended with its link or channel.
        }
        finally
        {
            _consumerTurn.Release();
        }

        Remove(consumer, null);
    }

    private void Add(AmqpConsumer consumer)
    {
        lock (_consumersGate)
        {
            if (_consumers.Any(other => other.ConsumerTag == consumer.ConsumerTag))
            {
                throw new ArgumentException($"There is a consumer '{consumer.ConsumerTag}' on the channel: give each a tag of its own, or none.");
            }

            _consumers = [.. _consumers, consumer];
        }
    }

    private void Remove(AmqpConsumer consumer, Exception? error)
    {
        lock (_consumersGate)
        {
            _consumers = [.. _consumers.Where(other => other != consumer)];
        }

        consumer.End(error);
    }

    // The channel has ended. They stay in the list: there may be messages for them until the broker knows of it.
    private void EndConsumers(LinkEnd end)
    {
        foreach (AmqpConsumer consumer in Volatile.Read(ref _consumers))
        {
            consumer.End(end.IsByProgram ? null : LinkChannel.Ended(end));
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

    private void Settle(ulong deliveryTag, bool multiple, Settlement settlement)
    {
        ChannelLife? life;
        lock (_gate)
        {
            ThrowIfClosed();
            life = _latest;
        }

        bool isOfAll = deliveryTag == 0 && multiple;
        if (life is null || (deliveryTag != 0 && deliveryTag <= life.TagsBefore))
        {
            return;
        }

        if (!life.TrySettle(deliveryTag, multiple, settlement) && !isOfAll)
        {
            throw new InvalidOperationException($"There is no message with the delivery tag {deliveryTag} on the channel of which the broker is to be told: none has come, it was acknowledged or rejected before, or came to a consumer without acknowledgements.");
        }
    }
}
