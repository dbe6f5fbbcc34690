using System.Globalization;
using System.Security;
using System.Text;

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

        svg.Text(
            (Left + Width - Right) / 2,
            bottom + 36,
            unit == "x" ? "times the code written by hand; less is better" : $"{unit}; less is better",
            "quiet",
            "middle");
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

/// <summary>Maps figures from zero on to places, with round figures to label.</summary>
internal sealed record Axis(double To, double Start, double End, IReadOnlyList<double> Ticks)
{
    /// <summary>Even steps to a bit beyond the largest figure.</summary>
    public static Axis FromZero(double largest, double start, double end)
    {
        double magnitude = Math.Pow(10, Math.Floor(Math.Log10(Math.Max(largest, double.Epsilon))));
        double step = new[] { 0.1, 0.2, 0.5, 1, 2 }.Select(factor => factor * magnitude).First(step => largest / step <= 6);
        int steps = (int)Math.Ceiling(largest / step);
        return new Axis(steps * step, start, end, [.. Enumerable.Range(0, steps + 1).Select(i => i * step)]);
    }

    public double At(double value) => Start + ((End - Start) * value / To);

    public static string Label(double value) => value switch
    {
        >= 1e6 => Table.Number(value / 1e6, "0.##") + " M",
        >= 1e4 => Table.Number(value / 1e3, "0.##") + " k",
        _ => Table.Number(value, "#,0.##"),
    };
}

/// <summary>A drawing that reads on a light and on a dark page: colours are classes, which the viewer's scheme decides about.</summary>
internal sealed class Svg
{
    private const string Style = """
        <style>
        text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
        .title { font-size: 15px; font-weight: 600 }
        .quiet { fill: #59636e }
        .page { fill: #ffffff }
        .grid { stroke: #d1d9e0; stroke-width: 1; fill: none }
        .axis { stroke: #818b98; stroke-width: 1; fill: none }
        .fill0 { fill: #0969da } .fill1 { fill: #afb8c1 }
        @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc } .quiet { fill: #9198a1 } .page { fill: #0d1117 }
        .grid { stroke: #2a313c } .axis { stroke: #656c76 }
        .fill0 { fill: #4493f8 } .fill1 { fill: #4d5560 }
        }
        </style>
        """;

    private readonly StringBuilder _text = new();

    public Svg(double width, double height, string title)
    {
        Append(
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:0}\" height=\"{height:0}\" viewBox=\"0 0 {width:0} {height:0}\"");
        Append($" role=\"img\">\n");
        Append($"<title>{Escape(title)}</title>\n{Style}\n<rect class=\"page\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n");
    }

    public void Text(double x, double y, string text, string style = "", string anchor = "start") =>
        Append($"<text x=\"{x:0.#}\" y=\"{y:0.#}\" class=\"{style}\" text-anchor=\"{anchor}\">{Escape(text)}</text>\n");

    public void Rectangle(double x, double y, double width, double height, string style) =>
        Append($"<rect x=\"{x:0.#}\" y=\"{y:0.#}\" width=\"{width:0.#}\" height=\"{height:0.#}\" rx=\"2\" class=\"{style}\"/>\n");

    public void Line(double x1, double y1, double x2, double y2, string style) =>
        Append($"<path d=\"M{x1:0.#} {y1:0.#}L{x2:0.#} {y2:0.#}\" class=\"{style}\"/>\n");

    public override string ToString() => _text.ToString() + "</svg>\n";

    private void Append(FormattableString text) => _text.Append(text.ToString(CultureInfo.InvariantCulture));

    private static string? Escape(string text) => SecurityElement.Escape(text);
}
