using Wire.Amqp.Client;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>Publishing to a broker, with confirms.</summary>
internal static class ConfirmTables
{
    public static IEnumerable<MessageTable> All(Uri broker) =>
    [
        new(
            "Publishing to RabbitMQ, 512 B, confirmed",
            LaneBench.Columns,
            [
                new ClientConfirms(128, 12_800, broker, Load.Small),
                new HandConfirms(40_000, broker, Load.Small),
                new LaneConfirms(FrameWriting.Background, false, 40_000, broker, Load.Small),
                new LaneConfirms(FrameWriting.Inline, false, 40_000, broker, Load.Small),
            ],
            0,
            1),
        new(
            "Publishing to RabbitMQ, 512 B, one at a time, confirmed",
            LaneBench.Columns,
            [
                new ClientConfirms(1, 2_000, broker, Load.Small),
                new LaneConfirms(FrameWriting.Background, true, 2_000, broker, Load.Small),
                new LaneConfirms(FrameWriting.Inline, true, 2_000, broker, Load.Small),
            ],
            0),
        new(
            "Publishing to RabbitMQ, 16 KB, confirmed",
            LaneBench.Columns,
            [
                new ClientConfirms(128, 6_400, broker, Load.Medium),
                new HandConfirms(10_000, broker, Load.Medium),
                new LaneConfirms(FrameWriting.Background, false, 10_000, broker, Load.Medium),
                new LaneConfirms(FrameWriting.Inline, false, 10_000, broker, Load.Medium),
            ],
            0,
            1),
    ];
}
