namespace Wire.Benchmarks;

/// <summary>What the command line asks for.</summary>
/// <param name="Mode">The first argument that is a mode.</param>
/// <param name="Only">A part of the names of the scenarios to run; null for all.</param>
/// <param name="Json">The file that results are written to; null for none.</param>
internal sealed record Options(string Mode, string? Only, string? Json)
{
    private static readonly string[] Modes = ["--quick", "--growth", "--floods", "--report", "--full", "--filter", "--cold-sample"];

    /// <summary>Reads the arguments.</summary>
    /// <exception cref="ArgumentException">There is one that is not known.</exception>
    public static Options Parse(string[] args)
    {
        var options = new Options("", null, null);
        for (int i = 0; i < args.Length; i++)
        {
            options = args[i] switch
            {
                "--only" when i + 1 < args.Length => options with { Only = args[++i] },
                "--json" when i + 1 < args.Length => options with { Json = args[++i] },
                _ when Modes.Contains(args[i]) && options.Mode.Length == 0 => options with { Mode = args[i] },
                _ => throw new ArgumentException($"'{args[i]}' is not known here."),
            };
        }

        return options;
    }
}
