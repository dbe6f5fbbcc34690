using System.Diagnostics;
using Wire.RabbitMQ.Streams;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>How long one message takes, from the call to its confirm and to the handler of a consumer.</summary>
/// <param name="broker">Where the stream is.</param>
internal sealed class StreamDelays(StreamBroker broker)
{
    public const string Name = "One message of 8 B, from the call";

    private const int Rounds = 5;

    // So often some are published.
    private const int BurstsPerSecond = 1_000;

    // So long, or as long as so many take that are awaited each.
    private const int Seconds = 2;
    private const int Awaited = 4_000;

    public async Task<string> MeasureAsync()
    {
        (string Name, int Pace)[] rows =
            [("SendAsync, each confirm awaited", 0), ("SendAsync, 1,000/s", 1_000), ("SendAsync, 40,000/s", 40_000)];
        var lines = new List<string[]> { (string[])[Name, "to its confirm, p50 µs", "p99 µs", "to the handler, p50 µs", "p99 µs"] };
        foreach (MeasuredBroker each in MeasuredBroker.All)
        {
            MeasuredBroker.Current = each;
            string where = await each.DescribeAsync();
            List<Figures>[] figures = await MessageTable.MeasureAsync(
                [.. rows.Select(row => $"{where}, {row.Name}")], warmUp: 1, Rounds, i => MeasureAsync(rows[i].Pace));
            lines.AddRange(rows.Select((row, i) => (string[])
            [
                $"{where}: {row.Name}",
                Table.Median(figures[i].Select(figure => figure.Confirm.Half), "N0"),
                Table.Median(figures[i].Select(figure => figure.Confirm.Most), "N0"),
                Table.Median(figures[i].Select(figure => figure.Handler.Half), "N0"),
                Table.Median(figures[i].Select(figure => figure.Handler.Most), "N0"),
            ]));
        }

        MeasuredBroker.Current = MeasuredBroker.All[0];
        return Table.Format(lines);
    }

    private async Task<Figures> MeasureAsync(int pace)
    {
        int messages = pace == 0 ? Awaited : pace * Seconds;
        var confirms = new double[messages];
        var handlers = new double[messages];
        string stream = await broker.CreateAsync();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        StreamConsumer consumer = await broker.Client.ConsumeAsync(
            stream,
            message =>
            {
                handlers[handled++] = Since(BitConverter.ToInt64(message.Span));
                if (handled == messages)
                {
                    all.SetResult();
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await using (StreamProducer producer = await broker.Client.CreateProducerAsync(stream))
        {
            if (pace == 0)
            {
                for (int i = 0; i < messages; i++)
                {
                    confirms[i] = await SendAsync(producer).ConfigureAwait(false);
                }
            }
            else
            {
                await PublishAsync(producer, pace, confirms);
            }

            await all.Task;
        }

        await consumer.CloseAsync();
        await broker.DeleteAsync(stream);
        return new Figures(Delays.Of(confirms), Delays.Of(handlers));
    }

    private static async Task PublishAsync(StreamProducer producer, int pace, double[] confirms)
    {
        var sends = new Task<double>[confirms.Length];
        int burst = pace / BurstsPerSecond;
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < sends.Length; i++)
        {
            sends[i] = SendAsync(producer);
            TimeSpan left = TimeSpan.FromSeconds((double)(i + 1) / pace) - Stopwatch.GetElapsedTime(start);
            if ((i + 1) % burst == 0 && left > TimeSpan.Zero)
            {
                await Task.Delay(left);
            }
        }

        (await Task.WhenAll(sends)).CopyTo(confirms, 0);
    }

    private static async Task<double> SendAsync(StreamProducer producer)
    {
        long start = Stopwatch.GetTimestamp();
        await producer.SendBytesAsync(BitConverter.GetBytes(start)).ConfigureAwait(false);
        return Since(start);
    }

    private static double Since(long start) => Stopwatch.GetElapsedTime(start).TotalMicroseconds;

    private sealed record Figures(Delays Confirm, Delays Handler);

    // What half of the messages take at most, and 99 of 100.
    private sealed record Delays(double Half, double Most)
    {
        public static Delays Of(double[] all)
        {
            Array.Sort(all);
            return new Delays(all[all.Length / 2], all[all.Length * 99 / 100]);
        }
    }
}
