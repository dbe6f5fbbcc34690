using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Scenarios;

/// <summary>What docs/performance.md is made of.</summary>
internal static class SerializerSuite
{
    public static Suite All { get; } = new(
    [
        new PocoScenario(),
        new OneIntScenario(),
        new OneStringScenario(),
        new OrderScenario(),
        new ArgumentsScenario(),
        new ListScenario(),
        new ArrayScenario(),
        new DictionaryScenario(),
        new TreeScenario(),
        new FiguresScenario(),
        new ImmutableListScenario(),
        new ImmutableDictionaryScenario(),
        new EventsScenario(),
        new IntsScenario(),
        new TextScenario(),
        new MetadataScenario(),
        new SessionScenario(),
    ],
    ([Throughput.Name], () => [Throughput.Measure()]),
    ([ColdStart.Name], () => [ColdStart.Measure()]));
}
