using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>
/// Looks for serializers that a method makes for the value or the bytes that it is given. One that a method makes for anything else may be
/// made once, as by what starts a program.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SerializerAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.SerializerPerCall];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Wire.Serializer") is not null && !start.Compilation.IsOfTests())
            {
                start.RegisterOperationAction(Look, OperationKind.ObjectCreation);
            }
        });
    }

    private static void Look(OperationAnalysisContext context)
    {
        var made = (IObjectCreationOperation)context.Operation;
        if (!made.Type.IsWire("Serializer")
            || context.ContainingSymbol is not IMethodSymbol outer
            || outer.MethodKind is not (MethodKind.Ordinary or MethodKind.ExplicitInterfaceImplementation)
            || MethodOf(made, outer) is not { } method
            || !made.Arguments.All(argument => IsTheSameEachTime(argument.Value)))
        {
            return;
        }

        IEnumerable<IInvocationOperation>? calls = CallsOf(made);
        if (calls?.Any(call => call.Arguments.Any(argument => UsesParameter(argument.Value, method))) == true)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.SerializerPerCall, made.Syntax.GetLocation(), method.Name));
        }
    }

    // A lambda may run once or often: that is not seen here. The arguments of a program are given once.
    private static IMethodSymbol? MethodOf(IOperation made, IMethodSymbol outer) => made.Function() switch
    {
        ILocalFunctionOperation local => local.Symbol,
        null => outer.Name is "Main" or "<Main>$" ? null : outer,
        _ => null,
    };

    // The calls of a serializer that is used for nothing else; null where it may live on.
    private static IEnumerable<IInvocationOperation>? CallsOf(IObjectCreationOperation made)
    {
        if (made.Parent is IInvocationOperation call && call.Instance == made)
        {
            return [call];
        }

        if (made.DeclaredLocal() is not { } local)
        {
            return null;
        }

        IOperation[] uses = [.. made.Root().UsesOf(local)];
        return uses.All(use => use.Parent is IInvocationOperation each && each.Instance == use && use.Function() == made.Function())
            ? uses.Select(use => (IInvocationOperation)use.Parent!)
            : null;
    }

    private static bool IsTheSameEachTime(IOperation value) => !value.DescendantsAndSelf().Any(
        each => each is IParameterReferenceOperation or ILocalReferenceOperation
            || each is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance });

    private static bool UsesParameter(IOperation value, IMethodSymbol method) => value.DescendantsAndSelf().Any(
        each => each is IParameterReferenceOperation use && SymbolEqualityComparer.Default.Equals(use.Parameter.ContainingSymbol, method));
}
