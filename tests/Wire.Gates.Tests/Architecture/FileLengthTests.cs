using Wire.Testing;

namespace Wire.Gates.Tests.Architecture;

/// <summary>A file of the libraries has at most 400 lines; those that had more when the rule came only become shorter.</summary>
public sealed class FileLengthTests
{
    private const int Most = 400;

    [Fact]
    public void No_file_has_more_than_400_lines() => Ratchet.AssertTight(
        Repository.Tests("Wire.Gates.Tests", "Architecture", "lines.ratchet.txt"),
        Libraries.All
            .SelectMany(library => Directory.EnumerateFiles(Libraries.Sources(library), "*.?s", SearchOption.AllDirectories))
            .Select(file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
            .Where(file => !file.Contains("/obj/", StringComparison.Ordinal))
            .Select(file => (file, Lines: File.ReadLines(Path.Combine(Repository.Root, file)).Count()))
            .Where(file => file.Lines > Most)
            .ToDictionary(file => file.file, file => file.Lines),
        "Which concept inside wants a file of its own?");
}
