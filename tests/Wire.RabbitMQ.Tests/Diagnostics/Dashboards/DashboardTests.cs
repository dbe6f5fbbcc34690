using System.Diagnostics.Metrics;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>The dashboard asks for what programs tell, and for all of it.</summary>
[Collection(TelemetryTests.Name)]
public sealed class DashboardTests
{
    private static readonly Dashboard Shown = Dashboard.Read();

    [Fact]
    public async Task Each_query_asks_for_numbers_that_are_told_and_no_instrument_is_left_out()
    {
        var instruments = new HashSet<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name.StartsWith("Wire.", StringComparison.Ordinal))
            {
                lock (instruments)
                {
                    instruments.Add(instrument.Name.Replace('.', '_'));
                }
            }
        };
        listener.Start();
        string[] missing;
        await using (var traffic = new DashboardTraffic())
        {
            long begin = Environment.TickCount64;
            do
            {
                await Task.Delay(250);
                IReadOnlyList<ToldSeries> told = await traffic.ReadAsync();
                missing =
                [
                    .. Shown.Panels.SelectMany(panel => panel.Queries.SelectMany(
                        query => query.FindMissing(told).Select(what => $"{panel.Title}: {what}"))),
                    .. FailuresThatAreNotShown(told),
                ];
            }
            while (missing.Length != 0 && Environment.TickCount64 - begin < Patience.Limit.TotalMilliseconds);
        }

        Assert.Empty(missing);
        string[] asked =
            [.. Shown.Panels.SelectMany(panel => panel.Queries).SelectMany(query => query.Selectors).Select(each => each.Metric)];
        Assert.InRange(instruments.Count, 20, 100);
        Assert.All(instruments, name => Assert.Contains(asked, metric => ToldSeries.IsOf(metric, name)));

        // What fails before it is sent, too, and what was sent.
        static IEnumerable<string> FailuresThatAreNotShown(IReadOnlyList<ToldSeries> told) =>
            ((string[])["overflow", "returned", "refused"]).Except(Shown.Panels.Single(panel => panel.Title == "Failed publishes").Queries
                .SelectMany(query => query.Find(told)).Select(series => series.Labels.GetValueOrDefault("error_type", "")));
    }

    [Theory]
    [InlineData("wire_blocked", true)]
    [InlineData("wire_blocked_seconds", true)]
    [InlineData("wire_blocked_total", true)]
    [InlineData("wire_blocked_seconds_total", true)]
    [InlineData("wire_blocked_seconds_bucket", true)]
    [InlineData("wire_blocked_time_seconds_total", false)]
    [InlineData("wire_blocke", false)]
    public void An_instrument_has_the_names_that_the_exporter_makes_of_its_own(string metric, bool isOf) =>
        Assert.Equal(isOf, ToldSeries.IsOf(metric, "wire_blocked"));

    [Fact]
    public void Panels_fill_their_rows_and_are_called_by_labels_that_their_queries_have()
    {
        Assert.All(
            Shown.Panels.GroupBy(panel => panel.Y),
            row => Assert.Equal(24, row.Sum(panel => panel.Width)));
        int y = 0;
        foreach (IGrouping<int, DashboardPanel> row in Shown.Panels.GroupBy(panel => panel.Y).OrderBy(row => row.Key))
        {
            int x = 0;
            foreach (DashboardPanel panel in row)
            {
                Assert.Equal((x, y), (panel.X, panel.Y));
                x += panel.Width;
            }

            y += row.Select(panel => panel.Height).Distinct().Single();
        }

        Assert.All(Shown.Panels.SelectMany(panel => panel.Queries), query =>
        {
            Assert.Empty(query.LegendLabels.Except(query.Grouping));
            Assert.Equal(query.Expression.Count(letter => letter == '('), query.Expression.Count(letter => letter == ')'));
        });
    }

    [Fact]
    public void What_nobody_tells_is_found()
    {
        IReadOnlyList<ToldSeries> told = ToldSeries.Read(
            """
            # TYPE wire_lag gauge
            wire_lag{otel_scope_name="Wire",queue="a \"b\" {c}"} 3 1700000000000
            wire_sent_total 7 1700000000000

            """);
        Assert.Equal(2, told.Count);
        Assert.Empty(Missing("max by (queue) (wire_lag{job=~\"$job\", error=\"\"})"));
        Assert.Equal(["wire_lags with job=~\"$job\""], Missing("sum(wire_lags{job=~\"$job\"})"));
        Assert.Equal(["wire_lag with queue=\"b\""], Missing("sum(wire_lag{queue=\"b\"})"));
        Assert.Equal(["the label queue of wire_sent_total"], Missing("sum by (queue) (wire_sent_total{queue!=\"x\"})"));
        Assert.Equal(["no metric in up"], Missing("up"));

        string[] Missing(string expression) => [.. new DashboardQuery(expression, "").FindMissing(told)];
    }
}
