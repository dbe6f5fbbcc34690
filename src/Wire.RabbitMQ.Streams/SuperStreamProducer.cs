using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Wire.RabbitMQ.Streams.SuperStreams;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Publishes to the partitions of a super stream, each message to the one that its routing key belongs to: what has the same key stays in
/// its order, as long as the super stream has the same partitions. Thread-safe. Everything else is as with <see cref="StreamProducer"/>, of
/// which it has one for each partition.
/// </summary>
/// <remarks>
/// Partitions that are added later are found within <see cref="StreamClientOptions.PartitionInterval"/>. From then on keys belong to the
/// partitions that there are: a key that belongs to another one than before has its earlier messages in the one, and its later ones in the
/// other. A partition that is not one of the super stream any more gets no further messages, and its producer is closed when that is seen
/// again 10 s later, or at once if the stream does not exist any more: what has been sent there and was not confirmed fails then. While a
/// new one cannot be published to, keys stay where they are: <see cref="Interruption"/>.
/// </remarks>
public sealed class SuperStreamProducer : IAsyncDisposable
{
    // For so long, at least, callers that have found a producer before it was replaced can send with it.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly StreamClient _client;
    private readonly StreamRouting _routing;
    private readonly StreamProducerOptions? _options;
    private readonly PartitionWatch _watch;

    // Those of partitions that were taken away, too, until they are closed; and their closing, until a flush has thrown what they have
    // lost.
    private volatile StreamProducer[] _all;
    private volatile Task[] _closed = [];
    private volatile PartitionTable _table;

    // Those that are not in the table, and since when. Only while partitions are taken.
    private Dictionary<StreamProducer, long> _left = [];

    internal SuperStreamProducer(
        StreamClient client, string superStream, StreamRouting routing, StreamProducerOptions? options, StreamProducer[] producers)
    {
        _client = client;
        _routing = routing;
        _options = options;
        _all = producers;
        _table = new PartitionTable(producers);
        SuperStream = superStream;
        _watch = new PartitionWatch(client, superStream, TakeAsync);
        _watch.Start();
    }

    /// <summary>The name of the super stream.</summary>
    public string SuperStream { get; }

    /// <summary>
    /// The producers, one for each partition that there is now, in the order of the partitions: for raw bytes, properties and what else
    /// they can do.
    /// </summary>
    public IReadOnlyList<StreamProducer> Partitions => _table.Producers;

    /// <summary>
    /// Gets why the partitions could not be asked for the last time, or why not all of them can be published to; null where neither is so.
    /// Each of <see cref="Partitions"/> has its own <see cref="StreamProducer.Interruption"/>.
    /// </summary>
    public Exception? Interruption => _watch.Error;

    /// <summary>
    /// Finds the producers of a routing key: one when routed by hash, any number, but at least one, when routed by the bindings.
    /// </summary>
    /// <exception cref="StreamException">The key is bound to no partition, or the broker refuses to say.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be asked.</exception>
    public async ValueTask<IReadOnlyList<StreamProducer>> RouteAsync(string routingKey, CancellationToken cancellationToken = default) =>
        _routing == StreamRouting.Hash
            ? _table.FindAlone(routingKey)
            : await FindByBindingsAsync(routingKey, cancellationToken).ConfigureAwait(false);

    /// <summary>
    /// Asks for the partitions now, as it does by itself every <see cref="StreamClientOptions.PartitionInterval"/>: when it returns, the
    /// keys of further messages belong to those.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StreamException">The super stream does not exist, or the broker refuses a producer of a partition.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">It has been closed.</exception>
    public Task RefreshPartitionsAsync(CancellationToken cancellationToken = default) => _watch.RefreshAsync(cancellationToken);

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
        ? _table.Find(routingKey).SendAsync(value, options, cancellationToken)
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
            await _table.Find(routingKey).EnqueueAsync(value, options, cancellationToken).ConfigureAwait(false);
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
        ForAllAsync(producer => producer.FlushAsync(cancellationToken), cancellationToken);

