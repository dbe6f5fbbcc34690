using RabbitMQ.Client;
using Wire.RabbitMQ;

namespace Wire.Benchmarks;

/// <summary>What Wire.RabbitMQ and RabbitMQ.Client do with a real broker, which <c>WIRE_RABBITMQ_URI</c> names.</summary>
internal static class BrokerBench
{
    /// <summary>How large a body is, about.</summary>
    public const int Payload = 512;

    private const int Rounds = 5;

    private static readonly ConnectionFactory Factory = new();

    public static WireBodySerializer Serializer { get; } = new(new SerializerOptions { TypeFilter = TypeFilter.Default.AllowDerivedFrom<Parcel>() });

    /// <summary>Measures, prints the tables, and writes them into docs/rabbitmq.md.</summary>
    public static async Task RunAsync(Options options)
    {
        Factory.Uri = Uri(options.Mode);
        BrokerScenario[] all =
        [
            new("Sending, 512 B, durable queue, confirmed", [new ChannelPerMessage(), new AwaitEach(), new TrackedBatches(), new CountedByHand(), new WithWirePublisher()], 0, 1, 3),
            new("Receiving, 512 B, durable queue", [new OneAtATime(TimeSpan.Zero, 4_000), new ByteArrays(), new WithWireConsumer(TimeSpan.Zero, 20_000, 2)], 0, 1),
            new("Receiving, 512 B, 1 ms to handle each", [new OneAtATime(TimeSpan.FromMilliseconds(1), 500), new WithWireConsumer(TimeSpan.FromMilliseconds(1), 10_000, 32)], 0),
        ];
        IReadOnlySet<string> selected = options.Select(all.Select(scenario => scenario.Name));
        string text = $"`{options.Command}`, {DateTime.UtcNow:yyyy-MM-dd}\n\n{Machine.Describe()}\n\nMedians of {Rounds} interleaved rounds; a ratio is the median of the rounds' ratios.\n\n";
        foreach (BrokerScenario scenario in all.Where(scenario => selected.Contains(scenario.Name)))
        {
            text += await scenario.MeasureAsync(Rounds) + "\n";
        }

        Console.WriteLine(text);
        if (options.IsAll)
        {
            Report.Section(Pages.RabbitMQ, "rabbitmq", text);
        }
    }

    /// <summary>The broker.</summary>
    public static Uri Uri(string mode) => Environment.GetEnvironmentVariable("WIRE_RABBITMQ_URI") is { Length: > 0 } uri
        ? new Uri(uri)
        : throw new UsageException($"{mode} needs a broker: eval \"$(eng/rabbitmq.sh start)\", or WIRE_RABBITMQ_URI=amqp://...; ./bench.sh {mode} starts one.");

    /// <summary>A connection that is not recovered.</summary>
    public static Task<IConnection> ConnectAsync() => Factory.CreateConnectionAsync();

    /// <summary>A durable queue of this run, which goes with its connection.</summary>
    public static async Task<string> DeclareQueueAsync(IConnection connection)
    {
        await using IChannel channel = await connection.CreateChannelAsync();
        string name = $"wire-bench-{Guid.NewGuid():N}";
        await channel.QueueDeclareAsync(name, durable: true, exclusive: true, autoDelete: false);
        return name;
    }
}
