using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Reports;

/// <summary>Lines over a logarithmic axis of sizes. Figures that differ by more than a decade stand on a logarithmic axis too.</summary>
internal static class LineChart
{
    private const double Width = 820;
    private const double Height = 380;
    private const double Left = 76;
    private const double Right = 24;
    private const double Top = 76;
    private const double Bottom = 60;

    public static string Draw(GrowthResult growth)
    {
        var svg = new Svg(Width, Height, growth.Name);
        svg.Text(16, 26, growth.Name, "title");
        double[] values = [.. growth.Series.SelectMany(series => series.Values)];
        var x = Axis.OfSizes(growth.Sizes, Left, Width - Right);
        Axis y = values.Max() > 10 * values.Min()
            ? Axis.Logarithmic(values.Min(), values.Max(), Height - Bottom, Top)
            : Axis.FromZero(values.Max(), Height - Bottom, Top);
        DrawAxes(svg, growth, x, y);
        double legend = Left;
        for (int i = 0; i < growth.Series.Count; i++)
        {
            Series series = growth.Series[i];
            (double X, double Y)[] points = [.. growth.Sizes.Zip(series.Values, (size, value) => (x.At(size), y.At(value)))];
            svg.Polyline(points, $"line line{i}");
            foreach ((double pointX, double pointY) in points)
            {
                svg.Dot(pointX, pointY, $"mark{i}");
            }

            svg.Line(legend, 48, legend + 22, 48, $"line line{i}");
            svg.Dot(legend + 11, 48, $"mark{i}");
            svg.Text(legend + 28, 52, series.Name);
            legend += 48 + (7.5 * series.Name.Length);
        }

        return svg.ToString();
    }

    private static void DrawAxes(Svg svg, GrowthResult growth, Axis x, Axis y)
    {
        foreach (double tick in y.Ticks)
        {
            svg.Line(Left, y.At(tick), Width - Right, y.At(tick), "grid");
            svg.Text(Left - 8, y.At(tick) + 4, Axis.Label(tick), "quiet", "end");
        }

        foreach (double tick in x.Ticks)
        {
            svg.Line(x.At(tick), Height - Bottom, x.At(tick), Height - Bottom + 5, "axis");
            svg.Text(x.At(tick), Height - Bottom + 20, Axis.Label(tick), "quiet", "middle");
        }

        svg.Line(Left, Height - Bottom, Width - Right, Height - Bottom, "axis");
        svg.Text((Left + Width - Right) / 2, Height - 16, $"{growth.SizeName} (logarithmic)", "quiet", "middle");
        svg.Text(Left - 8, Top - 12, growth.Unit + (y.IsLogarithmic ? " (log.)" : ""), "quiet", "end");
    }
}
