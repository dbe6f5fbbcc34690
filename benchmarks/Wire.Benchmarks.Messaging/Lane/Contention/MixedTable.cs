using System.Diagnostics;
using Wire.Amqp.Client;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;

namespace Wire.Benchmarks.Messaging.Lane.Contention;

/// <summary>
/// Many tasks that publish small objects, and one that publishes objects of 1 MB, over one connection, a channel each: what the large ones do to the small ones.
/// </summary>
internal static class MixedTable
{
    public const string Name = "Mixed: 16 publishers of 512 B and one of 1 MB";

    private const int Rounds = 5;
    private const int Publishers = 16;
    private const int Burst = 16;

    private static readonly TimeSpan Duration = TimeSpan.FromMilliseconds(600);

    public static async Task<string> MeasureAsync(SinkProcess sink)
    {
        (string Name, bool HasLarge, Func<Sender> Make)[] rows =
        [
            ("RabbitMQ.Client, objects", true, () => new ClientSender(objects: true)),
            ("lane, all in the background, no large ones", false, () => new LaneSender(FrameWriting.Background)),
            ("lane, all in the background", true, () => new LaneSender(FrameWriting.Background)),
            ("lane, all inline", true, () => new LaneSender(FrameWriting.Inline)),
            ("lane, in the background, large ones inline by their publish", true, () => new LaneSender(FrameWriting.Background, ofLarge: FrameWriting.Inline)),
        ];
        var figures = rows.Select(_ => new List<Figures>()).ToArray();
        for (int round = -1; round < Rounds; round++)
        {
            for (int i = 0; i < rows.Length; i++)
            {
                Figures measured = await MeasureAsync(sink, rows[i].Make(), rows[i].HasLarge);
                Console.Error.WriteLine($"{rows[i].Name}: {measured}");
                if (round >= 0)
                {
                    figures[i].Add(measured);
                }
            }
        }

        return Table.Format(
        [
            [Name, "small/s", "p50 µs", "p99 µs", "large/s"],
            .. rows.Select((row, i) => (string[])
            [
                row.Name,
                Table.Number(figures[i].Select(figure => figure.Small).Median(), "N0"),
                Table.Number(figures[i].Select(figure => figure.Half).Median(), "#,0.0"),
                Table.Number(figures[i].Select(figure => figure.Most).Median(), "#,0.0"),
                row.HasLarge ? Table.Number(figures[i].Select(figure => figure.Large).Median(), "N0") : "–",
            ]),
        ]);
    }

    private static async Task<Figures> MeasureAsync(SinkProcess sink, Sender sender, bool hasLarge)
    {
        await using (sender)
        {
            await sender.OpenAsync(sink.Uri, Publishers + 1);
            GC.Collect();
            var latencies = new Latencies[Publishers];
            long start = Stopwatch.GetTimestamp();
            Task<int> large = hasLarge ? Task.Run(() => PublishAsync(sender, Load.Large, Publishers, start, null)) : Task.FromResult(0);
            int[] small = await Task.WhenAll(Enumerable.Range(0, Publishers).Select(i => Task.Run(() => PublishAsync(sender, Load.Small, i, start, latencies[i] = new Latencies()))));
            await sink.AwaitAsync(small.Sum() + await large);
            double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
            var all = Latencies.Sum(latencies);
            return new Figures(small.Sum() / seconds, await large / seconds, all.Percentile(0.5), all.Percentile(0.99));
        }
    }

    private static async Task<int> PublishAsync(Sender sender, Load load, int channel, long start, Latencies? latencies)
    {
        int count = 0;
        for (long now = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start, now) < Duration; count++)
        {
            if (count % Burst == 0)
            {
                // A task that never waits would keep its thread, and the others from theirs.
                await Task.Yield();
                now = Stopwatch.GetTimestamp();
            }

            await sender.SendAsync(load, channel);
            long then = Stopwatch.GetTimestamp();
            latencies?.Add(Stopwatch.GetElapsedTime(now, then));
            now = then;
        }

        return count;
    }

    private readonly record struct Figures(double Small, double Large, double Half, double Most);
}
