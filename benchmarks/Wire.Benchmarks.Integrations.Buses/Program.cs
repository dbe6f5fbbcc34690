using System.Diagnostics;
using System.Globalization;
using Wire.Benchmarks.Integrations;

// Writes one message and reads it, through the interface by which each framework asks its serializer: the framework's default and Wire in
// turns, so that what else the machine does falls on both. Each cell is the median of the rounds.
const int Rounds = 21;
const int Iterations = 4000;

(string Framework, RoundTrip Default, RoundTrip Wire)[] pairs =
[
    ("MassTransit", MassTransitTrip.Json(), MassTransitTrip.Wire()),
    ("Rebus", RebusTrip.Json(), RebusTrip.Wire()),
    ("Wolverine", WolverineTrip.Json(), WolverineTrip.Wire()),
];

Console.WriteLine(
    "| framework | default: bytes | Wire: bytes | default: write + read | Wire: write + read | ratio | default: allocated "
    + "| Wire: allocated |");
Console.WriteLine("|---|---|---|---|---|---|---|---|");
foreach ((string framework, RoundTrip own, RoundTrip wire) in pairs)
{
    own.Check();
    wire.Check();
    var times = new List<(double Own, double Wire)>();
    for (int round = -5; round < Rounds; round++)
    {
        (double Own, double Wire) time = (Measure(own), Measure(wire));
        if (round >= 0)
        {
            times.Add(time);
        }
    }

    double ownTime = Median(times.Select(time => time.Own));
    double wireTime = Median(times.Select(time => time.Wire));
    Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"| {framework} | {own.Size:N0} | {wire.Size:N0} | {ownTime / 1000:F2} µs | {wireTime / 1000:F2} µs | {ownTime / wireTime:F1} "
        + $"| {Allocated(own):N0} B | {Allocated(wire):N0} B |"));
}

static double Measure(RoundTrip trip)
{
    long start = Stopwatch.GetTimestamp();
    for (int i = 0; i < Iterations; i++)
    {
        trip.Run();
    }

    return Stopwatch.GetElapsedTime(start).TotalNanoseconds / Iterations;
}

static long Allocated(RoundTrip trip)
{
    long before = GC.GetAllocatedBytesForCurrentThread();
    for (int i = 0; i < Iterations; i++)
    {
        trip.Run();
    }

    return (GC.GetAllocatedBytesForCurrentThread() - before) / Iterations;
}

static double Median(IEnumerable<double> values)
{
    double[] sorted = [.. values.Order()];
    return sorted[sorted.Length / 2];
}
