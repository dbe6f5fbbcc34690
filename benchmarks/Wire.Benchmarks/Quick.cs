using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks;

/// <summary>
/// All rows in one process, in well under a minute: short slices in turn, so that a disturbance of the machine meets
/// every row, and the median of each.
/// </summary>
internal static class Quick
{
    private const int Rounds = 15;
    private const double SliceMilliseconds = 30;

    private static readonly (string Name, Func<Scenario, Action<int>> Of)[] Operations =
    [
        ("write", scenario => scenario.Write),
        ("read", scenario => scenario.Read),
        ("round trip", scenario => scenario.RoundTrip),
    ];

    /// <summary>Measures, and prints the table.</summary>
    public static void Run()
    {
        Row[] rows = [.. Scenarios.Names.Select(name => new Row(name))];
        Cell[] cells = [.. Operations.SelectMany((_, i) => rows.Select(row => row.Cells[i]))];

        // Long enough, and with pauses, for the compiler's background thread to bring all code to its final tier.
        for (int i = 0; i < 10; i++)
        {
            foreach (Cell cell in cells)
            {
                cell.WarmUp(milliseconds: 5);
            }

            Thread.Sleep(150);
        }

        foreach (Cell cell in cells)
        {
            cell.Calibrate(SliceMilliseconds);
        }

        for (int round = 0; round < Rounds; round++)
        {
            foreach (Cell cell in cells)
            {
                cell.Measure();
            }
        }

        Console.WriteLine(Machine());
        Console.WriteLine();
        Print([.. Table(rows)]);
        Console.WriteLine();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"One operation, median of {Rounds} interleaved slices of {SliceMilliseconds} ms; `x` is the median ratio to the floor's slice of the same round; `B` is allocated bytes."));
    }

    private static IEnumerable<string[]> Table(Row[] rows)
    {
        yield return ["Row", "payload B", .. Operations.SelectMany(operation => (string[])[$"{operation.Name} ns", "x", "B"])];
        foreach (Row row in rows)
        {
            yield return
            [
                row.Name,
                Text(row.Payload, "0"),
                .. row.Cells.SelectMany((cell, i) => (string[])
                [
                    Text(Median(cell.Nanoseconds), "0.0"),
                    Text(Median(cell.Nanoseconds.Zip(rows[0].Cells[i].Nanoseconds, (own, floor) => own / floor)), "0.00"),
                    Text(Median(cell.AllocatedBytes), "0.##"),
                ]),
            ];
        }
    }

    private static void Print(string[][] table)
    {
        int[] widths = [.. table[0].Select((_, column) => table.Max(line => line[column].Length))];
        PrintLine(table[0], widths);
        Console.WriteLine($"|{string.Join('|', widths.Select((width, column) => column == 0 ? $":{new string('-', width + 1)}" : $"{new string('-', width + 1)}:"))}|");
        foreach (string[] line in table[1..])
        {
            PrintLine(line, widths);
        }
    }

    private static void PrintLine(string[] line, int[] widths) =>
        Console.WriteLine($"| {string.Join(" | ", line.Select((text, column) => column == 0 ? text.PadRight(widths[0]) : text.PadLeft(widths[column])))} |");

    private static string Machine()
    {
        const string CpuInfo = "/proc/cpuinfo";
        string? model = File.Exists(CpuInfo)
            ? File.ReadLines(CpuInfo).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':')[1].Trim()
            : null;
        return $"{model ?? "Unknown processor"} ({RuntimeInformation.ProcessArchitecture}), {Environment.ProcessorCount} logical cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";
    }

    private static string Text(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    /// <summary>A row, with a cell for each operation.</summary>
    private sealed class Row
    {
        public Row(string name)
        {
            Scenario scenario = Scenarios.Make(name);
            Name = name;
            Payload = scenario.Payload.Length;
            Cells = [.. Operations.Select(operation => new Cell(operation.Of(scenario)))];
        }

        public string Name { get; }

        public int Payload { get; }

        public Cell[] Cells { get; }
    }

    /// <summary>One operation of one row, and what was measured of it.</summary>
    private sealed class Cell(Action<int> run)
    {
        private const int Batch = 100;

        private int _times = Batch;

        public List<double> Nanoseconds { get; } = [];

        public List<double> AllocatedBytes { get; } = [];

        /// <summary>Many calls with few operations each: the loops themselves have to be compiled again, too.</summary>
        public void WarmUp(double milliseconds)
        {
            for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start).TotalMilliseconds < milliseconds;)
            {
                run(Batch);
            }
        }

        public void Calibrate(double milliseconds)
        {
            const int Trial = 20_000;
            run(Batch);
            long start = Stopwatch.GetTimestamp();
            run(Trial);
            _times = Math.Max(Batch, (int)(Trial * milliseconds / Stopwatch.GetElapsedTime(start).TotalMilliseconds));
        }

        public void Measure()
        {
            // Each serializer keeps a session per thread, and the row before this one has just taken the place.
            run(Batch);
            long allocated = GC.GetAllocatedBytesForCurrentThread();
            long start = Stopwatch.GetTimestamp();
            run(_times);
            TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
            AllocatedBytes.Add((double)(GC.GetAllocatedBytesForCurrentThread() - allocated) / _times);
            Nanoseconds.Add(elapsed.TotalNanoseconds / _times);
        }
    }
}
