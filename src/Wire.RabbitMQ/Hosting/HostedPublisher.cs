namespace Wire.RabbitMQ.Hosting;

/// <summary>
/// The publisher of a host, if a service has asked for it: it is closed while the host still waits, and not only with its services, for
/// which there is no limit.
/// </summary>
internal sealed class HostedPublisher
{
    private WirePublisher? _made;

    /// <summary>Notes the publisher that was made.</summary>
    public WirePublisher Add(WirePublisher made) => _made = made;

    /// <summary>Closes it, within the time that the host has for stopping.</summary>
    public Task CloseAsync(CancellationToken cancellationToken) =>
        Volatile.Read(ref _made)?.CloseAsync(cancellationToken) ?? Task.CompletedTask;
}
