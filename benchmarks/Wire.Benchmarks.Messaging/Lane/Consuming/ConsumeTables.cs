using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Consuming;

/// <summary>Consuming from a broker, and from a process that delivers as fast as it is acknowledged.</summary>
internal static class ConsumeTables
{
    public static IEnumerable<MessageTable> All(Uri broker, SinkProcess sink) =>
    [
        Of("Consuming from RabbitMQ, 512 B", () => new BrokerSource(broker, Load.Small), Load.Small, 5_000, 10_000),
        Of("Consuming from RabbitMQ, 16 KB", () => new BrokerSource(broker, Load.Medium), Load.Medium, 2_000, 3_000),
        Of("Consuming from a source, 512 B", () => new SinkSource(sink, Load.Small), Load.Small, 20_000, 150_000),
        Of("Consuming from a source, 16 KB", () => new SinkSource(sink, Load.Medium), Load.Medium, 4_000, 15_000),
    ];

    private static MessageTable Of(string name, Func<IConsumeSource> source, Load load, int client, int own) => new(
        name,
        LaneBench.Columns,
        [
            new ClientConsumer(objects: false, 1, client, source(), load),
            new ClientConsumer(objects: false, ConsumeRow.Together, client, source(), load),
            new ClientConsumer(objects: true, 1, client, source(), load),
            new HandConsumer(objects: false, own, source(), load),
            new HandConsumer(objects: true, own, source(), load),
            new LaneConsumer(objects: false, own, source(), load),
            new LaneConsumer(objects: true, own, source(), load),
        ],
        0,
        3);
}
