using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>Consuming from a broker that has all messages already.</summary>
internal static class ConsumeStreamTables
{
    public static IEnumerable<MessageTable> All(StreamBroker broker) =>
    [
        Numbers("Consuming from RabbitMQ, 8 B", 10_000_000, new FilledStream(broker, StreamLoad.Small, perEntry: 1), isPlain: true),
        Numbers("Consuming from RabbitMQ, 8 B, 100 in an entry", 20_000_000, new FilledStream(broker, StreamLoad.Small, perEntry: 100), isPlain: false),
        Objects("Consuming from RabbitMQ, POCO", 2_000_000, new FilledStream(broker, StreamLoad.Object, perEntry: 1)),
        Objects("Consuming from RabbitMQ, POCO, 100 in an entry", 2_000_000, new FilledStream(broker, StreamLoad.Object, perEntry: 100)),
    ];

    private static MessageTable Numbers(string name, int messages, FilledStream source, bool isPlain) => new(
        name,
        StreamBench.BrokerColumns,
        [
            new HandStreamConsumer(parse: false, messages, source),
            .. isPlain ? (MessageRow[])[new HandStreamConsumer(parse: true, messages, source)] : [],
            new StreamConsumerRow("batch lane", StreamHandling.NumbersTogether(), crc: false, messages, source),
            new StreamConsumerRow("batch lane", StreamHandling.NumbersTogether(), crc: true, messages, source),
            new StreamConsumerRow("message lane", StreamHandling.Numbers(), crc: true, messages, source),
        ],
        0);

    private static MessageTable Objects(string name, int messages, FilledStream source) => new(
        name,
        StreamBench.BrokerColumns,
        [
            new HandStreamConsumer(parse: false, messages, source),
            new StreamConsumerRow("typed lane", StreamHandling.Objects(), crc: true, messages, source),
        ],
        0);
}
