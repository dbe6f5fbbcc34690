using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Client;

/// <summary>A channel of RabbitMQ.Client that does not confirm: it consumes and publishes, and ends with its connection.</summary>
internal sealed class ClientChannel(AmqpChannelOptions options, ChannelEvents events) : IMessageChannel, IRawChannelEvents
{
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private RawChannel? _raw;
    private ClientConsumer? _consumer;

    public bool IsOpen => !_completion.Task.IsCompleted && Raw.IsOpen;

    public int InFlight => 0;

    public bool HasRoom => true;

    public Task Completion => _completion.Task;

    /// <summary>The client's own.</summary>
    public RawChannel Raw => _raw!;

    /// <summary>Opens it.</summary>
    public async Task OpenAsync(ClientConnection connection, CancellationToken cancellationToken)
    {
        _raw = await connection.OpenRawAsync(confirms: false, options.Body, this, cancellationToken).ConfigureAwait(false);
        if (options.Prefetch != 0)
        {
            await TranslatedAsync(_raw.LimitAsync(options.Prefetch, cancellationToken)).ConfigureAwait(false);
        }
    }

    public async ValueTask PublishAsync<T>(
        BasicPublish method, BasicProperties properties, T message, IAmqpPublishObserver? observer, CancellationToken cancellationToken)
    {
        var commit = new Commit();
        try
        {
            await Raw.PublishAsync(in method, in properties, message, commit, cancellationToken).ConfigureAwait(false);
        }
        catch (NotSentException e)
        {
            commit.BodySize = null;
            ((IRawChannelEvents)this).Closed(e.Reason);
            throw e.Reason;
        }
        finally
        {
            // Only now is it known that the client has not refused it.
            if (observer is not null && commit.BodySize is { } bodySize)
            {
                observer.Written(bodySize);
            }
        }
    }

    ValueTask IMessageChannel.PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken) =>
        PublishAsync(method, properties, message, observer, cancellationToken);

    public ValueTask DisposeAsync() => new(CloseAsync(CancellationToken.None));

    public async Task<IMessageConsumer> ConsumeAsync(
        string queue, Func<IDelivery, ValueTask> handler, AmqpConsumeOptions how, CancellationToken cancellationToken)
    {
        var consumer = _consumer = new ClientConsumer(Raw, handler, how, options);
        if (Completion.IsFaulted)
        {
            consumer.Close(Completion.Exception.InnerException);
        }

        consumer.Tag = await TranslatedAsync(Raw.ConsumeAsync(queue, how, consumer, cancellationToken)).ConfigureAwait(false);
        return consumer;
    }

    public async Task CloseAsync(CancellationToken patience)
    {
        _completion.TrySetResult();
        if (_consumer is { } consumer)
        {
            await consumer.SendAllAsync().ConfigureAwait(false);
            consumer.Close(null);
        }

        if (_raw is not null)
        {
            await _raw.CloseAsync(patience).ConfigureAwait(false);
        }
    }

    void IRawChannelEvents.Confirmed(ulong number, bool multiple, bool acked)
    {
    }

    void IRawChannelEvents.Returned(ReturnedMessage returned) => events.Returned?.Invoke(returned);

    void IRawChannelEvents.Closed(Exception reason)
    {
        _completion.TryEnd(reason);
        _consumer?.Close(reason);
    }

    private static async Task TranslatedAsync(Task call)
    {
        try
        {
            await call.ConfigureAwait(false);
        }
        catch (Exception e) when (ClientErrors.IsTranslated(e))
        {
            throw ClientErrors.Translate(e);
        }
    }

    private static async Task<T> TranslatedAsync<T>(Task<T> call)
    {
        await TranslatedAsync((Task)call).ConfigureAwait(false);
        return await call.ConfigureAwait(false);
    }

    private sealed class Commit : IPublishCommit
    {
        public long? BodySize { get; set; }

        public bool TryCommit(long bodySize)
        {
            BodySize = bodySize;
            return true;
        }
    }
}
