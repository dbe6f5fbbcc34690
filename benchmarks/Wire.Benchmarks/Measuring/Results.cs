using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Wire.Benchmarks.Measuring;

/// <summary>One operation of one row: medians, or means of BenchmarkDotNet.</summary>
/// <param name="Nanoseconds">For one operation.</param>
/// <param name="Ratio">To the floor; in quick mode the median of the ratios of each round.</param>
/// <param name="Bytes">Allocated in one operation.</param>
internal sealed record Figures(double Nanoseconds, double Ratio, double Bytes);

/// <summary>One line of a table; without figures when the library cannot do it.</summary>
internal sealed record RowResult(
    string Name, Typing Typing, int Payload, Figures? Write, Figures? Read, Figures? RoundTrip, string? Missing)
{
    [JsonIgnore]
    public IEnumerable<Figures?> Operations => [Write, Read, RoundTrip];
}

/// <summary>The table of one scenario; the first row is the floor.</summary>
internal sealed record ScenarioResult(string Name, IReadOnlyList<RowResult> Rows);

/// <summary>One figure against another.</summary>
internal sealed record Comparison(string Name, string Unit, string Own, double OwnFigure, string Other, double OtherFigure, double Ratio);

/// <summary>One column of a table of sizes.</summary>
internal sealed record Series(string Name, IReadOnlyList<double> Values);

/// <summary>Figures that belong to sizes.</summary>
internal sealed record GrowthResult(string Name, string SizeName, string Unit, IReadOnlyList<double> Sizes, IReadOnlyList<Series> Series);

/// <summary>What a run was made with.</summary>
internal sealed record Run(string Machine, string Date, string Command, string Method)
{
    private const string Separator = "; then ";

    public static Run Now(Options options, string method) =>
        new(Measuring.Machine.Describe(), DateTime.UtcNow.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture), options.Command, method);

    /// <summary>What figures were made with of which some are of an earlier run: what the two have in common is named once.</summary>
    public Run After(Run? earlier) => earlier is null
        ? this
        : new(Both(earlier.Machine, Machine), Both(earlier.Date, Date), Both(earlier.Command, Command), Both(earlier.Method, Method));

    private static string Both(string earlier, string later) =>
        earlier.Split(Separator).Contains(later) ? earlier : earlier + Separator + later;
}

/// <summary>
/// What has been measured: the file that a page's report is made of. Each mode replaces its own part, or of that what it has measured
/// when only some was asked for.
/// </summary>
internal sealed record Results(
    Run? ScenarioRun,
    IReadOnlyList<ScenarioResult> Scenarios,
    IReadOnlyList<Comparison> Comparisons,
    Run? GrowthRun,
    IReadOnlyList<GrowthResult> Growth)
{
    private static readonly JsonSerializerOptions Json = new()
    {
        WriteIndented = true,
        Converters = { new JsonStringEnumConverter() },
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
    };

    /// <exception cref="UsageException">The file cannot be read, or holds something else.</exception>
    public static Results Load(string? path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            return JsonSerializer.Deserialize<Results>(File.ReadAllText(path), Json)
                ?? throw new UsageException($"'{path}' holds no results.");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new UsageException($"'{path}' holds no results that can be read: {exception.Message}");
        }
    }

    /// <summary>Sees to it that results can be read from a file, or that it can be made.</summary>
    /// <exception cref="UsageException">They cannot, or it cannot.</exception>
    public static void Check(string path, bool mustExist)
    {
        if (mustExist || Path.Exists(path))
        {
            Load(path);
        }
        else if (!Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(path))))
        {
            throw new UsageException($"There is no folder for '{path}'.");
        }
    }

    /// <summary>The results with what has been measured of scenarios.</summary>
    public Results With(Options options, string method, IReadOnlyList<ScenarioResult> scenarios, IReadOnlyList<Comparison> comparisons)
    {
        var run = Run.Now(options, method);
        return options.IsAll
            ? this with { ScenarioRun = run, Scenarios = scenarios, Comparisons = comparisons }
            : this with
            {
                ScenarioRun = run.After(ScenarioRun),
                Scenarios = Merge(Scenarios, scenarios, scenario => scenario.Name),
                Comparisons = Merge(Comparisons, comparisons, comparison => comparison.Name),
            };
    }

    /// <summary>The results with what has been measured of growth.</summary>
    public Results With(Options options, string method, IReadOnlyList<GrowthResult> growth)
    {
        var run = Run.Now(options, method);
        return options.IsAll
            ? this with { GrowthRun = run, Growth = growth }
            : this with { GrowthRun = run.After(GrowthRun), Growth = Merge(Growth, growth, result => result.Name) };
    }

    // What is there already keeps its place.
    private static T[] Merge<T>(IReadOnlyList<T> earlier, IReadOnlyList<T> later, Func<T, string> name) =>
    [
        .. earlier.Select(old => later.FirstOrDefault(item => name(item) == name(old)) ?? old),
        .. later.ExceptBy(earlier.Select(name), name),
    ];

    /// <summary>Changes the file, or makes it.</summary>
    public static void Update(string? path, Func<Results, Results> change)
    {
        if (path is not null)
        {
            Results results = change(File.Exists(path) ? Load(path) : new Results(null, [], [], null, []));
            File.WriteAllText(path, JsonSerializer.Serialize(results, Json) + "\n");
        }
    }
}
