namespace Wire.Gates.Tests.Architecture;

/// <summary>A file of the libraries has at most 400 lines: in a longer one a concept wants a file of its own.</summary>
public sealed class FileLengthTests
{
    private const int Most = 400;

    [Fact]
    public void No_file_has_more_than_400_lines() => Assert.Empty(
        Libraries.All
            .SelectMany(Libraries.Sources)
            .Select(file => (file.Path, Count: file.Lines.Count()))
            .Where(file => file.Count > Most)
            .Select(file => $"{file.Path} has {file.Count} lines"));
}
