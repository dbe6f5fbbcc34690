using Wire.Amqp.Client;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>
/// A super stream of the real broker, declared over AMQP as brokers before 3.13 need it. Its partitions are bound by "0", "1" and so on.
/// </summary>
internal sealed class TestSuperStream : IAsyncDisposable
{
    private readonly AmqpConnection _connection;
    private readonly AmqpChannel _channel;
    private readonly StreamClient _client = new(StreamBroker.Options);

    private TestSuperStream(AmqpConnection connection, AmqpChannel channel, int partitions)
    {
        _connection = connection;
        _channel = channel;
        Partitions = [.. Enumerable.Range(0, partitions).Select(i => $"{Name}-{i}")];
    }

    public string Name { get; } = Broker.UniqueName("super");

    public string[] Partitions { get; private set; }

    public static async Task<TestSuperStream> CreateAsync(int partitions)
    {
        AmqpConnection connection =
            await AmqpConnection.ConnectAsync(AmqpConnectionOptions.Parse(Environment.GetEnvironmentVariable("WIRE_RABBITMQ_URI")!));
        var super = new TestSuperStream(connection, await connection.OpenChannelAsync(), partitions);
        await super._channel.Topology.DeclareExchangeAsync(
            super.Name, "direct", new AmqpExchangeOptions { Arguments = new Dictionary<string, object?> { ["x-super-stream"] = true } });
        for (int i = 0; i < partitions; i++)
        {
            await super._client.CreateStreamAsync(super.Partitions[i]);
            await super.BindAsync($"{i}", i);
        }

        return super;
    }

    /// <summary>Adds a partition.</summary>
    public async Task AddAsync()
    {
        int number = Partitions.Length;
        Partitions = [.. Partitions, $"{Name}-{number}"];
        await _client.CreateStreamAsync(Partitions[number]);
        await BindAsync($"{number}", number);
    }

    public Task BindAsync(string routingKey, int partition) =>
        _channel.Topology.BindQueueAsync(
            Partitions[partition], Name, routingKey, new Dictionary<string, object?> { ["x-stream-partition-order"] = partition });

    public async ValueTask DisposeAsync()
    {
        await _channel.Topology.DeleteExchangeAsync(Name);
        foreach (string partition in Partitions)
        {
            if (await _client.ExistsAsync(partition))
            {
                await _client.DeleteStreamAsync(partition);
            }
        }

        await _client.DisposeAsync();
        await _connection.DisposeAsync();
    }
}
