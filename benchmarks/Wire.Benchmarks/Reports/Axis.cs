using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Reports;

/// <summary>Maps figures to places, with round figures to label.</summary>
internal sealed record Axis(double From, double To, double Start, double End, bool IsLogarithmic, IReadOnlyList<double> Ticks)
{
    /// <summary>Even steps from zero to a bit beyond the largest figure.</summary>
    public static Axis FromZero(double largest, double start, double end)
    {
        double magnitude = Math.Pow(10, Math.Floor(Math.Log10(Math.Max(largest, double.Epsilon))));
        double step = new[] { 0.1, 0.2, 0.5, 1, 2 }.Select(factor => factor * magnitude).First(step => largest / step <= 6);
        int steps = (int)Math.Ceiling(largest / step);
        return new Axis(0, steps * step, start, end, false, [.. Enumerable.Range(0, steps + 1).Select(i => i * step)]);
    }

    /// <summary>Powers of ten, or of two when they are close.</summary>
    public static Axis Logarithmic(double smallest, double largest, double start, double end)
    {
        int factor = largest / smallest > 32 ? 10 : 2;
        List<double> ticks = [Math.Pow(factor, Math.Floor(Math.Log(smallest, factor) + 1e-9))];
        while (ticks[^1] < largest * (1 - 1e-9))
        {
            ticks.Add(ticks[^1] * factor);
        }

        return new Axis(ticks[0], Math.Max(ticks[^1], ticks[0] * factor), start, end, true, ticks);
    }

    /// <summary>From the first size to the last.</summary>
    public static Axis OfSizes(IReadOnlyList<double> sizes, double start, double end)
    {
        Axis axis = Logarithmic(sizes[0], sizes[^1], start, end);
        return axis with { From = sizes[0], To = sizes[^1], Ticks = [.. axis.Ticks.Where(tick => tick >= sizes[0] && tick <= sizes[^1])] };
    }

    public double At(double value) => Start + ((End - Start) * (IsLogarithmic
        ? Math.Log(value / From) / Math.Log(To / From)
        : (value - From) / (To - From)));

    public static string Label(double value) => value switch
    {
        >= 1e6 => Table.Number(value / 1e6, "0.##") + " M",
        >= 1e4 => Table.Number(value / 1e3, "0.##") + " k",
        _ => Table.Number(value, "#,0.##"),
    };
}
