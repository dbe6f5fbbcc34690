using System.Diagnostics;
using System.Globalization;
using System.Runtime;

namespace Wire.Benchmarks.Measuring;

/// <summary>
/// All scenarios in one process, those of serialization in under two minutes and those of AMQP in half a minute: short slices of all rows
/// in turn, so that a disturbance of the machine meets every row, and the median of each.
/// </summary>
internal static class Quick
{
    /// <summary>What a slice takes. Short, so that what the machine does besides meets all rows alike.</summary>
    private const double Slice = 5;

    /// <summary>What the slices of one scenario take together, so that many rows do not make a long run.</summary>
    private const double ScenarioMilliseconds = 3500;

    /// <summary>What those of one row take at least, so that many rows do not leave a median of few.</summary>
    private const double RowMilliseconds = 250;

    private const double MostWarmUpSeconds = 20;

    private const int MostRounds = 31;

    /// <summary>Of what takes seconds.</summary>
    private const int FewestRounds = 3;

    private static readonly string Method =
        $"One operation in {ProcessorClock.Name}, median of up to {MostRounds} interleaved slices of {Slice} ms or one operation; "
        + "`x` is the median ratio to the first row's slice of the same round; `B` is allocated bytes; "
        + "S: both sides name the type in code, U: the payload says which one of a closed list, P: the payload says what it holds.";

    /// <summary>Measures, prints the tables, and writes the results to a file where one is asked for.</summary>
    public static void Run(Options options, Suite suite)
    {
        IReadOnlySet<string> wanted = options.Select(
            [.. suite.Scenarios.Select(scenario => scenario.Name), .. suite.Comparisons.Select(item => item.Name)]);
        Console.WriteLine(Machine.Describe());
        List<ScenarioResult> results = [];
        foreach (Scenario scenario in suite.Scenarios.Where(scenario => wanted.Contains(scenario.Name)))
        {
            long start = Stopwatch.GetTimestamp();
            ScenarioResult result = Measure(scenario);
            results.Add(result);
            Console.WriteLine();
            Console.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"## {scenario.Name} ({Stopwatch.GetElapsedTime(start).TotalSeconds:0.0} s)"));
            Console.WriteLine();
            Console.Write(Table.Format(result));
        }

        Comparison[] comparisons = suite.Compare(wanted);
        if (comparisons.Length > 0)
        {
            Console.WriteLine();
            Console.Write(Table.Format(comparisons));
        }

        Console.WriteLine();
        string method = Method + suite.Note;
        Console.WriteLine(method);
        Results.Update(options.Json, file => file.With(options, method, results, comparisons));
    }

    private static ScenarioResult Measure(Scenario scenario)
    {
        Row[] rows = [.. scenario.Rows()];
        Row[] measured = [.. rows.Where(row => row.Missing is null)];
        foreach (Row row in measured)
        {
            row.Prepare();
        }

        Cell[][] columns =
        [
            [.. measured.Select(row => new Cell(row.Write, scenario.Batch, row.Check))],
            [.. measured.Select(row => new Cell(row.Read, scenario.Batch, row.Check))],
            [.. measured.Select(row => new Cell(row.RoundTrip, scenario.Batch, row.Check))],
        ];
        Cell[] cells = [.. columns.SelectMany(column => column)];
        WarmUp(cells, scenario.Batch > 10 ? 10 : 6);
        Cell[] order = [.. cells];
        var random = new Random(1);
        double roundMilliseconds = cells.Sum(cell => cell.Calibrate(Slice));
        double milliseconds = Math.Max(ScenarioMilliseconds, RowMilliseconds * measured.Length);
        int rounds = Math.Clamp((int)(milliseconds / roundMilliseconds), FewestRounds, MostRounds);
        for (int round = 0; round < rounds; round++)
        {
            // In another order each time, so that nothing on the machine can keep in step with a row.
            random.Shuffle(order);
            foreach (Cell cell in order)
            {
                cell.Measure();
            }
        }

        Dictionary<Row, int> indexes = measured.Index().ToDictionary(pair => pair.Item, pair => pair.Index);
        return new ScenarioResult(scenario.Name, [.. rows.Select(row => indexes.TryGetValue(row, out int index)
            ? new RowResult(
                row.Name,
                row.Typing,
                row.Payload.Length / scenario.Units,
                Of(columns[0], index),
                Of(columns[1], index),
                Of(columns[2], index),
                null)
            : new RowResult(row.Name, row.Typing, 0, null, null, null, row.Missing))]);

        Figures Of(Cell[] column, int row) => column[row].Summarize(column[0], scenario.Units);
    }

    // Long enough, and with pauses, for the compiler's background thread to bring all code to its final tier: on a busy machine it lags
    // behind, so that warming up goes on until nothing has been compiled in two rounds.
    private static void WarmUp(Cell[] cells, int times)
    {
        // What takes long by itself is compiled after a few calls: its loops run inside of the serializer.
        long start = Stopwatch.GetTimestamp();
        int quiet = 0;
        for (int i = 0; Goes(i); i++)
        {
            long compiled = JitInfo.GetCompiledMethodCount();
            foreach (Cell cell in cells)
            {
                cell.WarmUp(milliseconds: 2);
            }

            Thread.Sleep(120);
            quiet = JitInfo.GetCompiledMethodCount() == compiled ? quiet + 1 : 0;
        }

        bool Goes(int round)
        {
            double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
            return (round < times && (round < 2 || seconds < 3)) || (quiet < 2 && seconds < MostWarmUpSeconds);
        }
    }
}

/// <summary>One operation, and what was measured of it.</summary>
/// <param name="run">Does it a number of times.</param>
/// <param name="batch">How many operations stand between two looks at the clock at least.</param>
/// <param name="check">Throws when what was made last is wrong. Not a part of what is timed.</param>
internal sealed class Cell(Action<int> run, int batch, Action check)
{
    private readonly List<double> _nanoseconds = [];
    private readonly List<double> _bytes = [];
    private int _times;

    /// <summary>Many calls with few operations each: the loops themselves have to be compiled again, too.</summary>
    public void WarmUp(double milliseconds)
    {
        double start = ProcessorClock.Nanoseconds();
        do
        {
            run(batch);
        }
        while (ProcessorClock.Nanoseconds() - start < milliseconds * 1e6);
    }

    /// <summary>Finds out how many operations a slice takes, and returns how long it will take.</summary>
    public double Calibrate(double milliseconds)
    {
        int times = 0;
        double start = ProcessorClock.Nanoseconds();
        do
        {
            run(batch);
            times += batch;
        }
        while (ProcessorClock.Nanoseconds() - start < milliseconds * 1e6 / 4);
        double each = (ProcessorClock.Nanoseconds() - start) / 1e6 / times;
        _times = Math.Max(batch, (int)(milliseconds / each));
        return _times * each;
    }

    public void Measure()
    {
        // Each serializer keeps a session per thread, and the row before this one has just taken the place.
        if (_times > batch)
        {
            run(batch);
        }

        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double start = ProcessorClock.Nanoseconds();
        run(_times);
        double elapsed = ProcessorClock.Nanoseconds() - start;
        _bytes.Add((double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / _times);
        _nanoseconds.Add(elapsed / _times);
    }

    /// <summary>The medians, of one of the units that an operation has, after a look at what was read last.</summary>
    public Figures Summarize(Cell floor, int units)
    {
        check();
        return new Figures(
            _nanoseconds.Median() / units,
            _nanoseconds.Zip(floor._nanoseconds, (own, other) => own / other).Median(),
            _bytes.Median() / units);
    }
}
