using System.Diagnostics;
using Wire.Amqp.Client;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>Many tasks that publish small objects at once: to one channel, and to a channel each of one connection.</summary>
internal static class ContentionTable
{
    public const string Name = "Contention: 512 B, messages/s by publishers";

    private const int Rounds = 5;

    private static readonly int[] Publishers = [1, 4, 16, 64];

    public static async Task<string> MeasureAsync(SinkProcess sink)
    {
        (string Name, int Messages, Func<Sender> Make)[] ways =
        [
            ("RabbitMQ.Client, objects", 30_000, () => new ClientSender(objects: true)),
            ("lane, background", 200_000, () => new LaneSender(FrameWriting.Background)),
            ("lane, inline", 40_000, () => new LaneSender(FrameWriting.Inline)),
        ];
        (string Name, int Messages, Func<Sender> Make, bool OwnChannels)[] rows =
        [
            .. ways.Select(way => ($"{way.Name}, one channel", way.Messages, way.Make, false)),
            .. ways.Select(way => ($"{way.Name}, a channel each", way.Messages, way.Make, true)),
        ];
        List<Rates>[] rates = await MessageTable.MeasureAsync([.. rows.Select(row => row.Name)], warmUp: 1, Rounds, async i =>
        {
            await using Sender sender = rows[i].Make();
            await sender.OpenAsync(sink.Uri, rows[i].OwnChannels ? Publishers.Max() : 1);
            double[] each = new double[Publishers.Length];
            for (int j = 0; j < each.Length; j++)
            {
                each[j] = await MeasureAsync(sink, sender, rows[i].Messages, Publishers[j], rows[i].OwnChannels);
            }

            return new Rates(each);
        });

        return Table.Format(
        [
            [Name, .. Publishers.Select(publishers => Table.Number(publishers, "N0")), "64 : 4"],
            .. rows.Select((row, i) => (string[])
            [
                row.Name,
                .. Publishers.Select((_, j) => Table.Median(rates[i].Select(rate => rate.Each[j]), "N0")),
                Table.Median(rates[i].Select(rate => rate.Each[^1] / rate.Each[1]), "0.00"),
            ]),
        ]);
    }

    private static async Task<double> MeasureAsync(SinkProcess sink, Sender sender, int messages, int publishers, bool ownChannels)
    {
        GC.Collect();
        long start = Stopwatch.GetTimestamp();
        int each = messages / publishers;
        await Task.WhenAll(Enumerable.Range(0, publishers).Select(publisher => Task.Run(async () =>
        {
            int channel = ownChannels ? publisher : 0;
            for (int i = 0; i < each; i++)
            {
                await sender.SendAsync(Load.Small, channel);
            }
        })));
        await sink.AwaitAsync(each * publishers);
        return each * publishers / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    // By the numbers of publishers.
    private sealed record Rates(double[] Each)
    {
        public override string ToString() => string.Join(", ", Each.Select(rate => $"{rate:N0}/s"));
    }
}

/// <summary>
/// Many tasks that publish small objects, and one that publishes objects of 1 MB, over one connection, a channel each: what the large ones
/// do to the small ones.
/// </summary>
internal static class MixedTable
{
    public const string Name = "Mixed: 16 publishers of 512 B and one of 1 MB";

    private const int Rounds = 5;
    private const int Publishers = 16;
    private const int Burst = 16;

    // About as many small messages in a second as RabbitMQ.Client sends here.
    private const int Pace = 75_000;

    private static readonly TimeSpan Duration = TimeSpan.FromMilliseconds(600);

