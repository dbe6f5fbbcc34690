using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Streams.Broker;
using Wire.Benchmarks.Messaging.Streams.Memory;
using Wire.Benchmarks.Messaging.Tables;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>What the client for streams does from memory and with a real broker, beside what is done by hand.</summary>
internal static class StreamBench
{
    /// <summary>The figures of all tables.</summary>
    public static readonly IReadOnlyList<Column> Columns =
    [
        new("B/message", "#,0.00", figures => figures.Bytes),
        new("CPU ns/message", "#,0.0", figures => figures.Nanoseconds),
    ];

    /// <summary>The figures where there is a broker.</summary>
    public static readonly IReadOnlyList<Column> BrokerColumns =
    [
        .. Columns,
        new("client CPU, of a core", "0 '%'", figures => 100 * figures.Client),
        new("broker CPU, of a core", "0 '%'", figures => 100 * figures.Broker),
        new("client's part of both", "0 '%'", figures => 100 * figures.Client / (figures.Client + figures.Broker)),
    ];

    /// <summary>Measures, prints the tables, and writes them into docs/streams.md.</summary>
    public static async Task RunAsync(Options options)
    {
        await using StreamBroker broker = await StreamBroker.ConnectAsync(options.Mode);
        string cores = OneCore.IsSupported ? "all threads on one core" : "on all cores, since threads cannot be kept on one here";
        await new PageSection(Page.Streams, "streams", $", {broker.Name}", $"{PageSection.Medians} From memory: {cores}.")
            .WriteAsync(options, [.. MemoryStreamTables.All(), .. ConsumeStreamTables.All(broker), .. PublishStreamTables.All(broker)]);
    }
}
