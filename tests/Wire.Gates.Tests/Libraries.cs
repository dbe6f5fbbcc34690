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

    /// <summary>Those that programs refer to: not the tool, nor what the compiler loads.</summary>
    public static IEnumerable<string> Referenced => All.Where(name => name != "Wire.Tool" && !IsOfCompiler(name));

    /// <summary>The files of a library, in C# and F#.</summary>
    public static IEnumerable<SourceFile> Sources(string library) => SourceFile.In($"src/{library}", "*.?s");

    public static Assembly Load(string library) => Assembly.Load(new AssemblyName(library));

    private static bool IsOfCompiler(string name) => Directory.EnumerateFiles(Path.Combine(Repository.Root, "src", name), "*.csproj")
        .Any(project => File.ReadAllText(project).Contains("<TargetFramework>netstandard2.0</TargetFramework>", StringComparison.Ordinal));
}
