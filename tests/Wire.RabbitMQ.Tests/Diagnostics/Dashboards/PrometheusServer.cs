using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>A Prometheus of a test, which asks a program each second.</summary>
internal sealed class PrometheusServer : IAsyncDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("wire-prometheus-");
    private readonly HttpClient _client;
    private readonly Process _process;

    public PrometheusServer(string asked)
    {
        int port = DashboardTraffic.FreePort();
        string configuration = Path.Combine(_folder.FullName, "prometheus.yml");
        File.WriteAllText(
            configuration,
            $"""
            global:
              scrape_interval: 1s
            scrape_configs:
              - job_name: depot
                static_configs:
                  - targets: ['{asked}']

            """);
        _client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}/") };
        _process = Process.Start(new ProcessStartInfo(
            "prometheus",
            [
                $"--config.file={configuration}", $"--storage.tsdb.path={Path.Combine(_folder.FullName, "data")}",
                $"--web.listen-address=127.0.0.1:{port}", "--log.level=error",
            ]))!;
    }

    /// <summary>Waits until it answers.</summary>
    public async Task StartedAsync()
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            try
            {
                (await _client.GetAsync(new Uri("-/ready", UriKind.Relative), time.Token)).EnsureSuccessStatusCode();
                return;
            }
            catch (HttpRequestException)
            {
                await Task.Delay(100, time.Token);
            }
        }
    }

    /// <summary>What a query gives for each second of a time, as Grafana asks for all jobs.</summary>
    public async Task<IReadOnlyList<DrawnSeries>> AskAsync(DashboardQuery query, DateTimeOffset from, DateTimeOffset to)
    {
        string expression = query.Expression
            .Replace("$job", ".*", StringComparison.Ordinal)
            .Replace("$__rate_interval", "5s", StringComparison.Ordinal);
        string time = string.Create(CultureInfo.InvariantCulture, $"start={from.ToUnixTimeSeconds()}&end={to.ToUnixTimeSeconds()}&step=1");
        string address = $"api/v1/query_range?query={Uri.EscapeDataString(expression)}&{time}";
        using HttpResponseMessage response = await _client.GetAsync(new Uri(address, UriKind.Relative));
        string text = await response.Content.ReadAsStringAsync();
        Assert.True(response.IsSuccessStatusCode, $"Prometheus answers {expression} with {text}");
        using var document = JsonDocument.Parse(text);
        return
        [
            .. document.RootElement.GetProperty("data").GetProperty("result").EnumerateArray().Select(series => new DrawnSeries(
                query.NameOf(
                    series.GetProperty("metric").EnumerateObject().ToDictionary(label => label.Name, label => label.Value.GetString()!)),
                [.. series.GetProperty("values").EnumerateArray()
                    .Select(point => (point[0].GetDouble(), double.Parse(point[1].GetString()!, CultureInfo.InvariantCulture)))
                    .Where(point => double.IsFinite(point.Item2))]))
                .Where(series => series.Points.Count != 0),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _client.Dispose();
        _folder.Delete(recursive: true);
    }
}

/// <summary>A line of a panel: its name, and its points in seconds since 1970.</summary>
internal sealed record DrawnSeries(string Name, IReadOnlyList<(double Time, double Value)> Points);
