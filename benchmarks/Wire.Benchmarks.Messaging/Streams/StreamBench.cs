using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>What the client for streams does from memory and with a real broker, beside what is done by hand.</summary>
internal static class StreamBench
{
    /// <summary>The figures of all tables.</summary>
    public static readonly IReadOnlyList<Column> Columns =
    [
        new("B/message", "#,0.00", figures => figures.Bytes),
        new("CPU ns/message", "#,0.0", figures => figures.Nanoseconds),
    ];

    /// <summary>The figures where there is a broker.</summary>
    public static readonly IReadOnlyList<Column> BrokerColumns =
    [
        .. Columns,
        new("client CPU, of a core", "0 '%'", figures => 100 * figures.Client),
        new("broker CPU, of a core", "0 '%'", figures => 100 * figures.Broker),
        new("client's part of both", "0 '%'", figures => 100 * figures.Client / (figures.Client + figures.Broker)),
    ];

    /// <summary>Measures, prints the tables, and writes them into docs/performance/streams.md.</summary>
    public static async Task RunAsync(Options options)
    {
        await using StreamBroker broker = await StreamBroker.ConnectAsync(options.Mode);
        string cores = OneCore.IsSupported ? "all threads on one core" : "on all cores, since threads cannot be kept on one here";
        MessageTable[] rows =
        [
            .. MemoryStreamTables.All(),
            .. ConsumeStreamTables.All(broker).Concat(PublishStreamTables.All(broker)).Select(table => table with { UsesBroker = true }),
        ];
        await new PageSection(Page.Streams, "streams", $"{PageSection.Medians} From memory: {cores}.")
            .WriteAsync(
                options,
                [
                    .. rows.Select(table => (table.Name, (Func<Task<string>>)table.MeasureAsync)),
                    (StreamDelays.Name, new StreamDelays(broker).MeasureAsync),
                ]);
    }
}

/// <summary>Chunks from memory on one core: what reading costs without a broker.</summary>
internal static class MemoryStreamTables
{
    public static IEnumerable<MessageTable> All() =>
        ((MessageTable[])[Numbers(), Objects(), LeftOut(), Properties()]).Select(table => table with { IsOnOneCore = true });

    private static MessageTable Numbers()
    {
        const int Messages = 40_000_000;
        var feed = new ChunkFeed(StreamLoad.Small);
        return new MessageTable(
            "From memory, 8 B",
            StreamBench.Columns,
            [
                new SpanByHand(crc: false, Messages, feed),
                new SpanByHand(crc: true, Messages, feed),
                new LaneRow("batches", StreamHandling.NumbersTogether(), crc: false, Messages, feed),
                new LaneRow("batches", StreamHandling.NumbersTogether(), crc: true, Messages, feed),
                new LaneRow("messages", StreamHandling.Numbers(), crc: false, Messages, feed),
                new LaneRow("messages", StreamHandling.Numbers(), crc: true, Messages, feed),
                new ConsumerRow("batches", StreamHandling.NumbersTogether(), Messages, feed),
                new ConsumerRow("messages", StreamHandling.Numbers(), Messages, feed),
            ],
            0);
    }

    private static MessageTable Objects()
    {
        const int Messages = 5_000_000;
        var feed = new ChunkFeed(StreamLoad.Object);
        return new MessageTable(
            "From memory, POCO",
            StreamBench.Columns,
            [
                new ObjectsByHand(Messages, feed),
                new LaneRow("objects", StreamHandling.Objects(), crc: false, Messages, feed),
                new LaneRow("objects", StreamHandling.Objects(), crc: true, Messages, feed),
                new ConsumerRow("objects", StreamHandling.Objects(), Messages, feed),
            ],
            0);
    }

    private static MessageTable LeftOut()
    {
        const int Messages = 10_000_000;
        var feed = new ChunkFeed(StreamLoad.Object);
        return new MessageTable(
            "From memory, POCO, not read",
            StreamBench.Columns,
            [
                new ConsumerRow("batches", StreamHandling.ObjectsTogether(), Messages, feed),
                new ConsumerRow("none wanted", StreamHandling.Unwanted(), Messages, feed),
                new ConsumerRow("objects", StreamHandling.Objects(), Messages, feed),
            ],
            0);
    }

    private static MessageTable Properties()
    {
        const int Messages = 10_000_000;
        var feed = new ChunkFeed(StreamLoad.Described);
        return new MessageTable(
            "From memory, AMQP 1.0 with properties",
            StreamBench.Columns,
            [
                new LaneRow("messages, not looked at", StreamHandling.NotLookedAt(), crc: false, Messages, feed),
                new LaneRow("a field by the view", StreamHandling.Field(), crc: false, Messages, feed),
                new LaneRow("a field, all of them read", StreamHandling.AllFields(), crc: false, Messages, feed),
                new LaneRow("an application property", StreamHandling.Property(), crc: false, Messages, feed),
                new LaneRow("an application property by the map", StreamHandling.Map(), crc: false, Messages, feed),
            ],
            0);
    }
}

/// <summary>Consuming from a broker that has all messages already.</summary>
internal static class ConsumeStreamTables
{
    public static IEnumerable<MessageTable> All(StreamBroker broker) =>
    [
        Numbers("Consuming from RabbitMQ, 8 B", 10_000_000, new FilledStream(broker, StreamLoad.Small, perEntry: 1), isPlain: true),
        Numbers(
            "Consuming from RabbitMQ, 8 B, 100 in an entry",
            20_000_000,
            new FilledStream(broker, StreamLoad.Small, perEntry: 100),
            isPlain: false),
        Objects("Consuming from RabbitMQ, POCO", 2_000_000, new FilledStream(broker, StreamLoad.Object, perEntry: 1)),
        Objects("Consuming from RabbitMQ, POCO, 100 in an entry", 2_000_000, new FilledStream(broker, StreamLoad.Object, perEntry: 100)),
    ];

    private static MessageTable Numbers(string name, int messages, FilledStream source, bool isPlain) => new(
        name,
        StreamBench.BrokerColumns,
        [
            new HandStreamConsumer(parse: false, messages, source),
            .. isPlain ? (MessageRow[])[new HandStreamConsumer(parse: true, messages, source)] : [],
            new StreamConsumerRow("batches", StreamHandling.NumbersTogether(), crc: false, messages, source),
            new StreamConsumerRow("batches", StreamHandling.NumbersTogether(), crc: true, messages, source),
            new StreamConsumerRow("messages", StreamHandling.Numbers(), crc: true, messages, source),
        ],
        0);

    private static MessageTable Objects(string name, int messages, FilledStream source) => new(
        name,
        StreamBench.BrokerColumns,
        [
            new HandStreamConsumer(parse: false, messages, source),
            new StreamConsumerRow("objects", StreamHandling.Objects(), crc: true, messages, source),
        ],
        0);
}

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
