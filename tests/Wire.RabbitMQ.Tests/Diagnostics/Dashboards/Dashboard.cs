using System.Text.Json;
using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>The dashboard of the documentation, as Grafana reads it.</summary>
internal sealed class Dashboard
{
    private Dashboard(JsonElement root) => Panels =
    [
        .. root.GetProperty("panels").EnumerateArray().Select(panel =>
        {
            JsonElement place = panel.GetProperty("gridPos");
            return new DashboardPanel(
                panel.GetProperty("title").GetString()!,
                panel.TryGetProperty("fieldConfig", out JsonElement fields)
                    ? fields.GetProperty("defaults").GetProperty("unit").GetString()!
                    : "",
                place.GetProperty("x").GetInt32(),
                place.GetProperty("y").GetInt32(),
                place.GetProperty("w").GetInt32(),
                place.GetProperty("h").GetInt32(),
                panel.TryGetProperty("targets", out JsonElement targets)
                    ? [.. targets.EnumerateArray().Select(target => new DashboardQuery(
                        target.GetProperty("expr").GetString()!, target.GetProperty("legendFormat").GetString()!))]
                    : []);
        }),
    ];

    /// <summary>Where it is.</summary>
    public static string File { get; } = Path.Combine(Repository.Root, "docs", "dashboards", "wire-rabbitmq.json");

    /// <summary>Its panels, those that begin a row included, which have no queries.</summary>
    public IReadOnlyList<DashboardPanel> Panels { get; }

    public static Dashboard Read()
    {
        using var document = JsonDocument.Parse(System.IO.File.ReadAllText(File));
        return new Dashboard(document.RootElement);
    }
}

/// <summary>A panel, and its place in a grid of 24 columns.</summary>
internal sealed record DashboardPanel(
    string Title, string Unit, int X, int Y, int Width, int Height, IReadOnlyList<DashboardQuery> Queries);

/// <summary>A query of PromQL, and how its series are called.</summary>
internal sealed partial record DashboardQuery(string Expression, string Legend)
{
    /// <summary>The names of metrics in it, each with what it asks of labels.</summary>
    public IReadOnlyList<(string Metric, IReadOnlyList<LabelMatcher> Matchers)> Selectors { get; } =
    [
        .. Selector().Matches(Expression).Select(selector => (
            selector.Groups["metric"].Value,
            (IReadOnlyList<LabelMatcher>)[.. Matcher().Matches(selector.Groups["matchers"].Value).Select(matcher => new LabelMatcher(
                matcher.Groups["label"].Value, matcher.Groups["operator"].Value, matcher.Groups["value"].Value))])),
    ];

    /// <summary>The labels by which it adds up.</summary>
    public IReadOnlyList<string> Grouping { get; } =
        [.. Group().Matches(Expression).SelectMany(group => group.Groups["labels"].Value.Split(", ")).Distinct()];

    /// <summary>The labels that its series are called by.</summary>
    public IReadOnlyList<string> LegendLabels { get; } = [.. Placeholder().Matches(Legend).Select(match => match.Groups["label"].Value)];

    /// <summary>What its series is called.</summary>
    public string NameOf(IReadOnlyDictionary<string, string> labels) =>
        Placeholder().Replace(Legend, match => labels.GetValueOrDefault(match.Groups["label"].Value, ""));

    /// <summary>Says what in it nobody tells; nothing where all is told.</summary>
    public IEnumerable<string> FindMissing(IReadOnlyList<ToldSeries> told)
    {
        if (Selectors.Count == 0)
        {
            yield return $"no metric in {Expression}";
        }

        foreach ((string metric, IReadOnlyList<LabelMatcher> matchers) in Selectors)
        {
            ToldSeries[] found = Find(told, metric, matchers);
            if (found.Length == 0)
            {
                yield return $"{metric} with {string.Join(", ", matchers)}";
            }

            // An instance is given by Prometheus, as a job.
            foreach (string label in Grouping.Where(label => label != "instance" && !found.All(series => series.Labels.ContainsKey(label))))
            {
                yield return $"the label {label} of {metric}";
            }
        }
    }

    /// <summary>Finds what it shows of what is told.</summary>
    public IEnumerable<ToldSeries> Find(IReadOnlyList<ToldSeries> told) =>
        Selectors.SelectMany(selector => Find(told, selector.Metric, selector.Matchers));

    private static ToldSeries[] Find(IReadOnlyList<ToldSeries> told, string metric, IReadOnlyList<LabelMatcher> matchers) =>
        [.. told.Where(series => series.Metric == metric && matchers.All(matcher => matcher.Matches(series.Labels)))];

    [GeneratedRegex(@"(?<metric>(?:messaging|wire)_\w+)\{(?<matchers>[^}]*)\}")]
    private static partial Regex Selector();

    [GeneratedRegex("(?<label>\\w+)(?<operator>=~|!=|=)\"(?<value>[^\"]*)\"")]
    private static partial Regex Matcher();

    [GeneratedRegex(@"by \((?<labels>[^)]*)\)")]
    private static partial Regex Group();

    [GeneratedRegex(@"\{\{(?<label>\w+)\}\}")]
    private static partial Regex Placeholder();
}

/// <summary>What a query asks of a label.</summary>
internal sealed record LabelMatcher(string Label, string Operator, string Value)
{
    /// <summary>Whether labels are as it asks. A job is given by Prometheus, and chosen by who looks.</summary>
    public bool Matches(IReadOnlyDictionary<string, string> labels)
    {
        string value = labels.GetValueOrDefault(Label, "");
        return Label == "job" || Operator switch
        {
            "=" => value == Value,
            "!=" => value != Value,
            _ => Regex.IsMatch(value, $"^(?:{Value})$"),
        };
    }

    public override string ToString() => $"{Label}{Operator}\"{Value}\"";
}
