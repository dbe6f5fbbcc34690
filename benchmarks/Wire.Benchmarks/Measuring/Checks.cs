namespace Wire.Benchmarks.Measuring;

/// <summary>Whether each row reads what it writes, without measuring: in seconds, after a change to an adapter or a library.</summary>
internal static class Checks
{
    /// <summary>Prints the rows with what they write, and why those fail that do.</summary>
    /// <exception cref="UsageException">A row does not read what it writes.</exception>
    public static void Run(Options options, Suite suite)
    {
        IReadOnlySet<string> wanted = options.Select(suite.Scenarios.Select(scenario => scenario.Name));
        int failed = 0;
        foreach (Scenario scenario in suite.Scenarios.Where(scenario => wanted.Contains(scenario.Name)))
        {
            foreach (Row row in scenario.Rows())
            {
                string what = Check(row, out bool holds);
                failed += holds ? 0 : 1;
                Console.WriteLine($"{scenario.Name}: {row.Name}: {what}");
            }
        }

        if (failed > 0)
        {
            throw new UsageException($"{failed} rows do not read what they write.");
        }
    }

    private static string Check(Row row, out bool holds)
    {
        holds = true;
        if (row.Missing is { } reason)
        {
            return $"– ({reason})";
        }

        try
        {
            row.Prepare();
            return $"{row.Payload.Length} bytes";
        }
        catch (Exception exception)
        {
            // Of any library: the other rows are looked at all the same.
            holds = false;
            return $"FAILED: {exception}";
        }
    }
}
