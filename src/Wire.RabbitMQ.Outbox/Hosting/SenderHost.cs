using Microsoft.Extensions.Hosting;

namespace Wire.RabbitMQ.Outbox.Hosting;

/// <summary>
/// Sends as long as the host runs: until its services have stopped, as handlers that end add messages, and before the publisher is closed.
/// </summary>
internal sealed class SenderHost(OutboxSender sender) : IHostedLifecycleService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        sender.Start();
        return Task.CompletedTask;
    }

    public Task StoppedAsync(CancellationToken cancellationToken) => sender.StopAsync(cancellationToken);

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
