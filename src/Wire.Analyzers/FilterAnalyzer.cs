using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>Looks at what payloads may name: every type, or none of the program's.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class FilterAnalyzer : DiagnosticAnalyzer
{
    // By these, payloads may name types of the program; by the last, it asks for what is refused.
    private static readonly string[] Allowing =
        ["TypeFilter", "KnownTypes", "TypeAliases", "Surrogates", "Singletons", "Types", "TypeRefused"];

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.Unrestricted, Rules.NothingAllowed];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Wire.WireTypeFilter") is not null && !start.Compilation.IsOfTests())
            {
                start.RegisterOperationAction(LookAtFilter, OperationKind.PropertyReference);
                start.RegisterOperationAction(LookAtCall, OperationKind.Invocation);
            }
        });
    }

    private static void LookAtFilter(OperationAnalysisContext context)
    {
        var use = (IPropertyReferenceOperation)context.Operation;
        if (use.Property.Name == "Unrestricted" && use.Property.ContainingType.IsWire("WireTypeFilter") && !IsName(use))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.Unrestricted, use.Syntax.GetLocation()));
        }
    }

    // Not what it has been compared with, or called.
    private static bool IsName(IOperation use) => use.Parent is INameOfOperation or IBinaryOperation
        or IConversionOperation { Parent: IBinaryOperation };

    private static void LookAtCall(OperationAnalysisContext context)
    {
        var call = (IInvocationOperation)context.Operation;
        IMethodSymbol method = call.TargetMethod;
        if (method.ContainingType.IsWire("Serializer")
            && method.Name.StartsWith("Deserialize", StringComparison.Ordinal)
            && method.TypeArguments.Length == 1 && method.TypeArguments[0].SpecialType == SpecialType.System_Object
            && call.Instance is { } instance
            && Made(instance) is { } made
            && AllowsNothing(made))
        {
            context.ReportDiagnostic(
                Diagnostic.Create(Rules.NothingAllowed, call.Syntax.GetLocation(), $"{method.Name}<object>"));
        }
    }

    // The creation of the serializer, where it is seen: in place, or in a variable of the same method that nothing else is assigned to.
    private static IObjectCreationOperation? Made(IOperation instance)
    {
        if (instance is ILocalReferenceOperation use)
        {
            IOperation root = instance.Root();
            IOperation[] made =
            [
                .. root.DescendantsAndSelf()
                    .Where(each => each is IObjectCreationOperation
                        && each.DeclaredLocal() is { } local && SymbolEqualityComparer.Default.Equals(local, use.Local)),
            ];
            bool isAssigned = root.UsesOf(use.Local)
                .Any(each => each.Parent is IAssignmentOperation assignment && assignment.Target == each);
            return made.Length == 1 && !isAssigned ? (IObjectCreationOperation)made[0] : null;
        }

        return instance.Unwrapped() as IObjectCreationOperation;
    }

    private static bool AllowsNothing(IObjectCreationOperation made) => made.Type.IsWire("Serializer")
        && (made.Arguments.IsEmpty || IsClosed(made.Arguments[0].Value.Unwrapped()));

    private static bool IsClosed(IOperation options) => options switch
    {
        IObjectCreationOperation created => created.Type.IsWire("SerializerOptions") && created.Arguments.IsEmpty
            && Sets(created.Initializer) is false,
        IPropertyReferenceOperation { Property: { Name: "Default" } property } => property.ContainingType.IsWire("SerializerOptions"),
        IWithOperation changed => IsClosed(changed.Operand.Unwrapped()) && Sets(changed.Initializer) is false,
        _ => false,
    };

    private static bool Sets(IObjectOrCollectionInitializerOperation? initializer) => initializer?.Initializers.Any(
        each => each is ISimpleAssignmentOperation { Target: IPropertyReferenceOperation target }
            && Array.IndexOf(Allowing, target.Property.Name) >= 0) == true;
}
