using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Messages;
using Wire.Analyzers.Symbols;
using Wire.Generator.Checking;
using Wire.Generator.Diagnostics;

namespace Wire.Generator;

/// <summary>
/// Looks in native programs for messages whose types need rows that no context has. It is beside the generator, which knows what a type
/// leads to.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ContextAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Descriptors.Uncovered];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (!IsNative(start.Options) || start.Compilation.GetTypeByMetadataName("Wire.Serializer") is null)
            {
                return;
            }

            var options = new UsedOptions();
            var roots = new MessageRoots(options);
            var given = new GivenRows();
            var calls = new ConcurrentBag<(Location Place, IMethodSymbol Method)>();
            start.RegisterSymbolAction(symbol => roots.Look((INamedTypeSymbol)symbol.Symbol), SymbolKind.NamedType);
            start.RegisterOperationAction(
                assignment => roots.Look((ISimpleAssignmentOperation)assignment.Operation), OperationKind.SimpleAssignment);
            start.RegisterOperationAction(
                use =>
                {
                    if (use.Operation is IInvocationOperation call)
                    {
                        roots.Look(call);
                    }

                    Look(use, given, calls);
                },
                OperationKind.Invocation,
                OperationKind.MethodReference,
                OperationKind.PropertyReference,
                OperationKind.FieldReference);
            start.RegisterCompilationEndAction(end =>
            {
                if (!calls.IsEmpty)
                {
                    Report(end, new Coverage(end.Compilation, options, given, end.CancellationToken), calls);
                }
            });
        });
    }

    private static bool IsNative(AnalyzerOptions options) =>
        options.AnalyzerConfigOptionsProvider.GlobalOptions.TryGetValue("build_property.PublishAot", out string? native)
        && native.Equals("true", StringComparison.OrdinalIgnoreCase);

    private static void Look(OperationAnalysisContext context, GivenRows given, ConcurrentBag<(Location Place, IMethodSymbol Method)> calls)
    {
        (ISymbol used, ITypeSymbol type) = context.Operation switch
        {
            IInvocationOperation call => (call.TargetMethod, call.TargetMethod.ReturnType),
            IMethodReferenceOperation reference => (reference.Method, reference.Method.ReturnType),
            IPropertyReferenceOperation reference => (reference.Property, reference.Property.Type),
            var other => ((ISymbol)((IFieldReferenceOperation)other).Field, ((IFieldReferenceOperation)other).Field.Type),
        };
        given.Look(used, type, context.Compilation);
        if (used is IMethodSymbol { TypeArguments.Length: 1 } method && method.ContainingType.IsWire("Serializer")
            && IsClosed(method.TypeArguments[0]))
        {
            calls.Add((context.Operation.Syntax.GetLocation(), method));
        }
    }

    private static bool IsClosed(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol => false,
        IArrayTypeSymbol array => IsClosed(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.All(IsClosed) && (named.ContainingType is not { } outer || IsClosed(outer)),
        _ => true,
    };

    private static void Report(
        CompilationAnalysisContext context, Coverage coverage, IEnumerable<(Location Place, IMethodSymbol Method)> calls)
    {
        foreach ((Location place, IMethodSymbol method) in calls)
        {
            ITypeSymbol type = method.TypeArguments[0].WithNullableAnnotation(NullableAnnotation.None);
            if (coverage.Find(type, context.CancellationToken) is { } lack)
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Descriptors.Uncovered,
                    place,
                    // The SDK says of each that it is published as native code; mostly it is only run.
                    IsFile(context.Compilation) ? DiagnosticSeverity.Warning : Descriptors.Uncovered.DefaultSeverity,
                    additionalLocations: null,
                    properties: null,
                    $"{method.Name}<{type.Shown()}>",
                    type.ToDisplayString(),
                    lack.Words,
                    Advice(type, coverage, lack)));
            }
        }
    }

    private static bool IsFile(Compilation compilation) =>
        compilation.SyntaxTrees.FirstOrDefault()?.Options.Features.ContainsKey("FileBasedProgram") == true;

    private static string Advice(ITypeSymbol type, Coverage coverage, Lack lack) =>
        lack.Unseen is { } unseen
            ? $"give the project {unseen.Arguments[2]} a context of its own, with [WireType(typeof({unseen.Arguments[1]}))]"
        : coverage.Context is { } context ? $"add [WireType(typeof({type.ToDisplayString()}))] to the context {context}"
        : $"add a partial class with [WireContext] and [WireType(typeof({type.ToDisplayString()}))] that derives from WireTypes, and give "
            + "its Default to SerializerOptions.Types";
}
