namespace Wire.Benchmarks.Measuring;

/// <content>Tables of results.</content>
internal static partial class Table
{
    /// <summary>The table of a scenario, and below it why rows are missing.</summary>
    public static string Format(ScenarioResult scenario)
    {
        List<string[]> lines = [["Row", "types", "payload B", "write ns", "x", "B", "read ns", "x", "B", "round trip ns", "x", "B"]];
        foreach (RowResult row in scenario.Rows)
        {
            lines.Add(
            [
                row.Name,
                row.Typing switch { Typing.Floor => "", Typing.Static => "S", Typing.Union => "U", _ => "P" },
                row.Missing is null ? Number(row.Payload, "N0") : "–",
                .. row.Operations.SelectMany(Columns),
            ]);
        }

        string missing =
            string.Concat(scenario.Rows.Where(row => row.Missing is not null).Select(row => $"\n–: {row.Name}: {row.Missing}.\n"));
        return Format(lines) + missing;
    }

    /// <summary>Figures against figures.</summary>
    public static string Format(IEnumerable<Comparison> comparisons) => Format(
    [
        ["What", "unit", "own", "figure", "other", "figure", "ratio"],
        .. comparisons.Select(item => (string[])
        [
            item.Name, item.Unit, item.Own, Number(
                item.OwnFigure, "N1"), item.Other, Number(item.OtherFigure, "N1"), Number(item.Ratio, "0.00"),
        ]),
    ]);

    /// <summary>Figures by size.</summary>
    public static string Format(GrowthResult growth) => Format(
    [
        [growth.SizeName, .. growth.Series.Select(series => $"{series.Name}, {growth.Unit}")],
        .. growth.Sizes.Select(
            (size, i) => (string[])[Number(size, "N0"), .. growth.Series.Select(series => Number(series.Values[i], "#,0.0"))]),
    ]);

    private static string[] Columns(Figures? figures) => figures is null
        ? ["–", "–", "–"]
        :
        [
            Number(figures.Nanoseconds, figures.Nanoseconds < 1000 ? "0.0" : "N0"),
            Number(figures.Ratio, "0.00"),
            Number(figures.Bytes, "#,0.##"),
        ];
}
