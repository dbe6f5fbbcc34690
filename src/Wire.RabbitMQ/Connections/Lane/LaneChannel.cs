using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>A channel of the direct lane. Bodies are serialized straight into the frames that it sends, and read where they were received.</summary>
internal sealed partial class LaneChannel : IBrokerChannel, IChannelListener, IPublishListener, IDeliveryListener
{
    // For a broker that does not answer.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly DeliverySpread? _spread;
    private readonly Lock _telling = new();
    private LinkChannel? _channel;
    private IBrokerChannelEvents? _events;
    private ShutdownEventArgs? _closeReason;
    private bool _hasTold;
    private LastText _exchange;
    private LastText _routingKey;

    private LaneChannel(AmqpConnectionOptions options, ChannelUse use)
    {
        _maxUnsentBytes = options.MaxUnsentBytes;
        _writing = options.Writing;
        _spread = use.Concurrency > 1 ? new DeliverySpread(use.Concurrency) : null;
    }

    public bool IsOpen => Volatile.Read(ref _closeReason) is null && Channel.End is null;

    public ShutdownEventArgs? CloseReason => Volatile.Read(ref _closeReason) ?? (Channel.End is { } end ? LaneReasons.Of(end) : null);

    // What has consumed everything that the broker sends has nothing of its own to send then.
    bool IOutboxOwner.HasKeptBack => false;

    private LinkChannel Channel => _channel!;

    /// <summary>Opens one.</summary>
    public static async Task<LaneChannel> OpenAsync(Link link, AmqpConnectionOptions options, ChannelUse use, CancellationToken cancellationToken)
    {
        var opened = new LaneChannel(options, use);
        LinkChannel channel = opened._channel = await link.OpenChannelAsync(opened._gate, opened, opened, opened, cancellationToken).ConfigureAwait(false);
        if (use.Confirms)
        {
            try
            {
                await channel.CallAsync<ConfirmSelect, ConfirmSelectOk>(new ConfirmSelect(), cancellationToken).ConfigureAwait(false);
            }
            catch
            {
                await opened.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }

        return opened;
    }

    public void Listen(IBrokerChannelEvents events)
    {
        ShutdownEventArgs? reason;
        lock (_telling)
        {
            _events = events;
            reason = _hasTold ? null : _closeReason;
            _hasTold = reason is not null;
        }

        if (reason is not null)
        {
            events.Closed(reason);
        }
    }

    public Task LimitAsync(ushort prefetch, CancellationToken cancellationToken) =>
        AnsweredAsync(Channel, channel => channel.CallAsync<BasicQos, BasicQosOk>(new BasicQos { PrefetchCount = prefetch }, cancellationToken));

    public async Task<string> ConsumeAsync(string queue, bool autoAck, string consumerTag, bool exclusive, IDictionary<string, object?>? arguments, CancellationToken cancellationToken)
    {
        var method = new BasicConsume { Queue = queue, ConsumerTag = consumerTag, NoAck = autoAck, Exclusive = exclusive, Arguments = new HeaderFields().Of(arguments) };
        string tag = "";
        await AnsweredAsync(Channel, async channel => tag = await channel.CallAsync<BasicConsume, BasicConsumeOk, string>(
            method, static ok => ok.ConsumerTag.ToString(), cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        return tag;
    }

    public async Task CancelAsync(string consumerTag, CancellationToken cancellationToken)
    {
        await AnsweredAsync(Channel, channel => channel.CallAsync<BasicCancel, BasicCancelOk>(new BasicCancel { ConsumerTag = consumerTag }, cancellationToken)).ConfigureAwait(false);

        // What came before the answer has been told, or waits for its turn.
        if (_spread is not null)
        {
            await _spread.DrainAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    // There are no more of these than deliveries, whose number is limited: they need not wait for room.
    public ValueTask AckAsync(ulong tag, bool multiple) => Post(new BasicAck { DeliveryTag = tag, Multiple = multiple });

    public ValueTask RejectAsync(ulong tag, bool requeue) => Post(new BasicReject { DeliveryTag = tag, Requeue = requeue });

    public Task DeclareQueueAsync(string queue, CancellationToken cancellationToken) => DeclareAsync(new QueueDeclare { Queue = queue, Durable = true }, cancellationToken);

    public Task FindQueueAsync(string queue, CancellationToken cancellationToken) => DeclareAsync(new QueueDeclare { Queue = queue, Passive = true }, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        using var timeout = new CancellationTokenSource(Patience);
        try
        {
            await Channel.CloseAsync(timeout.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The broker does not answer. It has ended all the same.
        }
    }

    void IPublishListener.Confirmed(ulong number, bool multiple, bool acked) => _events?.Confirmed(number, multiple, acked);

    void IPublishListener.Returned(AmqpDelivery message)
    {
        using (message)
        {
            _events?.Returned(new BasicReturnEventArgs(
                message.ReplyCode, message.ReplyText.ToString(), message.Exchange.ToString(), message.RoutingKey.ToString(), new LaneDelivery(message), default));
        }
    }

    void IDeliveryListener.Delivered(AmqpDelivery delivery)
    {
        if (_events is not { } events)
        {
            delivery.Dispose();
        }
        else if (_spread is { } spread)
        {
            spread.Add(events, delivery);
        }
        else
        {
            Tell(events, delivery, _exchange.Of(delivery.Exchange), _routingKey.Of(delivery.RoutingKey));
        }
    }

    void IDeliveryListener.Cancelled(AmqpString consumerTag) => _events?.Cancelled();

    void IChannelListener.Ended(LinkEnd end)
    {
        ShutdownEventArgs reason = LaneReasons.Of(end);
        IBrokerChannelEvents? events;
        lock (_telling)
        {
            Volatile.Write(ref _closeReason, reason);
            events = _hasTold ? null : _events;
            _hasTold = events is not null;
        }

        // In this order: a publish that then ends has failed with its channel already.
        events?.Closed(reason);
        _spread?.Stop();
        MakeRoom();
    }

    void IOutboxOwner.WriteKeptBack(AmqpBuffer output)
    {
    }

    void IOutboxOwner.RoomMade() => MakeRoom();

    void IDeliveryOwner.Settle(ulong deliveryTag, Settlement settlement) =>
        throw new NotSupportedException("What is delivered here is settled by its number.");

    /// <summary>Tells of a delivery, which goes back when nobody has kept it.</summary>
    public static void Tell(IBrokerChannelEvents events, AmqpDelivery delivery, string exchange, string routingKey)
    {
        var message = new LaneDelivery(delivery);
        try
        {
            events.Delivered(new Incoming(delivery.DeliveryTag, delivery.Redelivered, exchange, routingKey, message, delivery.Body, message));
        }
        finally
        {
            if (!message.IsKept)
            {
                delivery.Dispose();
            }
        }
    }

    private Task DeclareAsync(QueueDeclare method, CancellationToken cancellationToken) =>
        AnsweredAsync(Channel, channel => channel.CallAsync<QueueDeclare, QueueDeclareOk>(in method, cancellationToken));

    private static async Task AnsweredAsync(LinkChannel channel, Func<LinkChannel, Task> call)
    {
        if (channel.End is { } end)
        {
            throw new AlreadyClosedException(LaneReasons.Of(end));
        }

        try
        {
            await call(channel).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            throw LaneReasons.Translate(e);
        }
    }

    private ValueTask Post<TMethod>(in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        try
        {
            Channel.Post(in method);
            return default;
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            return ValueTask.FromException(new AlreadyClosedException(CloseReason!));
        }
    }
}
