namespace Wire.RabbitMQ.Streams.Hosting;

/// <summary>
/// The producers of a program, one for each stream: made on first use, and closed with the host, which waits for what is not confirmed.
/// Thread-safe.
/// </summary>
public sealed class WireStreamProducers : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly StreamClient _client;
    private readonly IReadOnlyDictionary<string, StreamProducerOptions> _options;
    private readonly Dictionary<string, Task<StreamProducer>> _made = new(StringComparer.Ordinal);
    private bool _isClosed;

    internal WireStreamProducers(StreamClient client, IReadOnlyDictionary<string, StreamProducerOptions> options) =>
        (_client, _options) = (client, options);

    /// <summary>Gets the producers that were made, or are being made. A copy.</summary>
    internal IReadOnlyList<(string Stream, Task<StreamProducer> Producer)> Made
    {
        get
        {
            lock (_gate)
            {
                return [.. _made.Select(each => (each.Key, each.Value))];
            }
        }
    }

    /// <summary>
    /// Returns the producer of a stream, with the options of <see cref="WireStreamsBuilder.AddProducer"/>. It is made by the first caller;
    /// where that fails, or it has ended, the next one makes another. It must not be closed by callers.
    /// </summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="StreamException">The broker refuses it: there is no such stream, for example.</exception>
    /// <exception cref="StreamConnectionException">The node with the stream's leader cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The host has stopped.</exception>
    public ValueTask<StreamProducer> GetAsync(string stream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            if (!_made.TryGetValue(stream, out Task<StreamProducer>? made)
                || made is { IsFaulted: true }
                || made is { IsCompletedSuccessfully: true, Result.HasEnded: true })
            {
                // For all callers: the token of the first one ends its own wait alone.
                _made[stream] = made = Task.Run(() => _client.CreateProducerAsync(stream, _options.GetValueOrDefault(stream)));
            }

            return made.IsCompletedSuccessfully
                ? new ValueTask<StreamProducer>(made.Result)
                : new ValueTask<StreamProducer>(made.WaitAsync(cancellationToken));
        }
    }

    /// <summary>Closes all producers, as <see cref="StreamProducer.CloseAsync"/> does; further ones are refused.</summary>
    /// <param name="cancellationToken">Ends the wait: what is not confirmed fails, and the producers are closed.</param>
    /// <exception cref="StreamPublishException">Messages without an awaiting caller have been lost since the last flush.</exception>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        Task<StreamProducer>[] made;
        lock (_gate)
        {
            _isClosed = true;
            made = [.. _made.Values];
        }

        await Task.WhenAll(made.Select(each => CloseMadeAsync(each, cancellationToken))).ConfigureAwait(false);
    }

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    private static async Task CloseMadeAsync(Task<StreamProducer> made, CancellationToken cancellationToken)
    {
        // One that could not be made has failed its callers.
        await ((Task)made).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (made.IsCompletedSuccessfully)
        {
            await made.Result.CloseAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
