using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Failures;

namespace Wire.RabbitMQ.Streams;

public sealed partial class StreamClient
{
    /// <summary>Consumes the objects of a stream.</summary>
    /// <typeparam name="T">What the messages hold, or an ancestor of it.</typeparam>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="handler">
    /// Gets one object after the other with the message that it is from, which is valid until the handler's task has ended.
    /// </param>
    /// <param name="options">The options; without them, it begins with messages that are published from now on.</param>
    /// <param name="cancellationToken">Ends the attempt; not the consumer.</param>
    /// <inheritdoc cref="ConsumeAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<StreamConsumer> ConsumeAsync<T>(
        string stream, Func<T, StreamMessage, ValueTask> handler, StreamConsumerOptions? options =
            null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeAsync(stream, new TypedDispatch<T>(handler), options, cancellationToken);
    }

    /// <summary>Consumes the messages of a stream.</summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="handler">Gets one message after the other, which is valid until the handler's task has ended.</param>
    /// <param name="options">The options; without them, it begins with messages that are published from now on.</param>
    /// <param name="cancellationToken">Ends the attempt; not the consumer.</param>
    /// <returns>The consumer, when it is subscribed. It continues until it is closed, or fails.</returns>
    /// <exception cref="ArgumentException">An option is out of range, or does not go with another one.</exception>
    /// <exception cref="StreamException">The broker refuses it; there is no such stream, for one.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be connected to, or the connection was lost meanwhile.</exception>
    /// <exception cref="NotSupportedException">The broker is too old for what the options ask for.</exception>
    public Task<StreamConsumer> ConsumeAsync(
        string stream, Func<StreamMessage, ValueTask> handler, StreamConsumerOptions? options =
            null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeAsync(stream, new MessageDispatch(handler), options, cancellationToken);
    }

    /// <summary>Consumes the messages of a stream, those that came together at once: the fastest way.</summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="handler">Gets the messages of one chunk after the other, which are valid until it returns.</param>
    /// <param name="options">The options; without them, it begins with messages that are published from now on.</param>
    /// <param name="cancellationToken">Ends the attempt; not the consumer.</param>
    /// <inheritdoc cref="ConsumeAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<StreamConsumer> ConsumeBatchesAsync(
        string stream, StreamBatchHandler handler, StreamConsumerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeAsync(stream, new BatchDispatch(handler), options, cancellationToken);
    }

    internal async Task<StreamConsumer> ConsumeAsync(
        string stream,
        ConsumerDispatch dispatch,
        StreamConsumerOptions? options,
        CancellationToken cancellationToken,
        HandlerThreads? threads = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        options = (options ?? new StreamConsumerOptions()).Validate();
        var consumer = new StreamConsumer(
            new PooledLinks(_links, stream),
            Options,
            stream,
            dispatch,
            options,
            new ErrorStream(this, stream, options),
            threads is null ? null : new SharedThread(threads));
        await consumer.StartAsync(cancellationToken).ConfigureAwait(false);
        return consumer;
    }
}
