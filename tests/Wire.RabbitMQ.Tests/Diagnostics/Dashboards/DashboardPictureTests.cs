using System.Buffers.Binary;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>
/// The dashboard over a Prometheus that has asked a program for a while, and its picture, which WIRE_SHOTS_WRITE=1 puts into the
/// documentation.
/// </summary>
[Collection(TelemetryTests.Name)]
public sealed class DashboardPictureTests
{
    private const string Picture = "wire-dashboard.png";

    [Fact]
    [Trait("Takes", "long")]
    [Trait("Needs", "Prometheus")]
    public async Task Each_panel_has_something_to_show()
    {
        var dashboard = Dashboard.Read();
        await using var traffic = new DashboardTraffic();
        await using var prometheus = new PrometheusServer(traffic.Address);
        await prometheus.StartedAsync();
        await Task.Delay(TimeSpan.FromSeconds(75));
        DateTimeOffset to = DateTimeOffset.UtcNow;
        DateTimeOffset from = to.AddSeconds(-60);
        var picture = new DashboardPicture(from, to);
        var empty = new List<string>();
        foreach (DashboardPanel panel in dashboard.Panels)
        {
            var drawn = new List<DrawnSeries>();
            foreach (DashboardQuery query in panel.Queries)
            {
                IReadOnlyList<DrawnSeries> series = await prometheus.AskAsync(query, from, to);
                drawn.AddRange(series);
                if (series.Count == 0)
                {
                    empty.Add($"{panel.Title}: {query.Expression}");
                }
            }

            if (drawn.Count != 0 || panel.Queries.Count == 0)
            {
                picture.Add(panel, drawn);
            }
        }

        Assert.Empty(empty);
        string folder = Repository.IsAskedFor("WIRE_SHOTS_WRITE") ? Path.Combine(Repository.Root, "docs", "images") : Path.GetTempPath();
        string file = Path.Combine(folder, Picture);
        File.Delete(file);
        await picture.WriteAsync(file);
        byte[] written = await File.ReadAllBytesAsync(file);
        Assert.Equal(
            picture.Size,
            (BinaryPrimitives.ReadInt32BigEndian(written.AsSpan(16)), BinaryPrimitives.ReadInt32BigEndian(written.AsSpan(20))));
        Assert.InRange(written.Length, 20_000, 200_000);
    }
}
