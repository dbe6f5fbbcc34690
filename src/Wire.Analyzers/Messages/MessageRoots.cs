using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>
/// The types that a program gives to Wire where the compiler sees it: by calls, by options and by attributes. Thread-safe.
/// </summary>
/// <param name="options">What the program says about how types are written.</param>
internal sealed class MessageRoots(UsedOptions options)
{
    private readonly ConcurrentBag<MessageRoot> _roots = [];
    private readonly ConcurrentBag<(INamedTypeSymbol Base, string By)> _bases = [];
    private readonly ConcurrentBag<INamedTypeSymbol> _types = [];

    /// <summary>Gets the types of the program.</summary>
    public IEnumerable<INamedTypeSymbol> Types => _types;

    /// <summary>Lists the types that are given to Wire, in an order that is the same each time.</summary>
    public ImmutableArray<MessageRoot> List()
    {
        IEnumerable<MessageRoot> derived = _bases.SelectMany(rule => _types
            .Where(type => type.TypeKind is TypeKind.Class or TypeKind.Struct && type.IsOrDerivesFrom(rule.Base))
            .Select(type => new MessageRoot(type, rule.By, null)));
        return
        [
            .. _roots.Concat(derived)
                .OrderBy(root => root.By, StringComparer.Ordinal)
                .ThenBy(root => root.Type.ToDisplayString(), StringComparer.Ordinal)
                .ThenBy(root => root.Place?.SourceSpan.Start ?? 0),
        ];
    }

    /// <summary>Notes a type of the program: those with a [WireName] or a [WireType] are given to Wire.</summary>
    public void Look(INamedTypeSymbol type)
    {
        _types.Add(type);
        options.Look(type);
        if (type.WireName() is { } given)
        {
            _roots.Add(new(type, $"[WireName(\"{given.Name()}\")]", null));
        }

        foreach (AttributeData row in type.GetAttributes().Where(each => each.AttributeClass.IsWire("WireTypeAttribute")))
        {
            foreach (TypedConstant argument in row.ConstructorArguments)
            {
                if (argument is { Kind: TypedConstantKind.Type, Value: ITypeSymbol named })
                {
                    _roots.Add(new(named, "[WireType]", null));
                }
            }
        }
    }

    /// <summary>Notes what a call gives to Wire.</summary>
    public void Look(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        INamedTypeSymbol owner = method.ContainingType;
        if (owner.IsWire("Serializer"))
        {
            Give(call, method.Name);
        }
        else if (owner.IsWire("WireTypeFilter") && method.Name == "AllowDerivedFrom")
        {
            foreach (ITypeSymbol type in GivenTypes(call))
            {
                if (type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Interface } named)
                {
                    _bases.Add((named, $"AllowDerivedFrom<{type.Shown()}>"));
                }
            }
        }
        else if ((owner.IsWire("WireTypeFilter") && method.Name == "Allow")
            || owner.IsWire("TypeAliases") || owner.IsWire("WireContract") || owner.IsWire("KnownTypes")
            || (owner.IsWire("WireRow") && method.Name is "Class" or "Struct"))
        {
            Give(call, method.Name);
        }
        else if (owner.IsWire("Surrogate") && method.Name == "Create")
        {
            ITypeSymbol[] pair = [.. GivenTypes(call)];
            if (pair.Length >= 2)
            {
                options.Replace(pair[0]);
                _roots.Add(new(pair[1], $"the surrogate of {pair[0].Shown()}", null));
            }
        }
        else if (owner.IsWire("ValueSerializerFactory"))
        {
            foreach (ITypeSymbol type in GivenTypes(call))
            {
                options.Replace(type);
            }
        }
    }

    /// <summary>Notes what an option gives to Wire.</summary>
    public void Look(ISimpleAssignmentOperation assignment)
    {
        if (options.Look(assignment) == "KnownTypes")
        {
            foreach (ITypeSymbol type in TypesIn(assignment.Value))
            {
                _roots.Add(new(type, "KnownTypes", null));
            }
        }
    }

    // The type that is asked for, types that are named, and the value that is written, as whatever it was before it was converted.
    private void Give(IInvocationOperation call, string by)
    {
        foreach (ITypeSymbol type in GivenTypes(call))
        {
            _roots.Add(new(type, $"{by}<{type.Shown()}>", call.Syntax.GetLocation()));
        }

        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol)
            {
                foreach (ITypeSymbol type in ValuesIn(argument.Value))
                {
                    _roots.Add(new(type, $"{by}<{type.Shown()}>", null));
                }
            }
        }
    }

    private static IEnumerable<ITypeSymbol> GivenTypes(IInvocationOperation call) =>
        call.TargetMethod.TypeArguments.Where(type => type is not ITypeParameterSymbol)
            .Concat(call.Arguments.SelectMany(argument => TypesIn(argument.Value)));

    private static IEnumerable<ITypeSymbol> TypesIn(IOperation value) =>
        value.DescendantsAndSelf().OfType<ITypeOfOperation>().Select(each => each.TypeOperand);

    private static IEnumerable<ITypeSymbol> ValuesIn(IOperation value) => value switch
    {
        IConversionOperation { IsImplicit: true, Operand: var operand } => ValuesIn(operand),
        ICollectionExpressionOperation collection => collection.Elements.SelectMany(ValuesIn),
        IArrayCreationOperation { Initializer: { } elements } => elements.ElementValues.SelectMany(ValuesIn),
        IObjectCreationOperation { Type: { } type } => [type],
        _ => [],
    };
}
