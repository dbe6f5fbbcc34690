using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>The classes and structs of the compilation by what they derive from and implement.</summary>
internal sealed class DerivedTypes
{
    private readonly Compilation _compilation;
    private readonly Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>> _derived = new(SymbolEqualityComparer.Default);
    private readonly List<(INamedTypeSymbol Surrogate, ITypeSymbol Source)> _surrogates = [];

    public DerivedTypes(Compilation compilation, CancellationToken cancellation)
    {
        _compilation = compilation;
        Index(compilation.Assembly.GlobalNamespace, cancellation);
    }

    /// <summary>
    /// Returns what derives from a type, or from any instance of a definition; <paramref name="open"/> gets generic types whose arguments
    /// that does not say.
    /// </summary>
    public IEnumerable<INamedTypeSymbol> Of(INamedTypeSymbol type, List<INamedTypeSymbol>? open = null)
    {
        if (!_derived.TryGetValue(type.OriginalDefinition, out List<INamedTypeSymbol> found))
        {
            yield break;
        }

        bool isAny = type.IsUnboundGenericType;
        foreach (INamedTypeSymbol each in found)
        {
            if (!each.IsGenericType)
            {
                if (isAny || !type.IsGenericType || _compilation.HasImplicitConversion(each, type))
                {
                    yield return each;
                }
            }
            else if (!isAny && Closed(each, type) is { } closed)
            {
                yield return closed;
            }
            else
            {
                open?.Add(each);
            }
        }
    }

    /// <summary>Returns the surrogates of a type.</summary>
    public IEnumerable<INamedTypeSymbol> SurrogatesOf(ITypeSymbol type)
    {
        foreach ((INamedTypeSymbol surrogate, ITypeSymbol source) in _surrogates)
        {
            if (Closed(surrogate, source, type) is { } closed)
            {
                yield return closed;
            }
        }
    }

    private void Index(INamespaceOrTypeSymbol container, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        foreach (ISymbol member in container.GetMembers())
        {
            if (member is INamespaceSymbol space)
            {
                Index(space, cancellation);
            }
            else if (member is INamedTypeSymbol type)
            {
                if (type is { TypeKind: TypeKind.Class or TypeKind.Struct, IsStatic: false, IsAbstract: false, IsRefLikeType: false })
                {
                    Add(type);
                }

                Index(type, cancellation);
            }
        }
    }

    private void Add(INamedTypeSymbol type)
    {
        foreach (INamedTypeSymbol face in type.AllInterfaces)
        {
            if (!face.IsWire("ISurrogate"))
            {
                Add(face, type);
            }
            else if (SymbolEqualityComparer.Default.Equals(face.TypeArguments[0], type))
            {
                _surrogates.Add((type, face.TypeArguments[1]));
            }
        }

        for (INamedTypeSymbol? current = type.BaseType; current is not null; current = current.BaseType)
        {
            Add(current, type);
        }
    }

    private void Add(INamedTypeSymbol general, INamedTypeSymbol type)
    {
        if (!_derived.TryGetValue(general.OriginalDefinition, out List<INamedTypeSymbol> types))
        {
            _derived.Add(general.OriginalDefinition, types = []);
        }

        if (types.Count == 0 || !SymbolEqualityComparer.Default.Equals(types[types.Count - 1], type))
        {
            types.Add(type);
        }
    }

    private static INamedTypeSymbol? Closed(INamedTypeSymbol type, INamedTypeSymbol general) =>
        General(type).Select(part => Closed(type, part, general)).FirstOrDefault(closed => closed is not null);

    // The type with the arguments by which a part of it is the type that is there.
    private static INamedTypeSymbol? Closed(INamedTypeSymbol type, ITypeSymbol part, ITypeSymbol actual)
    {
        var found = new Dictionary<ITypeParameterSymbol, ITypeSymbol>(SymbolEqualityComparer.Default);
        if (!Match(part, actual, found))
        {
            return null;
        }

        if (!type.IsGenericType)
        {
            return type;
        }

        if (type.ContainingType is { IsGenericType: true } || !type.TypeParameters.All(found.ContainsKey))
        {
            return null;
        }

        return type.TypeParameters.All(parameter => Admits(parameter, found[parameter], found))
            ? type.Construct([.. type.TypeParameters.Select(parameter => found[parameter])])
            : null;
    }

    // As far as a context has to know that its code compiles.
    private static bool Admits(
        ITypeParameterSymbol parameter, ITypeSymbol argument, Dictionary<ITypeParameterSymbol, ITypeSymbol> found) =>
        (!parameter.HasReferenceTypeConstraint || argument.IsReferenceType)
        && (!parameter.HasValueTypeConstraint
            || argument is { IsValueType: true, OriginalDefinition.SpecialType: not SpecialType.System_Nullable_T })
        && (!parameter.HasUnmanagedTypeConstraint || argument.IsUnmanagedType)
        && (!parameter.HasConstructorConstraint || argument is { IsValueType: true } || IsConstructed(argument))
        && parameter.ConstraintTypes.All(constraint => General(argument).Any(
            general => Match(constraint, general, new(found, SymbolEqualityComparer.Default))));

    private static bool IsConstructed(ITypeSymbol argument) => argument is INamedTypeSymbol { IsAbstract: false } named
        && named.InstanceConstructors.Any(each => each is { Parameters.IsEmpty: true, DeclaredAccessibility: Accessibility.Public });

    private static IEnumerable<ITypeSymbol> General(ITypeSymbol type)
    {
        foreach (INamedTypeSymbol face in type.AllInterfaces)
        {
            yield return face;
        }

        for (ITypeSymbol? current = type; current is not null; current = current.BaseType)
        {
            yield return current;
        }
    }

    private static bool Match(ITypeSymbol pattern, ITypeSymbol actual, Dictionary<ITypeParameterSymbol, ITypeSymbol> found)
    {
        switch (pattern)
        {
            case ITypeParameterSymbol parameter:
                if (found.TryGetValue(parameter, out ITypeSymbol before))
                {
                    return SymbolEqualityComparer.Default.Equals(before, actual);
                }

                found.Add(parameter, actual);
                return true;
            case IArrayTypeSymbol array:
                return actual is IArrayTypeSymbol other && other.Rank == array.Rank && Match(array.ElementType, other.ElementType, found);
            case INamedTypeSymbol { IsGenericType: true } named:
                if (actual is not INamedTypeSymbol type
                    || !SymbolEqualityComparer.Default.Equals(named.OriginalDefinition, type.OriginalDefinition))
                {
                    return false;
                }

                return TypeNames.Arguments(named).Zip(TypeNames.Arguments(type), (one, two) => Match(one, two, found)).All(same => same);
            default:
                return SymbolEqualityComparer.Default.Equals(pattern, actual);
        }
    }
}
