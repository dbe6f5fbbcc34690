using System.Text.RegularExpressions;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>A series as a program tells it to Prometheus: a line of its text format.</summary>
internal sealed partial record ToldSeries(string Metric, IReadOnlyDictionary<string, string> Labels)
{
    /// <summary>Reads what a program tells.</summary>
    public static IReadOnlyList<ToldSeries> Read(string text) =>
    [
        .. Line().Matches(text).Select(line => new ToldSeries(
            line.Groups["metric"].Value,
            Label().Matches(line.Groups["labels"].Value)
                .ToDictionary(label => label.Groups["name"].Value, label => label.Groups["value"].Value))),
    ];

    /// <summary>
    /// Gets whether a metric is of an instrument: its name in underscores, with what the exporter adds for seconds, counters and
    /// histograms.
    /// </summary>
    public static bool IsOf(string metric, string instrument) => metric.StartsWith(instrument, StringComparison.Ordinal)
        && Added().IsMatch(metric[instrument.Length..]);

    [GeneratedRegex("^(_seconds)?(_total|_bucket|_count|_sum)?$")]
    private static partial Regex Added();

    [GeneratedRegex("^(?<metric>[a-zA-Z_:]\\w*)(?:\\{(?<labels>(?:[^\"}]|\"(?:[^\"\\\\]|\\\\.)*\")*)\\})? ", RegexOptions.Multiline)]
    private static partial Regex Line();

    [GeneratedRegex("(?<name>\\w+)=\"(?<value>(?:[^\"\\\\]|\\\\.)*)\"")]
    private static partial Regex Label();
}
