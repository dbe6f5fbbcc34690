using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Growth;

/// <summary>One way to write and read the values of a sweep; a new codec for each size, so that no memory of the last one stays.</summary>
internal sealed record Contender<T>(string Name, Func<ICodec<T>> Codec);

/// <summary>Writes and reads values of growing sizes.</summary>
/// <param name="name">What the values are.</param>
/// <param name="sizeName">What grows.</param>
/// <param name="sizes">How far.</param>
/// <param name="make">Makes a value of a size.</param>
/// <param name="same">Whether what was read is what was written.</param>
/// <param name="contenders">Who takes part; Wire comes first.</param>
internal sealed class Sweep<T>(string name, string sizeName, int[] sizes, Func<int, T> make, Func<T, T, bool> same, params Contender<T>[] contenders)
    where T : class
{
    private const double Milliseconds = 100;
    private const double ShortestSample = 1;
    private const int FewestRounds = 3;

    /// <summary>By what the figures are divided, when it is not the size.</summary>
    public int? Elements { get; init; }

    /// <returns>The times, and the bytes of Wire, each for one element.</returns>
    public IEnumerable<GrowthResult> Run()
    {
        WarmUp();
        List<Series> times = [];
        double[] bytes = new double[sizes.Length];
        double[][] writes = [.. contenders.Select(_ => new double[sizes.Length])];
        double[][] reads = [.. contenders.Select(_ => new double[sizes.Length])];
        for (int i = 0; i < sizes.Length; i++)
        {
            T value = make(sizes[i]);
            double count = Elements ?? sizes[i];
            for (int contender = 0; contender < contenders.Length; contender++)
            {
                (double write, double read, int payload) = Measure(contenders[contender].Codec(), value);
                writes[contender][i] = write / count;
                reads[contender][i] = read / count;
                bytes[i] = contender == 0 ? payload / count : bytes[i];
            }
        }

        for (int contender = 0; contender < contenders.Length; contender++)
        {
            times.Add(new Series($"{contenders[contender].Name}, write", writes[contender]));
            times.Add(new Series($"{contenders[contender].Name}, read", reads[contender]));
        }

        double[] axis = [.. sizes.Select(size => (double)size)];
        yield return new GrowthResult($"{name}: time per element", sizeName, "ns", axis, times);
        yield return new GrowthResult($"{name}: size per element", sizeName, "bytes", axis, [new Series(contenders[0].Name, bytes)]);
    }

    // With pauses, for the compiler's background thread to bring all code to its final tier.
    private void WarmUp()
    {
        T value = make(sizes[Math.Min(2, sizes.Length - 1)]);
        for (int i = 0; i < 3; i++)
        {
            foreach (Contender<T> contender in contenders)
            {
                Measure(contender.Codec(), value);
            }

            Thread.Sleep(120);
        }
    }

    private (double Write, double Read, int Bytes) Measure(ICodec<T> codec, T value)
    {
        double write = Time(() => codec.Write(value));
        byte[] payload = codec.Write(value).ToArray();
        T? read = null;
        double readTime = Time(() => read = codec.Read(payload));
        return same(value, read!)
            ? (write, readTime, payload.Length)
            : throw new InvalidOperationException($"{name}: what was read is not what was written.");
    }

    /// <summary>Nanoseconds: the median of several samples, each of as many calls as the clock needs, after a call that makes room.</summary>
    private static double Time(Action action)
    {
        action();
        GC.Collect();
        int calls = 1;
        double sample = Time(action, calls);
        while (sample < ShortestSample)
        {
            calls *= 2;
            sample = Time(action, calls);
        }

        List<double> times = [sample / calls];
        while (times.Count < FewestRounds || times.Sum() * calls < Milliseconds)
        {
            times.Add(Time(action, calls) / calls);
        }

        return times.Median() * 1e6;
    }

    private static double Time(Action action, int calls)
    {
        double start = ProcessorClock.Nanoseconds();
        for (int i = 0; i < calls; i++)
        {
            action();
        }

        return (ProcessorClock.Nanoseconds() - start) / 1e6;
    }
}
