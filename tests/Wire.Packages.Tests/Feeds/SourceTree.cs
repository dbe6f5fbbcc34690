using Wire.Testing;

namespace Wire.Packages.Tests.Feeds;

/// <summary>What packing needs of the repository, and copies of it that may be changed.</summary>
internal static class SourceTree
{
    private static readonly string[] Parts =
    [
        "src", "eng", "docs", "Directory.Build.props", "Directory.Packages.props", "global.json", ".editorconfig", "LICENSE", "README.md",
        "CHANGELOG.md",
    ];

    /// <summary>The project files of the libraries, each of which is a package.</summary>
    public static string[] Libraries { get; } =
        [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.??proj", new EnumerationOptions { RecurseSubdirectories = true })
            .Where(IsSource)
            .Order(StringComparer.Ordinal)];

    /// <summary>Copies the sources, without what builds have left in them.</summary>
    public static void CopyTo(string folder)
    {
        foreach (string file in Parts.Select(part => Path.Combine(Repository.Root, part)).SelectMany(Files).Where(IsSource))
        {
            string copy = Path.Combine(folder, Path.GetRelativePath(Repository.Root, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }

    /// <summary>The file of the test project for a program.</summary>
    public static string Program(string name) => Repository.Tests("Wire.Packages.Tests", "Programs", name);

    private static IEnumerable<string> Files(string path) =>
        Directory.Exists(path) ? Directory.EnumerateFiles(path, "*", SearchOption.AllDirectories) : [path];

    private static bool IsSource(string file) =>
        !Path.GetRelativePath(Repository.Root, file).Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj");
}
