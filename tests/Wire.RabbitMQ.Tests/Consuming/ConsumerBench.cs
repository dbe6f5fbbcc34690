using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>
/// What the tests of a consumer need: a connection of its own, which may go through a proxy, another one that nothing harms to publish and
/// look with, a queue, and the error queue that belongs to it.
/// </summary>
internal sealed class ConsumerBench : IAsyncDisposable
{
    private static readonly CreateChannelOptions Confirmed =
        new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);

    private readonly List<WireConsumer> _consumers = [];

    private ConsumerBench(TestConnection connection, IConnection looking, IChannel channel, string queue)
    {
        Connection = connection;
        Looking = looking;
        Channel = channel;
        Queue = queue;
    }

    public TestConnection Connection { get; }

    public IConnection Looking { get; }

    public IChannel Channel { get; }

    public string Queue { get; }

    public string ErrorQueue => Queue + ".error";

    /// <summary>Other queues that go with the test.</summary>
    public List<string> OtherQueues { get; } = [];

    public ConcurrentQueue<string> Log { get; } = new();

    public static async Task<ConsumerBench> MakeAsync(
        WireTransport transport, FaultProxy? proxy = null, Dictionary<string, object?>? arguments = null)
    {
        ConnectionFactory factory = Broker.Node.Factory();
        TestConnection connection = await TestConnection.ConnectAsync(transport, proxy is null ? factory : proxy.Route(factory));
        IConnection looking = await Broker.Node.ConnectAsync().InTime();
        IChannel channel = await looking.CreateChannelAsync(Confirmed).InTime();
        string queue = Broker.UniqueName("consuming");
        var bench = new ConsumerBench(connection, looking, channel, queue);
        await bench.DeclareAsync(arguments).InTime();
        return bench;
    }

    public Task DeclareAsync(Dictionary<string, object?>? arguments = null) =>
        Channel.QueueDeclareAsync(
            Queue, durable: arguments?.ContainsKey("x-queue-type") == true, exclusive: false, autoDelete: false, arguments);

    public WireConsumer Consumer(
        Func<WireConsumerOptions, WireConsumerOptions>? change = null,
        TestConnection? connection = null,
        WireBodySerializer? serializer = null)
    {
        var options = new WireConsumerOptions { Queue = Queue, MaxConcurrency = 4 };
        var consumer =
            (connection ?? Connection).Consumer(serializer ?? Shop.Serializer, change?.Invoke(options) ?? options, new LineLogger(Log));
        _consumers.Add(consumer);
        return consumer;
    }

    public async Task PublishAsync<T>(T message, Action<BasicProperties>? change = null)
    {
        var properties = new BasicProperties();
        change?.Invoke(properties);
        await Channel.PublishAsync(Shop.Serializer, "", Queue, message, properties, mandatory: true).AsTask().InTime();
    }

    public async Task PublishRawAsync(ReadOnlyMemory<byte> body, BasicProperties? properties = null) =>
        await Channel.BasicPublishAsync("", Queue, mandatory: true, properties ?? new BasicProperties(), body).AsTask().InTime();

    /// <summary>How many messages are in a queue and not with a consumer, and how many consumers it has.</summary>
    public Task<QueueDeclareOk> LookAsync(string queue) => Channel.QueueDeclarePassiveAsync(queue).InTime();

    /// <summary>Takes the next message of a queue, which has to come.</summary>
    public async Task<BasicGetResult> TakeAsync(string queue)
    {
        BasicGetResult? result = null;
        await Until(async () => (result = await Channel.BasicGetAsync(queue, autoAck: true)) is not null);
        return result!;
    }

    /// <summary>Waits for something that has no event of its own.</summary>
    public static async Task Until(Func<Task<bool>> condition)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (!await condition().InTime())
        {
            await Task.Delay(20, limit.Token);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (WireConsumer consumer in _consumers)
        {
            await consumer.DisposeAsync().AsTask().InTime();
        }

        await Connection.DisposeAsync();
        await using (IChannel channel = await Looking.CreateChannelAsync().InTime())
        {
            await channel.QueueDeleteAsync(Queue).InTime();
            await channel.QueueDeleteAsync(ErrorQueue).InTime();
            foreach (string other in OtherQueues)
            {
                await channel.QueueDeleteAsync(other).InTime();
            }
        }

        await Looking.DisposeAsync();
    }
}
