namespace Wire.Benchmarks.Measuring;

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
