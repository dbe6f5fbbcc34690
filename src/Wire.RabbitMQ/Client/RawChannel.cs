using System.Buffers;
using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using RabbitProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// A channel of RabbitMQ.Client, from its opening to its end, without recovery. Bodies are serialized into pooled memory, which the client
/// has copied when its publish has returned. Thread-safe.
/// </summary>
internal sealed class RawChannel : IAsyncDisposable
{
    // Ends a publish that waits in the client. On a connection that is gone it would wait for ever when the client's queue of frames is
    // full: room is made by the end of the connection, which waits for the end of the channel, which waits for the publish.
    private readonly CancellationTokenSource _gone = new();

    // Stored, because the source is unusable once disposed of, and a publish may come just then.
    private readonly CancellationToken _whenGone;

    // One for all callers that end it: a source disposed of before its callbacks have run calls none.
    private readonly Lazy<Task> _end;
    private readonly IChannel _channel;
    private readonly ClientConnection _connection;
    private readonly AmqpBody? _body;
    private readonly IRawChannelEvents _events;
    private bool _hasClosed;

    // Consecutive publishes share it; concurrent ones have their own.
    private Outgoing? _spare;

    public RawChannel(IChannel channel, ClientConnection connection, AmqpBody? body, IRawChannelEvents events)
    {
        _channel = channel;
        _connection = connection;
        _body = body;
        _events = events;
        _whenGone = _gone.Token;
        _end = new Lazy<Task>(_gone.CancelAsync);
        channel.BasicAcksAsync += OnAckAsync;
        channel.BasicNacksAsync += OnNackAsync;
        channel.BasicReturnAsync += OnReturnAsync;
        if (channel is IRecoverable recoverable)
        {
            recoverable.RecoveryAsync += OnRecoveredAsync;
        }

        channel.ChannelShutdownAsync += OnShutdownAsync;
    }

    /// <summary>Gets whether it can be used: the client reports a lost connection before it closes its channels.</summary>
    public bool IsOpen => _channel.IsOpen && _connection.IsOpen;

    /// <summary>Gets the reason why it was closed; null while that is not known.</summary>
    public Exception? CloseReason => _channel.CloseReason is { } reason ? ClientErrors.From(reason) : null;

    /// <summary>The channel, for tests that harm it.</summary>
    internal IChannel Channel => _channel;

    /// <summary>Publishes an object, or a <see cref="RawBody"/>. Ends when the message has been handed to the client.</summary>
    /// <remarks>
    /// A failure before the commit is the message's own and affects no other. A message that fails afterwards with a
    /// <see cref="NotSentException"/> was not sent, and its number is unused: another channel may take it.
    /// </remarks>
    /// <param name="method">The exchange and routing key.</param>
    /// <param name="properties">The properties.</param>
    /// <param name="message">The object.</param>
    /// <param name="commit">
    /// Called with the body's size when the message itself can no longer fail; returns false if it must not be sent.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for the client.</param>
    public ValueTask PublishAsync<T>(
        in BasicPublish method, in Amqp.V091.BasicProperties properties, T message, IPublishCommit commit,
        CancellationToken cancellationToken)
    {
        Outgoing outgoing = Interlocked.Exchange(ref _spare, null) ?? new Outgoing();
        try
        {
            return SendAsync(outgoing, method.Exchange.ToString(), method.RoutingKey.ToString(), method.Mandatory,
                Write(outgoing, in method, in properties, message), commit, cancellationToken);
        }
        catch
        {
            PutBack(outgoing);
            throw;
        }
    }

    /// <summary>Limits the unsettled messages that the broker delivers.</summary>
    public Task LimitAsync(ushort prefetch, CancellationToken cancellationToken) =>
        _channel.BasicQosAsync(0, prefetch, global: false, cancellationToken);

    /// <summary>Consumes a queue; once for each channel.</summary>
    public Task<string> ConsumeAsync(
        string queue, AmqpConsumeOptions options, ClientConsumer consumer, CancellationToken cancellationToken) =>
        _channel.BasicConsumeAsync(
            queue,
            options.NoAck,
            options.ConsumerTag ?? "",
            noLocal: false,
            options.Exclusive,
            ClientProperties.Arguments(consumer.Begin()),
            consumer,
            cancellationToken);

    /// <summary>Ends the consumption: the answer arrives after the last delivery.</summary>
    public Task CancelAsync(string consumerTag) => _channel.BasicCancelAsync(consumerTag, noWait: false);

    /// <summary>Acknowledges a delivery, or all up to it.</summary>
    public ValueTask AckAsync(ulong tag, bool multiple) => _channel.BasicAckAsync(tag, multiple);

    /// <summary>Returns a delivery to the queue, or to the dead-letter exchange.</summary>
    public ValueTask RejectAsync(ulong tag, bool requeue) => _channel.BasicRejectAsync(tag, requeue);

    /// <inheritdoc cref="CloseAsync"/>
    public ValueTask DisposeAsync() => new(CloseAsync(CancellationToken.None));

