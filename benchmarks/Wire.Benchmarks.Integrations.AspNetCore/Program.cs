using System.Diagnostics;
using System.Globalization;
using Wire.Benchmarks.Integrations;

// One polymorphic message, written and read through the interfaces that ASP.NET Core has for it: bytes, time, memory. All candidates take
// turns in each round, and the median of the rounds counts, so that what else the machine does falls on all of them.
const int Rounds = 41;
const int Calls = 4000;

OrderEvent message = Sample.Create();
Candidate[] candidates =
    [.. Caches.Hybrid(message), .. Caches.Distributed(message), .. Hubs.All(message), .. Formatters.All(message)];
var bytes = new int[candidates.Length];
var writes = new double[candidates.Length][];
var reads = new double[candidates.Length][];
var allocated = new double[candidates.Length];
string expected = Text(message);
for (int i = 0; i < candidates.Length; i++)
{
    (writes[i], reads[i]) = (new double[Rounds], new double[Rounds]);
    bytes[i] = candidates[i].Write();
    if (Text(candidates[i].Read()) != expected)
    {
        throw new InvalidOperationException($"{candidates[i].Through}, {candidates[i].Name}: another message came back.");
    }
}

for (int round = -6; round < Rounds; round++)
{
    for (int i = 0; i < candidates.Length; i++)
    {
        Candidate candidate = candidates[i];
        long before = GC.GetAllocatedBytesForCurrentThread();
        long start = Stopwatch.GetTimestamp();
        for (int call = 0; call < Calls; call++)
        {
            candidate.Write();
        }

        long middle = Stopwatch.GetTimestamp();
        for (int call = 0; call < Calls; call++)
        {
            candidate.Read();
        }

        long end = Stopwatch.GetTimestamp();
        if (round >= 0)
        {
            writes[i][round] = Stopwatch.GetElapsedTime(start, middle).TotalNanoseconds / Calls;
            reads[i][round] = Stopwatch.GetElapsedTime(middle, end).TotalNanoseconds / Calls;
            allocated[i] = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)Calls;
        }
    }
}

Console.WriteLine("| through | serializer | bytes | write, ns | read, ns | both, beside the default | allocated, bytes |");
Console.WriteLine("|---|---|---|---|---|---|---|");
double standard = 0;
for (int i = 0; i < candidates.Length; i++)
{
    (double write, double read) = (Median(writes[i]), Median(reads[i]));
    if (i == 0 || candidates[i].Through != candidates[i - 1].Through)
    {
        standard = write + read;
    }

    Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"| {candidates[i].Through} | {candidates[i].Name} | {bytes[i]} | {write:F0} | {read:F0} | {(write + read) / standard:F2} | "
        + $"{allocated[i]:F0} |"));
}

static double Median(double[] values)
{
    Array.Sort(values);
    return values[values.Length / 2];
}

static string Text(OrderEvent value) => System.Text.Json.JsonSerializer.Serialize(value);
