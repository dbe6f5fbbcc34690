using System.Buffers;

namespace Wire.Benchmarks;

/// <summary>Ways to do the same, which are measured in turn in one process.</summary>
/// <param name="Name">The name of what is done.</param>
/// <param name="Batch">How many operations stand between two looks at the clock.</param>
/// <param name="Units">Of how many equal parts an operation consists: figures are those of one part.</param>
/// <param name="Rows">The ways; the first one is what the others are compared with.</param>
internal sealed record Interleaved(string Name, int Batch, int Units, (string Name, Action<int> Run)[] Rows)
{
    private const double Slice = 5;
    private const int Rounds = 41;

    public static ArrayBufferWriter<byte> Output { get; } = new(1 << 16);

    /// <summary>Where results go, so that none of the work is dead.</summary>
    public static object? Result { get; set; }

    /// <summary>How it is measured, for the text under a table.</summary>
    public static string Method =>
        $"{ProcessorClock.Name}, median of {Rounds} interleaved slices of {Slice} ms; `x` is the median ratio to the first row of the same "
        + "group in the same round; `B` is allocated bytes";

    /// <summary>Measures all rows: the name of the scenario in the first one, the row's, nanoseconds, ratio, allocated bytes.</summary>
    public IEnumerable<string[]> Measure()
    {
        Cell[] cells = [.. Rows.Select(row => new Cell(row.Run, Batch, static () => { }))];
        for (int i = 0; i < 8; i++)
        {
            Array.ForEach(cells, cell => cell.WarmUp(milliseconds: 3));
            Thread.Sleep(120);
        }

        Array.ForEach(cells, cell => cell.Calibrate(Slice));
        Cell[] order = [.. cells];
        var random = new Random(1);
        for (int round = 0; round < Rounds; round++)
        {
            random.Shuffle(order);
            Array.ForEach(order, cell => cell.Measure());
        }

        for (int i = 0; i < cells.Length; i++)
        {
            Figures figures = cells[i].Summarize(cells[0], Units);
            yield return
            [
                i == 0 ? Name : "",
                Rows[i].Name,
                Table.Number(figures.Nanoseconds, figures.Nanoseconds < 1000 ? "0.0" : "N0"),
                Table.Number(figures.Ratio, "0.00"),
                Table.Number(figures.Bytes, "#,0.##"),
            ];
        }
    }
}
