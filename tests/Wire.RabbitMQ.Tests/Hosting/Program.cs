using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>What a host is to its services: starts and stops the hosted ones, and disposes of all.</summary>
internal sealed class Program : IAsyncDisposable
{
    private readonly ServiceProvider _provider;

    public Program(
        WireTransport transport,
        ConnectionFactory factory,
        Action<WireRabbitMQBuilder>? build = null,
        Action<WireRabbitMQOptions>? configure = null)
    {
        var services = new ServiceCollection();
        WireRabbitMQBuilder builder = services.AddWireRabbitMQ(options =>
        {
            options.Transport = transport;
            options.ConnectionFactory = factory;
            options.Serializer = Shop.Serializer.Serializer.Options;
            configure?.Invoke(options);
        });
        build?.Invoke(builder);
        _provider = services.BuildServiceProvider(new ServiceProviderOptions { ValidateScopes = true });
    }

    public WirePublisher Publisher => _provider.GetRequiredService<WirePublisher>();

    public WireRequester Requester => _provider.GetRequiredService<WireRequester>();

    public WireConnections Connections => _provider.GetRequiredService<WireConnections>();

    public static async Task<Program> StartAsync(WireTransport transport, Action<WireRabbitMQBuilder> build)
    {
        var program = new Program(transport, Broker.Node.Factory(), build);
        await program.StartAsync();
        return program;
    }

    public async Task StartAsync()
    {
        foreach (IHostedService service in _provider.GetServices<IHostedService>())
        {
            await service.StartAsync(CancellationToken.None).InTime();
        }
    }

    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        foreach (IHostedService service in _provider.GetServices<IHostedService>().Reverse())
        {
            await service.StopAsync(cancellationToken).InTime();
        }

        foreach (IHostedLifecycleService service in _provider.GetServices<IHostedService>().OfType<IHostedLifecycleService>().Reverse())
        {
            await service.StoppedAsync(cancellationToken).InTime();
        }
    }

    public ValueTask DisposeAsync() => _provider.DisposeAsync();
}
