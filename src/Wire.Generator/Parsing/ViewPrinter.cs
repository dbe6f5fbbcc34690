using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>Prints the properties of views: for each class and struct with code for its members, those that are public.</summary>
/// <param name="compilation">The compilation.</param>
/// <param name="names">The names of types in the code.</param>
/// <param name="codes">What knows the members.</param>
internal sealed class ViewPrinter(Compilation compilation, TypeNames names, MemberCodes codes)
{
    private const string View = "global::Wire.PayloadView";

    // What views have themselves hides a property.
    private static readonly HashSet<string> Own =
    [
        "IsNull", "Get", "GetView", "GetText", "ToObject", "AsList", "AsDictionary", "AsText", "Equals", "GetHashCode", "GetType",
        "ToString",
    ];

    private static readonly HashSet<string> Lists =
    [
        "System.Collections.Generic.List<T>", "System.Collections.Generic.IList<T>", "System.Collections.Generic.IReadOnlyList<T>",
        "System.Collections.Generic.ICollection<T>", "System.Collections.Generic.IReadOnlyCollection<T>",
        "System.Collections.Generic.IEnumerable<T>",
    ];

    private static readonly HashSet<string> Dictionaries =
    [
        "System.Collections.Generic.Dictionary<TKey, TValue>", "System.Collections.Generic.IDictionary<TKey, TValue>",
        "System.Collections.Generic.IReadOnlyDictionary<TKey, TValue>",
    ];

    /// <summary>Prints the blocks, each in lines.</summary>
    /// <param name="types">The types of the context.</param>
    public string[] Print(IEnumerable<ITypeSymbol> types)
    {
        var blocks = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (INamedTypeSymbol type in types.OfType<INamedTypeSymbol>().Where(CanName))
        {
            if (codes.MembersOf(type) is { } members && type is { IsTupleType: false, SpecialType: SpecialType.None })
            {
                // Names of the elements of tuples make another symbol, and no other type.
                string name = names.Of(type);
                string block = blocks.ContainsKey(name) ? "" : Print(type, name, members, blocks.Count);
                if (block.Length > 0)
                {
                    blocks[name] = block;
                }
            }
        }

        return [.. blocks.Values];
    }

    private string Print(INamedTypeSymbol symbol, string type, List<CodedMember> members, int number)
    {
        var fields = new StringBuilder();
        var properties = new StringBuilder();
        var taken = new HashSet<string>(Own, StringComparer.Ordinal);
        for (int i = 0; i < members.Count; i++)
        {
            CodedMember member = members[i];
            if (!IsPublic(member.Face) || !CanName(member.Field.Type) || HasNames(member.Field.Type) || !IsMeant(symbol, member, members)
                || !taken.Add(member.Face.Name))
            {
                continue;
            }

            string value = names.Of(member.Field.Type);
            string wireName = SymbolDisplay.FormatLiteral(member.Given ?? member.Face.Name, quote: true);
            string made = $"global::Wire.PayloadViewMember<{type}, {value}>";
            (string shown, string read) = PropertyOf(member.Field.Type, value, $"Members{number}.M{i}");
            fields.Append($"\n    internal static readonly {made} M{i} = new {made}({wireName});");
            properties.Append($"\n    public {shown} {TypeNames.Escaped(member.Face.Name)} => {read};");
        }

        return fields.Length == 0 ? ""
            : $"private static class Members{number}\n{{{fields}\n}}\n\nextension({View}<{type}> view)\n{{{properties}\n}}";
    }

    private (string Type, string Read) PropertyOf(ITypeSymbol type, string name, string member)
    {
        if (type.SpecialType == SpecialType.System_String)
        {
            return ("global::Wire.PayloadText", $"view.GetText({member})");
        }

        if (type is IArrayTypeSymbol { IsSZArray: true } array)
        {
            return ListOf(array.ElementType);
        }

        if (type is INamedTypeSymbol named && type.TypeKind != TypeKind.Enum)
        {
            string definition = named.OriginalDefinition.ToDisplayString();
            if (type.IsOfFramework() && Lists.Contains(definition))
            {
                return ListOf(named.TypeArguments[0]);
            }

            if (type.IsOfFramework() && Dictionaries.Contains(definition))
            {
                string arguments = $"<{names.Of(named.TypeArguments[0])}, {names.Of(named.TypeArguments[1])}>";
                return ($"global::Wire.PayloadDictionaryView{arguments}", $"view.GetView({member}).AsDictionary{arguments}()");
            }

            if (named is { IsTupleType: false, SpecialType: SpecialType.None } && codes.MembersOf(named) is not null)
            {
                return ($"{View}<{name}>", $"view.GetView({member})");
            }
        }

        return ($"{name}{(type.IsReferenceType ? "?" : "")}", $"view.Get({member})");

        (string, string) ListOf(ITypeSymbol element) =>
            ($"global::Wire.PayloadListView<{names.Of(element)}>", $"view.GetView({member}).AsList<{names.Of(element)}>()");
    }

    private static bool IsPublic(ISymbol face) => face.DeclaredAccessibility == Accessibility.Public
        && face is IFieldSymbol or IPropertySymbol { IsIndexer: false, GetMethod.DeclaredAccessibility: Accessibility.Public };

    // Whether code that has such an object means this member by its name: a derived class may hide it, and the payload has both.
    private static bool IsMeant(INamedTypeSymbol type, CodedMember member, List<CodedMember> members)
    {
        string name = member.Face.Name;
        for (INamedTypeSymbol? current = type; current is not null; current = current.BaseType)
        {
            ISymbol? seen = current.GetMembers(name).FirstOrDefault(each => each.DeclaredAccessibility
                is Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal);

            // An override without a field of its own is the property that it overrides.
            while (seen is IPropertySymbol { OverriddenProperty: { } overridden } && !members.Exists(each => Is(each.Face, seen)))
            {
                seen = overridden;
            }

            if (seen is not null)
            {
                return Is(member.Face, seen);
            }
        }

        return false;

        static bool Is(ISymbol face, ISymbol seen) => SymbolEqualityComparer.Default.Equals(face, seen);
    }

    // The class stands in no other, whatever the context is in.
    private bool CanName(ITypeSymbol type) =>
        compilation.IsSymbolAccessibleWithin(type, compilation.Assembly) && !IsForbidden(type);

    // No code may name it, not even code that is generated.
    private static bool IsForbidden(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsForbidden(array.ElementType),
        INamedTypeSymbol named => named.IsRefLikeType || TypeNames.Arguments(named).Any(IsForbidden) || named.GetAttributes().Any(
            each => each.AttributeClass?.ToDisplayString() == "System.ObsoleteAttribute"
                && each.ConstructorArguments.Any(argument => argument.Value is true)),
        _ => type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer,
    };

    // A payload has the names of a tuple's elements, and a part that is read alone has none.
    private static bool HasNames(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => HasNames(array.ElementType),
        INamedTypeSymbol named => (named.IsTupleType && named.TupleElements.Any(each => each.IsExplicitlyNamedTupleElement))
            || TypeNames.Arguments(named).Any(HasNames),
        _ => false,
    };
}
