namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>What the figures of Wire.Amqp's codecs in docs/amqp.md are made of.</summary>
internal static class CodecSuite
{
    public static Suite All { get; } = new(
    [
        new DoubleScenario(),
        new UInt64Scenario(),
        new SegmentsScenario(),
        new TableScenario(),
        new PublishScenario(),
        new MessageScenario(),
        .. BodyScenario.Sizes.Select(size => new BodyScenario(size.Size, size.Name)),
    ],
    (PublishPath.Names, PublishPath.Measure));
}
