using Microsoft.CodeAnalysis;

namespace Wire.Generator.Parsing;

/// <summary>Collects the rows of a context as the expressions that make them.</summary>
internal sealed class RowWriter(Compilation compilation, INamedTypeSymbol context, TypeNames names, MemberCodes codes)
{
    private const string Row = "global::Wire.WireRow.";

    private readonly SortedSet<string> _expressions = new(StringComparer.Ordinal);

    public string[] Expressions => [.. _expressions];

    /// <summary>
    /// Adds the row of a class if it brings something: one with structs as its arguments, one of a library, one that is made without
    /// reflection, or one whose members have generated code. This is where a row gets its delegates.
    /// </summary>
    public void Class(INamedTypeSymbol type, bool isForeign)
    {
        if (!names.HasWhole(type))
        {
            return;
        }

        string? code = codes.For(type);
        if (Constructors.ArgumentsOf(type, compilation, context) is { } arguments)
        {
            string name = names.Of(type);
            _expressions.Add(WithCode($"{Row}Class<{name}>(static () => new {name}({arguments}))", code));
        }
        else if (isForeign || code is not null || TypeNames.Arguments(type).Any(argument => argument.IsValueType))
        {
            _expressions.Add(WithCode($"{Row}Class<{names.Of(type)}>()", code));
        }
    }

    public void Struct(INamedTypeSymbol type, ITypeSymbol? elementOfInline)
    {
        if (elementOfInline is not null)
        {
            Add("InlineArray", type, elementOfInline);
        }
        else
        {
            _expressions.Add(WithCode($"{Row}Struct<{names.Of(type)}>()", codes.For(type)));
        }
    }

    public void Enum(INamedTypeSymbol type)
    {
        if (type.EnumUnderlyingType is { SpecialType: not SpecialType.System_Int32 } number)
        {
            Add("Enum", type, number);
        }
        else
        {
            Add("Enum", type);
        }
    }

    public void Surrogate(ITypeSymbol source, INamedTypeSymbol surrogate)
    {
        if (names.HasWhole(source) && names.HasWhole(surrogate))
        {
            Add("Surrogate", source, surrogate);
        }
    }

    /// <summary>Adds the row of an array of several dimensions.</summary>
    public void ArrayOfRank(IArrayTypeSymbol array) => Add("Array", array, array.ElementType);

    /// <summary>Adds a row in which object serves for every class.</summary>
    public void Shared(string row, params IEnumerable<ITypeSymbol> arguments) =>
        _expressions.Add($"{Row}{row}<{string.Join(", ", arguments.Select(names.OfShared))}>()");

    /// <summary>Adds a row with the very types that are there.</summary>
    public void Add(string row, params ITypeSymbol[] arguments) =>
        _expressions.Add(arguments.Length == 0
            ? $"{Row}{row}()"
            : $"{Row}{row}<{string.Join(", ", arguments.Select(names.OfArgument))}>()");

    private static string WithCode(string row, string? code) =>
        code is null ? row : $"global::Wire.MemberCode.Add({row}, static () => new {code}())";
}
