namespace Wire.Benchmarks.Messaging.Lane.Contention;

/// <summary>How long calls took, counted by sixteenths of powers of two of nanoseconds: nothing is allocated for one more.</summary>
internal sealed class Latencies
{
    private const int Steps = 16;

    private readonly long[] _counts = new long[64 * Steps];

    public void Add(TimeSpan time)
    {
        double nanoseconds = Math.Max(1, time.TotalNanoseconds);
        _counts[Math.Min((int)(Math.Log2(nanoseconds) * Steps), _counts.Length - 1)]++;
    }

    public static Latencies Sum(IEnumerable<Latencies> all)
    {
        var sum = new Latencies();
        foreach (Latencies one in all)
        {
            for (int i = 0; i < one._counts.Length; i++)
            {
                sum._counts[i] += one._counts[i];
            }
        }

        return sum;
    }

    /// <summary>In how many microseconds such a part of the calls was done.</summary>
    public double Percentile(double part)
    {
        double left = _counts.Sum() * part;
        int step = 0;
        while (step < _counts.Length - 1 && (left -= _counts[step]) > 0)
        {
            step++;
        }

        return Math.Pow(2, (step + 1.0) / Steps) / 1e3;
    }
}
