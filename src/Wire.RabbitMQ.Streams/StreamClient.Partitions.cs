using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.RabbitMQ.Streams;

public sealed partial class StreamClient
{
    /// <summary>Makes a producer for a super stream.</summary>
    /// <param name="superStream">The name of the super stream, whose partitions are those it has now.</param>
    /// <param name="routing">How partitions are found for routing keys.</param>
    /// <param name="options">How the producers of the partitions behave. A name is one for each of them.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="StreamException">There is no such super stream, or the broker refuses the producers.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be connected to.</exception>
    public Task<SuperStreamProducer> CreateSuperStreamProducerAsync(
        string superStream, StreamRouting routing = StreamRouting.Hash, StreamProducerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(superStream);
        return SuperStreamProducer.CreateAsync(this, superStream, routing, options, cancellationToken);
    }

    /// <summary>Consumes the objects of a super stream.</summary>
    /// <inheritdoc cref="ConsumeSuperStreamAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<SuperStreamConsumer> ConsumeSuperStreamAsync<T>(
        string superStream, Func<T, StreamMessage, ValueTask> handler, StreamConsumerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeSuperStreamAsync(superStream, new TypedLane<T>(handler), options, cancellationToken);
    }

    /// <summary>Consumes the messages of a super stream.</summary>
    /// <param name="superStream">The name of the super stream, whose partitions are those it has now.</param>
    /// <param name="handler">As with a stream, for each partition: it is called side by side for messages of several, and a message says by <see cref="StreamMessage.Stream"/> which it is from.</param>
    /// <param name="options">From where on, and how, in each partition. With <see cref="StreamConsumerOptions.SingleActive"/> the broker divides the partitions among the consumers of the name.</param>
    /// <param name="cancellationToken">Ends the attempt; not the consumer.</param>
    /// <returns>The consumer, when all partitions are subscribed to.</returns>
    /// <inheritdoc cref="ConsumeAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<SuperStreamConsumer> ConsumeSuperStreamAsync(
        string superStream, Func<StreamMessage, ValueTask> handler, StreamConsumerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeSuperStreamAsync(superStream, new MessageLane(handler), options, cancellationToken);
    }

    /// <summary>Consumes the messages of a super stream, those that came together at once: the fastest way.</summary>
    /// <inheritdoc cref="ConsumeSuperStreamAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<SuperStreamConsumer> ConsumeSuperStreamBatchesAsync(
        string superStream, StreamBatchHandler handler, StreamConsumerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeSuperStreamAsync(superStream, new BatchLane(handler), options, cancellationToken);
    }

    /// <summary>The partitions of a super stream, of which there are some.</summary>
    /// <exception cref="StreamException">It does not exist, or has no partitions.</exception>
    internal async Task<IReadOnlyList<string>> RequirePartitionsAsync(string superStream, CancellationToken cancellationToken)
    {
        IReadOnlyList<string> partitions = await GetPartitionsAsync(superStream, cancellationToken).ConfigureAwait(false);
        return partitions.Count > 0 ? partitions : throw new StreamException(
            StreamResponseCode.StreamDoesNotExist, $"The super stream '{superStream}' has no partitions: there is an exchange of this name, and no stream is bound to it.");
    }

    private Task<SuperStreamConsumer> ConsumeSuperStreamAsync(string superStream, ConsumerLane lane, StreamConsumerOptions? options, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(superStream);
        return SuperStreamConsumer.StartAsync(this, superStream, lane, options, cancellationToken);
    }
}
