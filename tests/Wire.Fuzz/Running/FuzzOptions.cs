using System.Globalization;
using Wire.Comparing;
using Wire.Testing;
using Wire.Testing.Fuzzing;

namespace Wire.Fuzz.Running;

/// <summary>What the command line asks for.</summary>
internal sealed record FuzzOptions
{
    public const string Usage = """
        usage: Wire.Fuzz (--minutes N | --seconds N | --executions N) [--seed S] [--target TEXT] [--corpus FOLDER] [--vectors FOLDER]
               Wire.Fuzz --replay FILE
          --seed        the first number of the sequence of inputs; 1 unless told
          --target      only targets whose names have this text
          --corpus      where inputs that reached new code are read from and kept; they are forgotten unless told
          --vectors     where findings are written; Hostile/Regressions of the target's project of tests unless told
          --replay      tries the input of a vector, and does nothing else
        """;

    public double Seconds { get; init; } = double.PositiveInfinity;

    public long Executions { get; init; } = long.MaxValue;

    public int Seed { get; init; } = 1;

    public string Target { get; init; } = "";

    public string? Corpus { get; init; }

    public string? Vectors { get; init; }

    public string? Replay { get; init; }

    /// <summary>Whether this process is the one that tries inputs, which another one watches.</summary>
    public bool IsWorker { get; init; }

    /// <summary>Where the two of them keep what they share.</summary>
    public static string Work { get; } = Path.Combine(Repository.Root, "artifacts", "fuzz");

    /// <summary>Where inputs that reached new code are kept.</summary>
    public string CorpusFolder => Corpus ?? Path.Combine(Work, "corpus");

    /// <summary>The options; null when they make no sense.</summary>
    public static FuzzOptions? Parse(string[] args)
    {
        var options = new FuzzOptions();
        for (int i = 0; i < args.Length; i += 2)
        {
            if (args[i] == "--worker")
            {
                options = options with { IsWorker = true };
                i--;
                continue;
            }

            if (i + 1 == args.Length)
            {
                return null;
            }

            string value = args[i + 1];
            bool isNumber = double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && number >= 0;
            FuzzOptions? next = args[i] switch
            {
                "--minutes" when isNumber => options with { Seconds = number * 60 },
                "--seconds" when isNumber => options with { Seconds = number },
                "--executions" when isNumber => options with { Executions = (long)number },
                "--seed" when isNumber => options with { Seed = (int)number },
                "--target" => options with { Target = value },
                "--corpus" => options with { Corpus = Path.GetFullPath(value) },
                "--vectors" => options with { Vectors = Path.GetFullPath(value) },
                "--replay" => options with { Replay = value },
                _ => null,
            };
            if (next is null)
            {
                return null;
            }

            options = next;
        }

        bool ends = options.Seconds < double.PositiveInfinity || options.Executions < long.MaxValue;
        return ends || options.Replay is not null ? options : null;
    }

    /// <summary>The command line of a worker.</summary>
    public IEnumerable<string> ToWorkerArguments(double seconds)
    {
        yield return "--worker";
        foreach ((string name, string value) in new[]
        {
            ("--seconds", seconds.ToString(CultureInfo.InvariantCulture)), (
                "--executions", Executions.ToString(CultureInfo.InvariantCulture)),
            ("--seed", Seed.ToString(CultureInfo.InvariantCulture)), ("--target", Target), ("--corpus", CorpusFolder),
        })
        {
            yield return name;
            yield return value;
        }

        if (Vectors is not null)
        {
            yield return "--vectors";
            yield return Vectors;
        }
    }
}
