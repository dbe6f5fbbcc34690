using System.Text;

namespace Wire.Benchmarks.Reports;

/// <summary>
/// Writes what was measured of serialization into docs/performance/serializer.md, and draws the charts beside it. The parts serve other
/// pages too.
/// </summary>
internal static class Report
{
    private const string Charts = "charts";

    /// <summary>Writes the page from a file of results; the sections and charts of what it does not have stay.</summary>
    public static void Write(Options options)
    {
        Results results = Results.Load(options.Json);
        string charts = Path.Combine(Page.Folder, Charts);
        Directory.CreateDirectory(charts);
        if (results.Scenarios.Count > 0)
        {
            Page.Serializer.Write("targets", Source(results.ScenarioRun) + Targets(results, Target.All));
            Page.Serializer.Write("overview", Overview(results, charts));
            Page.Serializer.Write("scenarios", Source(results.ScenarioRun) + Tables(results) + Comparisons(results));
        }

        if (results.Growth.Count > 0)
        {
            IEnumerable<string> tables = results.Growth.Select(growth => $"### {growth.Name}\n\n{Table.Format(growth)}\n");
            Page.Serializer.Write("growth", Source(results.GrowthRun) + string.Concat(tables));
        }
    }

    /// <summary>Targets, and whether they hold.</summary>
    public static string Targets(Results results, IEnumerable<Target> targets) => Table.Format(
    [
        ["What", "target", "measured", "holds"],
        .. targets.Select(target => (target, figure: target.Find(results))).Select(item => (string[])
        [
            item.target.Text,
            (item.target.AtLeast ? "≥ " : "≤ ") + Table.Number(item.target.Limit, "0.##"),
            item.figure is { } figure ? Table.Number(figure, "0.##") : "–",
            item.figure is { } measured ? item.target.Holds(measured) ? "yes" : "**no**" : "–",
        ]),
    ]);

    /// <summary>The tables of scenarios.</summary>
    public static string Tables(Results results) =>
        string.Concat(results.Scenarios.Select(scenario => $"### {scenario.Name}\n\n{Table.Format(scenario)}\n"));

    /// <summary>What figures were made with.</summary>
    public static string Source(Run? run) => run is null ? "" : $"`{run.Command}`, {run.Date}\n\n{run.Machine}\n\n{run.Method}\n\n";

    private static string Overview(Results results, string charts)
    {
        var text = new StringBuilder();
        foreach ((string file, string scenario) in (ReadOnlySpan<(string, string)>)[("mixed", Traffic.MixedTypes), ("poco", "POCO")])
        {
            RowResult[] rows =
                [.. results.Scenarios.Where(item => item.Name == scenario).SelectMany(item => item.Rows).Where(row => row.Missing is null)];
            if (rows.Length > 0)
            {
                Add(
                    $"{file}-round-trip",
                    $"{scenario}: one round trip, code written by hand = 1",
                    "x",
                    rows.Select(row => Of(row, row.RoundTrip?.Ratio ?? 0)));
                Add($"{file}-payload", $"{scenario}: payload", "bytes", rows.Select(row => Of(row, row.Payload)));
            }
        }

        Bar[] ratios = [.. results.Scenarios
            .Where(scenario => scenario.Rows[0].Typing == Typing.Floor)
            .Select(scenario => (scenario.Name, Wire: scenario.Rows.FirstOrDefault(
                row => row.Name.StartsWith("Wire", StringComparison.Ordinal) && row.Typing == Typing.Polymorphic)?.RoundTrip))
            .Where(item => item.Wire is not null)
            .Select(item => new Bar(item.Name, item.Wire!.Ratio, IsOwn: true))];
        if (ratios.Length > 0)
        {
            Add("ratios", "Wire with the types on board: round trip, code written by hand = 1", "x", ratios);
        }

        return text.ToString();

        static Bar Of(RowResult row, double value) => new(row.Name, value, row.Name.StartsWith("Wire", StringComparison.Ordinal));

        void Add(string file, string title, string unit, IEnumerable<Bar> bars)
        {
            File.WriteAllText(Path.Combine(charts, file + ".svg"), BarChart.Draw(title, unit, [.. bars]));
            text.Append("![").Append(title).Append("](").Append(Charts).Append('/').Append(file).Append(".svg)\n\n");
        }
    }

    private static string Comparisons(Results results) =>
        results.Comparisons.Count > 0 ? $"### Threads and first messages\n\n{Table.Format(results.Comparisons)}" : "";
}
