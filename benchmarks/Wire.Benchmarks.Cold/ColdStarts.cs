using System.Diagnostics;
using System.Globalization;

namespace Bench.Cold;

/// <summary>Measures what first messages cost, in fresh processes that take turns, and prints or writes the tables.</summary>
internal static class ColdStarts
{
    private const string Usage = """
        [--samples N] [--compiled PROGRAM] [--write]   the tables of docs/performance/cold-start.md
            --samples    the number of processes for each figure; 9 unless given
            --compiled   this program as published with PublishReadyToRun, for its rows
            --write      into the page, instead of the console
        """;

    private const int LaterRounds = 20;

    private static readonly int[] Counts = [1, 10, 100];

    private static readonly (string Subject, string Name)[] Rows =
    [
        (Sample.Reflection, "System.Text.Json, reflection"),
        (Sample.Generated, "System.Text.Json, source-generated"),
        (Sample.Protobuf, "Google.Protobuf"),
        (Sample.Plain, "Wire"),
        (Sample.Typed, "Wire, SerializeTyped"),
        (Sample.PreparedPlain, "Wire, prepared"),
        (Sample.PreparedTyped, "Wire, SerializeTyped, prepared"),
        (Sample.Background, "Wire, prepared in the background"),
    ];

    public static int Run(string[] args)
    {
        int samples = 9;
        string? compiled = null;
        bool writes = false;
        for (int i = 0; i < args.Length; i++)
        {
            switch (args[i])
            {
                case "--samples" when i + 1 < args.Length:
                    samples = int.Parse(args[++i], CultureInfo.InvariantCulture);
                    break;
                case "--compiled" when i + 1 < args.Length:
                    compiled = args[++i];
                    break;
                case "--write":
                    writes = true;
                    break;
                default:
                    Console.Error.WriteLine(Usage);
                    return 2;
            }
        }

        string[] programs = compiled is null ? [typeof(ColdStarts).Assembly.Location] : [typeof(ColdStarts).Assembly.Location, compiled];
        string text = $"`./bench.sh --cold`, {DateTime.UtcNow:yyyy-MM-dd}\n\n{Machine.Describe()}\n\n"
            + $"Medians of {samples} processes for each figure, in turn.\n\n"
            + string.Concat(Counts.Select(count => Measure(programs, count, samples)));
        if (writes)
        {
            Page.ColdStart.Write("cold start", text);
        }
        else
        {
            Console.WriteLine(text);
        }

        return 0;
    }

    private static string Measure(string[] programs, int count, int samples)
    {
        var figures = new Dictionary<(string Program, string Subject, int Rounds), List<double[]>>();
        for (int i = 0; i < samples; i++)
        {
            foreach (string program in programs)
            {
                foreach (string subject in Sample.Subjects)
                {
                    foreach (int rounds in (ReadOnlySpan<int>)[1, LaterRounds])
                    {
                        var key = (program, subject, rounds);
                        figures.TryAdd(key, []);
                        figures[key].Add(Start(program, subject, count, rounds));
                    }
                }
            }
        }

        Dictionary<(string Program, string Subject, int Rounds), double[]> medians = figures.ToDictionary(
            pair => pair.Key,
            pair => Enumerable.Range(0, pair.Value[0].Length).Select(i => pair.Value.Select(sample => sample[i]).Median()).ToArray());
        List<string[]> lines =
        [
            ["Program", "processor ms", "x", "ms", "x", "messages ms", "methods", "later processor ms", "x"],
        ];
        foreach (string program in programs)
        {
            lines.AddRange(Rows.Select(row => Line(medians, programs[0], program, row.Subject, row.Name)));
        }

        return $"### {(count == 1 ? "One type" : $"{count} types")}\n\n{Table.Format(lines)}\n";
    }

    // Over an empty program of the same kind, against JSON in the program that is compiled at run time.
    private static string[] Line(
        Dictionary<(string Program, string Subject, int Rounds), double[]> medians,
        string usual,
        string program,
        string subject,
        string name)
    {
        double[] own = Over(program, subject, 1), later = Over(program, subject, LaterRounds);
        double[] json = Over(usual, Sample.Reflection, 1), laterJson = Over(usual, Sample.Reflection, LaterRounds);
        return
        [
            program == usual ? name : $"{name}; compiled beforehand",
            Table.Number(own[0], "0.0"),
            Table.Number(own[0] / json[0], "0.00"),
            Table.Number(own[1], "0.0"),
            Table.Number(own[1] / json[1], "0.00"),
            Table.Number(medians[(program, subject, 1)][2], "0.0"),
            Table.Number(own[3], "N0"),
            Table.Number(later[0], "0.0"),
            Table.Number(later[0] / laterJson[0], "0.00"),
        ];

        double[] Over(string of, string what, int rounds) =>
            [.. medians[(of, what, rounds)].Zip(medians[(of, Sample.Empty, rounds)], (figure, empty) => figure - empty)];
    }

    // The milliseconds of the processor and of the whole process, those of the messages, and how many methods were compiled.
    private static double[] Start(string program, string subject, int count, int rounds)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true };
        foreach (string argument in (string[])[program, "--sample", subject, $"{count}", $"{rounds}"])
        {
            start.ArgumentList.Add(argument);
        }

        long begin = Stopwatch.GetTimestamp();
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("A process for a sample did not start.");
        double[] printed = OwnProcess.FiguresAsync(process).GetAwaiter().GetResult();
        double milliseconds = Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
        return [printed[0], milliseconds, printed[1], printed[2]];
    }
}
