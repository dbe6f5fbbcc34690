using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Reports;

/// <param name="IsOwn">Whether it stands out: it is what the page is about.</param>
internal sealed record Bar(string Name, double Value, bool IsOwn);

/// <summary>Bars that lie below each other from zero, each with its name and its figure.</summary>
internal static class BarChart
{
    private const double Width = 820;
    private const double Left = 330;
    private const double Right = 80;
    private const double Top = 48;
    private const double RowHeight = 26;

    public static string Draw(string title, string unit, IReadOnlyList<Bar> bars)
    {
        double bottom = Top + (bars.Count * RowHeight);
        var svg = new Svg(Width, bottom + 44, title);
        svg.Text(16, 26, $"{title} ({unit})", "title");
        Axis axis = Axis.FromZero(bars.Max(bar => bar.Value), Left, Width - Right);
        foreach (double tick in axis.Ticks)
        {
            svg.Line(axis.At(tick), Top, axis.At(tick), bottom, "grid");
            svg.Text(axis.At(tick), bottom + 18, Axis.Label(tick), "quiet", "middle");
        }

        svg.Text((Left + Width - Right) / 2, bottom + 36, unit == "x" ? "times the code written by hand; less is better" : $"{unit}; less is better", "quiet", "middle");
        for (int i = 0; i < bars.Count; i++)
        {
            double y = Top + (i * RowHeight);
            svg.Text(Left - 8, y + 17, bars[i].Name, "", "end");
            svg.Rectangle(Left, y + 4, axis.At(bars[i].Value) - Left, RowHeight - 8, bars[i].IsOwn ? "fill0" : "fill1");
            svg.Text(axis.At(bars[i].Value) + 6, y + 17, Table.Number(bars[i].Value, unit == "x" ? "0.00" : "#,0.#"));
        }

        svg.Line(Left, Top, Left, bottom, "axis");
        return svg.ToString();
    }
}
