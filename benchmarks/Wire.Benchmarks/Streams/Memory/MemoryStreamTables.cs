namespace Wire.Benchmarks;

/// <summary>Chunks from memory on one core: what reading costs without a broker.</summary>
internal static class MemoryStreamTables
{
    public static IEnumerable<StreamScenario> All() => [Numbers(), Objects(), Sections()];

    private static StreamScenario Numbers()
    {
        const int Messages = 40_000_000;
        var feed = new ChunkFeed(StreamLoad.Small);
        return new StreamScenario(
            "From memory, 8 B",
            IsOnOneCore: true,
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
            ]);
    }

    private static StreamScenario Objects()
    {
        const int Messages = 5_000_000;
        var feed = new ChunkFeed(StreamLoad.Object);
        return new StreamScenario(
            "From memory, POCO",
            IsOnOneCore: true,
            [
                new ObjectsByHand(Messages, feed),
                new LaneRow("typed lane", StreamHandling.Objects(), crc: false, Messages, feed),
                new LaneRow("typed lane", StreamHandling.Objects(), crc: true, Messages, feed),
                new ConsumerRow("typed lane", StreamHandling.Objects(), Messages, feed),
            ]);
    }

    private static StreamScenario Sections()
    {
        const int Messages = 5_000_000;
        var feed = new ChunkFeed(StreamLoad.Amqp);
        return new StreamScenario(
            "From memory, AMQP 1.0 with properties",
            IsOnOneCore: true,
            [
                new DataByHand(Messages, feed),
                new SectionsInOnePass(Messages, feed),
                new LaneRow("message lane, data alone", StreamHandling.Data(), crc: false, Messages, feed),
                new LaneRow("message lane, data alone", StreamHandling.Data(), crc: true, Messages, feed),
                new LaneRow("message lane, data, properties and an application property", StreamHandling.Sections(), crc: true, Messages, feed),
            ]);
    }
}
