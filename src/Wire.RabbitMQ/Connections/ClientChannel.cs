using System.Buffers;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ.Connections;

/// <summary>A channel of RabbitMQ.Client. Bodies are serialized into pooled memory, which the client has copied when its publish has returned.</summary>
internal sealed class ClientChannel : IBrokerChannel
{
    // Ends a publish that waits in the client. On a connection that is gone it would wait for ever when the client's row of frames is full: room is
    // made by the end of the connection, which waits for the end of the channel, which waits for the publish.
    private readonly CancellationTokenSource _gone = new();

    // Kept, since the source tells nothing any more when it has been disposed of, and a publish may come just then.
    private readonly CancellationToken _whenGone;

    // One for all who end it: what has been disposed of before the callbacks have been called calls none.
    private readonly Lazy<Task> _end;
    private readonly IChannel _channel;
    private readonly IBrokerConnection _connection;
    private IBrokerChannelEvents? _events;
    private ClientConsumer? _consumer;
    private bool _hasClosed;

    // Publishes that follow each other share it; one beside another has a buffer of its own.
    private BodyBuffer? _spare;

    public ClientChannel(IChannel channel, IBrokerConnection connection)
    {
        _channel = channel;
        _connection = connection;
        _whenGone = _gone.Token;
        _end = new Lazy<Task>(_gone.CancelAsync);
    }

    public bool IsOpen => _channel.IsOpen;

    public ShutdownEventArgs? CloseReason => _channel.CloseReason;

    private IBrokerChannelEvents Events => _events ?? throw new InvalidOperationException("Nobody listens to the channel.");

    public void Listen(IBrokerChannelEvents events)
    {
        _events = events;
        _channel.BasicAcksAsync += OnAckAsync;
        _channel.BasicNacksAsync += OnNackAsync;
        _channel.BasicReturnAsync += OnReturnAsync;
        if (_channel is IRecoverable recoverable)
        {
            recoverable.RecoveryAsync += OnRecoveredAsync;
        }

        _channel.ChannelShutdownAsync += OnShutdownAsync;
    }

    public ValueTask PublishAsync<T>(IOutgoing outgoing, BasicProperties properties, WireBodySerializer serializer, T message, CancellationToken cancellationToken = default)
    {
        BodyBuffer buffer = Interlocked.Exchange(ref _spare, null) ?? new BodyBuffer();
        try
        {
            properties.ContentEncoding = serializer.WriteBody(buffer, message);
        }
        catch
        {
            PutBack(buffer);
            throw;
        }

        return SendAsync(outgoing, properties, buffer.Written, buffer, cancellationToken);
    }

    public ValueTask PublishBytesAsync(IOutgoing outgoing, BasicProperties properties, ReadOnlySequence<byte> body, CancellationToken cancellationToken = default) =>
        SendAsync(outgoing, properties, body.IsSingleSegment ? body.First : body.ToArray(), buffer: null, cancellationToken);

    public Task LimitAsync(ushort prefetch, CancellationToken cancellationToken) => _channel.BasicQosAsync(0, prefetch, global: false, cancellationToken);

    public Task<string> ConsumeAsync(string queue, bool autoAck, string consumerTag, bool exclusive, IDictionary<string, object?>? arguments, CancellationToken cancellationToken)
    {
        _consumer = new ClientConsumer(_channel, Events);
        return _channel.BasicConsumeAsync(queue, autoAck, consumerTag, noLocal: false, exclusive, arguments, _consumer, cancellationToken);
    }

    public async Task CancelAsync(string consumerTag, CancellationToken cancellationToken)
    {
        await _channel.BasicCancelAsync(consumerTag, noWait: false, cancellationToken).ConfigureAwait(false);
        if (_consumer is { } consumer)
        {
            // The answer goes the way of the deliveries, behind the last of them.
            await consumer.Ended.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public ValueTask AckAsync(ulong tag, bool multiple) => _channel.BasicAckAsync(tag, multiple);

    public ValueTask RejectAsync(ulong tag, bool requeue) => _channel.BasicRejectAsync(tag, requeue);

    public Task DeclareQueueAsync(string queue, CancellationToken cancellationToken) =>
        _channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false, cancellationToken: cancellationToken);

    public Task FindQueueAsync(string queue, CancellationToken cancellationToken) => _channel.QueueDeclarePassiveAsync(queue, cancellationToken);

    /// <summary>Takes the channel off its connection, so that the client does not recover it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.Value.ConfigureAwait(false);
        try
        {
            await _channel.AbortAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is RabbitMQClientException or IOException or ObjectDisposedException or OperationCanceledException or TimeoutException)
        {
            // It is closed, which is what was asked for.
        }
        finally
        {
            await _channel.DisposeAsync().ConfigureAwait(false);
        }

        _gone.Dispose();
        Interlocked.Exchange(ref _spare, null)?.Dispose();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask SendAsync(IOutgoing outgoing, BasicProperties properties, ReadOnlyMemory<byte> body, BodyBuffer? buffer, CancellationToken cancellationToken)
    {
        try
        {
            HeaderFrame.Require(properties, _connection);
            (string exchange, string routingKey, bool mandatory) = (outgoing.Exchange, outgoing.RoutingKey, outgoing.Mandatory);
            CancellationToken token = cancellationToken.CanBeCanceled ? cancellationToken : _whenGone;
            if (outgoing.TryCommit(body.Length))
            {
                await _channel.BasicPublishAsync(exchange, routingKey, mandatory, properties, body, token).ConfigureAwait(false);
            }
        }
        catch (ChannelClosedException e)
        {
            // The client's row of frames is closed with the connection; the channel is told later.
            throw new AlreadyClosedException(_channel.CloseReason ?? new ShutdownEventArgs(ShutdownInitiator.Library, 0, "the connection is being closed", e));
        }
        finally
        {
            if (buffer is not null)
            {
                PutBack(buffer);
            }
        }
    }

    private void PutBack(BodyBuffer buffer)
    {
        buffer.Clear();
        if (Interlocked.CompareExchange(ref _spare, buffer, null) is not null)
        {
            buffer.Dispose();
        }
    }

    private Task OnAckAsync(object sender, BasicAckEventArgs ack)
    {
        Events.Confirmed(ack.DeliveryTag, ack.Multiple, acked: true);
        return Task.CompletedTask;
    }

    private Task OnNackAsync(object sender, BasicNackEventArgs nack)
    {
        Events.Confirmed(nack.DeliveryTag, nack.Multiple, acked: false);
        return Task.CompletedTask;
    }

    private Task OnReturnAsync(object sender, BasicReturnEventArgs returned)
    {
        Events.Returned(returned);
        return Task.CompletedTask;
    }

    private Task OnRecoveredAsync(object sender, AsyncEventArgs recovered)
    {
        // The client has put another channel of the broker into this one: tags and numbers of before mean nothing there, and are ignored.
        Close(new ShutdownEventArgs(ShutdownInitiator.Library, 0, "the client has recovered its channel"));
        return Task.CompletedTask;
    }

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        Close(reason);
        return Task.CompletedTask;
    }

    private void Close(ShutdownEventArgs reason)
    {
        if (Interlocked.Exchange(ref _hasClosed, true))
        {
            return;
        }

        // In this order: a publish that then ends in the client has failed with its channel already.
        Events.Closed(reason);
        _consumer?.End();
        _ = _end.Value;
    }
}
