using System.Globalization;

namespace Wire.Instructions;

/// <summary>How many instructions each operation took when somebody last said that this is as it should be.</summary>
internal sealed record Baseline(string Machine, IReadOnlyDictionary<string, double> Figures)
{
    /// <summary>
    /// How far a figure may lie off. Runs differ by less than 1%; the rest is room for what does not matter, such as a few instructions
    /// more in the smallest message.
    /// </summary>
    public const double Margin = 0.05;

    /// <summary>
    /// How much more it may be elsewhere: another release of the runtime, or of the C library, has other instructions for the same code,
    /// for copying and for allocating. Less says nothing there.
    /// </summary>
    public const double MarginOfOthers = 1;

    private const string Heading = "# Instructions per operation. Where they differ, eng/approve.sh accepts what was counted.";

    public static string File => Path.Combine(Folder(), "baseline.txt");

    public static string Received => Path.Combine(Folder(), "baseline.received.txt");

    public static Baseline Read()
    {
        string[] lines = [.. System.IO.File.ReadAllLines(File).Where(line => !line.StartsWith('#'))];
        return new Baseline(lines[0], lines.Skip(1).Select(line => line.Split('|')).ToDictionary(
            cells => cells[1].Trim(), cells => double.Parse(cells[0], CultureInfo.InvariantCulture)));
    }

    /// <summary>
    /// Writes beside the baseline what was counted; an operation that holds keeps its figure, so that no drift is accepted.
    /// </summary>
    public void WriteReceived(Counts counts, IReadOnlySet<string> holding)
    {
        bool isSame = counts.Machine == Machine;
        System.IO.File.WriteAllLines(
            Received,
            [
                Heading,
                counts.Machine,
                .. counts.Rounds.Keys.Select(operation =>
                    $"{(isSame && holding.Contains(operation) ? Figures[operation] : counts.Of(operation)),10:F0} | {operation}"),
            ]);
    }

    /// <summary>Whether figures of a machine can be compared with these at all: it has the same kind of instructions.</summary>
    public bool IsComparable(string machine) => Counted.Architecture(machine) == Counted.Architecture(Machine);

    // In the source tree: what is compared with is what is checked in.
    private static string Folder()
    {
        string? directory = AppContext.BaseDirectory;
        while (directory is not null && !System.IO.File.Exists(Path.Combine(directory, "Wire.sln")))
        {
            directory = Path.GetDirectoryName(directory);
        }

        return Path.Combine(
            directory ?? throw new DirectoryNotFoundException("No directory above the program has Wire.sln."),
            "tests",
            "Wire.Instructions");
    }
}
