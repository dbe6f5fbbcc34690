using Wire.Testing;

namespace Wire.Gates.Tests;

/// <summary>A file of the repository that people write, and no build.</summary>
/// <param name="Path">Its path from the root on, with slashes.</param>
internal sealed record SourceFile(string Path)
{
    /// <summary>What it has.</summary>
    public string Text => File.ReadAllText(System.IO.Path.Combine(Repository.Root, Path));

    /// <summary>Its lines.</summary>
    public IEnumerable<string> Lines => File.ReadLines(System.IO.Path.Combine(Repository.Root, Path));

    /// <summary>Lists the files of a folder and of those in it, by their paths.</summary>
    /// <param name="folder">The path of the folder, from the root on.</param>
    /// <param name="pattern">What their names are like.</param>
    public static IEnumerable<SourceFile> In(string folder, string pattern = "*.cs") =>
        Directory.EnumerateFiles(System.IO.Path.Combine(Repository.Root, folder), pattern, SearchOption.AllDirectories)
            .Select(file => System.IO.Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
            .Where(file => !file.Split('/').Any(part => part is "bin" or "obj"))
            .Order(StringComparer.Ordinal)
            .Select(file => new SourceFile(file));
}
