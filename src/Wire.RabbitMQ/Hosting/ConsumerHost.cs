using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Hosting;

/// <summary>
/// Declares and starts consumers with the host, and drains them when it stops; then, when no other hosted service runs that may publish,
/// closes the publisher and the connections. All of that is within the time that the host has for stopping.
/// </summary>
internal sealed class ConsumerHost(
    IServiceProvider provider,
    HostedPublisher publisher,
    WireRabbitMQOptions options,
    IReadOnlyList<DeclarationRegistration> declarations,
    IReadOnlyList<ConsumerRegistration> registrations) : IHostedLifecycleService
{
    private readonly List<WireConsumer> _consumers = [];

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (declarations.Count == 0 && registrations.Count == 0)
        {
            return;
        }

        await CheckHandlersAsync().ConfigureAwait(false);
        WireConnections connections = provider.GetRequiredService<WireConnections>();
        WireConnection connection = await connections.GetConsumingAsync(cancellationToken).ConfigureAwait(false);
        foreach (DeclarationRegistration declaration in declarations)
        {
            await declaration.Declare(connection.Topology, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            foreach (ConsumerRegistration registration in registrations)
            {
                await StartAsync(connections, connection, registration, cancellationToken).ConfigureAwait(false);
            }
        }
        catch
        {
            // A host that does not start is not stopped either.
            await StopAsync(CancellationToken.None).ConfigureAwait(false);
            throw;
        }
    }

    public Task StopAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(_consumers.Select(consumer => consumer.StopAsync(cancellationToken)));

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        await publisher.CloseAsync(cancellationToken).ConfigureAwait(false);
        await provider.GetRequiredService<WireConnections>().CloseAsync(cancellationToken).ConfigureAwait(false);
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    // Missing registrations of handlers' dependencies are found now, not with the first message.
    private async Task CheckHandlersAsync()
    {
        AsyncServiceScope scope = provider.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            foreach (ConsumerRegistration registration in registrations)
            {
                foreach (Type handler in registration.Handlers)
                {
                    try
                    {
                        scope.ServiceProvider.GetRequiredService(handler);
                    }
                    catch (Exception e)
                    {
                        throw new InvalidOperationException(
                            $"The handler {handler} of the consumer of '{registration.Options.Queue}' cannot be made: {e.Message}", e);
                    }
                }
            }
        }
    }

    private async Task StartAsync(
        WireConnections connections, WireConnection connection, ConsumerRegistration registration, CancellationToken cancellationToken)
    {
        var consumer = new WireConsumer(
            connection,
            provider.GetRequiredService<WireBodySerializer>(),
            options.Effective(registration.Options),
            provider.GetService<ILogger<WireConsumer>>(),
            connections.GetPublishingAsync);
        var scopes = provider.GetRequiredService<IServiceScopeFactory>();
        consumer.Scopes = scopes;
        foreach (Action<WireConsumer, IServiceScopeFactory> step in registration.Steps)
        {
            step(consumer, scopes);
        }

        _consumers.Add(consumer);
        await consumer.StartAsync(cancellationToken).ConfigureAwait(false);
    }
}