    /// <summary>Takes the channel off its connection, so that the client does not recover it. Not from its events.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        await _end.Value.ConfigureAwait(false);
        await _connection.WaitToCloseAsync(CloseChannelAsync, cancellationToken).ConfigureAwait(false);
        _gone.Dispose();
        Interlocked.Exchange(ref _spare, null)?.Body.Dispose();
    }

    private async Task CloseChannelAsync()
    {
        try
        {
            await _channel.AbortAsync().ConfigureAwait(false);
            await _channel.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (
            e is RabbitMQClientException or IOException or ObjectDisposedException or OperationCanceledException or TimeoutException)
        {
            // It is closed, as requested.
        }
    }

    private ReadOnlyMemory<byte> Write<T>(Outgoing outgoing, in BasicPublish method, in Amqp.V091.BasicProperties properties, T message)
    {
        Amqp.V091.BasicProperties own = properties;
        ReadOnlyMemory<byte> body;
        if (typeof(T) == typeof(RawBody))
        {
            ReadOnlySequence<byte> bytes = ((RawBody)(object)message!).Bytes;
            body = bytes.IsSingleSegment ? bytes.First : bytes.ToArray();
        }
        else
        {
            AmqpBody writer = _body!;
            own.ContentType = AmqpBody.ContentType;
            own.Type = own.Type.IsNull ? AmqpBody.TypeName(message?.GetType() ?? typeof(T)) : own.Type;
            own.ContentEncoding = writer.Write(outgoing.Body, message);
            body = outgoing.Body.Written;
        }

        // The broker closes the connection if they do not fit. All properties except the headers fit into the smallest possible frame.
        FrameWriter.SizeOf(in method);
        if (!own.Headers.IsEmpty)
        {
            int size = FrameWriter.SizeOfContentHeader(in own);
            int frameMax = _connection.FrameMax;
            if (frameMax != 0 && size > frameMax)
            {
                throw new ArgumentException(
                    $"The properties and headers of the message take {size} bytes, and one frame of {frameMax} bytes has to hold them. " +
                    "Move large values into the message itself.");
            }
        }

        ClientProperties.Fill(outgoing.Properties, in own);
        return body;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask SendAsync(
        Outgoing outgoing, string exchange, string routingKey, bool mandatory, ReadOnlyMemory<byte> body, IPublishCommit commit,
        CancellationToken cancellationToken)
    {
        using CancellationTokenSource? either = cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _whenGone)
            : null;
        try
        {
            if (commit.TryCommit(body.Length))
            {
                await _channel.BasicPublishAsync(
                    exchange, routingKey, mandatory, outgoing.Properties, body, either?.Token ?? _whenGone).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw CloseReason ?? ClientErrors.From(null, e);
        }
        catch (AlreadyClosedException e)
        {
            throw new NotSentException(ClientErrors.From(e.ShutdownReason ?? _channel.CloseReason, e));
        }
        catch (System.Threading.Channels.ChannelClosedException e)
        {
            // The client's queue of frames is closed with the connection; the channel is notified later.
            throw new NotSentException(ClientErrors.From(_channel.CloseReason, e));
        }
        finally
        {
            PutBack(outgoing);
        }
    }

    private void PutBack(Outgoing outgoing)
    {
        outgoing.Body.Clear();
        if (Interlocked.CompareExchange(ref _spare, outgoing, null) is not null)
        {
            outgoing.Body.Dispose();
        }
    }

    private Task OnAckAsync(object sender, BasicAckEventArgs ack)
    {
        _events.Confirmed(ack.DeliveryTag, ack.Multiple, acked: true);
        return Task.CompletedTask;
    }

    private Task OnNackAsync(object sender, BasicNackEventArgs nack)
    {
        _events.Confirmed(nack.DeliveryTag, nack.Multiple, acked: false);
        return Task.CompletedTask;
    }

    private Task OnReturnAsync(object sender, BasicReturnEventArgs returned)
    {
        IReadOnlyBasicProperties properties = returned.BasicProperties;
        _events.Returned(new ReturnedMessage(
            returned.Exchange, returned.RoutingKey, returned.ReplyCode, returned.ReplyText, properties.MessageId,
            properties.CorrelationId));
        return Task.CompletedTask;
    }

    private Task OnRecoveredAsync(object sender, AsyncEventArgs recovered)
    {
        // The client has replaced the broker's channel inside this one: earlier tags and numbers are meaningless there, and are ignored.
        Close(new AmqpConnectionException("The connection was lost: the client has recovered its channel."));
        return Task.CompletedTask;
    }

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        Close(ClientErrors.From(reason));
        return Task.CompletedTask;
    }

    private void Close(Exception reason)
    {
        if (Interlocked.Exchange(ref _hasClosed, true))
        {
            return;
        }

        // In this order: a publish that then fails in the client has already failed with its channel.
        _events.Closed(reason);
        _ = _end.Value;
    }

    // The arguments of the current publish, reused: the client no longer needs them when its publish has returned.
    private sealed class Outgoing
    {
        public BodyBuffer Body { get; } = new();

        public RabbitProperties Properties { get; } = new();
    }
}

/// <summary>Listens to the events of a channel, on the client's threads: nothing here waits or throws.</summary>
internal interface IRawChannelEvents
{
    /// <summary>
    /// The broker has answered for a published message, or all up to it, possibly before the publishing call has returned.
    /// </summary>
    void Confirmed(ulong number, bool multiple, bool acked);

    /// <summary>A message was returned, because it cannot be routed. On a channel with confirms, its confirm follows.</summary>
    void Returned(ReturnedMessage returned);

    /// <summary>The channel has ended, on either side. Called once; later calls mean nothing.</summary>
    void Closed(Exception reason);
}

/// <summary>A callback before a message is handed to the client.</summary>
internal interface IPublishCommit
{
    /// <summary>
    /// It is complete and about to be sent. Called once at most, on a channel that confirms one message at a time and in the order of their
    /// numbers, and before the broker can answer.
    /// </summary>
    /// <param name="bodySize">The size of its body in bytes, as it is sent.</param>
    /// <returns>True to send it. Otherwise no number is used, and the publish ends without an error.</returns>
    bool TryCommit(long bodySize);
}

/// <summary>The channel is closed, and the message has not been sent.</summary>
internal sealed class NotSentException(Exception reason) : Exception(reason.Message, reason)
{
    /// <summary>Gets the reason why the channel is closed.</summary>
    public Exception Reason => InnerException!;
}
