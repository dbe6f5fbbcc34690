namespace Wire.Benchmarks;

/// <summary>Consuming from a broker that has all messages already.</summary>
internal static class ConsumeStreamTables
{
    public static IEnumerable<StreamScenario> All(StreamBroker broker) =>
    [
        Numbers("Consuming from RabbitMQ, 8 B", 10_000_000, new FilledStream(broker, StreamLoad.Small, perEntry: 1), isPlain: true),
        Numbers("Consuming from RabbitMQ, 8 B, 100 in an entry", 20_000_000, new FilledStream(broker, StreamLoad.Small, perEntry: 100), isPlain: false),
        Objects("Consuming from RabbitMQ, POCO", 2_000_000, new FilledStream(broker, StreamLoad.Object, perEntry: 1)),
        Objects("Consuming from RabbitMQ, POCO, 100 in an entry", 2_000_000, new FilledStream(broker, StreamLoad.Object, perEntry: 100)),
    ];

    private static StreamScenario Numbers(string name, int messages, FilledStream source, bool isPlain) => new(
        name,
        IsOnOneCore: false,
        [
            new HandStreamConsumer(parse: false, messages, source),
            .. isPlain ? (BrokerRow[])[new HandStreamConsumer(parse: true, messages, source)] : [],
            new StreamConsumerRow("batch lane", StreamHandling.NumbersTogether(), crc: false, messages, source),
            new StreamConsumerRow("batch lane", StreamHandling.NumbersTogether(), crc: true, messages, source),
            new StreamConsumerRow("message lane", StreamHandling.Numbers(), crc: true, messages, source),
        ]);

    private static StreamScenario Objects(string name, int messages, FilledStream source) => new(
        name,
        IsOnOneCore: false,
        [
            new HandStreamConsumer(parse: false, messages, source),
            new StreamConsumerRow("typed lane", StreamHandling.Objects(), crc: true, messages, source),
        ]);
}
