using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Perfolizer.Horology;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Full;

/// <summary>The same rows as in quick mode, with BenchmarkDotNet.</summary>
internal static class FullRun
{
    public const string Write = "write";
    public const string Read = "read";
    public const string RoundTrip = "round trip";

    private const string Separator = ": ";
    private const string Method =
        "One operation, mean of BenchmarkDotNet, each row in a process of its own; `x` is the ratio of the means; `B` is allocated bytes; "
        + "S: both sides name the type in code, U: the payload says which one of a closed list, P: the payload says what it holds.";

    /// <summary>Measures, and writes the results to a file where one is asked for.</summary>
    public static void Run(Options options)
    {
        IReadOnlySet<string> wanted = options.Select(SerializerSuite.All.Scenarios.Select(scenario => scenario.Name));
        string[] filter = ["--filter", .. wanted.Select(name => $"*Rows.*{(options.IsAll ? "" : name.Replace(' ', '*'))}*").Distinct()];
        Summary[] summaries = [.. BenchmarkSwitcher.FromTypes([typeof(SmallRows), typeof(LargeRows)]).Run(filter)];
        ScenarioResult[] scenarios =
        [
            .. SerializerSuite.All.Scenarios
                .Where(scenario => wanted.Contains(scenario.Name))
                .Select(
                    scenario => new ScenarioResult(scenario.Name, [.. scenario.Rows().Select(row => Result(scenario, row, summaries))])),
        ];
        Comparison[] comparisons = options.IsAll ? [.. SerializerSuite.All.Comparisons.Select(item => item.Measure())] : [];
        Results.Update(options.Json, file => file.With(options, Method + SerializerSuite.All.Note, scenarios, comparisons));
    }

    /// <summary>The names of rows as parameters: the scenario's, and the row's.</summary>
    public static IEnumerable<string> Names(Func<Scenario, bool> predicate) =>
        from scenario in SerializerSuite.All.Scenarios.Where(predicate)
        from row in scenario.Rows()
        where row.Missing is null
        select scenario.Name + Separator + row.Name;

    /// <summary>Makes a row ready, and throws when it does not read what it writes.</summary>
    public static Row Prepare(string name)
    {
        Row row = Find(name);
        row.Prepare();
        return row;
    }

    // The name of the row that another one is compared with.
    private static string FloorOf(string name)
    {
        Scenario scenario = Of(name);
        return scenario.Name + Separator + scenario.Rows().First().Name;
    }

    private static Scenario Of(string name) =>
        SerializerSuite.All.Scenarios.Single(scenario => name.StartsWith(scenario.Name + Separator, StringComparison.Ordinal));

    private static Row Find(string name)
    {
        Scenario scenario = Of(name);
        return scenario.Rows().Single(row => scenario.Name + Separator + row.Name == name);
    }

    private static RowResult Result(Scenario scenario, Row row, Summary[] summaries)
    {
        if (row.Missing is not null)
        {
            return new RowResult(row.Name, row.Typing, 0, null, null, null, row.Missing);
        }

        row.Prepare();
        string name = scenario.Name + Separator + row.Name;
        return new RowResult(
            row.Name, row.Typing, row.Payload.Length / scenario.Units, Of(Write), Of(Read), Of(RoundTrip), null);

        Figures? Of(string category) => Figures(name, category, summaries) is { } figures
            ? figures with { Nanoseconds = figures.Nanoseconds / scenario.Units, Bytes = figures.Bytes / scenario.Units }
            : null;
    }

    private static Figures? Figures(string name, string category, Summary[] summaries)
    {
        BenchmarkReport? own = Report(name, category, summaries);
        double? floor = Report(FloorOf(name), category, summaries)?.ResultStatistics?.Mean;
        return own?.ResultStatistics is { } statistics
            ? new Figures(
                statistics.Mean, statistics.Mean / floor ?? double.NaN, own.GcStats.GetBytesAllocatedPerOperation(own.BenchmarkCase) ?? 0)
            : null;
    }

    private static BenchmarkReport? Report(string name, string category, Summary[] summaries) => summaries
        .SelectMany(summary => summary.Reports)
        .FirstOrDefault(report =>
            (string)report.BenchmarkCase.Parameters[nameof(SmallRows.Name)] == name
                && report.BenchmarkCase.Descriptor.Categories.Contains(category));
}

/// <summary>How BenchmarkDotNet measures rows: shorter iterations than its own, as there are hundreds of rows.</summary>
internal sealed class FullConfig : ManualConfig
{
    public FullConfig()
    {
        AddJob(Job.Default.WithIterationTime(TimeInterval.FromMilliseconds(150)).WithMinIterationCount(8).WithMaxIterationCount(15));
        AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: false)));
        WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(80));
    }
}
