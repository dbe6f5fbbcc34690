using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Wire.Generator.Parsing;

/// <summary>The names of types as the code of a context has them: whole, from the global namespace on.</summary>
/// <param name="compilation">The compilation.</param>
/// <param name="context">The context; null where it does not matter what code can name.</param>
internal sealed class TypeNames(Compilation compilation, INamedTypeSymbol? context)
{
    private const string AnyClass = "object";

    /// <summary>Returns whether the code can name a type, with object for those of its arguments that it cannot.</summary>
    public bool Has(ITypeSymbol type) => type switch
    {
        IErrorTypeSymbol => false,
        IDynamicTypeSymbol or ITypeParameterSymbol => true,
        IArrayTypeSymbol array => Has(array.ElementType),
        INamedTypeSymbol named => !named.IsAnonymousType && IsSeen(named) && HasArguments(named),
        _ => false,
    };

    /// <summary>Returns whether the code can name a type as it is.</summary>
    public bool HasWhole(ITypeSymbol type) =>
        Has(type) && type switch
        {
            IArrayTypeSymbol array => HasWhole(array.ElementType),
            INamedTypeSymbol named => Arguments(named).All(HasWhole),
            _ => true,
        };

    public string Of(ITypeSymbol type)
    {
        switch (type)
        {
            case IArrayTypeSymbol:
                string ranks = "";
                ITypeSymbol element = type;
                while (element is IArrayTypeSymbol array)
                {
                    ranks += $"[{new string(',', array.Rank - 1)}]";
                    element = array.ElementType;
                }

                return Of(element) + ranks;
            case INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable:
                return $"{Of(nullable.TypeArguments[0])}?";
            case INamedTypeSymbol { SpecialType: SpecialType.None } named:
                return Of(named);
            case ITypeParameterSymbol parameter:
                return OfParameter(parameter);
            // A type of a program may have the name of the keyword.
            case { SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr }:
                return $"global::System.{type.MetadataName}";
            default:
                return type is IDynamicTypeSymbol ? AnyClass : type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
        }
    }

    /// <summary>Returns the name of a type argument: object for any class that cannot be named.</summary>
    public string OfArgument(ITypeSymbol type) => type.IsReferenceType && !Has(type) ? AnyClass : Of(type);

    /// <summary>Returns the name of a type argument where object serves for every class.</summary>
    public string OfShared(ITypeSymbol type) => type.IsValueType ? Of(type) : AnyClass;

    /// <summary>Returns the name of a namespace or type, with the mark of a name that is a keyword.</summary>
    public static string Escaped(string name) =>
        SyntaxFacts.GetKeywordKind(name) == SyntaxKind.None && SyntaxFacts.GetContextualKeywordKind(name) == SyntaxKind.None
            ? name
            : $"@{name}";

    public static string OfNamespace(INamespaceSymbol space) => space.IsGlobalNamespace ? ""
        : space.ContainingNamespace is { IsGlobalNamespace: false } outer ? $"{OfNamespace(outer)}.{Escaped(space.Name)}"
        : Escaped(space.Name);

    /// <summary>Returns the arguments of a type and of those around it.</summary>
    public static IEnumerable<ITypeSymbol> Arguments(INamedTypeSymbol type) =>
        type.ContainingType is { } outer ? Arguments(outer).Concat(type.TypeArguments) : type.TypeArguments;

    // By the place, as the runtime finds it: its own name may be that of anything else in the code.
    private static string OfParameter(ITypeParameterSymbol parameter) =>
        $"T{parameter.Ordinal + (parameter.ContainingType.ContainingType is { } outer ? Arguments(outer).Count() : 0)}";

    private static string Global(INamespaceSymbol space) => space.IsGlobalNamespace ? "global::" : $"global::{OfNamespace(space)}.";

    private string Of(INamedTypeSymbol named)
    {
        string arguments = named.TypeArguments.IsEmpty ? "" : $"<{string.Join(", ", named.TypeArguments.Select(OfArgument))}>";
        string outer = named.ContainingType is { } around ? $"{Of(around)}." : Global(named.ContainingNamespace);
        return $"{outer}{Escaped(named.Name)}{arguments}";
    }

    private bool IsSeen(INamedTypeSymbol named) =>
        context is null || (!IsOfFile(named) && !IsAliased(named.ContainingAssembly)
            && compilation.IsSymbolAccessibleWithin(named.OriginalDefinition, context));

    // Only the sources that name the alias see the types of such a reference.
    private bool IsAliased(IAssemblySymbol assembly) =>
        compilation.GetMetadataReference(assembly) is { Properties.Aliases: { IsDefaultOrEmpty: false } aliases }
            && !aliases.Contains(MetadataReferenceProperties.GlobalAlias);

    private static bool IsOfFile(INamedTypeSymbol named) =>
        named.IsFileLocal || (named.ContainingType is { } outer && IsOfFile(outer));

    // A parameter may not admit object.
    private bool HasArguments(INamedTypeSymbol named)
    {
        for (int i = 0; i < named.TypeArguments.Length; i++)
        {
            ITypeSymbol argument = named.TypeArguments[i];
            if (!Has(argument) && (argument.IsValueType || !AdmitsObject(named.TypeParameters[i])))
            {
                return false;
            }
        }

        return named.ContainingType is not { } outer || HasArguments(outer);
    }

    private static bool AdmitsObject(ITypeParameterSymbol parameter) =>
        parameter.ConstraintTypes.IsEmpty && !parameter.HasValueTypeConstraint && !parameter.HasUnmanagedTypeConstraint;
}
