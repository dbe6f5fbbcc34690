using System.Runtime.ExceptionServices;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.SuperStreams;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Consumes all partitions of a super stream with one handler, until it is closed or one of them fails. Within a partition messages come
/// one after the other and in their order; those of several come side by side. Thread-safe. Everything else is as with <see
/// cref="StreamConsumer"/>, of which it has one for each partition.
/// </summary>
/// <remarks>
/// Partitions that are added later are found within <see cref="StreamClientOptions.PartitionInterval"/>, and consumed from their beginning
/// on, or from the offset that is stored there; what a callback of the options throws for one ends all. One that cannot be consumed keeps
/// no other from it, and is tried again: <see cref="Interruption"/>. One that is taken away is read until its stream does not exist any
/// more. Where a key belongs to another partition since then, its earlier messages come from the one partition and its later ones from the
/// other, side by side.
/// </remarks>
public sealed class SuperStreamConsumer : IAsyncDisposable
{
    // The consumer whose partition is being added, in its async flow, and in that of its handlers.
    private static readonly AsyncLocal<SuperStreamConsumer?> Adding = new();

    private readonly Lock _gate = new();
    private readonly Func<string, CancellationToken, Task<StreamConsumer>> _consume;
    private readonly HandlerThreads? _threads;
    private readonly PartitionWatch _watch;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile StreamConsumer[] _consumers = [];
    private volatile bool _isWatched;
    private int _running;
    private Exception? _error;
    private bool _isClosing;

    /// <param name="client">The client.</param>
    /// <param name="superStream">The name of the super stream.</param>
    /// <param name="consumers">The consumers of the partitions that there are: at least one.</param>
    /// <param name="consume">Consumes a partition that was added.</param>
    /// <param name="threads">The threads of all of them; null where each has its own.</param>
    internal SuperStreamConsumer(
        StreamClient client,
        string superStream,
        IReadOnlyList<StreamConsumer> consumers,
        Func<string, CancellationToken, Task<StreamConsumer>> consume,
        HandlerThreads? threads)
    {
        SuperStream = superStream;
        _consume = consume;
        _threads = threads;
        _watch = new PartitionWatch(client, superStream, TakeAsync);
        TryAdd(consumers);
        _watch.Start();
    }

    /// <summary>The name of the super stream.</summary>
    public string SuperStream { get; }

    /// <summary>The consumers, one for each partition, in the order of the partitions; those that were added later are the last.</summary>
    public IReadOnlyList<StreamConsumer> Partitions => _consumers;

    /// <summary>
    /// Gets why the partitions could not be asked for the last time, or why not all of them are consumed; null where neither is so. Each of
    /// <see cref="Partitions"/> has its own <see cref="StreamConsumer.Interruption"/>.
    /// </summary>
    public Exception? Interruption => _watch.Error;

    /// <summary>Ends when all partitions have ended: when one of them fails the others are closed, and this fails as it did.</summary>
    public Task Completion
    {
        get
        {
            _isWatched = true;
            Array.ForEach(_consumers, consumer => consumer.Watch());
            return _ended.Task;
        }
    }

    /// <summary>
    /// Asks for the partitions now, as it does by itself every <see cref="StreamClientOptions.PartitionInterval"/>: when it returns, those
    /// that were added are consumed.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StreamException">The super stream does not exist, or the broker refuses a consumer of a partition.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">It has been closed, or has ended.</exception>
    public Task RefreshPartitionsAsync(CancellationToken cancellationToken = default) => _watch.RefreshAsync(cancellationToken);

    /// <summary>Ends it, as <see cref="StreamConsumer.CloseAsync"/> does.</summary>
    /// <param name="cancellationToken">Ends the wait; the consumers end all the same.</param>
    /// <exception cref="OperationCanceledException">The token has fired, and they have not ended yet.</exception>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        Task closing = CloseConsumersAsync(cancellationToken);

        // In what one calls it waits for none: another may wait for that.
        if (Adding.Value != this && !Array.Exists(_consumers, consumer => consumer.IsHandling))
        {
            await closing.WaitAsync(cancellationToken).ConfigureAwait(false);
            await Task.WhenAny(_ended.Task).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    private async Task TakeAsync(IReadOnlyList<string> partitions, CancellationToken cancellationToken)
    {
        Adding.Value = this;
        Exception? refusal = null;
        foreach (string partition in partitions.Except(_consumers.Select(consumer => consumer.Stream), StringComparer.Ordinal))
        {
            StreamConsumer added;
            try
            {
                added = await _consume(partition, cancellationToken).ConfigureAwait(false);
            }
            catch (StreamConsumerException e)
            {
                // Not awaited: it waits for this.
                _ = FailAsync(e);
                throw;
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested)
            {
                // The others are consumed all the same.
                refusal ??= e;
                continue;
            }

            if (!TryAdd([added]))
            {
                await added.CloseAsync(CancellationToken.None).ConfigureAwait(false);
                throw _watch.Closed();
            }
        }

        // Of one that is still there the end is read.
        StreamConsumer[] gone = Array.FindAll(
            _consumers,
            consumer => !partitions.Contains(consumer.Stream, StringComparer.Ordinal)
                && consumer.Interruption is StreamException { Code: StreamResponseCode.StreamDoesNotExist });
        lock (_gate)
        {
            _consumers = [.. _consumers.Except(gone)];
        }

        // Not awaited: its handler may wait for this.
        Array.ForEach(gone, consumer => _ = consumer.CloseAsync(CancellationToken.None));
        if (refusal is not null)
        {
            ExceptionDispatchInfo.Throw(refusal);
        }
    }

    private bool TryAdd(IReadOnlyList<StreamConsumer> consumers)
    {
        lock (_gate)
        {
            if (_isClosing)
            {
                return false;
            }

            _consumers = [.. _consumers, .. consumers];
            _running += consumers.Count;
        }

        foreach (StreamConsumer consumer in consumers)
        {
            if (_isWatched)
            {
                consumer.Watch();
            }

            _ = WatchAsync(consumer);
        }

        return true;
    }

    private async Task WatchAsync(StreamConsumer consumer)
    {
        await Task.WhenAny(consumer.Ended).ConfigureAwait(false);
        bool isLast;
        Exception? error = consumer.Ended.Exception?.InnerException;
        lock (_gate)
        {
            _error ??= error;
            isLast = --_running == 0;
            _isClosing |= isLast;
        }

        // A partition that ends without error was closed alone: the others continue.
        if (error is not null || isLast)
        {
            await CloseConsumersAsync(CancellationToken.None).ConfigureAwait(false);
        }

        if (isLast)
        {
            _threads?.Close();
            _ended.TryEnd(_error);
        }
    }

    private Task FailAsync(Exception error)
    {
        lock (_gate)
        {
            _error ??= error;
        }

        return CloseConsumersAsync(CancellationToken.None);
    }

    private Task CloseConsumersAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            _isClosing = true;
        }

        // None is added any more.
        return Task.WhenAll(_consumers.Select(consumer => consumer.CloseAsync(cancellationToken)).Append(_watch.CloseAsync()));
    }
}
