using System.Text;

namespace Wire.Benchmarks;

/// <summary>
/// Writes what was measured into docs/performance.md and docs/amqp.md, between markers, and draws the charts beside them. Prose outside of the markers stays,
/// and so do the sections and charts of what the results do not have.
/// </summary>
internal static class Report
{
    private const string Charts = "charts";
    private const string GrowthChart = "growth-";

    public static void Write(Options options)
    {
        Results results = Results.Load(options.Json ?? throw new ArgumentException("--report needs --json FILE."));
        string docs = FindDocs();
        Change(docs, Pages.Performance, text => Performance(text, results.On(Pages.Performance), Path.Combine(docs, Charts)));
        Results amqp = results.On(Pages.Amqp);
        if (amqp.Scenarios.Count > 0)
        {
            Change(docs, Pages.Amqp, text => Replace(text, "amqp", AmqpReport.Write(amqp)));
        }
    }

    /// <summary>Writes what stands between the markers of one section.</summary>
    public static void Section(string page, string section, string content) => Change(FindDocs(), page, text => Replace(text, section, content));

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

    private static void Change(string docs, string page, Func<string, string> change)
    {
        string path = Path.Combine(docs, page + ".md");
        File.WriteAllText(path, change(File.ReadAllText(path)));
        Console.WriteLine($"Written: {path}");
    }

    private static string Performance(string text, Results results, string charts)
    {
        Directory.CreateDirectory(charts);
        if (results.Scenarios.Count > 0)
        {
            Delete(charts, file => !IsOfGrowth(file));
            text = Replace(text, "targets", Source(results.ScenarioRun) + Targets(results, Target.All));
            text = Replace(text, "overview", Overview(results, charts));
            text = Replace(text, "scenarios", Source(results.ScenarioRun) + Tables(results) + Comparisons(results));
        }

        if (results.Growth.Count > 0)
        {
            Delete(charts, IsOfGrowth);
            text = Replace(text, "growth", GrowthOf(results, charts));
        }

        return text;
    }

    private static bool IsOfGrowth(string file) => Path.GetFileName(file).StartsWith(GrowthChart, StringComparison.Ordinal);

    private static void Delete(string charts, Func<string, bool> predicate)
    {
        foreach (string old in Directory.GetFiles(charts, "*.svg").Where(predicate))
        {
            File.Delete(old);
        }
    }

    private static string Overview(Results results, string charts)
    {
        var text = new StringBuilder();
        if (results.Scenarios.FirstOrDefault(scenario => scenario.Name == "POCO") is { } poco)
        {
            RowResult[] rows = [.. poco.Rows.Where(row => row.Missing is null)];
            Add("poco-round-trip", "POCO: one round trip", "ns", rows.Select(row => new Bar(row.Name, row.RoundTrip?.Nanoseconds ?? 0, row.Name.StartsWith("Wire", StringComparison.Ordinal))));
            Add("poco-payload", "POCO: payload", "bytes", rows.Select(row => new Bar(row.Name, row.Payload, row.Name.StartsWith("Wire", StringComparison.Ordinal))));
        }

        Bar[] ratios = [.. results.Scenarios
            .Where(scenario => scenario.Rows[0].Typing == Typing.Floor)
            .Select(scenario => (scenario.Name, Wire: scenario.Rows.FirstOrDefault(row => row.Name.StartsWith("Wire", StringComparison.Ordinal) && row.Typing == Typing.Polymorphic)?.RoundTrip))
            .Where(item => item.Wire is not null)
            .Select(item => new Bar(item.Name, item.Wire!.Ratio, IsOwn: true))];
        if (ratios.Length > 0)
        {
            Add("ratios", "Wire with the types on board: round trip, code written by hand = 1", "x", ratios);
        }

        return text.ToString();

        void Add(string file, string title, string unit, IEnumerable<Bar> bars)
        {
            File.WriteAllText(Path.Combine(charts, file + ".svg"), BarChart.Draw(title, unit, [.. bars]));
            text.Append("![").Append(title).Append("](").Append(Charts).Append('/').Append(file).Append(".svg)\n\n");
        }
    }

    private static string Comparisons(Results results) =>
        results.Comparisons.Count > 0 ? $"### Threads and first messages\n\n{Table.Format(results.Comparisons)}" : "";

    private static string GrowthOf(Results results, string charts)
    {
        var text = new StringBuilder(Source(results.GrowthRun));
        foreach (GrowthResult growth in results.Growth)
        {
            string file = GrowthChart + FileName(growth.Name);
            File.WriteAllText(Path.Combine(charts, file + ".svg"), LineChart.Draw(growth));
            text.Append("### ").Append(growth.Name).Append("\n\n![").Append(growth.Name).Append("](").Append(Charts).Append('/').Append(file).Append(".svg)\n\n");
            text.Append(Table.Format(growth)).Append('\n');
        }

        return text.ToString();
    }

    private static string Replace(string text, string section, string content)
    {
        string begin = $"<!-- generated: {section} -->";
        string end = $"<!-- end of {section} -->";
        int from = text.IndexOf(begin, StringComparison.Ordinal);
        int to = text.IndexOf(end, StringComparison.Ordinal);
        return from >= 0 && to > from
            ? $"{text[..(from + begin.Length)]}\n\n{content.Trim('\n')}\n\n{text[to..]}"
            : throw new InvalidDataException($"The page has no markers '{begin}' and '{end}'.");
    }

    private static string FileName(string name) => string.Join('-', string
        .Concat(name.Replace(",", "", StringComparison.Ordinal).ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : ' '))
        .Split(' ', StringSplitOptions.RemoveEmptyEntries));

    // From the folder of the program upwards: the report can be made from anywhere.
    private static string FindDocs()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Wire.sln")))
            {
                return Path.Combine(folder.FullName, "docs");
            }
        }

        throw new DirectoryNotFoundException("There is no Wire.sln above the program.");
    }
}
