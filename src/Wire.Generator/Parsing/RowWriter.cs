using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>Collects the rows of a context as the expressions that make them.</summary>
internal sealed class RowWriter(Compilation compilation, INamedTypeSymbol? context, TypeNames names, MemberCodes? codes = null)
{
    private const string Row = "global::Wire.WireRow.";

    // What KeepCommon of Wire keeps in every program.
    private static readonly HashSet<string> Common =
        ["Dictionary<object, int>", "Dictionary<int, object>", "Memory<byte>", "ReadOnlyMemory<byte>"];

    private readonly SortedSet<string> _expressions = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, NeededRow> _needed = new(StringComparer.Ordinal);

    public string[] Expressions => [.. _expressions];

    /// <summary>Gets the rows without which a native program refuses something, not those that only make it faster.</summary>
    public IReadOnlyCollection<NeededRow> Needed => _needed.Values;

    /// <summary>
    /// Adds the row of a class if it brings something: one with structs as its arguments, one of a library, one of whose parts no field
    /// can be seen, one that is made without reflection, or one whose members have generated code. This is where a row gets its delegates.
    /// </summary>
    public void Class(INamedTypeSymbol type, bool isForeign)
    {
        if (!names.HasWhole(type))
        {
            return;
        }

        string name = names.Of(type);
        bool isHidden = type.AndBases().Any(each => HidesFields((INamedTypeSymbol)each));
        if (context is not null && Constructors.ArgumentsOf(type, compilation, context) is { } arguments)
        {
            _expressions.Add(WithCode($"{Row}Class<{name}>(static () => new {name}({arguments}))", type));
        }
        else if (isForeign || isHidden || codes?.For(type) is not null || TypeNames.Arguments(type).Any(argument => argument.IsValueType))
        {
            _expressions.Add(WithCode($"{Row}Class<{name}>()", type));
        }

        if (isHidden)
        {
            Need("Class", name, [type]);
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
            _expressions.Add(WithCode($"{Row}{Need("Struct", names.Of(type), [type])}()", type));
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
        AddNeeded(row, string.Join(", ", arguments.Select(names.OfShared)), [.. arguments.Where(argument => argument.IsValueType)]);

    /// <summary>Adds a row with the very types that are there.</summary>
    public void Add(string row, params ITypeSymbol[] arguments) =>
        AddNeeded(row, string.Join(", ", arguments.Select(names.OfArgument)), arguments);

    /// <summary>Adds the row of a type that native programs mostly have without it.</summary>
    public void AddExtra(string row, ITypeSymbol type) => _expressions.Add($"{Row}{row}<{names.OfArgument(type)}>()");

    // Reflection shows no field of such a part, so that native code cannot know that there is none. It keeps those of a generic definition
    // by a stand-in for the arguments, which is a class.
    private bool HidesFields(INamedTypeSymbol type) => TypeNames.Arguments(type).Any() && !type.IsOfFramework()
        && (HasStructsOnly(type)
            || (SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly)
                && !type.GetMembers().Any(member => member is IFieldSymbol { IsStatic: false } or IEventSymbol { IsStatic: false })));

    private static bool HasStructsOnly(INamedTypeSymbol type) =>
        type.TypeParameters.Any(parameter => parameter.HasValueTypeConstraint || parameter.HasUnmanagedTypeConstraint)
        || (type.ContainingType is { } outer && HasStructsOnly(outer));

    // Nothing else can give a name to a type that is not partial.
    private string WithCode(string row, INamedTypeSymbol type)
    {
        if (codes?.For(type) is not { } code)
        {
            return row;
        }

        string own = !type.IsGenericType && !type.IsPartial() && type.WireName() is null ? ", hasOwnName: true" : "";
        return $"global::Wire.MemberCode.Add({row}, static () => new {code}(){own})";
    }

    private void AddNeeded(string row, string arguments, ITypeSymbol[] types) => _expressions.Add($"{Row}{Need(row, arguments, types)}()");

    private string Need(string row, string arguments, ITypeSymbol[] types)
    {
        string words = arguments.Length == 0 ? row : $"{row}<{arguments}>";
        if (!Common.Contains(words))
        {
            _needed[words] = new NeededRow(row, words, types);
        }

        return words;
    }
}
