namespace Wire.Benchmarks;

/// <summary>What System.IO.Pipelines takes and gives beside sockets alone.</summary>
internal static class PipeTables
{
    public static IEnumerable<LaneScenario> All(SinkProcess sink) =>
    [
        Sending(sink, Load.Small, 300_000),
        Sending(sink, Load.Medium, 30_000),
        Receiving(sink, Load.Small, 300_000),
        Receiving(sink, Load.Medium, 30_000),
    ];

    private static LaneScenario Sending(SinkProcess sink, Load load, int messages) => new(
        $"Pipelines and sockets: sending, {load.Name}",
        [
            new SinkRow(new PipeSender(), load, messages, sink),
            new SinkRow(new SwapSender(), load, messages, sink),
            new SinkRow(new HandSender(objects: false), load, messages, sink),
        ],
        0);

    private static LaneScenario Receiving(SinkProcess sink, Load load, int messages) => new(
        $"Pipelines and sockets: receiving, {load.Name}",
        [
            new StreamPipeRow(messages, sink, load),
            new PipeRow(messages, sink, load),
            new ArrayRow(messages, sink, load),
        ],
        0);
}
