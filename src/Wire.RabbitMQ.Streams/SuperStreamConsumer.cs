namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Consumes all partitions of a super stream with one handler, until it is closed or one of them fails. Within a partition messages come
/// one after the other and in their order; those of several come side by side. Thread-safe. Everything else is as with <see
/// cref="StreamConsumer"/>, of which it has one for each partition.
/// </summary>
public sealed class SuperStreamConsumer : IAsyncDisposable
{
    private readonly List<StreamConsumer> _consumers;
    private readonly Task _ended;

    internal SuperStreamConsumer(string superStream, List<StreamConsumer> consumers)
    {
        SuperStream = superStream;
        _consumers = consumers;
        _ended = WatchAsync();

        // A failure that is not observed is not reported again when the task is collected.
        _ = _ended.ContinueWith(
            static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
    }

    /// <summary>The name of the super stream.</summary>
    public string SuperStream { get; }

    /// <summary>The consumers, one for each partition, in the order of the partitions.</summary>
    public IReadOnlyList<StreamConsumer> Partitions => _consumers;

    /// <summary>Ends when all partitions have ended: when one of them fails the others are closed, and this fails as it did.</summary>
    public Task Completion
    {
        get
        {
            foreach (StreamConsumer consumer in _consumers)
            {
                consumer.Watch();
            }

            return _ended;
        }
    }

    /// <summary>Ends it, as <see cref="StreamConsumer.CloseAsync"/> does.</summary>
    /// <param name="cancellationToken">Ends the wait; the consumers end all the same.</param>
    /// <exception cref="OperationCanceledException">The token has fired, and they have not ended yet.</exception>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        Task closing = CloseConsumersAsync(cancellationToken);

        // In a handler of one it waits for none: that of another may wait for this one.
        if (!_consumers.Exists(consumer => consumer.IsHandling))
        {
            await closing.ConfigureAwait(false);
            await Task.WhenAny(_ended).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    private async Task WatchAsync()
    {
        // A partition that ends without error was closed alone: the others continue.
        await foreach (Task ended in Task.WhenEach(_consumers.Select(consumer => consumer.Ended)).ConfigureAwait(false))
        {
            if (!ended.IsCompletedSuccessfully)
            {
                await CloseConsumersAsync(CancellationToken.None).ConfigureAwait(false);
                await ended.ConfigureAwait(false);
            }
        }
    }

    private Task CloseConsumersAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(_consumers.Select(consumer => consumer.CloseAsync(cancellationToken)));
}
