namespace Wire.Benchmarks;

/// <summary>What the direct lane does beside RabbitMQ.Client and beside frames by hand.</summary>
internal static class LaneBench
{
    private const int Rounds = 5;

    /// <summary>Measures, prints the tables, and writes them into docs/amqp.md.</summary>
    public static async Task RunAsync(Options options)
    {
        Uri broker = BrokerBench.Uri(options.Mode);
        await using SinkProcess sink = await SinkProcess.StartAsync();
        (string Name, Func<Task<string>> Measure)[] all =
        [
            .. Scenarios(broker, sink).Select(scenario => (scenario.Name, Measure(scenario))),
            (ContentionTable.Name, () => ContentionTable.MeasureAsync(sink)),
            (MixedTable.Name, () => MixedTable.MeasureAsync(sink)),
            (MemoryTables.Name, () => MemoryTables.MeasureAsync(sink)),
            (MemoryTables.LargeName, () => MemoryTables.MeasureLargeAsync(sink)),
        ];
        IReadOnlySet<string> selected = options.Select(all.Select(table => table.Name));
        string text = $"`{options.Command}`, {DateTime.UtcNow:yyyy-MM-dd}\n\n{Machine.Describe()}\n\nMedians of {Rounds} interleaved rounds; a ratio is the median of the rounds' ratios. The processor time is the client's alone.\n\n";
        foreach ((string name, Func<Task<string>> measure) in all.Where(table => selected.Contains(table.Name)))
        {
            text += await measure() + "\n";
        }

        Console.WriteLine(text);
        if (options.IsAll)
        {
            Report.Section(Pages.Amqp, "lane", text);
        }
    }

    private static IEnumerable<LaneScenario> Scenarios(Uri broker, SinkProcess sink) =>
        [.. PublishTables.All(sink), .. ConfirmTables.All(broker), .. ConsumeTables.All(broker, sink), .. PipeTables.All(sink)];

    private static Func<Task<string>> Measure(LaneScenario scenario) => () => scenario.MeasureAsync(Rounds);
}
