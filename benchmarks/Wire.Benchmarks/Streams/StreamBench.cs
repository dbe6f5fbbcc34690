namespace Wire.Benchmarks;

/// <summary>What the client for streams does from memory and with a real broker, beside what is done by hand.</summary>
internal static class StreamBench
{
    private const int Rounds = 5;

    /// <summary>Measures, prints the tables, and writes them into docs/streams.md.</summary>
    public static async Task RunAsync(Options options)
    {
        await using StreamBroker broker = await StreamBroker.ConnectAsync(options.Mode);
        StreamScenario[] all = [.. MemoryStreamTables.All(), .. ConsumeStreamTables.All(broker), .. PublishStreamTables.All(broker)];
        IReadOnlySet<string> selected = options.Select(all.Select(table => table.Name));
        string text = $"""
            `{options.Command}`, {DateTime.UtcNow:yyyy-MM-dd}, {broker.Name}

            {Machine.Describe()}

            Medians of {Rounds} interleaved rounds; a ratio is the median of the rounds' ratios. From memory: {(OneCore.IsSupported ? "all threads on one core" : "on all cores, since threads cannot be kept on one here")}.


            """;
        foreach (StreamScenario scenario in all.Where(table => selected.Contains(table.Name)))
        {
            text += await scenario.MeasureAsync(Rounds) + "\n";
        }

        Console.WriteLine(text);
        if (options.IsAll)
        {
            Report.Section(Pages.Streams, "streams", text);
        }
    }
}
