using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Wire.Benchmarks.Measuring;

/// <summary>What the first message of a process costs: nothing is compiled yet. Each sample is a process of its own, in turn.</summary>
internal static class ColdStart
{
    public const string Name = "Cold start of one type";

    private const int Samples = 9;

    public static Comparison Measure()
    {
        List<double> wire = [];
        List<double> json = [];
        for (int i = 0; i < Samples; i++)
        {
            wire.Add(Start(nameof(Wire)));
            json.Add(Start(nameof(JsonSerializer)));
        }

        return new Comparison(
            Name, "ms", "Wire, defaults", wire.Median(), "System.Text.Json, reflection", json.Median(), wire.Zip(
                json, (own, other) => own / other).Median());
    }

    /// <summary>Runs in the fresh process: writes and reads one message, and prints how many milliseconds that took.</summary>
    public static void Sample(string serializer)
    {
        Poco value = Poco.Create(seed: 1);
        long start = Stopwatch.GetTimestamp();
        Poco? read = serializer == nameof(Wire) ? WithWire(value) : WithJson(value);
        double milliseconds = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        if (read is null || !read.HasSameMembers(value))
        {
            throw new InvalidOperationException("What was read is not what was written.");
        }

        Console.WriteLine(milliseconds.ToString(CultureInfo.InvariantCulture));
    }

    private static Poco? WithWire(Poco value)
    {
#pragma warning disable WIRE108 // The first one is what is measured.
        var serializer = new Serializer();
#pragma warning restore WIRE108
        return serializer.Deserialize<Poco>(serializer.Serialize<object>(value));
    }

    private static Poco? WithJson(Poco value) => JsonSerializer.Deserialize<Poco>(JsonSerializer.SerializeToUtf8Bytes(value));

    private static double Start(string serializer)
    {
        using Process process = OwnProcess.Start("--cold-start", serializer);
        return OwnProcess.FiguresAsync(process).GetAwaiter().GetResult()[0];
    }
}
