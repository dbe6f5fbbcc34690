using System.Diagnostics;
using RabbitMQ.Client;
using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>How long a small object takes from the call until it is confirmed, at a pace that the broker keeps up with.</summary>
internal static class GatheredDelays
{
    public const string Name = "Small objects at a pace, durable queue, from the call to the confirm";

    private const int Rounds = 5;

    // So often some are published.
    private const int BurstsPerSecond = 1_000;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(2);

    public static async Task<string> MeasureAsync()
    {
        (string Name, bool Gathers, int Pace)[] rows =
        [
            ("a message each", false, 4_000),
            ("gathered", true, 4_000),
            ("gathered", true, 40_000),
            ("gathered", true, 400_000),
        ];
        List<Figures>[] figures = await MessageTable.MeasureAsync(
            [.. rows.Select(row => $"{row.Name}, {row.Pace:N0}/s")], warmUp: 1, Rounds, i => MeasureAsync(rows[i].Gathers, rows[i].Pace));
        return Table.Format(
        [
            [Name, "asked for, messages/s", "messages/s", "p50 ms", "p99 ms"],
            .. rows.Select((row, i) => (string[])
            [
                $"WirePublisher over Wire.Amqp.Client, {row.Name}",
                Table.Number(row.Pace, "N0"),
                Table.Median(figures[i].Select(figure => figure.Rate), "N0"),
                Table.Median(figures[i].Select(figure => figure.Half), "0.0"),
                Table.Median(figures[i].Select(figure => figure.Most), "0.0"),
            ]),
        ]);
    }

    private static async Task<Figures> MeasureAsync(bool gathers, int pace)
    {
        await using IConnection looking = await BrokerBench.ConnectAsync();
        string queue = await BrokerBench.DeclareQueueAsync(looking);
        await using WireConnection own = await BrokerBench.ConnectAsync(WireTransport.DirectLane);
        await using var publisher = new WirePublisher(own, BrokerBench.Serializer, GatheredTables.Options(gathers));
        Parcel message = Parcel.Create(GatheredTables.Content);
        await publisher.PublishAsync("", queue, message);
        var taken = new List<Task<double>>();
        long start = Stopwatch.GetTimestamp();
        for (int burst = 0; Stopwatch.GetElapsedTime(start) < Duration; burst++)
        {
            for (int i = 0; i < pace / BurstsPerSecond; i++)
            {
                taken.Add(TakeTimeAsync(publisher, queue, message));
            }

            TimeSpan left = TimeSpan.FromSeconds((burst + 1.0) / BurstsPerSecond) - Stopwatch.GetElapsedTime(start);
            if (left > TimeSpan.Zero)
            {
                await Task.Delay(left);
            }
        }

        double[] all = await Task.WhenAll(taken);
        double rate = all.Length / Stopwatch.GetElapsedTime(start).TotalSeconds;
        await using IChannel channel = await looking.CreateChannelAsync();
        await channel.QueueDeleteAsync(queue);
        Array.Sort(all);
        return new Figures(rate, all[all.Length / 2], all[all.Length * 99 / 100]);
    }

    private static async Task<double> TakeTimeAsync(WirePublisher publisher, string queue, Parcel message)
    {
        long start = Stopwatch.GetTimestamp();
        await publisher.PublishAsync("", queue, message);
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }

    private sealed record Figures(double Rate, double Half, double Most)
    {
        public override string ToString() => $"{Rate:N0}/s, p50 {Half:0.0} ms, p99 {Most:0.0} ms";
    }
}
