using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Hosting;

/// <summary>
/// Declares and starts the consumers of a broker with the host, and drains them when it stops; then, when no other hosted service runs that
/// may publish, closes the publisher and the connections. All of that is within the time that the host has for stopping.
/// </summary>
internal sealed class ConsumerHost(IServiceProvider provider, HostedBroker broker) : IHostedLifecycleService
{
    private readonly Lock _gate = new();
    private readonly List<HostedConsumer> _consumers = [];

    /// <summary>Gets the consumers that were started, or begin to be. A copy.</summary>
    public IReadOnlyList<HostedConsumer> Consumers
    {
        get
        {
            lock (_gate)
            {
                return [.. _consumers];
            }
        }
    }

    /// <summary>Gets the broker.</summary>
    public HostedBroker Broker => broker;

    /// <summary>Gets its connections.</summary>
    public WireConnections Connections => provider.GetRequiredKeyedService<WireConnections>(broker.Name);

    /// <summary>Checks the configurations of all brokers, before any service starts: the first of them tells of all.</summary>
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        HostedBroker.Require(provider.GetServices<HostedBroker>());
        return Task.CompletedTask;
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        HostedBroker.Require([broker]);
        if (broker.Declarations.Count == 0 && broker.Consumers.Count == 0)
        {
            return;
        }

        try
        {
            await CheckHandlersAsync().ConfigureAwait(false);
            WireConnection connection = await Connections.GetConsumingAsync(cancellationToken).ConfigureAwait(false);
            foreach (Declaration declare in broker.Declarations)
            {
                await declare(connection.Topology, cancellationToken).ConfigureAwait(false);
            }

            foreach (ConsumerRegistration registration in broker.Consumers)
            {
                await StartAsync(connection, registration, cancellationToken).ConfigureAwait(false);
            }
        }
        catch
        {
            // A host that does not start is not stopped either.
            await StopAsync(CancellationToken.None).ConfigureAwait(false);
            throw;
        }
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Drains the consumers of all brokers together: one after the other they could need more time than the host has.</summary>
    public Task StopAsync(CancellationToken cancellationToken) => Task.WhenAll(
        provider.GetServices<HostedBroker>()
            .SelectMany(each => provider.GetRequiredKeyedService<ConsumerHost>(each.Name).Consumers)
            .Select(each => each.Consumer.StopAsync(cancellationToken)));

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        await provider.GetRequiredKeyedService<HostedPublisher>(broker.Name).CloseAsync(cancellationToken).ConfigureAwait(false);
        await Connections.CloseAsync(cancellationToken).ConfigureAwait(false);
    }

    // Missing registrations of handlers' dependencies are found now, not with the first message.
    private async Task CheckHandlersAsync()
    {
        AsyncServiceScope scope = provider.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            foreach (ConsumerRegistration registration in broker.Consumers)
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

    private async Task StartAsync(WireConnection connection, ConsumerRegistration registration, CancellationToken cancellationToken)
    {
        WireConsumerOptions options = broker.OptionsOf(registration);
        var consumer = new WireConsumer(
            connection,
            provider.GetRequiredKeyedService<WireBodySerializer>(broker.Name),
            options,
            provider.GetService<ILogger<WireConsumer>>(),
            Connections.GetPublishingAsync);
        consumer.Scopes = provider.GetRequiredService<IServiceScopeFactory>();
        foreach (Action<WireConsumer> step in registration.Steps)
        {
            step(consumer);
        }

        lock (_gate)
        {
            _consumers.Add(new HostedConsumer(consumer, options, connection));
        }

        await consumer.StartAsync(cancellationToken).ConfigureAwait(false);
    }
}

/// <summary>A consumer that the host has started.</summary>
/// <param name="Consumer">The consumer.</param>
/// <param name="Options">Its options, with what the configuration says.</param>
/// <param name="Connection">The connection that it consumes on.</param>
internal sealed record HostedConsumer(WireConsumer Consumer, WireConsumerOptions Options, WireConnection Connection);
