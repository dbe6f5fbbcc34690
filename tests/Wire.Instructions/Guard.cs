namespace Wire.Instructions;

/// <summary>Compares what is counted with the baseline.</summary>
internal static class Guard
{
    /// <summary>What the process ends with where instructions cannot be counted.</summary>
    public const int LeftOut = 3;

    /// <summary>Counts, and compares or writes.</summary>
    /// <param name="write">Whether what is counted becomes the baseline.</param>
    /// <returns>0 when all is as it was, 1 when not, <see cref="LeftOut"/> where it cannot be known.</returns>
    public static int Run(bool write)
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

        if (write)
        {
            Baseline.Write(counts);
            Console.WriteLine($"Written: {Baseline.File}.");
            return 0;
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

        bool holds = true;
        foreach (string operation in counts.Rounds.Keys.Union(baseline.Figures.Keys))
        {
            string? fault = Compare(operation, counts, baseline, isSame);
            holds &= fault is null;
            string now = counts.Rounds.ContainsKey(operation) ? $"{counts.Of(operation),12:N0}  ±{counts.Spread(operation) / 2:P1}" : "";
            Console.WriteLine($"{operation,-42}{now}  {fault ?? "holds"}");
        }

        if (!holds)
        {
            Console.WriteLine("If this is what the change is for, write the baseline anew and say why in the commit:");
            Console.WriteLine("WIRE_INSTRUCTIONS_WRITE=1 dotnet run -c Release --project tests/Wire.Instructions");
        }

        return holds ? 0 : 1;
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
