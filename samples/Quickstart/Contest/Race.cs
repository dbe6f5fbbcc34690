using System.Diagnostics;
using Quickstart.Metadata;

namespace Quickstart.Contest;

/// <param name="Size">Bytes in the file.</param>
/// <param name="Write">The fastest round.</param>
/// <param name="Read">The fastest round.</param>
/// <param name="Check">What a comparison of the graph with its copy found.</param>
internal sealed record RaceResult(string Name, long Size, TimeSpan Write, TimeSpan Read, Comparison Check);

/// <summary>Has one contender write a graph to a file and read it back, several times.</summary>
internal sealed class Race(AssemblyNode graph, Stream file, Progress progress)
{
    private const int Rounds = 5;

    public RaceResult Run(IContender contender)
    {
        progress.Step($"{contender.Name}: write, read, compare");
        progress.Detail("warm-up");
        Time(() => Write(contender));
        var copy = Read(contender);

        progress.Detail("comparing");
        var check = GraphComparer.Compare(graph, copy);

        var (write, read) = (TimeSpan.MaxValue, TimeSpan.MaxValue);
        for (int round = 1; round <= Rounds; round++)
        {
            progress.Detail($"round {round} of {Rounds}");
            write = Min(write, Time(() => Write(contender)));
            read = Min(read, Time(() => Read(contender)));
        }

        return new RaceResult(contender.Name, file.Length, write, read, check);
    }

    private void Write(IContender contender)
    {
        file.SetLength(0);
        contender.Write(graph, file);
        file.Flush();
    }

    private AssemblyNode Read(IContender contender)
    {
        file.Position = 0;
        return contender.Read(file);
    }

    private static TimeSpan Min(TimeSpan left, TimeSpan right) => left < right ? left : right;

    private static TimeSpan Time(Action action)
    {
        // Otherwise a round may pay for what the one before it left behind.
        GC.Collect();
        long start = Stopwatch.GetTimestamp();
        action();
        return Stopwatch.GetElapsedTime(start);
    }
}
