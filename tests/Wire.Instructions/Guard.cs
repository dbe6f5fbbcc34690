namespace Wire.Instructions;

/// <summary>Compares what is counted with the baseline.</summary>
internal static class Guard
{
    /// <summary>What the process ends with where instructions cannot be counted.</summary>
    public const int LeftOut = 3;

    /// <summary>Counts and compares.</summary>
    /// <returns>0 when all is as it was, 1 when not, <see cref="LeftOut"/> where it cannot be known.</returns>
    public static int Run()
    {
        if (!Callgrind.IsInstalled())
        {
            return LeaveOut("valgrind is not installed");
        }

        Counts counts;
        try
        {
            counts = Callgrind.Measure();
        }
        catch (InvalidOperationException e) when (!Callgrind.IsUsable())
        {
            return LeaveOut($"valgrind cannot run .NET on this machine: {e.Message}");
        }

        Baseline baseline = Baseline.Read();
        if (!baseline.IsComparable(counts.Machine))
        {
            return LeaveOut($"the baseline is of {baseline.Machine}, and this is {counts.Machine}");
        }

        bool isSame = counts.Machine == baseline.Machine;
        if (!isSame)
        {
            Console.WriteLine(
                $"The baseline is of {baseline.Machine}; this is {counts.Machine}: {Baseline.MarginOfOthers:P0} more are allowed instead " +
                $"of {Baseline.Margin:P0}.");
        }

        var holding = new HashSet<string>();
        string[] operations = [.. counts.Rounds.Keys.Union(baseline.Figures.Keys)];
        foreach (string operation in operations)
        {
            string? fault = Compare(operation, counts, baseline, isSame);
            if (fault is null)
            {
                holding.Add(operation);
            }

            string now = counts.Rounds.ContainsKey(operation) ? $"{counts.Of(operation),12:N0}  ±{counts.Spread(operation) / 2:P1}" : "";
            Console.WriteLine($"{operation,-52}{now}  {fault ?? "holds"}");
        }

        bool areNear = true;
        foreach (Ratio ratio in Ratio.All.Where(each => counts.Rounds.ContainsKey(each.Operation)))
        {
            (string text, bool holds) = ratio.Of(counts);
            Console.WriteLine(text);
            areNear &= holds;
        }

        if (holding.Count == operations.Length)
        {
            File.Delete(Baseline.Received);
            return areNear ? 0 : 1;
        }

        baseline.WriteReceived(counts, holding);
        Console.WriteLine("If this is what the change is for, run eng/approve.sh, and say why in the commit.");
        return 1;
    }

    private static int LeaveOut(string reason)
    {
        Console.WriteLine($"Left out, because {reason}.");
        return LeftOut;
    }

    private static string? Compare(string operation, Counts counts, Baseline baseline, bool isSame)
    {
        if (!counts.Rounds.ContainsKey(operation))
        {
            return "FAILED: it is in the baseline, but no longer counted";
        }

        if (!baseline.Figures.TryGetValue(operation, out double before))
        {
            return "FAILED: it is not in the baseline";
        }

        double change = (counts.Of(operation) / before) - 1;
        double margin = isSame ? Baseline.Margin : Baseline.MarginOfOthers;
        return change > margin ? $"FAILED: {change:P1} more than the baseline's {before:N0} instructions; {margin:P0} are allowed"
            : isSame && change < -margin
                ? $"FAILED: {-change:P1} fewer than the baseline's {before:N0} instructions: nobody would notice if they came back"
            : null;
    }
}
