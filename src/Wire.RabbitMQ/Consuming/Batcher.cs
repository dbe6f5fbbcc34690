using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Gathers messages into batches, which are full by their count or by time, and has these handled. Thread-safe.
/// </summary>
/// <param name="handler">Handles a batch.</param>
/// <param name="options">When one is full.</param>
/// <param name="stopping">Fires when no others come: what has come is handled then.</param>
[SuppressMessage("Design", "CA1001", Justification = "A semaphore without a wait handle holds nothing.")]
internal sealed class Batcher<T>(
    Func<IReadOnlyList<Delivery<T>>, CancellationToken, Task> handler, BatchOptions options, CancellationToken stopping)
{
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _slots = new(options.MaxConcurrent);
    private Batch? _open;

    /// <summary>Adds a message. Ends with its batch.</summary>
    public Task AddAsync(T message, MessageContext context)
    {
        if (context.Attempt > 1)
        {
            // Its batch has failed, perhaps over another: those of a batch would fail together again.
            return AddAlone(new Delivery<T>(message, context));
        }

        Batch? full = null;
        Batch? opened = null;
        Task handled;
        lock (_gate)
        {
            // One batch has messages of one channel, as they are lost together.
            if (_open is not { } batch || batch.CancellationToken != context.CancellationToken)
            {
                full = _open;
                _open = opened = batch = new Batch(context.CancellationToken);
            }

            batch.Deliveries.Add(new Delivery<T>(message, context));
            handled = batch.Handled.Task;
            if (batch.Deliveries.Count >= options.MaxCount)
            {
                _open = null;
                batch.Full.SetResult();
            }
        }

        full?.Full.TrySetResult();
        if (opened is not null)
        {
            // Not on this thread, which brings the others.
            _ = Task.Run(() => RunAsync(opened));
        }

        return handled;
    }

    private Task AddAlone(Delivery<T> delivery)
    {
        var batch = new Batch(delivery.Context.CancellationToken);
        batch.Deliveries.Add(delivery);
        batch.Full.SetResult();
        _ = Task.Run(() => RunAsync(batch));
        return batch.Handled.Task;
    }

    private async Task RunAsync(Batch batch)
    {
        // That of the first message would be that of all.
        Activity.Current = null;
        await batch.Full.Task.WaitAsync(options.MaxDelay, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        lock (_gate)
        {
            _open = _open == batch ? null : _open;
        }

        await _slots.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            batch.CancellationToken.ThrowIfCancellationRequested();
            Task task = handler(batch.Deliveries, batch.CancellationToken) ?? throw new InvalidOperationException(
                $"The handler of batches of {typeof(T)} has returned null where a task is expected.");
            await task.ConfigureAwait(false);
            batch.Handled.SetResult();
        }
        catch (Exception e)
        {
            batch.Handled.SetException(e);
        }
        finally
        {
            _slots.Release();
        }
    }

    private sealed class Batch(CancellationToken cancellationToken)
    {
        public CancellationToken CancellationToken { get; } = cancellationToken;

        public List<Delivery<T>> Deliveries { get; } = [];

        public TaskCompletionSource Full { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Handled { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
