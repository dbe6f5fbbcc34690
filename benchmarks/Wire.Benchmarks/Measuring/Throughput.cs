using System.Buffers;
using System.Diagnostics;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks.Measuring;

/// <summary>
/// Round trips of the POCO on many threads at once that share one serializer, against a thread per core with a serializer each.
/// </summary>
internal static class Throughput
{
    public const string Name = "Throughput of 16 threads";

    private const int Rounds = 7;
    private const double Milliseconds = 250;

    public static Comparison Measure()
    {
        int cores = Environment.ProcessorCount;
        Serializer shared = new();
        Serializer[] own = [.. Enumerable.Range(0, cores).Select(_ => new Serializer())];
        List<double> sharedRates = [];
        List<double> ownRates = [];
        for (int round = -1; round < Rounds; round++)
        {
            double sharedRate = PerSecond([.. Enumerable.Repeat(shared, 16)], Milliseconds);
            double ownRate = PerSecond(own, Milliseconds);

            // The first round has the code compiled.
            if (round >= 0)
            {
                sharedRates.Add(sharedRate);
                ownRates.Add(ownRate);
            }
        }

        return new Comparison(
            Name,
            "round trips/s",
            "16 threads, one serializer",
            sharedRates.Median(),
            $"{cores} threads with a serializer each",
            ownRates.Median(),
            sharedRates.Zip(ownRates, (left, right) => left / right).Median());
    }

    /// <summary>How many messages all threads together write and read in a second; each thread gets one of the serializers.</summary>
    public static double PerSecond(Serializer[] serializers, double milliseconds)
    {
        using var barrier = new Barrier(serializers.Length + 1);
        long[] counts = new long[serializers.Length];
        bool stop = false;
        Thread[] threads = [.. serializers.Select((serializer, i) => new Thread(() => counts[i] = Work(serializer, barrier, ref stop)))];
        foreach (Thread thread in threads)
        {
            thread.Start();
        }

        barrier.SignalAndWait();
        long start = Stopwatch.GetTimestamp();
        Thread.Sleep(TimeSpan.FromMilliseconds(milliseconds));
        Volatile.Write(ref stop, true);
        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        return counts.Sum() / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static long Work(Serializer serializer, Barrier barrier, ref bool stop)
    {
        const int Batch = 50;
        var codec = new PocoWireCodec(serializer, new ArrayBufferWriter<byte>(1024));
        Poco value = Poco.Create(seed: 1);
        Poco read = codec.Read(codec.Write(value));
        long count = 0;
        barrier.SignalAndWait();
        while (!Volatile.Read(ref stop))
        {
            for (int i = 0; i < Batch; i++)
            {
                read = codec.Read(codec.Write(value));
            }

            count += Batch;
        }

        return read.HasSameMembers(value) ? count : throw new InvalidOperationException("What was read is not what was written.");
    }
}
