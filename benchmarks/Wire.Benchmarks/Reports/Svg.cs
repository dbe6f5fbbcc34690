using System.Globalization;
using System.Security;
using System.Text;

namespace Wire.Benchmarks.Reports;

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
        .fill0 { fill: #0969da } .fill1 { fill: #afb8c1 } .fill2 { fill: #bc4c00 } .fill3 { fill: #1a7f37 }
        .line0 { stroke: #0969da } .line1 { stroke: #54aeff } .line2 { stroke: #bc4c00 } .line3 { stroke: #fb8f44 }
        .line { fill: none; stroke-width: 2; stroke-linejoin: round }
        .dash { stroke-dasharray: 5 4 }
        .mark0 { fill: #0969da } .mark1 { fill: #54aeff } .mark2 { fill: #bc4c00 } .mark3 { fill: #fb8f44 }
        @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc } .quiet { fill: #9198a1 } .page { fill: #0d1117 }
        .grid { stroke: #2a313c } .axis { stroke: #656c76 }
        .fill0 { fill: #4493f8 } .fill1 { fill: #4d5560 }
        .line0 { stroke: #4493f8 } .mark0 { fill: #4493f8 } .line1 { stroke: #a5d6ff } .mark1 { fill: #a5d6ff }
        .line2 { stroke: #db6d28 } .mark2 { fill: #db6d28 } .line3 { stroke: #ffc680 } .mark3 { fill: #ffc680 }
        }
        </style>
        """;

    private readonly StringBuilder _text = new();

    public Svg(double width, double height, string title)
    {
        Append($"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:0}\" height=\"{height:0}\" viewBox=\"0 0 {width:0} {height:0}\" role=\"img\">\n");
        Append($"<title>{Escape(title)}</title>\n{Style}\n<rect class=\"page\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n");
    }

    public void Text(double x, double y, string text, string style = "", string anchor = "start") =>
        Append($"<text x=\"{x:0.#}\" y=\"{y:0.#}\" class=\"{style}\" text-anchor=\"{anchor}\">{Escape(text)}</text>\n");

    public void Rectangle(double x, double y, double width, double height, string style) =>
        Append($"<rect x=\"{x:0.#}\" y=\"{y:0.#}\" width=\"{width:0.#}\" height=\"{height:0.#}\" rx=\"2\" class=\"{style}\"/>\n");

    public void Line(double x1, double y1, double x2, double y2, string style) =>
        Append($"<path d=\"M{x1:0.#} {y1:0.#}L{x2:0.#} {y2:0.#}\" class=\"{style}\"/>\n");

    public void Polyline(IEnumerable<(double X, double Y)> points, string style) =>
        Append($"<polyline points=\"{string.Join(' ', points.Select(point => string.Create(CultureInfo.InvariantCulture, $"{point.X:0.#},{point.Y:0.#}")))}\" class=\"{style}\"/>\n");

    public void Dot(double x, double y, string style) => Append($"<circle cx=\"{x:0.#}\" cy=\"{y:0.#}\" r=\"3.5\" class=\"{style}\"/>\n");

    public override string ToString() => _text.ToString() + "</svg>\n";

    private void Append(FormattableString text) => _text.Append(text.ToString(CultureInfo.InvariantCulture));

    private static string? Escape(string text) => SecurityElement.Escape(text);
}
