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
            .SelectMany(Libraries.Sources)
            .Select(file => (file.Path, Count: file.Lines.Count()))
            .Where(file => file.Count > Most)
            .ToDictionary(file => file.Path, file => file.Count),
        "Which concept inside wants a file of its own?");
}
