using Wire.Benchmarks.Messaging.Lane;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The suite behind docs/performance/amqp.md.</summary>
internal static class CodecSuite
{
    public static Suite All { get; } = new(
    [
        new UInt64Scenario(),
        new SegmentsScenario(),
        new TableScenario(),
        new PublishScenario(),
        new MessageScenario(),
        .. BodyScenario.Sizes.Select(size => new BodyScenario(size.Size, size.Name)),
    ]);
}

/// <summary>The tables of docs/performance/amqp.md.</summary>
internal static class AmqpReport
{
    // What Wire.Amqp is meant to reach.
    private static IEnumerable<Target> Targets { get; } =
    [
        .. new[] { "AMQP uint64", "AMQP uint64 over segments" }.SelectMany(scenario => (Target[])
        [
            Target.RoundTrip(scenario, "Wire.Amqp", 1.1),
            new(
                $"{scenario}, Wire.Amqp: round trip allocates, bytes",
                0,
                false,
                results => Target.Row(results, scenario, "Wire.Amqp")?.RoundTrip?.Bytes),
        ]),
        .. BodyScenario.Sizes.SelectMany(size => (Target[])
        [
            new(
                $"{size.Name}, {BodyScenario.Own}: write allocates, bytes",
                0,
                false,
                results => Target.Row(results, size.Name, BodyScenario.Own)?.Write?.Bytes),
            new(
                $"{size.Name}, {BodyScenario.Own}: read allocates, bytes beside the object returned",
                BodyScenario.Disturbance,
                false,
                results =>
                    Target.Row(results, size.Name, BodyScenario.Own)?.Read?.Bytes - Target.Floor(results, size.Name)?.Read?.Bytes),
        ]),
    ];

    /// <summary>Writes the page's section from a file of results.</summary>
    public static void Write(Options options)
    {
        Results results = Results.Load(options.Json);
        string targets = $"### Targets\n\n{Report.Targets(results, Targets)}\n";
        Page.Amqp.Write("amqp", Report.Source(results.ScenarioRun) + targets + Report.Tables(results));
    }
}
