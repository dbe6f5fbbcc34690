using System.Globalization;
using System.Text.Json;

namespace Wire.Benchmarks.Integrations;

/// <summary>A table of candidates: bytes, time and memory of one message, beside the first of the same framework.</summary>
internal static class Comparison
{
    private const int WarmUp = 200;
    private const int Rounds = 301;

    /// <summary>
    /// Checks that each brings back the message, and measures them in turns, so that what else the machine does falls on all of them: the
    /// medians of rounds of about 2 ms.
    /// </summary>
    /// <param name="message">The message that all of them write.</param>
    /// <param name="candidates">The rows.</param>
    /// <exception cref="InvalidOperationException">Another message has come back.</exception>
    public static void Print(OrderEvent message, params Candidate[] candidates)
    {
        string expected = JsonSerializer.Serialize<object>(message);
        foreach (Candidate candidate in candidates)
        {
            if (JsonSerializer.Serialize(candidate.WriteAndRead()) != expected)
            {
                throw new InvalidOperationException($"{candidate.Through}, {candidate.Name}: what comes back is another message.");
            }
        }

        for (int round = -WarmUp; round < Rounds; round++)
        {
            foreach (Candidate candidate in candidates)
            {
                candidate.Run(isCounted: round >= 0);
            }
        }

        Console.WriteLine($".NET {Environment.Version}, {Rounds} interleaved rounds, medians");
        Console.WriteLine("| through | serializer | bytes | write, ns | read, ns | both, ns | of the first's time | allocated, bytes |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        foreach (IGrouping<string, Candidate> group in candidates.GroupBy(candidate => candidate.Through))
        {
            double first = group.First().Write + group.First().Read;
            foreach (Candidate row in group)
            {
                string costs = row.Bytes == 0
                    ? $"| | | {row.Read:0}"
                    : $"{row.Bytes} | {row.Write:0} | {row.Read:0} | {row.Write + row.Read:0}";
                Console.WriteLine(string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {row.Through} | {row.Name} | {costs} | {(row.Write + row.Read) / first:0.000} | {row.Allocated} |"));
            }
        }
    }
}
