using System.Runtime.InteropServices;
using Wire.Testing;

namespace Wire.Packages.Tests.Feeds;

/// <summary>The samples and what they refer to, copied once, so that no build of the repository itself is touched.</summary>
public sealed class SampleTree : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("wire-samples-").FullName;

    /// <summary>Copies the sources.</summary>
    public SampleTree() => SourceTree.Copy(
        Repository.Root,
        _folder,
        "src", "samples", "Directory.Build.props", "Directory.Packages.props", "global.json", ".editorconfig");

    /// <summary>Builds a sample, and publishes it as native code: what the compiler warns of is only that a serializer is made.</summary>
    /// <param name="name">The folder of the sample.</param>
    internal async Task<Sample> PublishAsync(string name)
    {
        var sample = new Sample(Path.Combine(_folder, "samples", name), _folder);

        // The samples silence what they have read, and it is looked at here. What else may be wrong is found where the solution is built.
        string[] common =
        [
            "-c", "Release", "-v", "q", "-nologo",
            "-p:NoWarn=", "-p:TreatWarningsAsErrors=false", "-p:RunAnalyzers=false",
        ];
        await Tool.RunAsync(sample.Folder, "dotnet", ["build", .. common]);
        string output = await Tool.RunAsync(sample.Folder, "dotnet",
        [
            "publish", .. common, "-r", RuntimeInformation.RuntimeIdentifier, "-o", "native",
            "-p:PublishAot=true", "-p:CppCompilerAndLinker=gcc", "-p:TrimmerSingleWarn=false",
        ]);

        // What another generator makes is not looked at.
        string[] warnings =
        [
            .. FreshProject.Warnings(output)
                .Where(warning => !warning.Contains("System.Text.Json.SourceGeneration", StringComparison.Ordinal)),
        ];
        Assert.NotEmpty(warnings);
        Assert.All(warnings, warning => Assert.StartsWith(sample.Folder, warning.Trim(), StringComparison.Ordinal));
        Assert.All(warnings, warning => Assert.Matches(@" (IL2026|IL3050): .*Using member 'Wire\.", warning));
        return sample;
    }

    /// <summary>Deletes everything.</summary>
    public void Dispose() => Directory.Delete(_folder, recursive: true);
}

/// <summary>A sample that has been built and published.</summary>
/// <param name="folder">Its folder.</param>
/// <param name="here">The folder in which it runs, with the files of others.</param>
internal sealed class Sample(string folder, string here)
{
    /// <summary>The folder of the project.</summary>
    public string Folder => folder;

    /// <summary>Variables of the environment of the program.</summary>
    public Dictionary<string, string> Environment { get; set; } = [];

    // One of them has a program of another name.
    private string Name => Path.GetFileName(Directory.GetFiles(Output, "*.runtimeconfig.json").Single()).Split('.')[0];

    private string Output => Path.Combine(folder, "bin", "Release", "net10.0");

    /// <summary>Runs it with a JIT compiler, and returns what it writes; fails when it fails.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public Task<string> RunAsync(params string[] arguments) =>
        RunAsync("dotnet", [Path.Combine(Output, $"{Name}.dll"), .. arguments]);

    /// <summary>Runs the native program, and returns what it writes; fails when it fails.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public Task<string> RunNativeAsync(params string[] arguments) => RunAsync(Path.Combine(folder, "native", Name), arguments);

    private Task<string> RunAsync(string program, string[] arguments) =>
        Tool.RunAsync(here, "env", [.. Environment.Select(variable => $"{variable.Key}={variable.Value}"), program, .. arguments]);
}
