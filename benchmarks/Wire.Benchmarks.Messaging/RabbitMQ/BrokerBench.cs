using RabbitMQ.Client;
using Wire.Benchmarks.Messaging.Lane;
using Wire.Benchmarks.Reports;
using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>What Wire.RabbitMQ and RabbitMQ.Client do with a real broker, which <c>WIRE_RABBITMQ_URI</c> names.</summary>
internal static class BrokerBench
{
    /// <summary>How large a body is, about.</summary>
    public const int Payload = 512;

    private static IReadOnlyList<Column> Columns => LaneBench.Columns;

    public static WireBodySerializer Serializer { get; } =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Parcel>() });

    /// <summary>Measures, prints the tables, and writes them into docs/performance/rabbitmq.md.</summary>
    public static async Task RunAsync(Options options)
    {
        MeasuredBroker.Require(options.Mode);
        MessageTable[] withBroker =
        [
            new MessageTable(
                "Sending, 512 B, durable queue, confirmed",
                Columns,
                [
                    new TrackedBatches(),
                    new ChannelPerMessage(),
                    new AwaitEach(),
                    new CountedByHand(),
                    new WithWirePublisher(WireTransport.Client),
                    new WithWirePublisher(WireTransport.DirectLane),
                    new WithWirePublisher(WireTransport.DirectLane, type: "Company.Product.Orders.Contracts.OrderPlaced"),
                    new WithAmqpChannel(),
                ],
                0),
            new MessageTable(
                "Sending, 1 MB, durable queue, confirmed",
                Columns,
                [new WithWirePublisher(WireTransport.DirectLane, 1 << 20, 300), new WithWirePublisher(WireTransport.Client, 1 << 20, 300)],
                0),
            new MessageTable(
                "Receiving, 512 B, durable queue",
                Columns,
                [
                    new OneAtATime(TimeSpan.Zero, 4_000),
                    new Objects(),
                    new ByteArrays(),
                    new WithWireConsumer(WireTransport.Client, TimeSpan.Zero, 50_000, 2),
                    new WithWireConsumer(WireTransport.DirectLane, TimeSpan.Zero, 50_000, 2),
                ],
                1),
            new MessageTable(
                "Receiving, 512 B, 1 ms to handle each",
                Columns,
                [
                    new OneAtATime(TimeSpan.FromMilliseconds(1), 500),
                    new WithWireConsumer(WireTransport.Client, TimeSpan.FromMilliseconds(1), 10_000, 32),
                    new WithWireConsumer(WireTransport.DirectLane, TimeSpan.FromMilliseconds(1), 10_000, 32),
                ],
                0),
            .. GatheredTables.All(Columns),
        ];
        MessageTable[] rows =
            [MiddlewareTable.Table, TelemetryTable.Table, .. withBroker.Select(table => table with { UsesBroker = true })];
        await new PageSection(Page.RabbitMQ, "rabbitmq", PageSection.Medians).WriteAsync(
            options,
            [
                .. rows.Select(table => (table.Name, (Func<Task<string>>)table.MeasureAsync)),
                (GatheredDelays.Name, GatheredDelays.MeasureAsync),
            ]);
    }

    /// <summary>A connection for the library.</summary>
    public static Task<WireConnection> ConnectAsync(WireTransport transport) => transport == WireTransport.Client
        ? Factory().ConnectWireAsync()
        : WireConnection.ConnectAsync(MeasuredBroker.Current.Uri.ToString());

    /// <summary>A connection that is not recovered.</summary>
    public static Task<IConnection> ConnectAsync() => Factory().CreateConnectionAsync();

    /// <summary>A durable queue of this run, which its row deletes.</summary>
    public static async Task<string> DeclareQueueAsync(IConnection connection)
    {
        await using IChannel channel = await connection.CreateChannelAsync();
        string name = $"wire-bench-{Guid.NewGuid():N}";
        await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false);
        return name;
    }

    private static ConnectionFactory Factory() => new() { Uri = MeasuredBroker.Current.Uri };
}
