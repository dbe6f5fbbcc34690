using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Testing;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Testing;

namespace Wire.Analyzers.Tests;

/// <summary>Compiles a program with the libraries of the tests, and compares what an analyzer says, and what a fix makes of it.</summary>
internal static class Check
{
    private const string Usings = "global using System;\nglobal using System.Collections.Generic;\n";

    private static readonly ReferenceAssemblies OfProgram = new("net10.0");

    /// <summary>What programs of the tests are compiled with.</summary>
    public static MetadataReference[] Libraries { get; } =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetFileNameWithoutExtension(path) is var name
                && (name.StartsWith("System.", StringComparison.Ordinal)
                    || name is "Microsoft.Win32.Primitives" or "Wire" or "Wire.Inspection" or "netstandard"))
            .Select(path => MetadataReference.CreateFromFile(path)),
    ];

    /// <summary>Looks at a program: {|#0:this|} is what the first message is about.</summary>
    public static Task FindsAsync<TAnalyzer>(string source, params string[] messages)
        where TAnalyzer : DiagnosticAnalyzer, new() => FindsAsync<TAnalyzer>(source, (_, _) => { }, messages);

    /// <summary>Looks at a program that is more than one file.</summary>
    public static Task FindsAsync<TAnalyzer>(
        string source, Action<SolutionState, AnalyzerTest<DefaultVerifier>> prepare, params string[] messages)
        where TAnalyzer : DiagnosticAnalyzer, new()
    {
        var test = new AnalyzerOnly<TAnalyzer>();
        Prepare<TAnalyzer>(test, source, messages);
        prepare(test.TestState, test);
        return test.RunAsync();
    }

    /// <summary>Looks at a program, and changes it by a fix.</summary>
    public static Task FixesAsync<TAnalyzer, TFix>(string source, string after, params string[] messages)
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new() => FixesAsync<TAnalyzer, TFix>(source, after, _ => { }, messages);

    /// <summary>Looks at a program that is more than one file, and changes it by a fix.</summary>
    public static Task FixesAsync<TAnalyzer, TFix>(string source, string after, Action<SolutionState> prepare, params string[] messages)
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new()
    {
        var test = new AnalyzerAndFix<TAnalyzer, TFix>();
        Prepare<TAnalyzer>(test, source, messages);
        test.FixedState.Sources.Add(after.ReplaceLineEndings("\n"));
        test.FixedState.Sources.Add(("Usings.cs", Usings));
        prepare(test.TestState);
        prepare(test.FixedState);
        return test.RunAsync();
    }

    private static void Prepare<TAnalyzer>(AnalyzerTest<DefaultVerifier> test, string source, string[] messages)
        where TAnalyzer : DiagnosticAnalyzer, new()
    {
        test.ReferenceAssemblies = OfProgram;
        test.TestState.AdditionalReferences.AddRange(Libraries);
        test.TestState.Sources.Add(source.ReplaceLineEndings("\n"));
        test.TestState.Sources.Add(("Usings.cs", Usings));
        for (int i = 0; i < messages.Length; i++)
        {
            DiagnosticDescriptor rule = new TAnalyzer().SupportedDiagnostics.Single(rule => rule.Id == messages[i][..7]);
            test.ExpectedDiagnostics.Add(new DiagnosticResult(rule).WithLocation(i).WithMessage(messages[i][9..])
                .WithOptions(DiagnosticOptions.IgnoreAdditionalLocations));
        }
    }

    private static CSharpParseOptions Parsing() => new(LanguageVersion.CSharp14);

    private static CSharpCompilationOptions Compiling() =>
        new(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable);

    private sealed class AnalyzerOnly<TAnalyzer> : CSharpAnalyzerTest<TAnalyzer, DefaultVerifier>
        where TAnalyzer : DiagnosticAnalyzer, new()
    {
        protected override ParseOptions CreateParseOptions() => Parsing();

        protected override CompilationOptions CreateCompilationOptions() => Compiling();
    }

    private sealed class AnalyzerAndFix<TAnalyzer, TFix> : CSharpCodeFixTest<TAnalyzer, TFix, DefaultVerifier>
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new()
    {
        public AnalyzerAndFix() => CodeFixTestBehaviors = CodeFixTestBehaviors.SkipLocalDiagnosticCheck;

        protected override ParseOptions CreateParseOptions() => Parsing();

        protected override CompilationOptions CreateCompilationOptions() => Compiling();
    }
}
