namespace Wire.Benchmarks;

/// <summary>What the command line asks for.</summary>
/// <param name="Mode">What to do; the first argument.</param>
/// <param name="Only">A part of the names of what to run; empty for all.</param>
/// <param name="Json">The file that results are written to, or a report is made of; null for none.</param>
/// <param name="Command">The command that is named beside the figures.</param>
internal sealed record Options(string Mode, string Only, string? Json, string Command)
{
    public const string Usage = """
        --quick [--only NAME] [--json FILE]    all scenarios in one process, interleaved, in two minutes
        --growth [--only NAME] [--json FILE]   what an element costs as sizes grow
        --full [--only NAME] [--json FILE]     the rows of the scenarios with BenchmarkDotNet
        --command TEXT                         the command that is named beside the figures, instead of this one
        --report --json FILE                   the tables and charts of docs/performance.md, from a file of results
        --floods                               crafted keys against keys by chance
        --filter, --list, ...                  BenchmarkDotNet with its own arguments
        """;

    /// <summary>Reads what stands behind the mode.</summary>
    /// <exception cref="ArgumentException">There is an argument that is not known.</exception>
    public static Options Parse(string[] args)
    {
        var options = new Options(args[0], "", null, $"./bench.sh {args[0]}");
        for (int i = 1; i < args.Length; i += 2)
        {
            string value = i + 1 < args.Length ? args[i + 1] : throw new ArgumentException($"'{args[i]}' needs a value.");
            options = args[i] switch
            {
                "--only" => options with { Only = value, Command = $"{options.Command} --only '{value}'" },
                "--json" => options with { Json = value },
                "--command" => options with { Command = value },
                _ => throw new ArgumentException($"'{args[i]}' is not known."),
            };
        }

        return options;
    }

    /// <summary>Whether everything is to run.</summary>
    public bool IsAll => Only.Length == 0;

    /// <summary>Whether something of that name is to run.</summary>
    public bool Wants(string name) => name.Contains(Only, StringComparison.OrdinalIgnoreCase);
}