    /// <summary>Closes the producers, as <see cref="StreamProducer.CloseAsync"/> does.</summary>
    /// <param name="cancellationToken">
    /// Ends the wait as the time-out does: what is not confirmed fails, and the producers are closed.
    /// </param>
    /// <exception cref="StreamPublishException">Messages without an awaiting caller have been lost since the last flush.</exception>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        await _watch.CloseAsync().ConfigureAwait(false);
        await ForAllAsync(producer => producer.CloseAsync(cancellationToken), CancellationToken.None).ConfigureAwait(false);
    }

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

    private async ValueTask<StreamProducer[]> FindByBindingsAsync(string routingKey, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(routingKey);
        if (_table.Recall(routingKey) is { } known)
        {
            return known;
        }

        IReadOnlyList<string> streams = await _client.RouteAsync(routingKey, SuperStream, cancellationToken).ConfigureAwait(false);
        if (!streams.All(_table.Has))
        {
            // It is bound to a partition that was added, unless another caller has just found that.
            try
            {
                await _watch.RefreshAsync(cancellationToken, () => !streams.All(_table.Has)).ConfigureAwait(false);
            }
            catch (StreamException) when (streams.All(_table.Has))
            {
                // Another partition was refused, as Interruption says.
            }
        }

        return _table.Remember(routingKey, streams) is { Length: > 0 } found
            ? found
            : throw new StreamException(
                StreamResponseCode.StreamDoesNotExist, $"The routing key '{routingKey}' has no partition in the super stream " +
                    $"'{SuperStream}': bind it, or route by {nameof(StreamRouting.Hash)}.");
    }

    private async Task ForAllAsync(Func<StreamProducer, Task> doAsync, CancellationToken cancellationToken)
    {
        StreamProducer[] all = _all;
        Task[] closed = _closed;
        try
        {
            await Task.WhenAll([.. all.Select(doAsync), .. closed.Select(each => each.WaitAsync(cancellationToken))]).ConfigureAwait(false);
        }
        finally
        {
            // What one of them has lost is thrown once.
            lock (_gate)
            {
                _closed = [.. _closed.Except(closed.Where(each => each.IsCompleted))];
            }
        }
    }

    private async Task TakeAsync(IReadOnlyList<string> partitions, CancellationToken cancellationToken)
    {
        StreamProducer[] gone = Array.FindAll(
            _all, producer => IsGone(producer, partitions.Contains(producer.Stream, StringComparer.Ordinal)));
        Dictionary<string, StreamProducer> all = _all.Except(gone).ToDictionary(producer => producer.Stream, StringComparer.Ordinal);
        Exception? refusal = null;
        foreach (string partition in partitions.Where(partition => !all.ContainsKey(partition)))
        {
            try
            {
                StreamProducer added = await _client.CreateProducerAsync(partition, _options, cancellationToken).ConfigureAwait(false);
                all.Add(partition, added);
                _all = [.. _all, added];
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested)
            {
                refusal ??= e;
            }
        }

        // With fewer partitions than there are, keys would belong to others by their hash: then each that is there has the place that it
        // had.
        StreamProducer[] now = refusal is null || _routing == StreamRouting.Key
            ? [.. partitions.Where(all.ContainsKey).Select(partition => all[partition])]
            : Array.ConvertAll(_table.Producers, before => all.GetValueOrDefault(before.Stream, before));
        if (!now.SequenceEqual(_table.Producers))
        {
            _table = new PartitionTable(now);
        }

        lock (_gate)
        {
            _closed =
            [
                .. _closed.Where(each => !each.IsCompletedSuccessfully),
                .. gone.Select(producer => producer.CloseAsync(CancellationToken.None)),
            ];
        }

        // Behind that: who waits for all looks here first.
        _all = [.. _all.Except(gone)];
        long time = _client.Options.Time.GetTimestamp();
        _left = _all.Except(_table.Producers).ToDictionary(producer => producer, producer => _left.GetValueOrDefault(producer, time));
        if (refusal is not null)
        {
            ExceptionDispatchInfo.Throw(refusal);
        }
    }

    // Where its stream may still take messages, callers may just have found it.
    private bool IsGone(StreamProducer producer, bool isListed) => isListed
        ? producer.HasEnded && !_table.Has(producer.Stream)
        : producer.Interruption is StreamException { Code: StreamResponseCode.StreamDoesNotExist }
            || (_left.TryGetValue(producer, out long since) && _client.Options.Time.GetElapsedTime(since) >= Grace);
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
