using System.Diagnostics;

namespace Wire.Benchmarks;

/// <summary>Rows that do the same with a broker in different ways.</summary>
/// <param name="Name">What the table is called.</param>
/// <param name="Rows">The ways; the last is Wire's.</param>
/// <param name="Baselines">Which of them the others are compared with.</param>
internal sealed record BrokerScenario(string Name, IReadOnlyList<BrokerRow> Rows, params int[] Baselines)
{
    /// <summary>Measures the rows one after the other, as often as there are rounds, and the medians of all rounds but the first.</summary>
    public async Task<string> MeasureAsync(int rounds)
    {
        var rates = Rows.Select(_ => new List<double>()).ToArray();
        var bytes = Rows.Select(_ => new List<double>()).ToArray();
        foreach (BrokerRow row in Rows)
        {
            await row.OpenAsync();
        }

        for (int round = -1; round < rounds; round++)
        {
            for (int i = 0; i < Rows.Count; i++)
            {
                (double rate, double allocated) = await MeasureAsync(Rows[i]);
                Console.Error.WriteLine($"{Name}, {Rows[i].Name}: {rate:N0}/s, {allocated:N0} B");

                // The first round has the code compiled.
                if (round >= 0)
                {
                    rates[i].Add(rate);
                    bytes[i].Add(allocated);
                }
            }
        }

        foreach (BrokerRow row in Rows)
        {
            await row.DisposeAsync();
        }

        return Table.Format(
        [
            [Name, "messages/s", .. Baselines.Select(baseline => $"x of: {Rows[baseline].Name}"), "B/message"],
            .. Rows.Select((row, i) => (string[])
            [
                row.Name,
                Table.Number(rates[i].Median(), "N0"),
                .. Baselines.Select(baseline => Table.Number(rates[i].Zip(rates[baseline], (own, other) => own / other).Median(), "0.00")),
                Table.Number(bytes[i].Median(), "N0"),
            ]),
        ]);
    }

    private static async Task<(double Rate, double Bytes)> MeasureAsync(BrokerRow row)
    {
        await row.PrepareAsync();
        GC.Collect();
        long before = GC.GetTotalAllocatedBytes(precise: true);
        long start = Stopwatch.GetTimestamp();
        await row.RunAsync();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        return (row.Messages / seconds, (double)(GC.GetTotalAllocatedBytes(precise: true) - before) / row.Messages);
    }
}
