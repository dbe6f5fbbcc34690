using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>
/// Prints the classes that write and read the members of types, where all fields are declared in these sources and can be named. Elsewhere
/// Wire reads them as it does without a generator.
/// </summary>
/// <param name="origins">Where types come from.</param>
/// <param name="names">Their names in the code.</param>
/// <param name="prefix">The beginning of the names of the classes, which no member of the context has.</param>
internal sealed class MemberCodes(Origins origins, TypeNames names, string prefix)
{
    private readonly List<string> _classes = [];
    private readonly Dictionary<string, string?> _names = [];
    private readonly Dictionary<INamedTypeSymbol, List<CodedMember>?> _members = new(SymbolEqualityComparer.Default);
    private readonly FieldAccessors _accessors = new(names, prefix);

    /// <summary>Gets the classes.</summary>
    public string[] Classes => [.. _classes, .. _accessors.Classes];

    /// <summary>Prints the class for a type and returns its name; null where the sources do not show all its fields.</summary>
    public string? For(INamedTypeSymbol type)
    {
        // Names of the elements of tuples make another symbol, and no other type.
        string own = names.Of(type);
        if (!_names.TryGetValue(own, out string? known))
        {
            known = Print(type);
            _names.Add(own, known);
        }

        return known;
    }

    /// <summary>Returns whether a class that is printed with a prefix may have a name.</summary>
    public static bool IsNamed(string name, string prefix) =>
        name.StartsWith($"{prefix}MemberCode", StringComparison.Ordinal) || name.StartsWith($"{prefix}Fields", StringComparison.Ordinal);

    private string? Print(INamedTypeSymbol type)
    {
        if (MembersOf(type) is not { Count: > 0 } members)
        {
            return null;
        }

        InPlace?[] ways = [.. members.Select(WayOf)];
        string name = $"{prefix}MemberCode{_classes.Count}";
        _classes.Add(new MemberPrinter(names, _accessors, type, members, ways).Print(name));
        return name;
    }

    // Numbers, and objects that hold no others: so the code for a class does not grow with what is below it, and ends.
    private InPlace? WayOf(CodedMember member)
    {
        (ITypeSymbol? element, bool isList) = MemberKinds.ElementOf(member.Field.Type);
        if (element is { TypeKind: not TypeKind.Enum } && MemberKinds.Of(element) is (MemberKind.Fixed, _, false))
        {
            return new InPlace(null, names.Of(element), isList);
        }

        return HeldBy(member) is { } type && MembersOf(type)!.TrueForAll(below => HeldBy(below) is null)
            ? new InPlace(For(type), element is null ? null : names.Of(element), isList)
            : null;
    }

    // The class with code whose objects are in it: itself, or as elements.
    private INamedTypeSymbol? HeldBy(CodedMember member) =>
        (MemberKinds.ElementOf(member.Field.Type).Element ?? member.Field.Type) is INamedTypeSymbol
        {
            TypeKind: TypeKind.Class, IsAbstract: false,
        } type && MembersOf(type) is { Count: > 0 }
            ? type
            : null;

    /// <summary>Returns the members of a type; null where the sources do not show all its fields.</summary>
    // Asked for by each type that has it, and by each that has one of those.
    public List<CodedMember>? MembersOf(INamedTypeSymbol type)
    {
        if (!_members.TryGetValue(type, out List<CodedMember>? known))
        {
            known = FindMembers(type);
            _members.Add(type, known);
        }

        return known;
    }

    private List<CodedMember>? FindMembers(INamedTypeSymbol type)
    {
        var members = new SortedDictionary<string, CodedMember>(StringComparer.Ordinal);
        for (INamedTypeSymbol? current = type;
            current is not { SpecialType: SpecialType.System_Object or SpecialType.System_ValueType };
            current = current.BaseType)
        {
            if (current is null || origins.Of(current) != Origin.Own || !names.HasWhole(current)
                || !FieldAccessors.CanHave(current.OriginalDefinition)
                || current.HasAttribute("System.Runtime.CompilerServices.InlineArrayAttribute"))
            {
                return null;
            }

            foreach (WrittenMember member in WrittenMember.Of(current))
            {
                string? given = member.Given?.Name();
                string name = given ?? member.Face.Name;
                if (member is not { Field: { IsVolatile: false, RefKind: RefKind.None } field, IsBuffer: false }
                    || member.Face.IsPartial() || !names.HasWhole(field.Type) || members.ContainsKey(name))
                {
                    return null;
                }

                members.Add(name, new CodedMember(current, field, member.Face, given));
            }
        }

        return [.. members.Values];
    }
}
