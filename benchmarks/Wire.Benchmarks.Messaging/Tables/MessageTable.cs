using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>A figure of each row behind how many messages it takes in a second.</summary>
/// <param name="Name">What stands above it.</param>
/// <param name="Format">How it is printed.</param>
/// <param name="Select">The figure of one measurement.</param>
/// <param name="IsRatio">Whether it is compared with that of the table's first baseline.</param>
internal sealed record Column(string Name, string Format, Func<Measurement, double> Select, bool IsRatio = false);

/// <summary>Rows that do the same in different ways.</summary>
/// <param name="Name">What the table is called.</param>
/// <param name="Columns">The figures behind the rate and its ratios.</param>
/// <param name="Rows">The ways.</param>
/// <param name="Baselines">Which of them the others are compared with.</param>
internal sealed record MessageTable(string Name, IReadOnlyList<Column> Columns, IReadOnlyList<MessageRow> Rows, params int[] Baselines)
{
    /// <summary>How often the rows are measured.</summary>
    public const int Rounds = 5;

    /// <summary>Whether the process has one core alone; there is no broker then.</summary>
    public bool IsOnOneCore { get; init; }

    /// <summary>Measures the rows one after the other, as often as there are rounds.</summary>
    public async Task<string> MeasureAsync()
    {
        var measured = Rows.Select(_ => new List<Measurement>()).ToArray();
        foreach (MessageRow row in Rows)
        {
            await row.OpenAsync();
        }

        for (int round = -2; round < Rounds; round++)
        {
            for (int i = 0; i < Rows.Count; i++)
            {
                Measurement figures = await MeasureAsync(Rows[i]);
                Console.Error.WriteLine(
                    $"{Name}, {Rows[i].Name}: {figures.Rate:N0}/s, {figures.Nanoseconds:N1} ns, {figures.Bytes:N2} B, "
                    + $"{figures.Client:P0} of a core, broker {figures.Broker:P0}");

                // The first two have the code compiled, and again when it is known which of it is hot.
                if (round >= 0)
                {
                    measured[i].Add(figures);
                }
            }
        }

        foreach (MessageRow row in Rows)
        {
            await row.CloseAsync();
        }

        return Table.Format(
        [
            [Name, "messages/s", .. Baselines.Select(baseline => $"x of: {Rows[baseline].Name}"), .. Columns.Select(column => column.Name)],
            .. Rows.Select((row, i) => (string[])
            [
                row.Name,
                Median(measured[i].Select(figures => figures.Rate), "N0"),
                .. Baselines.Select(baseline => Median(Ratios(measured[i], measured[baseline], figures => figures.Rate), "0.00")),
                .. Columns.Select(column => Median(
                    column.IsRatio ? Ratios(measured[i], measured[Baselines[0]], column.Select) : measured[i].Select(column.Select), column.Format)),
            ]),
        ]);
    }

    private async Task<Measurement> MeasureAsync(MessageRow row)
    {
        await row.PrepareAsync();
        using OneCore? core = IsOnOneCore ? OneCore.Enter() : null;
        return await Measurement.OfAsync(row.Messages, row.RunAsync);
    }

    private static IEnumerable<double> Ratios(List<Measurement> own, List<Measurement> other, Func<Measurement, double> select) =>
        own.Zip(other, (own, other) => select(own) / select(other));

    private static string Median(IEnumerable<double> figures, string format) =>
        figures.Median() is var median && double.IsNaN(median) ? "–" : Table.Number(median, format);
}
