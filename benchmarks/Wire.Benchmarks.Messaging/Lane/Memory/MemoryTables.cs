using Wire.Amqp.Client;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;

namespace Wire.Benchmarks.Messaging.Lane.Memory;

/// <summary>The memory that large bodies take, each row in a process of its own.</summary>
internal static class MemoryTables
{
    public const string Name = "Memory: 1 MB objects, 16 tasks, 100 iterations";
    public const string LargeName = "Large objects";

    private const int Rounds = 3;
    private const int Megabyte = 1 << 20;

    private static readonly string Client = new ClientSender(objects: true).Name;
    private static readonly string Background = new LaneSender(FrameWriting.Background).Name;
    private static readonly string Inline = new LaneSender(FrameWriting.Inline).Name;
    private static readonly string Gathered = new LaneSender(FrameWriting.Inline, streams: false).Name;

    public static async Task<string> MeasureAsync(SinkProcess sink) => Table.Format(
    [
        [Name, "working set before, MB", "peak, MB", "allocated, MB", "ms"],
        ["told with the proposal: RabbitMQ.Client", "23", "2,254", "–", "9,002"],
        ["told with the proposal: in the background", "23", "2,136", "–", "8,780"],
        ["told with the proposal: inline, without a copy", "22", "98, at the end 51", "–", "8,756"],
        .. await RowsAsync(sink, [Client, Background, Inline], Megabyte, 16, 100),
    ]);

    public static async Task<string> MeasureLargeAsync(SinkProcess sink) => Table.Format(
    [
        [LargeName, "working set before, MB", "peak, MB", "allocated, MB", "ms"],
        .. await RowsAsync(sink, [Client, Background, Inline, Gathered], 64 * Megabyte, 1, 4, "64 MB, "),
        .. await RowsAsync(sink, [Client, Background, Inline, Gathered], 256 * Megabyte, 1, 2, "256 MB, "),
    ]);

    private static async Task<List<string[]>> RowsAsync(SinkProcess sink, string[] senders, int size, int tasks, int iterations, string prefix = "")
    {
        var samples = senders.Select(_ => new List<MemorySample>()).ToArray();
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < senders.Length; i++)
            {
                MemorySample sample = await MemorySample.MeasureAsync(sink, senders[i], size, tasks, iterations);
                Console.Error.WriteLine($"{prefix}{senders[i]}: {sample}");
                samples[i].Add(sample);
            }
        }

        return
        [
            .. senders.Select((sender, i) => (string[])
            [
                prefix + sender,
                Table.Number(samples[i].Select(sample => sample.BeforeMegabytes).Median(), "N0"),
                Table.Number(samples[i].Select(sample => sample.PeakMegabytes).Median(), "N0"),
                Table.Number(samples[i].Select(sample => sample.AllocatedMegabytes).Median(), "N1"),
                Table.Number(samples[i].Select(sample => sample.Milliseconds).Median(), "N0"),
            ]),
        ];
    }
}
