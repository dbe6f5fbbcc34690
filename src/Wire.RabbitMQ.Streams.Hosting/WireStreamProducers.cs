using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ.Streams.Hosting;

/// <summary>
/// The producers of a program, one for each stream: made on first use, and closed with the host, which waits for what is not confirmed.
/// Thread-safe.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "The source of its token has no timer.")]
public sealed class WireStreamProducers : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly StreamClient _client;
    private readonly IReadOnlyDictionary<string, StreamProducerOptions> _options;
    private readonly Dictionary<string, Task<StreamProducer>> _made = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _closing = new();

    // Those that had ended are being closed, and what they have lost is thrown when all are.
    private readonly List<Task> _replaced = [];

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
            ObjectDisposedException.ThrowIf(_closing.IsCancellationRequested, this);
            bool isKnown = _made.TryGetValue(stream, out Task<StreamProducer>? made) || _options.ContainsKey(stream);
            if (made is null or { IsFaulted: true } or { IsCompletedSuccessfully: true, Result.HasEnded: true })
            {
                if (made is { IsCompletedSuccessfully: true })
                {
                    _replaced.RemoveAll(each => each.IsCompletedSuccessfully);
                    _replaced.Add(made.Result.CloseAsync(CancellationToken.None));
                }

                // For all callers: the token of the first one ends its own wait alone.
                _made[stream] = made = Task.Run(() => MakeAsync(stream, isKnown), CancellationToken.None);
            }

            return made.IsCompletedSuccessfully
                ? new ValueTask<StreamProducer>(made.Result)
                : new ValueTask<StreamProducer>(made.WaitAsync(cancellationToken));
        }
    }

    /// <summary>Closes all producers, as <see cref="StreamProducer.CloseAsync"/> does; further ones are refused.</summary>
    /// <param name="cancellationToken">Ends the wait: what is not confirmed fails, and the producers are closed.</param>
    /// <exception cref="StreamPublishException">
    /// Messages without an awaiting caller have been lost since the last flush, also by producers that had ended and were made again.
    /// </exception>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        Task<StreamProducer>[] made;
        Task[] replaced;
        await _closing.CancelAsync().ConfigureAwait(false);
        lock (_gate)
        {
            made = [.. _made.Values];

            // What they have lost is thrown once.
            replaced = [.. _replaced];
            _replaced.Clear();
        }

        await Task.WhenAll([.. replaced, .. made.Select(each => CloseMadeAsync(each, cancellationToken))]).ConfigureAwait(false);
    }

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    // What cannot be made is of no further interest where the program has not said, or shown, that the stream is one of its own.
    private async Task<StreamProducer> MakeAsync(string stream, bool isKnown)
    {
        try
        {
            return await _client.CreateProducerAsync(stream, _options.GetValueOrDefault(stream), _closing.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_closing.IsCancellationRequested)
        {
            throw new ObjectDisposedException(
                nameof(WireStreamProducers), $"The host has stopped while the producer of '{stream}' was made.");
        }
        catch when (!isKnown)
        {
            lock (_gate)
            {
                _made.Remove(stream);
            }

            throw;
        }
    }

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
