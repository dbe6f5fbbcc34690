using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Reflection;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Wire.Generator;
using Wire.Testing;

namespace Wire.Analyzers.Tests;

/// <summary>
/// No rule speaks up in this repository: neither in the libraries nor in the samples, which are programs as users write them.
/// </summary>
public sealed class RepositoryTests
{
    private static readonly CSharpParseOptions Parsing = new(LanguageVersion.Preview);

    private static readonly string Built = Path.Combine("bin", "Release", "net10.0");

    // The libraries that give values to a serializer.
    private static readonly string[] Callers =
        ["Wire.AspNetCore", "Wire.MassTransit", "Wire.Migration", "Wire.RabbitMQ", "Wire.RabbitMQ.Outbox", "Wire.Tool"];

    private static readonly ConcurrentDictionary<string, MetadataReference?> Read = new();

    private static readonly ImmutableArray<DiagnosticAnalyzer> All =
    [
        .. typeof(MessageAnalyzer).Assembly.GetExportedTypes()
            .Where(type => type.IsSubclassOf(typeof(DiagnosticAnalyzer)))
            .Select(type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!),
    ];

    // Those of the frameworks, too, which some of the samples have.
    private static readonly Lazy<ISourceGenerator[]> Generators = new(() =>
    [
        new WireGenerator().AsSourceGenerator(),
        .. OfFramework("Microsoft.NETCore.App.Ref", "System.Text.Json.SourceGeneration.dll"),
        .. OfFramework("Microsoft.AspNetCore.App.Ref", "Microsoft.Extensions.Logging.Generators.dll"),
    ]);

    private static readonly string[] Found =
    [
        .. ((string[])["samples", .. Callers.Select(name => Path.Combine("src", name)), "benchmarks"])
            .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.csproj", SearchOption.AllDirectories))
            .Where(project => Directory.Exists(Path.Combine(Path.GetDirectoryName(project)!, Built)))
            .Select(project => Path.GetRelativePath(Repository.Root, project)),
    ];

    /// <summary>The samples, which are built with this project; and the libraries and benchmarks that are.</summary>
    public static TheoryData<string> Projects => [.. Found];

    [Fact]
    public void Each_sample_is_among_them() =>
        Assert.InRange(Found.Count(project => project.StartsWith("samples", StringComparison.Ordinal)), 12, 100);

    [Theory]
    [MemberData(nameof(Projects))]
    public async Task No_rule_speaks_up(string project)
    {
        string file = Path.Combine(Repository.Root, project);
        string folder = Path.GetDirectoryName(file)!;
        CSharpGeneratorDriver.Create(Generators.Value, parseOptions: Parsing).RunGeneratorsAndUpdateCompilation(
            Compile(folder, Path.GetFileNameWithoutExtension(file), XDocument.Load(file)),
            out Microsoft.CodeAnalysis.Compilation compilation,
            out _);
        if (project.StartsWith("samples", StringComparison.Ordinal))
        {
            Assert.Empty(compilation.GetDiagnostics().Where(each => each.Severity == DiagnosticSeverity.Error));
        }

        ImmutableArray<Diagnostic> found = await compilation.WithAnalyzers(All).GetAnalyzerDiagnosticsAsync();
        Assert.True(found.IsEmpty, string.Join("\n", found));
    }

    private static IEnumerable<ISourceGenerator> OfFramework(string pack, string name) => Directory.EnumerateFiles(
            Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "../../../packs", pack),
            name,
            SearchOption.AllDirectories)
        .Order(StringComparer.Ordinal).TakeLast(1)
        .SelectMany(file => Assembly.LoadFrom(file).GetExportedTypes())
        .Where(type => type.IsAssignableTo(typeof(IIncrementalGenerator)))
        .Select(type => ((IIncrementalGenerator)Activator.CreateInstance(type)!).AsSourceGenerator());

    private static CSharpCompilation Compile(string folder, string name, XDocument project)
    {
        IEnumerable<string> own = Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Where(file => !Path.GetRelativePath(folder, file).Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj"));
        IEnumerable<string> linked = project.Descendants("Compile")
            .SelectMany(item => ((string?)item.Attribute("Include") ?? "").Split(';'))
            .Select(path => Path.GetFullPath(Path.Combine(folder, path)))
            .Where(File.Exists);
        IEnumerable<string> generated = Directory.EnumerateFiles(
            Path.Combine(folder, "obj", "Release", "net10.0"), "*.g.cs", SearchOption.AllDirectories);
        bool isProgram = project.Descendants("OutputType").Any()
            || ((string?)project.Root!.Attribute("Sdk"))?.StartsWith("Microsoft.NET.Sdk.Web", StringComparison.Ordinal) == true;
        return CSharpCompilation.Create(
            name,
            own.Concat(linked).Concat(generated).Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), Parsing, file)),
            References(Path.Combine(folder, Built), name),
            new CSharpCompilationOptions(
                isProgram ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary,
                allowUnsafe: true,
                nullableContextOptions: NullableContextOptions.Enable));
    }

    // What lies beside the program, and the shared frameworks; each assembly once.
    private static IEnumerable<MetadataReference> References(string built, string name)
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string web = framework.Replace("Microsoft.NETCore.App", "Microsoft.AspNetCore.App", StringComparison.Ordinal);
        return ((string[])[built, framework, .. Directory.Exists(web) ? (string[])[web] : []])
            .SelectMany(folder => Directory.EnumerateFiles(folder, "*.dll"))
            .Where(file => Path.GetFileNameWithoutExtension(file) != name)
            .GroupBy(file => Path.GetFileName(file))
            .Select(files => Read.GetOrAdd(files.First(), file => IsManaged(file) ? MetadataReference.CreateFromFile(file) : null))
            .OfType<MetadataReference>();
    }

    private static bool IsManaged(string file)
    {
        using FileStream stream = File.OpenRead(file);
        using var reader = new System.Reflection.PortableExecutable.PEReader(stream);
        return reader.HasMetadata;
    }
}
