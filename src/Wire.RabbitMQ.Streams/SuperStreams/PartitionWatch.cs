using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ.Streams.SuperStreams;

/// <summary>
/// Asks for the partitions of a super stream, at an interval and when it is told to, and hands them on. Thread-safe.
/// </summary>
/// <param name="client">The client to ask with.</param>
/// <param name="superStream">The super stream.</param>
/// <param name="take">
/// Takes the partitions: at least one, and perhaps the same as before. Called by one thread at a time. Where it fails, it gets them again.
/// </param>
[SuppressMessage("Design", "CA1001", Justification = "Neither has a timer or a wait handle.")]
internal sealed class PartitionWatch(
    StreamClient client, string superStream, Func<IReadOnlyList<string>, CancellationToken, Task> take)
{
    private readonly SemaphoreSlim _turn = new(1);
    private readonly CancellationTokenSource _closed = new();
    private Task _asking = Task.CompletedTask;
    private volatile Exception? _error;

    /// <summary>Gets what the last look has failed with; null where it has not.</summary>
    public Exception? Error => _error;

    /// <summary>Begins to ask.</summary>
    public void Start()
    {
        if (client.Options.PartitionInterval is { } interval)
        {
            _asking = AskAsync(interval);
        }
    }

    /// <summary>Asks now.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="isNeeded">Asked when nobody else asks for the partitions; null for always.</param>
    /// <exception cref="StreamException">The super stream does not exist or has no partitions, or the broker refuses a new one.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">It has been closed.</exception>
    public async Task RefreshAsync(CancellationToken cancellationToken, Func<bool>? isNeeded = null)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_closed.Token, cancellationToken);
        try
        {
            await _turn.WaitAsync(either.Token).ConfigureAwait(false);
            try
            {
                if (isNeeded?.Invoke() == false)
                {
                    return;
                }

                IReadOnlyList<string> partitions = await client.FindPartitionsAsync(superStream, either.Token).ConfigureAwait(false);
                await take(partitions, either.Token).ConfigureAwait(false);
                _error = null;
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                _error = e;
                throw;
            }
            finally
            {
                _turn.Release();
            }
        }
        catch (OperationCanceledException) when (_closed.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw Closed();
        }
    }

    /// <summary>Creates the error for one that has been closed.</summary>
    public ObjectDisposedException Closed() =>
        new(superStream, $"The producer or consumer of the super stream '{superStream}' has been closed.");

    /// <summary>Ends it: partitions are not taken any more when this returns.</summary>
    public async Task CloseAsync()
    {
        await _closed.CancelAsync().ConfigureAwait(false);
        await _asking.ConfigureAwait(false);
        await _turn.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        _turn.Release();
    }

    private async Task AskAsync(TimeSpan interval)
    {
        using var timer = new PeriodicTimer(interval);
        try
        {
            while (await timer.WaitForNextTickAsync(_closed.Token).ConfigureAwait(false))
            {
                try
                {
                    await RefreshAsync(CancellationToken.None).ConfigureAwait(false);
                }
                catch (Exception e) when (e is not (OperationCanceledException or ObjectDisposedException))
                {
                    Trace.TraceWarning(
                        $"The partitions of the super stream '{superStream}' could not all be found and taken, and are asked for again in "
                        + $"{interval.TotalSeconds} s: {e.Message}");
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
        {
            // It, or its client, has been closed.
        }
    }
}
