using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>Answers questions about the code of a program that is being compiled.</summary>
internal static class Operations
{
    private static readonly string[] TestFrameworks =
    [
        "xunit.core", "xunit.v3.core", "nunit.framework", "Microsoft.VisualStudio.TestPlatform.TestFramework", "MSTest.TestFramework",
        "TUnit.Core",
    ];

    /// <summary>Returns whether a program is a project of tests, by what it refers to.</summary>
    public static bool IsOfTests(this Compilation compilation) =>
        compilation.ReferencedAssemblyNames.Any(name => Array.IndexOf(TestFrameworks, name.Name) >= 0);

    /// <summary>Lists what is around an operation, from the nearest.</summary>
    public static IEnumerable<IOperation> Around(this IOperation operation)
    {
        for (IOperation? current = operation.Parent; current is not null; current = current.Parent)
        {
            yield return current;
        }
    }

    /// <summary>Returns the outermost operation around one: the body of the method.</summary>
    public static IOperation Root(this IOperation operation) => operation.Around().LastOrDefault() ?? operation;

    /// <summary>Returns the lambda or local function around an operation; null where there is none.</summary>
    public static IOperation? Function(this IOperation operation) =>
        operation.Around().FirstOrDefault(each => each is IAnonymousFunctionOperation or ILocalFunctionOperation);

    /// <summary>Returns the value behind conversions and parentheses.</summary>
    public static IOperation Unwrapped(this IOperation operation)
    {
        while (operation is IConversionOperation { OperatorMethod: null } conversion)
        {
            operation = conversion.Operand;
        }

        return operation;
    }

    /// <summary>Lists the uses of a local variable in the method that declares it.</summary>
    public static IEnumerable<IOperation> UsesOf(this IOperation root, ILocalSymbol local) => root.DescendantsAndSelf()
        .Where(each => each is ILocalReferenceOperation use && SymbolEqualityComparer.Default.Equals(use.Local, local));

    /// <summary>Returns the variable that an operation is the first value of; null where it is none.</summary>
    public static ILocalSymbol? DeclaredLocal(this IOperation value) =>
        value.User() is IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } ? declarator.Symbol : null;

    /// <summary>Returns the call of a method of the serializer that a value is an argument of; null where it is none.</summary>
    public static IInvocationOperation? SerializerCall(this IOperation argument) =>
        argument.User() is IArgumentOperation { Parent: IInvocationOperation call } && call.TargetMethod.ContainingType.IsWire("Serializer")
            ? call
            : null;

    // What uses a value, behind the conversions that nobody has written.
    private static IOperation? User(this IOperation value) =>
        value.Around().FirstOrDefault(each => each is not IConversionOperation { IsImplicit: true });
}
