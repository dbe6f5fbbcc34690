using Wire.Benchmarks.Growth;

namespace Wire.Benchmarks.Reports;

/// <summary>What Wire is meant to reach, and where the figure is found in the results.</summary>
/// <param name="Text">What is compared with what.</param>
/// <param name="Limit">The bound.</param>
/// <param name="AtLeast">Whether the figure has to reach the bound, and not to stay within it.</param>
/// <param name="Find">The figure; null when it was not measured.</param>
internal sealed record Target(string Text, double Limit, bool AtLeast, Func<Results, double?> Find)
{
    public static IReadOnlyList<Target> All { get; } =
    [
        // What queues and actor systems have comes first.
        RoundTrip("Mixed types", "Wire, defaults", 1.15),
        RoundTrip("Mixed types", "Wire, long-lived session", 1),
        new("Messages of 1 to 200 types in random order: the worst round trip, of a switch by hand", 1.5, false, WorstOfManyTypes),
        RoundTrip("Varied text", "Wire, defaults", 0.45),
        Between("Two serializers", "Wire, two serializers in turn", "Wire, one serializer twice", 1.1),
        RoundTrip("POCO", "Wire, defaults", 0.85),
        Between("POCO", "Wire, long-lived session", "Wire, defaults", 1),
        RoundTrip("POCO", "Wire, SerializeTyped", 0.85),
        RoundTrip("POCO", "Wire, known type", 0.85),
        new("POCO, Wire, defaults: round trip, of the fastest peer that carries the type", 1, false, results =>
            Row(results, "POCO", "Wire, defaults")?.RoundTrip?.Ratio / results.Scenarios.FirstOrDefault(item => item.Name == "POCO")?.Rows
                .Where(row => row.Typing == Typing.Polymorphic && !row.Name.StartsWith("Wire", StringComparison.Ordinal))
                .Min(peer => peer.RoundTrip?.Ratio)),
        Bytes("POCO", "Wire, SerializeTyped", 49),
        Bytes("POCO", "Wire, defaults", 130),
        Bytes("POCO", "Wire, no version tolerance", 75),
        Bytes("POCO", "Wire, long-lived session", 44),
        new("POCO, Wire, defaults: write allocates, bytes", 0, false, results => Row(results, "POCO", "Wire, defaults")?.Write?.Bytes),
        new(
            "POCO, Wire, defaults: read allocates, bytes beside the objects returned",
            0,
            false,
            results => Row(results, "POCO", "Wire, defaults")?.Read?.Bytes - Floor(results, "POCO")?.Read?.Bytes),
        RoundTrip("One int", "Wire, defaults", 1.5),
        RoundTrip("One int", "Wire, long-lived session", 1.3),
        RoundTrip("Actor arguments", "Wire, defaults", 1.5),
        RoundTrip("40 members", "Wire, defaults", 0.9),
        RoundTrip("List of POCOs", "Wire, defaults", 0.9),
        RoundTrip("Array of POCOs", "Wire, defaults", 0.9),
        RoundTrip("ImmutableList of POCOs", "Wire, defaults", 1.3),
        RoundTrip("Dictionary of POCOs", "Wire, defaults", 0.85),
        RoundTrip("Items behind an interface", "Wire, defaults", 1),
        RoundTrip("Tree with parent links", "Wire, defaults", 1.9),
        new("Tree of 10,000,000 nodes with parent links: round trip, of code written by hand", 1.5, false, LargestTree),
        .. Throughputs("int[1,000,000]", "Wire, defaults"),
        .. Throughputs("1 MB of mixed text", "Wire, defaults"),
        new("1 MB of mixed text: round trip, times as fast as transcoding to UTF-8", 5, true, results =>
            Row(results, "1 MB of mixed text", "By hand, transcoding to UTF-8")?.RoundTrip?.Nanoseconds
                / Row(results, "1 MB of mixed text", "Wire, defaults")?.RoundTrip?.Nanoseconds),
        new(
            "16 threads with one serializer, of a thread per core with its own",
            0.95,
            true,
            results => Comparison(results, Throughput.Name)),
        new("Cold start of one type, of System.Text.Json's reflection mode", 1, false, results => Comparison(results, ColdStart.Name)),
    ];

    /// <summary>Whether a figure is what was wanted. It is judged as it is printed.</summary>
    public bool Holds(double figure) => AtLeast ? Math.Round(figure, 2) >= Limit : Math.Round(figure, 2) <= Limit;

    public static Target RoundTrip(string scenario, string row, double limit) =>
        new($"{scenario}, {row}: round trip, of the floor", limit, false, results => Row(results, scenario, row)?.RoundTrip?.Ratio);

    private static Target Between(string scenario, string row, string other, double limit) =>
        new($"{scenario}, {row}: round trip, of {other}", limit, false, results =>
            Row(results, scenario, row)?.RoundTrip?.Ratio / Row(results, scenario, other)?.RoundTrip?.Ratio);

    private static Target[] Throughputs(string scenario, string row) =>
    [
        new($"{scenario}, {row}: write, throughput of a block copy's", 0.9, true, results => 1 / Row(results, scenario, row)?.Write?.Ratio),
        new($"{scenario}, {row}: read, throughput of a block copy's", 0.9, true, results => 1 / Row(results, scenario, row)?.Read?.Ratio),
    ];

    private static Target Bytes(string scenario, string row, int limit) =>
        new($"{scenario}, {row}: bytes", limit, false, results => Row(results, scenario, row)?.Payload);

    public static RowResult? Row(Results results, string scenario, string row) =>
        results.Scenarios.FirstOrDefault(item => item.Name == scenario)?.Rows.FirstOrDefault(item => item.Name == row);

    public static RowResult? Floor(Results results, string scenario) =>
        results.Scenarios.FirstOrDefault(item => item.Name == scenario)?.Rows[0];

    /// <summary>
    /// At the largest size both lines end with the memory of the machine: what they differ by shows whether Wire grows faster.
    /// </summary>
    private static double? LargestTree(Results results)
    {
        Series[]? lines = results.Growth.FirstOrDefault(
            growth => growth.Name == GrowthSweeps.TreeName && growth.Sizes[^1] == GrowthSweeps.MostNodes)?.Series.ToArray();
        return lines is [var write, var read, var writeByHand, var readByHand]
            ? (write.Values[^1] + read.Values[^1]) / (writeByHand.Values[^1] + readByHand.Values[^1])
            : null;
    }

    private static double? WorstOfManyTypes(Results results)
    {
        Series[]? lines = results.Growth.FirstOrDefault(growth => growth.Name == GrowthSweeps.MessagesName)?.Series.ToArray();
        return lines is [var write, var read, var writeByHand, var readByHand]
            ? Enumerable.Range(0, write.Values.Count)
                .Max(i => (write.Values[i] + read.Values[i]) / (writeByHand.Values[i] + readByHand.Values[i]))
            : null;
    }

    private static double? Comparison(Results results, string name) => results.Comparisons.FirstOrDefault(item => item.Name == name)?.Ratio;
}
