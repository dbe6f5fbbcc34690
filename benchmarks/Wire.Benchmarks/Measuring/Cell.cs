namespace Wire.Benchmarks.Measuring;

/// <summary>One operation of one row, and what was measured of it.</summary>
internal sealed class Cell(Row row, Action<int> run, int batch)
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
        row.Check();
        return new Figures(
            _nanoseconds.Median() / units,
            _nanoseconds.Zip(floor._nanoseconds, (own, other) => own / other).Median(),
            _bytes.Median() / units);
    }
}