    public static async Task<string> MeasureAsync(SinkProcess sink)
    {
        (string Name, bool HasLarge, int Pace, Func<Sender> Make)[] rows =
        [
            ("RabbitMQ.Client, objects", true, int.MaxValue, () => new ClientSender(objects: true)),
            ("lane, all in the background, no large ones", false, int.MaxValue, () => new LaneSender(FrameWriting.Background)),
            ("lane, all in the background", true, int.MaxValue, () => new LaneSender(FrameWriting.Background)),
            ($"the same, no more than {Pace:N0} small ones a second", true, Pace, () => new LaneSender(FrameWriting.Background)),
            ("lane, all inline", true, int.MaxValue, () => new LaneSender(FrameWriting.Inline)),
            (
                "lane, in the background, large ones inline by their publish",
                true,
                int.MaxValue,
                () => new LaneSender(FrameWriting.Background, ofLarge: FrameWriting.Inline)),
        ];
        List<Figures>[] figures = await MessageTable.MeasureAsync(
            [.. rows.Select(row => row.Name)], warmUp: 1, Rounds, i => MeasureAsync(sink, rows[i].Make(), rows[i].HasLarge, rows[i].Pace));

        return Table.Format(
        [
            [Name, "small/s", "p50 µs", "p99 µs", "large/s"],
            .. rows.Select((row, i) => (string[])
            [
                row.Name,
                Table.Median(figures[i].Select(figure => figure.Small), "N0"),
                Table.Median(figures[i].Select(figure => figure.Half), "#,0.0"),
                Table.Median(figures[i].Select(figure => figure.Most), "#,0.0"),
                row.HasLarge ? Table.Median(figures[i].Select(figure => figure.Large), "N0") : "–",
            ]),
        ]);
    }

    private static async Task<Figures> MeasureAsync(SinkProcess sink, Sender sender, bool hasLarge, int pace)
    {
        await using (sender)
        {
            await sender.OpenAsync(sink.Uri, Publishers + 1);
            GC.Collect();
            var latencies = new Latencies[Publishers];
            long start = Stopwatch.GetTimestamp();
            Task<int> large =
                hasLarge ? Task.Run(() => PublishAsync(sender, Load.Large, Publishers, start, int.MaxValue, null)) : Task.FromResult(0);
            int[] small = await Task.WhenAll(Enumerable.Range(0, Publishers).Select(
                i => Task.Run(() => PublishAsync(sender, Load.Small, i, start, pace / Publishers, latencies[i] = new Latencies()))));
            await sink.AwaitAsync(small.Sum() + await large);
            double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
            var all = Latencies.Sum(latencies);
            return new Figures(small.Sum() / seconds, await large / seconds, all.Percentile(0.5), all.Percentile(0.99));
        }
    }

    private static async Task<int> PublishAsync(Sender sender, Load load, int channel, long start, int pace, Latencies? latencies)
    {
        int count = 0;
        for (long now = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start, now) < Duration; count++)
        {
            if (count % Burst == 0)
            {
                // A task that never waits would keep its thread, and the others from theirs.
                await Task.Yield();
                while (count > pace * Stopwatch.GetElapsedTime(start).TotalSeconds)
                {
                    await Task.Delay(1);
                }

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

/// <summary>How long calls took, counted by sixteenths of powers of two of nanoseconds: nothing is allocated for one more.</summary>
internal sealed class Latencies
{
    private const int Steps = 16;

    private readonly long[] _counts = new long[64 * Steps];

    public void Add(TimeSpan time)
    {
        double nanoseconds = Math.Max(1, time.TotalNanoseconds);
        _counts[Math.Min((int)(Math.Log2(nanoseconds) * Steps), _counts.Length - 1)]++;
    }

    public static Latencies Sum(IEnumerable<Latencies> all)
    {
        var sum = new Latencies();
        foreach (Latencies one in all)
        {
            for (int i = 0; i < one._counts.Length; i++)
            {
                sum._counts[i] += one._counts[i];
            }
        }

        return sum;
    }

    /// <summary>In how many microseconds such a part of the calls was done.</summary>
    public double Percentile(double part)
    {
        double left = _counts.Sum() * part;
        int step = 0;
        while (step < _counts.Length - 1 && (left -= _counts[step]) > 0)
        {
            step++;
        }

        return Math.Pow(2, (step + 1.0) / Steps) / 1e3;
    }
}
