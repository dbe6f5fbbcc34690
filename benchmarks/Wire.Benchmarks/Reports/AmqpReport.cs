namespace Wire.Benchmarks;

/// <summary>The figures of docs/amqp.md.</summary>
internal static class AmqpReport
{
    private const int Messages = 50_000;

    public static string Write(Results results) =>
        Report.Source(results.ScenarioRun)
        + $"### Targets\n\n{Report.Targets(results, Target.Amqp)}\n"
        + Report.Tables(results)
        + Memory(results)
        + (results.Comparisons.Count > 0 ? $"### Down to the socket\n\n{Table.Format(results.Comparisons)}" : "");

    /// <summary>
    /// The table of the RabbitMQ client's own history, with ours beside it: what is allocated to send and receive 50,000 messages. The figures
    /// of the client are of whole programs, as it was told; ours are of writing and reading.
    /// </summary>
    private static string Memory(Results results)
    {
        (double Before, double After)?[] told = [(470.03, 99.43), (7311.36, 99.41), null];
        List<string[]> lines =
        [
            ["Content of a message, B", "RabbitMQ.Client before 6.0, MB", "6.0, MB", "Wire.Amqp, MB", "of that the objects read, MB", "by way of a byte[], MB"],
        ];
        foreach (((int size, string name), (double Before, double After)? client) in BodyScenario.Sizes.Zip(told))
        {
            if (results.Scenarios.FirstOrDefault(scenario => scenario.Name == name) is { } scenario)
            {
                lines.Add(
                [
                    Table.Number(size, "N0"),
                    client is { } before ? Table.Number(before.Before, "N1") : "–",
                    client is { } after ? Table.Number(after.After, "N1") : "–",
                    Megabytes(scenario, BodyScenario.Own),
                    Megabytes(scenario, BodyScenario.Floor),
                    Megabytes(scenario, BodyScenario.Usual),
                ]);
            }
        }

        return lines.Count > 1 ? $"### Allocated for {Table.Number(Messages, "N0")} messages\n\n{Table.Format(lines)}\n" : "";
    }

    private static string Megabytes(ScenarioResult scenario, string name) =>
        scenario.Rows.FirstOrDefault(row => row.Name == name) is { Write: { } write, Read: { } read }
            ? Table.Number((write.Bytes + read.Bytes) * Messages / 1e6, "N1")
            : "–";
}
