namespace Wire.Benchmarks.Measuring;

/// <summary>What the command line asks for.</summary>
/// <param name="Mode">What to do; the first argument.</param>
/// <param name="Only">The name of what to run, or a part of names; empty for all.</param>
/// <param name="Json">The file that results are written to, or a report is made of; null for none.</param>
/// <param name="Command">The command that is named beside the figures.</param>
internal sealed record Options(string Mode, string Only, string? Json, string Command)
{
    /// <summary>Reads what stands behind the mode.</summary>
    /// <exception cref="UsageException">An argument is not known or has no value, or the file cannot be used.</exception>
    public static Options Parse(string[] args)
    {
        bool isReport = args[0] == "--report";
        var options = new Options(args[0], "", null, $"./bench.sh {args[0]}");
        for (int i = 1; i < args.Length; i += 2)
        {
            string name = args[i];
            if (name is not "--json" && (isReport || name is not ("--only" or "--command")))
            {
                throw new UsageException($"'{name}' is not known behind {args[0]}.");
            }

            string value = i + 1 < args.Length ? args[i + 1] : "";
            if (value.Length == 0 || value.StartsWith("--", StringComparison.Ordinal))
            {
                throw new UsageException($"'{name}' needs a value.");
            }

            options = name switch
            {
                "--only" => options with { Only = value, Command = $"{options.Command} --only '{value}'" },
                "--json" => options with { Json = value },
                _ => options with { Command = value },
            };
        }

        if (isReport && options.Json is null)
        {
            throw new UsageException("--report needs --json FILE, with results.");
        }

        // Before anything is measured, which takes minutes.
        if (options.Json is { } json)
        {
            Results.Check(json, mustExist: isReport);
        }

        return options;
    }

    /// <summary>Whether everything is to run.</summary>
    public bool IsAll => Only.Length == 0;

    /// <summary>Which of these names are to run: the one that is asked for, else those that it is a part of, whatever the case.</summary>
    /// <exception cref="UsageException">There is none.</exception>
    public IReadOnlySet<string> Select(params IEnumerable<string> names)
    {
        string[] all = [.. names];
        HashSet<string> selected = [.. all.Where(name => name.Equals(Only, StringComparison.OrdinalIgnoreCase))];
        if (selected.Count == 0)
        {
            selected = [.. all.Where(name => name.Contains(Only, StringComparison.OrdinalIgnoreCase))];
        }

        return selected.Count > 0
            ? selected
            : throw new UsageException($"--only '{Only}' matches nothing. {Mode} knows: {string.Join("; ", all)}.");
    }
}

/// <summary>The command line asks for what cannot be done; the message says what.</summary>
internal sealed class UsageException(string message) : Exception(message);

/// <summary>What a program of benchmarks does with its arguments.</summary>
internal static class Command
{
    /// <summary>Runs what is asked for, or says what can be.</summary>
    /// <returns>The exit code of the program.</returns>
    public static async Task<int> RunAsync(string[] args, string usage, Func<string[], Task> run)
    {
        if (args is [] or [.., "--help" or "-h"])
        {
            Console.WriteLine(usage);
            return 0;
        }

        try
        {
            await run(args);
            return 0;
        }
        catch (UsageException exception)
        {
            Console.Error.WriteLine($"{exception.Message}\n\n{usage}");
            return 2;
        }
    }
}
