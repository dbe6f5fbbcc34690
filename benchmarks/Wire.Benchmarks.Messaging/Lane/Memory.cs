using System.Diagnostics;
using System.Globalization;
using Wire.Amqp.Client;

namespace Wire.Benchmarks.Messaging.Lane;

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

    private static async Task<List<string[]>> RowsAsync(
        SinkProcess sink, string[] senders, int size, int tasks, int iterations, string prefix = "")
    {
        List<MemorySample>[] samples = await MessageTable.MeasureAsync(
            [
                .. senders.Select(sender => prefix + sender),
            ], warmUp: 0, Rounds, i => MemorySample.MeasureAsync(sink, senders[i], size, tasks, iterations));
        return
        [
            .. senders.Select((sender, i) => (string[])
            [
                prefix + sender,
                Table.Median(samples[i].Select(sample => sample.BeforeMegabytes), "N0"),
                Table.Median(samples[i].Select(sample => sample.PeakMegabytes), "N0"),
                Table.Median(samples[i].Select(sample => sample.AllocatedMegabytes), "N1"),
                Table.Median(samples[i].Select(sample => sample.Milliseconds), "N0"),
            ]),
        ];
    }
}

/// <summary>
/// What publishing large bodies takes of a process of its own: how much memory it ever has, how much it allocates, and how long.
/// </summary>
/// <param name="BeforeMegabytes">The working set before the first message, with the object that is published.</param>
/// <param name="PeakMegabytes">The peak of the working set.</param>
/// <param name="AllocatedMegabytes">What is allocated from the first message on.</param>
/// <param name="Milliseconds">From the first message until all have arrived.</param>
internal sealed record MemorySample(double BeforeMegabytes, double PeakMegabytes, double AllocatedMegabytes, double Milliseconds)
{
    public const string Mode = "--lane-memory";

    private const double Megabyte = 1 << 20;

    /// <summary>Measures, in a process of its own.</summary>
    /// <param name="sink">Where it publishes to.</param>
    /// <param name="sender">How: one of the names of <see cref="Sender"/>.</param>
    /// <param name="size">How much content an object has.</param>
    /// <param name="tasks">How many tasks publish, on one channel.</param>
    /// <param name="iterations">How many objects each of them publishes.</param>
    public static async Task<MemorySample> MeasureAsync(SinkProcess sink, string sender, int size, int tasks, int iterations)
    {
        string[] arguments =
        [
            Mode,
            sender,
            sink.Uri.ToString(),
            .. new[] { size, tasks, iterations }.Select(number => number.ToString(CultureInfo.InvariantCulture)),
        ];
        using Process process = OwnProcess.Start(arguments);
        Task<double[]> reading = OwnProcess.FiguresAsync(process);
        await sink.AwaitAsync(tasks * iterations);
        double[] figures = await reading;
        return new MemorySample(figures[0], figures[1], figures[2], figures[3]);
    }

    /// <summary>Runs in the process, and prints what it took.</summary>
    public static async Task RunAsync(string[] arguments)
    {
        int[] numbers = [.. arguments.Skip(2).Select(text => int.Parse(text, CultureInfo.InvariantCulture))];
        Parcel parcel = Parcel.Create(0);
        parcel.Content = new byte[numbers[0]];
        new Random(1).NextBytes(parcel.Content);
        var load = new Load("", parcel, []);
        using Process process = Process.GetCurrentProcess();
        double before;
        double milliseconds;
        long allocated;
        await using (Sender sender = Named(arguments[0]))
        {
            await sender.OpenAsync(new Uri(arguments[1]));
            before = process.WorkingSet64 / Megabyte;
            allocated = GC.GetTotalAllocatedBytes(precise: true);
            long start = Stopwatch.GetTimestamp();
            await Task.WhenAll(Enumerable.Range(0, numbers[1]).Select(_ => Task.Run(async () =>
            {
                for (int i = 0; i < numbers[2]; i++)
                {
                    await sender.SendAsync(load);
                }
            })));
            allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
            milliseconds = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        process.Refresh();
        Console.Write(string.Create(
            CultureInfo.InvariantCulture, $"{before} {process.PeakWorkingSet64 / Megabyte} {allocated / Megabyte} {milliseconds}"));
    }

    private static Sender Named(string name)
    {
        Sender[] all =
        [
            new ClientSender(objects: true),
            new HandSender(objects: true),
            new LaneSender(FrameWriting.Background),
            new LaneSender(FrameWriting.Inline),
            new LaneSender(FrameWriting.Inline, streams: false),
        ];
        return all.First(sender => sender.Name == name);
    }
}
