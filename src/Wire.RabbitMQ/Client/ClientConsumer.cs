using System.Buffers;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// The consumer that RabbitMQ.Client delivers to: copies each message, because the client reuses its memory after the call, and queues it
/// for a handler. It belongs to one channel.
/// </summary>
internal sealed class ClientConsumer : IAsyncBasicConsumer, IMessageConsumer
{
    // The longest time for which the client waits for an answer, unless its factory says more.
    private static readonly TimeSpan LongestCall = TimeSpan.FromSeconds(30);

    private readonly BodyPool _bodies = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _lost = new();
    private readonly RawChannel _channel;
    private readonly Func<IDelivery, ValueTask> _handler;
    private readonly Dispatcher<Delivery> _dispatcher;

    // Null where the broker expects no acknowledgements.
    private readonly Settling? _settling;
    private readonly StreamPosition _position;
    private int _isStopping;

    public ClientConsumer(
        RawChannel channel, Func<IDelivery, ValueTask> handler, AmqpConsumeOptions options, AmqpChannelOptions channelOptions)
    {
        _channel = channel;
        _handler = handler;
        _position = options.Position ?? new StreamPosition(options.Arguments);
        _settling = options.NoAck ? null : new Settling(channel, channelOptions.Prefetch, channelOptions.AckDelay, Close);
        _dispatcher = new Dispatcher<Delivery>("Wire RabbitMQ consumer", options.Concurrency, HandleAsync);
    }

    public IChannel Channel => _channel.Channel;

    public Task Ended => _ended.Task;

    public bool IsConsuming => !_ended.Task.IsCompleted;

    public int Concurrency
    {
        get => _dispatcher.Concurrency;
        set => _dispatcher.Concurrency = value;
    }

    /// <summary>The consumer tag.</summary>
    public string Tag { get; set; } = "";

    /// <summary>It begins to consume: returns the arguments for that.</summary>
    public IReadOnlyDictionary<string, object?>? Begin() => _position.Begin(this, LongestCall);

    public Task HandleBasicDeliverAsync(
        string consumerTag,
        ulong deliveryTag,
        bool redelivered,
        string exchange,
        string routingKey,
        IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body,
        CancellationToken cancellationToken = default)
    {
        try
        {
            if (_settling?.TryDeliver(deliveryTag) == false)
            {
                return Task.CompletedTask;
            }

            long? offset = properties.Headers?.TryGetValue(StreamPosition.OffsetKey, out object? value) == true ? value as long? : null;
            if (_position.MayBeStream && !_position.TryDeliver(this, offset, redelivered))
            {
                // It was settled before the connection was lost.
                _settling?.Settle(deliveryTag, Settlement.Ack);
                return Task.CompletedTask;
            }

            _dispatcher.Add(new Delivery(
                this, deliveryTag, offset, redelivered, exchange, routingKey, properties, _bodies.Copy(body.Span)));
        }
        catch (Exception e) when (e is OutOfMemoryException or InvalidOperationException)
        {
            // An unowned delivery would stay unacknowledged: closing the channel returns it to the queue.
            Close(e);
        }

        return Task.CompletedTask;
    }

    public Task HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken = default) => Task.CompletedTask;

    public Task HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        _cancelled.TrySetResult();
        return Task.CompletedTask;
    }

    public Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        _cancelled.TrySetResult();
        Close(new AmqpConsumerException($"The broker has cancelled the consumer '{consumerTag}': its queue was deleted " +
            "or has moved, or a message was kept for longer than its consumer time-out."));
        return Task.CompletedTask;
    }

    // The channel reports that itself.
    public Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;

    /// <summary>Sends all pending acknowledgements.</summary>
    public Task SendAllAsync() => _settling?.SendAllAsync() ?? Task.CompletedTask;

    /// <summary>Ends deliveries; unstarted ones return to the queue when the channel closes.</summary>
    /// <param name="error">The reason; null if the program has ended it.</param>
    public void Close(Exception? error)
    {
        _settling?.Dispose();
        _dispatcher.Stop();
        foreach (Delivery delivery in _dispatcher.TakeWaiting())
        {
            delivery.Release();
        }

        _cancelled.TrySetResult();
        _ = _lost.CancelAsync();
        _ended.TryEnd(error is not null && ClientErrors.IsTranslated(error) ? ClientErrors.Translate(error) : error);
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isStopping, 1) == 0)
        {
            // Waiting messages are returned after the broker has stopped sending; before, it would send them here again.
            _dispatcher.Stop();
            try
            {
                await _channel.CancelAsync(Tag).ConfigureAwait(false);
                await _cancelled.Task.ConfigureAwait(false);
            }
            catch (Exception e) when (ClientErrors.IsTranslated(e))
            {
                // It has ended with its channel.
            }
        }

        // Unstarted deliveries return to the queue at once, not only when the last handler has ended.
        foreach (Delivery delivery in _dispatcher.TakeWaiting())
        {
            // A stream takes none back: RabbitMQ would close the connection.
            if (!_position.IsOfStream(delivery.Properties))
            {
                delivery.Settle(Settlement.Requeue);
            }

            delivery.Release();
        }

        await _dispatcher.DrainAsync().ConfigureAwait(false);
        await SendAllAsync().ConfigureAwait(false);
        _ended.TrySetResult();
    }

    private async ValueTask HandleAsync(Delivery delivery)
    {
        try
        {
            await _handler(delivery).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // Handlers do not throw. If one does nevertheless, the message returns with the channel, and the process continues.
            Close(e);
        }
        finally
        {
            delivery.EndHandler();
        }
    }

    /// <summary>A delivery with a copy of its body.</summary>
    private sealed class Delivery(
        ClientConsumer consumer, ulong tag, long? offset, bool redelivered, string exchange, string routingKey,
        IReadOnlyBasicProperties properties, BodyPool.CopiedBody body)
        : IDelivery
    {
        private Amqp.V091.BasicProperties? _properties;
        private bool _isKept;

        public ulong Tag => tag;

        public bool Redelivered => redelivered;

        public string Exchange => exchange;

        public string RoutingKey => routingKey;

        public Amqp.V091.BasicProperties Properties => _properties ??= ClientProperties.From(properties);

        public ReadOnlySequence<byte> Body => body.Bytes;

        public long BodySize => body.Bytes.Length;

        public CancellationToken Lost => consumer._lost.Token;

        public void Settle(Settlement settlement)
        {
            consumer._settling?.Settle(tag, settlement);
            if (offset is { } number && settlement != Settlement.Requeue)
            {
                consumer._position.Settle(number);
            }
        }

        public void Keep() => _isKept = true;

        public void Release() => body.Return();

        /// <summary>Its memory may be reused from now on, where it is not kept.</summary>
        public void EndHandler()
        {
            if (!_isKept)
            {
                Release();
            }
        }
    }
}
