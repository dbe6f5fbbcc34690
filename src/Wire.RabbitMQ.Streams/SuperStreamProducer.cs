using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Publishes to the partitions of a super stream, each message to the one that its routing key belongs to: what has the same key stays in
/// its order. Thread-safe. Everything else is as with <see cref="StreamProducer"/>, of which it has one for each partition.
/// </summary>
public sealed class SuperStreamProducer : IAsyncDisposable
{
    // So many keys are remembered with where they lead to. Programs whose keys have no end route by hash.
    private const int MostRoutes = 100_000;

    private readonly StreamClient _client;
    private readonly StreamRouting _routing;
    private readonly StreamProducer[] _producers;

    // Each of them alone, as most keys lead to one.
    private readonly StreamProducer[][] _alone;
    private readonly ConcurrentDictionary<string, StreamProducer[]> _routes = new(StringComparer.Ordinal);

    internal SuperStreamProducer(StreamClient client, string superStream, StreamRouting routing, StreamProducer[] producers)
    {
        _client = client;
        _routing = routing;
        _producers = producers;
        _alone = [.. producers.Select(producer => new[] { producer })];
        SuperStream = superStream;
    }

    /// <summary>The name of the super stream.</summary>
    public string SuperStream { get; }

    /// <summary>
    /// The producers, one for each partition, in the order of the partitions: for raw bytes, properties and what else they can do.
    /// </summary>
    public IReadOnlyList<StreamProducer> Partitions => _producers;

    /// <summary>
    /// Finds the producers of a routing key: one when routed by hash, any number, but at least one, when routed by the bindings.
    /// </summary>
    /// <exception cref="StreamException">The key is bound to no partition, or the broker refuses to say.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be asked.</exception>
    public async ValueTask<IReadOnlyList<StreamProducer>> RouteAsync(string routingKey, CancellationToken cancellationToken = default) =>
        _routing == StreamRouting.Hash
            ? _alone[IndexOfHash(routingKey)]
            : await FindByBindingsAsync(routingKey, cancellationToken).ConfigureAwait(false);

    /// <summary>Publishes an object; the task ends when the broker has confirmed it. Await it once.</summary>
    /// <param name="routingKey">What says which partition it goes to.</param>
    /// <param name="value">The object; may be null.</param>
    /// <param name="options">What else is said of the message.</param>
    /// <param name="cancellationToken">Ends the wait; the message may be published all the same.</param>
    /// <inheritdoc cref="RouteAsync"/>
    public ValueTask SendAsync<T>(
        string routingKey,
        T value,
        StreamSendOptions options = default,
        CancellationToken cancellationToken = default) => _routing == StreamRouting.Hash
        ? _producers[IndexOfHash(routingKey)].SendAsync(value, options, cancellationToken)
        : SendToBindingsAsync(routingKey, value, options, cancellationToken);

    /// <summary>
    /// Publishes an object; the task ends when it is written and there is room for more. Its result is reported to <see
    /// cref="StreamProducerOptions.Confirmed"/>, and waited for by <see cref="FlushAsync"/>.
    /// </summary>
    /// <inheritdoc cref="SendAsync{T}"/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask EnqueueAsync<T>(
        string routingKey, T value, StreamSendOptions options = default, CancellationToken cancellationToken = default)
    {
        if (_routing == StreamRouting.Hash)
        {
            await _producers[IndexOfHash(routingKey)].EnqueueAsync(value, options, cancellationToken).ConfigureAwait(false);
            return;
        }

        foreach (StreamProducer producer in await FindByBindingsAsync(routingKey, cancellationToken).ConfigureAwait(false))
        {
            await producer.EnqueueAsync(value, options, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Waits until all that was published before is confirmed.</summary>
    /// <inheritdoc cref="StreamProducer.FlushAsync"/>
    public Task FlushAsync(CancellationToken cancellationToken = default) =>
        Task.WhenAll(_producers.Select(producer => producer.FlushAsync(cancellationToken)));

    /// <summary>Closes the producers, as <see cref="StreamProducer.CloseAsync"/> does.</summary>
    /// <param name="cancellationToken">
    /// Ends the wait as the time-out does: what is not confirmed fails, and the producers are closed.
    /// </param>
    /// <exception cref="StreamPublishException">Messages without an awaiting caller have been lost since the last flush.</exception>
    public Task CloseAsync(CancellationToken cancellationToken = default) =>
        Task.WhenAll(_producers.Select(producer => producer.CloseAsync(cancellationToken)));

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    // On its own: what the lambda captures would be allocated for messages that go to one partition too.
    private async ValueTask SendToBindingsAsync<T>(
        string routingKey, T value, StreamSendOptions options, CancellationToken cancellationToken)
    {
        StreamProducer[] producers = await FindByBindingsAsync(routingKey, cancellationToken).ConfigureAwait(false);
        if (producers is [var only])
        {
            await only.SendAsync(value, options, cancellationToken).ConfigureAwait(false);
            return;
        }

        await Task.WhenAll(producers.Select(producer => producer.SendAsync(value, options, cancellationToken).AsTask()))
            .ConfigureAwait(false);
    }

    private int IndexOfHash(string routingKey)
    {
        ArgumentNullException.ThrowIfNull(routingKey);
        return PartitionHash.Compute(routingKey, _producers.Length);
    }

    private async ValueTask<StreamProducer[]> FindByBindingsAsync(string routingKey, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(routingKey);
        if (_routes.TryGetValue(routingKey, out StreamProducer[]? known))
        {
            return known;
        }

        IReadOnlyList<string> streams = await _client.RouteAsync(routingKey, SuperStream, cancellationToken).ConfigureAwait(false);
        StreamProducer[] found = [.. _producers.Where(producer => streams.Contains(producer.Stream, StringComparer.Ordinal))];
        if (found.Length == 0)
        {
            throw new StreamException(
                StreamResponseCode.StreamDoesNotExist, $"The routing key '{routingKey}' has no partition in the super stream " +
                    $"'{SuperStream}': bind it, or route by {nameof(StreamRouting.Hash)}.");
        }

        if (_routes.Count < MostRoutes)
        {
            _routes.TryAdd(routingKey, found);
        }

        return found;
    }
}

/// <summary>The rule by which a <see cref="SuperStreamProducer"/> finds the partition of a routing key.</summary>
public enum StreamRouting
{
    /// <summary>
    /// By a hash of the key: each key has one partition, the one that the other clients choose too (MurmurHash3 for x86 with 32 bits, of
    /// the key's UTF-8).
    /// </summary>
    Hash = 0,

    /// <summary>
    /// By the bindings of the super stream, which the broker is asked for once for each key: a key has as many partitions as it is bound
    /// to.
    /// </summary>
    Key = 1,
}
