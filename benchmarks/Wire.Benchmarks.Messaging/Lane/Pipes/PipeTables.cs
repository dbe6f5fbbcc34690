using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Pipes;

/// <summary>What System.IO.Pipelines takes and gives beside sockets alone.</summary>
internal static class PipeTables
{
    public static IEnumerable<MessageTable> All(SinkProcess sink) =>
    [
        Sending(sink, Load.Small, 300_000),
        Sending(sink, Load.Medium, 30_000),
        Receiving(sink, Load.Small, 300_000),
        Receiving(sink, Load.Medium, 30_000),
    ];

    private static MessageTable Sending(SinkProcess sink, Load load, int messages) => new(
        $"Pipelines and sockets: sending, {load.Name}",
        LaneBench.Columns,
        [
            new SinkRow(new PipeSender(), load, messages, sink),
            new SinkRow(new SwapSender(), load, messages, sink),
            new SinkRow(new HandSender(objects: false), load, messages, sink),
        ],
        0);

    private static MessageTable Receiving(SinkProcess sink, Load load, int messages) => new(
        $"Pipelines and sockets: receiving, {load.Name}",
        LaneBench.Columns,
        [
            new StreamPipeRow(messages, sink, load),
            new PipeRow(messages, sink, load),
            new ArrayRow(messages, sink, load),
        ],
        0);
}
