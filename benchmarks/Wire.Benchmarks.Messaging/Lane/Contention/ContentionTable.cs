using System.Diagnostics;
using Wire.Amqp.Client;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;

namespace Wire.Benchmarks.Messaging.Lane.Contention;

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
        var rates = rows.Select(_ => Publishers.Select(_ => new List<double>()).ToArray()).ToArray();
        for (int round = -1; round < Rounds; round++)
        {
            for (int i = 0; i < rows.Length; i++)
            {
                await using Sender sender = rows[i].Make();
                await sender.OpenAsync(sink.Uri, rows[i].OwnChannels ? Publishers.Max() : 1);
                for (int j = 0; j < Publishers.Length; j++)
                {
                    double rate = await MeasureAsync(sink, sender, rows[i].Messages, Publishers[j], rows[i].OwnChannels);
                    Console.Error.WriteLine($"{rows[i].Name}, {Publishers[j]}: {rate:N0}/s");
                    if (round >= 0)
                    {
                        rates[i][j].Add(rate);
                    }
                }
            }
        }

        return Table.Format(
        [
            [Name, .. Publishers.Select(publishers => Table.Number(publishers, "N0")), "64 : 4"],
            .. rows.Select((row, i) => (string[])
            [
                row.Name,
                .. rates[i].Select(rate => Table.Number(rate.Median(), "N0")),
                Table.Number(rates[i][^1].Zip(rates[i][1], (many, few) => many / few).Median(), "0.00"),
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
}
