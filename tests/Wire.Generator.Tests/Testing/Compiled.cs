using System.Collections.Immutable;
using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Wire.Generator.Tests.Testing;

/// <summary>Sources that are compiled in memory with the generator, as a project without implicit usings.</summary>
/// <param name="Compilation">The compilation with what was generated.</param>
/// <param name="Sources">What was generated.</param>
/// <param name="Reported">What the generator has reported.</param>
internal sealed partial record Compiled(
    CSharpCompilation Compilation, ImmutableArray<GeneratedSourceResult> Sources, ImmutableArray<Diagnostic> Reported)
{
    public static readonly CSharpParseOptions Language = new(LanguageVersion.Latest, DocumentationMode.Diagnose);

    private static readonly Lazy<MetadataReference[]> Framework = new(() =>
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetDirectoryName(path) == Path.GetDirectoryName(typeof(object).Assembly.Location))
            .Append(typeof(Serializer).Assembly.Location)
            .Select(path => MetadataReference.CreateFromFile(path)),
    ]);

    private static readonly string[] Usings =
        ["System", "System.IO", "System.Linq", "System.Collections.Generic", "System.Threading", "System.Threading.Tasks"];

    private static int _made;

    /// <summary>The only source that was generated.</summary>
    public string Source => Assert.Single(Sources).SourceText.ToString();

    /// <summary>The rows in the source, without the names of namespaces and the code for members.</summary>
    public string[] Rows =>
    [
        .. Source.Split('\n').Select(line => line.Trim()).Where(line => line.StartsWith("rows.Add(", StringComparison.Ordinal))
            .Select(line => Spaces().Replace(line["rows.Add(".Length..^2], "")).Select(row => Code().Replace(row, "$1"))
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>The names of the types whose members have generated code.</summary>
    public string[] Coded =>
        [.. Source.Split('\n').Select(line => Owner().Match(line)).Where(match => match.Success).Select(match => match.Groups[1].Value)];

    public static CSharpCompilation Create(string[] sources, params MetadataReference[] references) => CSharpCompilation.Create(
        $"Compiled{Interlocked.Increment(ref _made)}",
        sources.Select((source, i) => CSharpSyntaxTree.ParseText(source, Language, $"Source{i}.cs")),
        [.. Framework.Value, .. references],
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));

    /// <summary>The embedded sources of a folder, as a program with implicit usings.</summary>
    public static CSharpCompilation Program(string folder) => Create(
        [
            string.Concat(Usings.Select(name => $"global using {name};\n")),
            .. typeof(Compiled).Assembly.GetManifestResourceNames()
                .Where(name => name.StartsWith(folder, StringComparison.Ordinal)).Select(Text),
        ]).WithOptions(new(OutputKind.ConsoleApplication, nullableContextOptions: NullableContextOptions.Enable));

    public static CSharpGeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new WireGenerator().AsSourceGenerator()],
        parseOptions: Language,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    public static Compiled Of(CSharpCompilation compilation)
    {
        GeneratorDriverRunResult result = Driver().RunGeneratorsAndUpdateCompilation(compilation, out var with, out _).GetRunResult();
        GeneratorRunResult run = Assert.Single(result.Results);
        Assert.Null(run.Exception);
        return new((CSharpCompilation)with, run.GeneratedSources, run.Diagnostics);
    }

    public static Compiled Of(params string[] sources) => Of(Create(sources));

    /// <summary>The text of an embedded source.</summary>
    public static string Text(string name)
    {
        using Stream stream = typeof(Compiled).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }

    /// <summary>Loads what was compiled, without a warning in what was generated.</summary>
    public Assembly Load()
    {
        using var stream = new MemoryStream();
        var result = Compilation.Emit(stream);
        Assert.Empty(result.Diagnostics.Where(each => each.Severity == DiagnosticSeverity.Error
            || (each.Severity == DiagnosticSeverity.Warning && each.Location.SourceTree is { } tree
                && tree.FilePath.EndsWith(".g.cs", StringComparison.Ordinal))));
        stream.Position = 0;
        return AssemblyLoadContext.Default.LoadFromStream(stream);
    }

    [GeneratedRegex(@"^Add\((.*), static \(\) => new MemberCode\d+\(\)(?:, hasOwnName: true)?\)$")]
    private static partial Regex Code();

    [GeneratedRegex(@"MemberCode\.Add\(.*?(?:Class|Struct)<global::(.+?)>\(")]
    private static partial Regex Owner();

    [GeneratedRegex(@"global::([a-z]\w*\.|[A-Z]\w*\.(?=[A-Z]))*")]
    private static partial Regex Spaces();
}
