namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A shared connection that is made on first use; after a failure or its permanent end, the next caller tries again. Thread-safe.
/// </summary>
internal sealed class LazyConnection(Func<CancellationToken, Task<WireConnection>> connect) : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _stopping = new();
    private Task<WireConnection>? _connection;
    private bool _disposed;

    /// <summary>Gets the latest connection, or the attempt to make it; null before the first.</summary>
    public Task<WireConnection>? Made
    {
        get
        {
            lock (_gate)
            {
                return _connection;
            }
        }
    }

    /// <summary>The connection.</summary>
    /// <exception cref="Amqp.Client.AmqpConnectionException">There is none to be had.</exception>
    /// <exception cref="ObjectDisposedException">It has been disposed of.</exception>
    public Task<WireConnection> GetAsync(CancellationToken cancellationToken)
    {
        Task<WireConnection> connection;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, typeof(WireConnections));
            if (_connection is null
                or { IsFaulted: true }
                or { IsCanceled: true }
                or { IsCompletedSuccessfully: true, Result.IsClosed: true })
            {
                _connection = Task.Run(() => connect(_stopping.Token));
            }

            connection = _connection;
        }

        return connection.WaitAsync(cancellationToken);
    }

    /// <summary>Closes it, if it was made.</summary>
    public ValueTask DisposeAsync() => new(CloseAsync(CancellationToken.None));

    /// <summary>Closes it, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
        }

        await _stopping.CancelAsync().ConfigureAwait(false);
        if (_connection is { } connection)
        {
            // A connection that could not be made has failed its callers.
            await ((Task)connection).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (connection.IsCompletedSuccessfully)
            {
                await connection.Result.CloseAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        _stopping.Dispose();
    }
}
