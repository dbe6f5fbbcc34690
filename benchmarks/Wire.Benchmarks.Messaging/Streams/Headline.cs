using Wire.Benchmarks.Reports;
using Wire.RabbitMQ.Streams;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>The story that the client is measured by: 88 million messages, put into a stream and consumed from it, once.</summary>
internal static class Headline
{
    private const int Messages = 88_000_000;

    /// <summary>Measures, prints the table, and writes it into docs/performance/streams.md.</summary>
    public static async Task RunAsync(Options options)
    {
        await using StreamBroker broker = await StreamBroker.ConnectAsync(options.Mode);
        List<string[]> lines = [
        [
            "88,000,000 messages",
            "seconds",
            "messages/s",
            "B/message",
            "client CPU, of a core",
            "broker CPU, of a core",
            "busier",
            "on disk",
        ]];
        foreach (int perEntry in (int[])[1, 100])
        {
            lines.AddRange(await MeasureAsync(
                broker,
                StreamLoad.Small,
                perEntry,
                ("batches", StreamHandling.NumbersTogether()),
                ("messages", StreamHandling.Numbers())));
            lines.AddRange(await MeasureAsync(broker, StreamLoad.Object, perEntry, ("objects", StreamHandling.Objects())));
        }

        string text = $"""
            `{options.Command}`, {DateTime.UtcNow:yyyy-MM-dd}, {await MeasuredBroker.Current.DescribeAsync()}

            {Machine.Describe()}

            Once each, one connection, the CRC of each chunk compared. On disk, which is all that it takes:
            one stream at a time, deleted afterwards.

            {Table.Format(lines)}
            """;
        Console.WriteLine(text);
        Page.Streams.Write("streams88", text);
    }

    private static async Task<List<string[]>> MeasureAsync(
        StreamBroker broker, StreamLoad load, int perEntry, params (string Name, StreamHandling Handling)[] consumed)
    {
        string what = $"{load.Name}, {(perEntry == 1 ? "an entry each" : $"{perEntry} in an entry")}";
        string stream = await broker.CreateAsync();
        try
        {
            Measurement put = await Measurement.OfAsync(Messages, () => PutAsync(broker.Client, stream, load, perEntry));
            List<string[]> lines = [Line($"{what}: put in", put, MeasuredBroker.Current.Use.DiskBytes())];
            foreach ((string name, StreamHandling handling) in consumed)
            {
                lines.Add(Line(
                    $"{what}: consumed, {name}",
                    await Measurement.OfAsync(Messages, () => handling.ConsumeAsync(broker.Client, stream, Messages)),
                    null));
            }

            return lines;
        }
        finally
        {
            await broker.DeleteAsync(stream);
        }
    }

    private static async Task PutAsync(StreamClient client, string stream, StreamLoad load, int perEntry)
    {
        var options =
            new StreamProducerOptions { SubEntries = perEntry == 1 ? null : new StreamSubEntryOptions { MaxMessages = perEntry } };
        await using StreamProducer producer = await client.CreateProducerAsync(stream, options);
        for (int i = 0; i < Messages; i++)
        {
            _ = await producer.EnqueueBytesAsync(load.Message);
        }

        await producer.FlushAsync();
    }

    private static string[] Line(string name, Measurement figures, double? disk)
    {
        Console.Error.WriteLine($"{name}: {figures}");
        return
        [
            name,
            Table.Number(figures.Seconds, "0.0"),
            Table.Number(figures.Rate, "N0"),
            Table.Number(figures.Bytes, "0.00"),
            Table.Number(100 * figures.Client, "0 '%'"),
            double.IsNaN(figures.Broker) ? "–" : Table.Number(100 * figures.Broker, "0 '%'"),
            double.IsNaN(figures.Broker) ? "–" : figures.Broker > figures.Client ? "the broker" : "the client",
            disk is { } bytes ? $"{Table.Number(bytes / 1e9, "0.0")} GB" : "",
        ];
    }
}
