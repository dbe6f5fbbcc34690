using Wire.Testing.Fuzzing;

namespace Wire.Fuzz.Running;

/// <summary>The findings of a run, by their signatures, in a file that a crash does not take away.</summary>
internal sealed class Findings(string? vectors)
{
    private const string Separator = " -> ";

    private readonly HashSet<string> _signatures = [.. All().Select(line => line.Split(Separator)[0])];

    private static string Log => Path.Combine(FuzzOptions.Work, "findings.txt");

    /// <summary>The findings up to now: signature, and file.</summary>
    public static string[] All() => File.Exists(Log) ? File.ReadAllLines(Log) : [];

    /// <summary>Whether there has been none like it.</summary>
    public bool IsNew(Finding finding) => _signatures.Add(Line(finding.Signature));

    /// <summary>Writes the vector of a finding, and says so.</summary>
    public void Add(Finding finding, byte[] input)
    {
        string found = $"{finding.Kind}: {finding.Place}: {finding.Message.Split('\n')[0]}";
        string file =
            new Regression(finding.Target, Line(found), input).Write(vectors ?? Regression.FolderOf(AllTargets.ProjectOf(finding.Target)));
        File.AppendAllText(Log, $"{Line(finding.Signature)}{Separator}{file}\n");
        Console.WriteLine($"FOUND {finding.Kind} in {finding.Target} at {finding.Place}\n  {finding.Message}\n  {file}");
    }

    private static string Line(string text) => text.Replace('\n', ' ').Replace('\r', ' ');
}
