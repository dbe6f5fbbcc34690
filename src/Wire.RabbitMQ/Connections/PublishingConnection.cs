namespace Wire.RabbitMQ.Connections;

/// <summary>
/// The connection that a consumer publishes on, which differs from the one that it consumes on: a broker that is low on memory stops
/// reading from connections that publish, including acknowledgements. It is the one given to the consumer, or one next to its own, shared
/// by all its consumers. Thread-safe.
/// </summary>
/// <param name="consuming">The connection that it consumes on.</param>
/// <param name="given">The connection that it was given to publish on; null for none.</param>
internal sealed class PublishingConnection(WireConnection consuming, Func<CancellationToken, Task<WireConnection>>? given)
{
    private readonly Lock _gate = new();
    private bool _isHeld;
    private bool _isClosed;

    /// <summary>Gets whether it is the same as the consuming connection.</summary>
    public bool IsConsuming => given is null && consuming.Beside is null;

    /// <summary>The connection.</summary>
    /// <exception cref="Amqp.Client.AmqpConnectionException">There is none to be had.</exception>
    /// <exception cref="ObjectDisposedException">It has been closed.</exception>
    public Task<WireConnection> GetAsync(CancellationToken cancellationToken)
    {
        if (given is not null)
        {
            return given(cancellationToken);
        }

        if (consuming.Beside is not { } beside)
        {
            return Task.FromResult(consuming);
        }

        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(WireConsumer));
            if (!_isHeld)
            {
                beside.Hold();
                _isHeld = true;
            }
        }

        return beside.GetAsync(cancellationToken);
    }

    /// <summary>Releases what was made for it.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public Task CloseAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            _isClosed = true;
            if (!_isHeld)
            {
                return Task.CompletedTask;
            }

            _isHeld = false;
        }

        return consuming.Beside!.ReleaseAsync(cancellationToken);
    }
}
