using System.Diagnostics;

namespace Wire.Benchmarks;

/// <summary>Rows that do the same in different ways: how fast, with how much processor time of this process, and with how much memory.</summary>
/// <param name="Name">What the table is called.</param>
/// <param name="Rows">The ways.</param>
/// <param name="Baselines">Which of them the others are compared with; the processor time with the first of these.</param>
internal sealed record LaneScenario(string Name, IReadOnlyList<BrokerRow> Rows, params int[] Baselines)
{
    /// <summary>Measures the rows one after the other, as often as there are rounds; all but the first two count.</summary>
    public async Task<string> MeasureAsync(int rounds)
    {
        var measured = Rows.Select(_ => new List<Figures>()).ToArray();
        foreach (BrokerRow row in Rows)
        {
            await row.OpenAsync();
        }

        for (int round = -2; round < rounds; round++)
        {
            for (int i = 0; i < Rows.Count; i++)
            {
                Figures figures = await MeasureAsync(Rows[i]);
                Console.Error.WriteLine($"{Name}, {Rows[i].Name}: {figures.Rate:N0}/s, {figures.Microseconds:0.00} us, {figures.Bytes:N1} B");

                // The first two have the code compiled, and again when it is known which of it is hot.
                if (round >= 0)
                {
                    measured[i].Add(figures);
                }
            }
        }

        foreach (BrokerRow row in Rows)
        {
            await row.DisposeAsync();
        }

        return Table.Format(
        [
            [Name, "messages/s", .. Baselines.Select(baseline => $"x of: {Rows[baseline].Name}"), "CPU µs/message", "x", "B/message"],
            .. Rows.Select((row, i) => (string[])
            [
                row.Name,
                Table.Number(measured[i].Select(figures => figures.Rate).Median(), "N0"),
                .. Baselines.Select(baseline => Ratio(measured[i], measured[baseline], figures => figures.Rate)),
                Table.Number(measured[i].Select(figures => figures.Microseconds).Median(), "#,0.00"),
                Ratio(measured[i], measured[Baselines[0]], figures => figures.Microseconds),
                Table.Number(measured[i].Select(figures => figures.Bytes).Median(), "#,0.0"),
            ]),
        ]);
    }

    private static string Ratio(List<Figures> own, List<Figures> other, Func<Figures, double> select) =>
        Table.Number(own.Zip(other, (own, other) => select(own) / select(other)).Median(), "0.00");

    private static async Task<Figures> MeasureAsync(BrokerRow row)
    {
        await row.PrepareAsync();
        GC.Collect();
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double processor = ProcessorClock.Nanoseconds();
        long start = Stopwatch.GetTimestamp();
        await row.RunAsync();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        processor = ProcessorClock.Nanoseconds() - processor;
        return new Figures(row.Messages / seconds, processor / 1e3 / row.Messages, (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / row.Messages);
    }

    private readonly record struct Figures(double Rate, double Microseconds, double Bytes);
}
