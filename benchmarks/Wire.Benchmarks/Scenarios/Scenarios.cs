namespace Wire.Benchmarks;

/// <summary>All scenarios, in the order of the tables.</summary>
internal static class Scenarios
{
    public static IReadOnlyList<Scenario> All { get; } =
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
        new DoubleScenario(),
        new UInt64Scenario(),
        new SegmentsScenario(),
        new TableScenario(),
        new PublishScenario(),
        new MessageScenario(),
        .. BodyScenario.Sizes.Select(size => new BodyScenario(size.Size, size.Name)),
    ];
}
