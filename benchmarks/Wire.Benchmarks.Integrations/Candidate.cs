using System.Diagnostics;

namespace Wire.Benchmarks.Integrations;

/// <summary>A row of a table: a serializer, called as a framework calls it.</summary>
/// <param name="through">The framework, or its interface.</param>
/// <param name="name">The serializer.</param>
/// <param name="write">
/// Writes the message, and returns its bytes, with what the framework writes beside it to name its type; 0 where there are none.
/// </param>
/// <param name="read">Reads the message that was written.</param>
internal sealed class Candidate(string through, string name, Func<int> write, Func<object> read)
{
    private static readonly TimeSpan RoundLength = TimeSpan.FromMilliseconds(2);

    private readonly List<double> _writes = [];
    private readonly List<double> _reads = [];
    private int _messages = 100;
    private long _allocated;

    public string Through => through;

    public string Name => name;

    public int Bytes { get; private set; }

    public double Write => Median(_writes);

    public double Read => Median(_reads);

    public long Allocated => _allocated;

    /// <summary>Writes and reads once.</summary>
    public object WriteAndRead()
    {
        Bytes = write();
        return read();
    }

    /// <summary>Runs a round, of so many messages that all rows take about as long: on a busy machine, long ones are interrupted.</summary>
    public void Run(bool isCounted)
    {
        int messages = _messages;
        long before = GC.GetAllocatedBytesForCurrentThread();
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < messages; i++)
        {
            write();
        }

        double written = Stopwatch.GetElapsedTime(start).TotalNanoseconds / messages;
        start = Stopwatch.GetTimestamp();
        for (int i = 0; i < messages; i++)
        {
            GC.KeepAlive(read());
        }

        double taken = Stopwatch.GetElapsedTime(start).TotalNanoseconds / messages;
        _messages = isCounted ? messages : Math.Clamp((int)(RoundLength.TotalNanoseconds / (written + taken)), 10, 100_000);
        if (isCounted)
        {
            _writes.Add(written);
            _reads.Add(taken);
            _allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / messages;
        }
    }

    private static double Median(List<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }
}
