using MassTransit;
using RabbitMQ.Client;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>A broker, from which each test takes away what it has made.</summary>
public sealed class RabbitMQTests : TransportTests, IAsyncLifetime
{
    private readonly List<string> _queues = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        var factory = new ConnectionFactory { Uri = Broker.Node.Uri };
        await using IConnection connection = await factory.CreateConnectionAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        foreach (string name in _queues.SelectMany(queue => (string[])[queue, $"{queue}_error", $"{queue}_skipped"]))
        {
            await channel.QueueDeleteAsync(name).InTime();
            await channel.ExchangeDeleteAsync(name).InTime();
        }
    }

    protected override IBusControl Create(Action<IBusFactoryConfigurator> configure) => Bus.Factory.CreateUsingRabbitMq(bus =>
    {
        bus.Host(Broker.Node.Uri);
        configure(bus);
    });

    protected override void Note(IReceiveEndpointConfigurator endpoint) => _queues.Add(endpoint.InputAddress.Segments[^1]);
}
