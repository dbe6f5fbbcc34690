using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Lane.Consuming;
using Wire.Benchmarks.Messaging.Lane.Contention;
using Wire.Benchmarks.Messaging.Lane.Memory;
using Wire.Benchmarks.Messaging.Lane.Pipes;
using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.RabbitMQ;
using Wire.Benchmarks.Messaging.Tables;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>What the direct lane does beside RabbitMQ.Client and beside frames by hand.</summary>
internal static class LaneBench
{
    /// <summary>The figures of the tables of rows.</summary>
    public static readonly IReadOnlyList<Column> Columns =
    [
        new("CPU µs/message", "#,0.00", figures => figures.Nanoseconds / 1e3),
        new("x", "0.00", figures => figures.Nanoseconds, IsRatio: true),
        new("B/message", "#,0.0", figures => figures.Bytes),
    ];

    /// <summary>Measures, prints the tables, and writes them into docs/amqp.md.</summary>
    public static async Task RunAsync(Options options)
    {
        Uri broker = BrokerBench.Uri(options.Mode);
        await using SinkProcess sink = await SinkProcess.StartAsync();
        MessageTable[] rows = [.. PublishTables.All(sink), .. ConfirmTables.All(broker), .. ConsumeTables.All(broker, sink), .. PipeTables.All(sink)];
        await new PageSection(Page.Amqp, "lane", "", $"{PageSection.Medians} The processor time is the client's alone.").WriteAsync(options,
        [
            .. rows.Select(table => (table.Name, (Func<Task<string>>)table.MeasureAsync)),
            (ContentionTable.Name, () => ContentionTable.MeasureAsync(sink)),
            (MixedTable.Name, () => MixedTable.MeasureAsync(sink)),
            (MemoryTables.Name, () => MemoryTables.MeasureAsync(sink)),
            (MemoryTables.LargeName, () => MemoryTables.MeasureLargeAsync(sink)),
        ]);
    }
}
