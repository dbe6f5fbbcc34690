namespace Wire.RabbitMQ.Connections;

/// <summary>A connection with several users: made for the first one, and closed with the last one. Thread-safe.</summary>
internal sealed class SharedConnection(Func<CancellationToken, Task<WireConnection>> connect)
{
    private readonly Lock _gate = new();
    private LazyConnection? _connection;
    private int _holders;

    /// <summary>Adds a user.</summary>
    public void Hold()
    {
        lock (_gate)
        {
            _holders++;
        }
    }

    /// <summary>Gets the connection, for its users.</summary>
    /// <exception cref="ObjectDisposedException">No one holds it any more.</exception>
    public Task<WireConnection> GetAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_holders == 0, typeof(WireConsumer));
            return (_connection ??= new LazyConnection(connect)).GetAsync(cancellationToken);
        }
    }

    /// <summary>Removes a user.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public Task ReleaseAsync(CancellationToken cancellationToken)
    {
        LazyConnection? last = null;
        lock (_gate)
        {
            if (--_holders == 0)
            {
                (last, _connection) = (_connection, null);
            }
        }

        return last?.CloseAsync(cancellationToken) ?? Task.CompletedTask;
    }
}
