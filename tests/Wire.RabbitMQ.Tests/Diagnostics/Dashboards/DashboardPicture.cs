using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>Draws panels at their places, as Grafana does, in a page that chromium makes a picture of.</summary>
internal sealed class DashboardPicture(DateTimeOffset from, DateTimeOffset to)
{
    private const int Column = 46;
    private const int Line = 26;
    private const int Gap = 6;
    private const int Left = 52;
    private const int Top = 30;
    private const int LegendLine = 14;

    private static readonly string[] Colors =
        ["#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#96d98d", "#c0d8ff", "#fade2a"];

    private readonly StringBuilder _page = new();
    private int _height;

    /// <summary>Gets the size of the picture in points.</summary>
    public (int Width, int Height) Size => ((24 * Column) + Gap, _height + Gap);

    /// <summary>Draws a panel.</summary>
    public void Add(DashboardPanel panel, IReadOnlyList<DrawnSeries> series)
    {
        (int x, int y) = ((panel.X * Column) + Gap, (panel.Y * Line) + Gap);
        (int width, int height) = ((panel.Width * Column) - Gap, (panel.Height * Line) - Gap);
        _height = Math.Max(_height, (panel.Y + panel.Height) * Line);
        if (panel.Queries.Count == 0)
        {
            Text(x + 4, y + 17, "row", panel.Title);
            return;
        }

        _page.Append(Invariant($"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='2' class='panel'/>"));
        Text(x + 10, y + 19, "title", panel.Title);
        List<string> legend = Legend(series, width - 20);
        int bottom = y + height - 22 - (legend.Count * LegendLine);
        double most = Nice(series.SelectMany(each => each.Points).Max(point => point.Value));
        for (int step = 0; step <= 2; step++)
        {
            double at = bottom - ((bottom - y - Top) * step / 2.0);
            _page.Append(Invariant($"<path d='M{x + Left} {at:0.#}H{x + width - 10}' class='grid'/>"));
            Text(x + Left - 6, at + 4, "value", Value(most * step / 2, panel.Unit));
        }

        for (int i = 0; i < series.Count; i++)
        {
            var path = new StringBuilder();
            double before = double.NegativeInfinity;
            foreach ((double time, double value) in series[i].Points)
            {
                double px = x + Left + ((time - from.ToUnixTimeSeconds()) / (to - from).TotalSeconds * (width - Left - 10));
                double py = bottom - (value / most * (bottom - y - Top));
                path.Append(Invariant($"{(time - before > 3 ? 'M' : 'L')}{px:0.#} {py:0.#}"));
                before = time;
            }

            _page.Append(Invariant($"<path d='{path}' class='line' stroke='{Colors[i % Colors.Length]}'/>"));
        }

        for (int i = 0; i < legend.Count; i++)
        {
            _page.Append(Invariant($"<text x='{x + 10}' y='{bottom + 20 + (i * LegendLine)}' class='legend'>{legend[i]}</text>"));
        }
    }

    /// <summary>Makes the picture.</summary>
    public async Task WriteAsync(string file)
    {
        (int width, int height) = Size;
        DirectoryInfo folder = Directory.CreateTempSubdirectory("wire-dashboard-");
        string page = Path.Combine(folder.FullName, "dashboard.html");
        await File.WriteAllTextAsync(
            page,
            $$"""
            <!doctype html><meta charset="utf-8"><style>
            body { margin: 0; background: #111217 } text { font: 11px DejaVu Sans, sans-serif; fill: #ccccdc }
            rect, path { shape-rendering: crispEdges } .panel { fill: #181b1f } .row { font-size: 14px; font-weight: bold }
            .title { font-size: 12px }
            .grid { stroke: #2c2f35 } .value { text-anchor: end; fill: #8e8e99; font-size: 10px } .line { fill: none; stroke-width: 1.5 }
            .legend { font-size: 10px }
            </style><svg xmlns="http://www.w3.org/2000/svg" width="{{width}}" height="{{height}}">{{_page}}</svg>
            """);
        using Process browser = Process.Start(new ProcessStartInfo(
            "chromium",
            [
                "--no-sandbox", "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                "--disable-background-networking", "--font-render-hinting=none",
                $"--user-data-dir={Path.Combine(folder.FullName, "profile")}",
                $"--window-size={width},{height}", $"--screenshot={file}", new Uri(page).AbsoluteUri,
            ])
        {
            RedirectStandardError = true,
        })!;
        string said = await browser.StandardError.ReadToEndAsync();
        await browser.WaitForExitAsync().InTime();
        Assert.True(File.Exists(file), $"chromium has made no picture: {said}");
        folder.Delete(recursive: true);
    }

    // As many to a line as there is room for.
    private static List<string> Legend(IReadOnlyList<DrawnSeries> series, int width)
    {
        var lines = new List<string>();
        int used = width;
        for (int i = 0; i < series.Count; i++)
        {
            int needed = 24 + (series[i].Name.Length * 6);
            string entry = $"<tspan fill='{Colors[i % Colors.Length]}'>━</tspan> {WebUtility.HtmlEncode(series[i].Name)}";
            if (used + needed > width)
            {
                lines.Add(entry);
                used = needed;
            }
            else
            {
                lines[^1] += $"&#160;&#160; {entry}";
                used += needed;
            }
        }

        return lines;
    }

    // The next of 1, 2, 5, 10, 20...
    private static double Nice(double most)
    {
        double unit = Math.Pow(10, Math.Floor(Math.Log10(Math.Max(most, 1e-4))));
        return unit * ((most / unit) switch
        {
            <= 1 => 1,
            <= 2 => 2,
            <= 5 => 5,
            _ => 10,
        });
    }

    private static string Value(double value, string unit) => unit switch
    {
        "s" when value is > 0 and < 1 => Invariant($"{value * 1000:0.##} ms"),
        "s" => Invariant($"{value:0.##} s"),
        "short" => Invariant($"{value:0.##}"),
        _ => Invariant($"{value:0.##} {unit}"),
    };

    private void Text(double x, double y, string kind, string text) =>
        _page.Append(Invariant($"<text x='{x:0.#}' y='{y:0.#}' class='{kind}'>{WebUtility.HtmlEncode(text)}</text>"));

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
