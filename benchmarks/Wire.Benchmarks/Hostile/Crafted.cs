using System.Globalization;
using Wire.Tests.Hostile;

namespace Wire.Benchmarks.Hostile;

/// <summary>
/// How long a byte of a payload takes that has been made to take long, when there are four and sixteen times as many: whether anything
/// grows faster than the bytes.
/// </summary>
internal static class Crafted
{
    private const int Rounds = 7;
    private const int Smallest = 1000;

    private static readonly int[] Times = [1, 4, 16];

    /// <summary>Measures, and prints the table.</summary>
    public static void Run()
    {
        Console.WriteLine("| What | bytes | ns a byte | 4 times | 16 times | grows by | |");
        Console.WriteLine("|:--|--:|--:|--:|--:|--:|:--|");
        foreach ((string what, Func<int, int, byte[]> make) in CraftedPayloads.All)
        {
            (double[] perByte, int bytes, string outcome) = Measure(make);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {what} | {bytes:n0} | {perByte[0]:n0} | {perByte[1]:n0} | {perByte[2]:n0} "
                + $"| {perByte[2] / perByte[0]:0.0} | {outcome} |"));
        }
    }

    /// <summary>Reads a payload, and says what became of it.</summary>
    public static string Read(Serializer serializer, byte[] payload)
    {
        try
        {
            serializer.Deserialize<object>(payload);
            return "read";
        }
        catch (WireFormatException e)
        {
            return $"refused: {e.Error}";
        }
    }

    // In turn, so that what else the machine does falls on all sizes; with names that nobody has seen before.
    private static (double[] PerByte, int Bytes, string Outcome) Measure(Func<int, int, byte[]> make)
    {
        var serializer = new Serializer(CraftedPayloads.Options);
        double[][] times = [.. Times.Select(_ => new double[Rounds])];
        string outcome = "";
        int bytes = 0;
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < Times.Length; i++)
            {
                byte[] payload = make(Smallest * Times[i], (round * Times.Length) + i);
                bytes = payload.Length;
                double start = ProcessorClock.Nanoseconds();
                outcome = Read(serializer, payload);
                times[i][round] = (ProcessorClock.Nanoseconds() - start) / payload.Length;
            }
        }

        return ([.. times.Select(each => each.Median())], bytes, outcome);
    }
}
