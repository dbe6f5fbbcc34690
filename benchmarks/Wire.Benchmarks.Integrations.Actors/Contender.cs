using System.Diagnostics;

namespace Wire.Benchmarks.Integrations;

/// <summary>A row of the table: a framework's serializer, called as the framework calls it.</summary>
/// <param name="framework">The framework.</param>
/// <param name="name">The serializer.</param>
/// <param name="bytes">The bytes of a message, with what the framework writes beside it to name its type.</param>
/// <param name="write">Writes the message.</param>
/// <param name="read">Reads it.</param>
internal sealed class Contender(string framework, string name, int bytes, Action write, Func<object> read)
{
    private static readonly TimeSpan RoundLength = TimeSpan.FromMilliseconds(2);

    private readonly List<double> _writes = [];
    private readonly List<double> _reads = [];
    private int _messages = 100;
    private long _allocated;

    public string Framework { get; } = framework;

    public string Name { get; } = name;

    public int Bytes { get; } = bytes;

    public double Write => Median(_writes);

    public double Read => Median(_reads);

    public long Allocated => _allocated;

    public object Value => read();

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
