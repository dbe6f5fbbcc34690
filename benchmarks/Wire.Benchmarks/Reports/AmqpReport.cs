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
    /// What is allocated to write and read 50,000 messages, beside what was told of RabbitMQ.Client, before and after its memory was pooled: those
    /// figures are of whole programs that sent and received as many, bodies of bytes that they did not keep.
    /// </summary>
    private static string Memory(Results results)
    {
        (double Before, double After)?[] told = [(470.03, 99.43), (7311.36, 99.41), null];
        List<string[]> lines =
        [
            ["Content of a message, B", "RabbitMQ.Client before 6.0, MB", "6.0, MB", "Wire.Amqp, MB", "the objects read, MB", "by way of a byte[], without the objects, MB"],
        ];
        foreach (((int size, string name), (double Before, double After)? client) in BodyScenario.Sizes.Zip(told))
        {
            if (results.Scenarios.FirstOrDefault(scenario => scenario.Name == name) is { } scenario)
            {
                double? objects = Allocated(scenario, BodyScenario.Floor);
                lines.Add(
                [
                    Table.Number(size, "N0"),
                    client is { } before ? Table.Number(before.Before, "N1") : "–",
                    client is { } after ? Table.Number(after.After, "N1") : "–",
                    Megabytes(Allocated(scenario, BodyScenario.Own) - objects),
                    Megabytes(objects),
                    Megabytes(Allocated(scenario, BodyScenario.Usual) - objects),
                ]);
            }
        }

        return lines.Count > 1 ? $"### Allocated for {Table.Number(Messages, "N0")} messages\n\n{Table.Format(lines)}\n" : "";
    }

    private static double? Allocated(ScenarioResult scenario, string name) =>
        scenario.Rows.FirstOrDefault(row => row.Name == name) is { Write: { } write, Read: { } read } ? write.Bytes + read.Bytes : null;

    private static string Megabytes(double? perMessage) => perMessage is { } bytes ? Table.Number(bytes * Messages / 1e6, "N1") : "–";
}
