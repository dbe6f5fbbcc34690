using System.Xml.Linq;
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

    private static readonly string[] All =
        [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.??proj", SearchOption.AllDirectories)
            .Where(file => IsSource(Repository.Root, file))
            .Order(StringComparer.Ordinal)];

    /// <summary>The project files of all packages.</summary>
    public static string[] Projects { get; } = [.. All.Where(IsPackage)];

    /// <summary>The names of the assemblies that a compiler loads where Wire is installed.</summary>
    public static string[] Analyzers { get; } = [.. All.Where(IsOfCompilers).Select(NameOf)];

    /// <summary>
    /// The names of the assemblies that the sources of each package make: those of projects that are no package are Wire's.
    /// </summary>
    public static IReadOnlyDictionary<string, string[]> Assemblies { get; } = Projects.ToDictionary(IdOf, project => (string[])
        [NameOf(project), .. NameOf(project) == "Wire" ? All.Except(Projects).Select(NameOf).Except(Analyzers) : []]);

    /// <summary>Gets the id of a package.</summary>
    public static string IdOf(string project) => $"WireSerializer{NameOf(project)["Wire".Length..]}";

    /// <summary>Returns whether a project is a tool, which people install, and not a library, which programs refer to.</summary>
    public static bool IsTool(string project) =>
        File.ReadAllText(project).Contains("<PackAsTool>true</PackAsTool>", StringComparison.Ordinal);

    /// <summary>Copies the sources, without what builds have left in them.</summary>
    /// <param name="root">The repository, or a copy.</param>
    /// <param name="folder">The folder of the copy.</param>
    public static void Copy(string root, string folder) => Copy(root, folder, Parts);

    /// <summary>Copies files and folders, without what builds have left in them.</summary>
    /// <param name="root">The repository, or a copy.</param>
    /// <param name="folder">The folder of the copy.</param>
    /// <param name="parts">The paths of the files and folders in the repository.</param>
    public static void Copy(string root, string folder, params string[] parts)
    {
        foreach (string file in parts.Select(part => Path.Combine(root, part)).SelectMany(Files).Where(file => IsSource(root, file)))
        {
            string copy = Path.Combine(folder, Path.GetRelativePath(root, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }

    /// <summary>The version of a package that all projects have.</summary>
    public static string CentralVersion(string package) => XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props"))
        .Descendants("PackageVersion").Single(entry => entry.Attribute("Include")?.Value == package).Attribute("Version")!.Value;

    /// <summary>The file of the test project for a program.</summary>
    public static string Program(string name) => Repository.Tests("Wire.Packages.Tests", "Programs", name);

    private static string NameOf(string project) => Path.GetFileNameWithoutExtension(project);

    private static bool IsOfCompilers(string project) =>
        File.ReadAllText(project).Contains("<TargetFramework>netstandard2.0</TargetFramework>", StringComparison.Ordinal);

    private static bool IsPackage(string project) =>
        !File.ReadAllText(project).Contains("<IsPackable>false</IsPackable>", StringComparison.Ordinal);

    private static IEnumerable<string> Files(string path) =>
        Directory.Exists(path) ? Directory.EnumerateFiles(path, "*", SearchOption.AllDirectories) : [path];

    private static bool IsSource(string root, string file) =>
        !Path.GetRelativePath(root, file).Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj");
}
