namespace Wire.Benchmarks;

/// <summary>
/// Rows that do the same with a stream in different ways: how fast, with how much memory, and with how much processor time of this process and of the
/// broker.
/// </summary>
/// <param name="Name">What the table is called.</param>
/// <param name="IsOnOneCore">Whether the process has one core alone; there is no broker then.</param>
/// <param name="Rows">The ways; the others are compared with the first.</param>
internal sealed record StreamScenario(string Name, bool IsOnOneCore, IReadOnlyList<BrokerRow> Rows)
{
    /// <summary>Measures the rows one after the other, as often as there are rounds; all but the first two count.</summary>
    public async Task<string> MeasureAsync(int rounds)
    {
        var measured = Rows.Select(_ => new List<StreamFigures>()).ToArray();
        foreach (BrokerRow row in Rows)
        {
            await row.OpenAsync();
        }

        for (int round = -2; round < rounds; round++)
        {
            for (int i = 0; i < Rows.Count; i++)
            {
                StreamFigures figures = await MeasureAsync(Rows[i]);
                Console.Error.WriteLine($"{Name}, {Rows[i].Name}: {figures.Rate:N0}/s, {figures.Bytes:N2} B, {figures.Client:P0} of a core, broker {figures.Broker:P0}");

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

        string[] columns = IsOnOneCore ? [] : ["client CPU, of a core", "broker CPU, of a core", "client's part of both"];
        return Table.Format(
        [
            [Name, "messages/s", $"x of: {Rows[0].Name}", "B/message", "CPU ns/message", .. columns],
            .. Rows.Select((row, i) => (string[])
            [
                row.Name,
                Median(measured[i], figures => figures.Rate, "N0"),
                Table.Number(measured[i].Zip(measured[0], (own, other) => own.Rate / other.Rate).Median(), "0.00"),
                Median(measured[i], figures => figures.Bytes, "#,0.00"),
                Median(measured[i], figures => figures.Client / figures.Rate * 1e9, "#,0.0"),
                .. IsOnOneCore ? (string[])[] :
                [
                    Median(measured[i], figures => 100 * figures.Client, "0 '%'"),
                    Median(measured[i], figures => 100 * figures.Broker, "0 '%'"),
                    Median(measured[i], figures => 100 * figures.Client / (figures.Client + figures.Broker), "0 '%'"),
                ],
            ]),
        ]);
    }

    private async Task<StreamFigures> MeasureAsync(BrokerRow row)
    {
        await row.PrepareAsync();
        using OneCore? core = IsOnOneCore ? OneCore.Enter() : null;
        return await StreamFigures.MeasureAsync(row.Messages, row.RunAsync);
    }

    private static string Median(List<StreamFigures> figures, Func<StreamFigures, double> select, string format) =>
        figures.Select(select).Median() is var median && double.IsNaN(median) ? "–" : Table.Number(median, format);
}
