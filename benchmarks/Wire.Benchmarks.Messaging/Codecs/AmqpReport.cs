using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Lane;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The figures of docs/amqp.md.</summary>
internal static class AmqpReport
{
    private const int Messages = 50_000;

    // What Wire.Amqp is meant to reach.
    private static IEnumerable<Target> Targets { get; } =
    [
        .. new[] { "AMQP double", "AMQP uint64", "AMQP uint64 over segments" }.SelectMany(scenario => (Target[])
        [
            Target.RoundTrip(scenario, "Wire.Amqp", 1.1),
            new($"{scenario}, Wire.Amqp: round trip allocates, bytes", 0, false, results => Target.Row(results, scenario, "Wire.Amqp")?.RoundTrip?.Bytes),
        ]),
        .. BodyScenario.Sizes.SelectMany(size => (Target[])
        [
            new($"{size.Name}, {BodyScenario.Own}: write allocates, bytes", 0, false, results => Target.Row(results, size.Name, BodyScenario.Own)?.Write?.Bytes),
            new($"{size.Name}, {BodyScenario.Own}: read allocates, bytes beside the object returned", BodyScenario.Disturbance, false, results =>
                Target.Row(results, size.Name, BodyScenario.Own)?.Read?.Bytes - Target.Floor(results, size.Name)?.Read?.Bytes),
        ]),
    ];

    /// <summary>Writes the page's section from a file of results.</summary>
    public static void Write(Options options)
    {
        Results results = Results.Load(options.Json);
        Page.Amqp.Write(
            "amqp",
            Report.Source(results.ScenarioRun)
            + $"### Targets\n\n{Report.Targets(results, Targets)}\n"
            + Report.Tables(results)
            + Memory(results)
            + (results.Comparisons.Count > 0 ? $"### Down to the socket\n\n{Table.Format(results.Comparisons)}" : ""));
    }

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
