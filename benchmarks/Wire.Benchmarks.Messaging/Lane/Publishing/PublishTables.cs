using Wire.Amqp.Client;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>Publishing to a sink, one message after the other.</summary>
internal static class PublishTables
{
    public static IEnumerable<MessageTable> All(SinkProcess sink) =>
    [
        Of(sink, Load.Small, 40_000, 800_000, 400_000),
        Of(sink, Load.Medium, 20_000, 60_000, 60_000),
        Of(sink, Load.Large, 600, 1_000, 1_000),
        new(
            "Who owns a body of 16 KB",
            LaneBench.Columns,
            [
                new SinkRow(new LaneSender(FrameWriting.Inline, objects: false), Load.Medium, 15_000, sink),
                new SinkRow(new OwnedSender(), Load.Medium, 15_000, sink),
                new SinkRow(new LaneSender(FrameWriting.Background, objects: false), Load.Medium, 15_000, sink),
            ],
            0),
    ];

    private static MessageTable Of(SinkProcess sink, Load load, int client, int byHand, int lane) => new(
        $"Publishing to a sink, {load.Name}",
        LaneBench.Columns,
        [
            new SinkRow(new ClientSender(objects: false), load, client, sink),
            new SinkRow(new ClientSender(objects: true), load, client, sink),
            new SinkRow(new HandSender(objects: false), load, byHand, sink),
            new SinkRow(new HandSender(objects: true), load, lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Background), load, lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Background, objects: false), load, lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Inline), load, load == Load.Small ? client : lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Inline, objects: false), load, load == Load.Small ? client : lane, sink),
        ],
        0,
        2,
        3);
}
