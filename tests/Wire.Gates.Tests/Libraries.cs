using System.Reflection;
using Wire.Testing;

namespace Wire.Gates.Tests;

/// <summary>The libraries: the folders of <c>src</c>.</summary>
internal static class Libraries
{
    /// <summary>The names of all of them, the tool included.</summary>
    public static string[] All { get; } =
    [
        .. Directory.GetDirectories(Path.Combine(Repository.Root, "src"))
            .Select(folder => Path.GetFileName(folder))
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>Those that programs refer to.</summary>
    public static IEnumerable<string> Referenced =>
        All.Where(name => name is not ("Wire.Tool" or "Wire.Analyzers" or "Wire.Analyzers.CodeFixes"));

    /// <summary>The files of a library, in C# and F#.</summary>
    public static IEnumerable<SourceFile> Sources(string library) => SourceFile.In($"src/{library}", "*.?s");

    public static Assembly Load(string library) => Assembly.Load(new AssemblyName(library));
}
