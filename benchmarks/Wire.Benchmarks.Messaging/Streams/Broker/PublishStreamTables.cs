using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>Publishing to a broker, until it has confirmed all of it.</summary>
internal static class PublishStreamTables
{
    public static IEnumerable<MessageTable> All(StreamBroker broker) =>
    [
        Of("Publishing to RabbitMQ, 8 B", StreamLoad.Small, 1, 1_000_000, broker),
        Of("Publishing to RabbitMQ, 100 B", StreamLoad.Hundred, 1, 1_000_000, broker),
        Of("Publishing to RabbitMQ, POCO", StreamLoad.Object, 1, 1_000_000, broker),
        Of("Publishing to RabbitMQ, 8 B, 100 in an entry", StreamLoad.Small, 100, 5_000_000, broker),
        Of("Publishing to RabbitMQ, POCO, 100 in an entry", StreamLoad.Object, 100, 2_000_000, broker),
    ];

    private static MessageTable Of(string name, StreamLoad load, int perEntry, int messages, StreamBroker broker) => new(
        name,
        StreamBench.BrokerColumns,
        [
            new HandPublishRow(load, perEntry, messages, broker),
            new ProducerRow(awaited: false, load, perEntry, messages, broker),
            new ProducerRow(awaited: true, load, perEntry, messages, broker),
        ],
        0);
}
