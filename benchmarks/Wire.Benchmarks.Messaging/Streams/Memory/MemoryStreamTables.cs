using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>Chunks from memory on one core: what reading costs without a broker.</summary>
internal static class MemoryStreamTables
{
    public static IEnumerable<MessageTable> All() =>
        ((MessageTable[])[Numbers(), Objects(), Sections()]).Select(table => table with { IsOnOneCore = true });

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
                new SequenceByHand(crc: false, Messages, feed),
                new SequenceByHand(crc: true, Messages, feed),
                new LaneRow("batch lane", StreamHandling.NumbersTogether(), crc: false, Messages, feed),
                new LaneRow("batch lane", StreamHandling.NumbersTogether(), crc: true, Messages, feed),
                new LaneRow("message lane", StreamHandling.Numbers(), crc: false, Messages, feed),
                new LaneRow("message lane", StreamHandling.Numbers(), crc: true, Messages, feed),
                new ConsumerRow("batch lane", StreamHandling.NumbersTogether(), Messages, feed),
                new ConsumerRow("message lane", StreamHandling.Numbers(), Messages, feed),
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
                new LaneRow("typed lane", StreamHandling.Objects(), crc: false, Messages, feed),
                new LaneRow("typed lane", StreamHandling.Objects(), crc: true, Messages, feed),
                new ConsumerRow("typed lane", StreamHandling.Objects(), Messages, feed),
            ],
            0);
    }

    private static MessageTable Sections()
    {
        const int Messages = 5_000_000;
        var feed = new ChunkFeed(StreamLoad.Amqp);
        return new MessageTable(
            "From memory, AMQP 1.0 with properties",
            StreamBench.Columns,
            [
                new DataByHand(Messages, feed),
                new SectionsInOnePass(Messages, feed),
                new LaneRow("message lane, data alone", StreamHandling.Data(), crc: false, Messages, feed),
                new LaneRow("message lane, data alone", StreamHandling.Data(), crc: true, Messages, feed),
                new LaneRow("message lane, data, properties and an application property", StreamHandling.Sections(), crc: true, Messages, feed),
            ],
            0);
    }
}
