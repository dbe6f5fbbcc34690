using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Quoted;

/// <summary>The tables of docs/performance/quoted.md.</summary>
internal static class QuotedReport
{
    /// <summary>Writes the page's section from a file of results.</summary>
    public static void Write(Options options)
    {
        Results results = Results.Load(options.Json);
        string calls = $"### First calls\n\n{Table.Format(results.Comparisons)}";
        Page.Quoted.Write("quoted", Report.Source(results.ScenarioRun) + Report.Tables(results) + calls);
    }
}
