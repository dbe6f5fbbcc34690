using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Analyzers.Symbols;

/// <summary>
/// A member that Wire writes: an instance field that nothing leaves out, by what the program declares for it. MemberFinder of Wire finds
/// the same ones by reflection.
/// </summary>
internal sealed class WrittenMember
{
    private static readonly string[] LeavingOut =
    [
        "Wire.IgnoreMemberAttribute", "System.NonSerializedAttribute", "System.Runtime.Serialization.IgnoreDataMemberAttribute",
    ];

    private WrittenMember(ISymbol face, IFieldSymbol? field, ITypeSymbol type)
    {
        Face = face;
        Field = field;
        Type = type;
    }

    /// <summary>Gets the property, event or field.</summary>
    public ISymbol Face { get; }

    /// <summary>Gets the field; null for that of an event, which compilers do not show.</summary>
    public IFieldSymbol? Field { get; }

    /// <summary>Gets the declared type.</summary>
    public ITypeSymbol Type { get; }

    /// <summary>Gets the [WireName] of the field or of its property.</summary>
    public AttributeData? Given =>
        Field?.WireName() ?? Declarations(Face).Select(each => each.WireName()).FirstOrDefault(each => each is not null);

    /// <summary>Gets whether C# requires a value.</summary>
    public bool IsRequired => Face is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true };

    /// <summary>Gets what a variable of the type holds that nothing is assigned to, in words.</summary>
    public string Unset => Type.IsReferenceType || Type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T ? "null" : "zero";

    /// <summary>Gets whether it is a buffer of fixed size, which is declared as a pointer and is none.</summary>
    public bool IsBuffer => Field is { IsFixedSizeBuffer: true };

    /// <summary>Lists the members that one class or struct declares.</summary>
    public static IEnumerable<WrittenMember> Of(INamedTypeSymbol type)
    {
        foreach (ISymbol member in type.GetMembers())
        {
            if (member is IFieldSymbol { IsStatic: false, IsConst: false, AssociatedSymbol: not IEventSymbol } field)
            {
                ISymbol face = field.AssociatedSymbol ?? field;
                if (!field.HasAttribute(LeavingOut) && !Declarations(face).Any(each => each.HasAttribute(LeavingOut))
                    && !field.Type.IsWire("UnknownMembers"))
                {
                    yield return new(face, field, field.Type);
                }
            }
            else if (member is IEventSymbol { IsStatic: false } changed && IsKept(changed))
            {
                yield return new(changed, null, changed.Type);
            }
        }
    }

    // A property has the attributes of those that it overrides, as far as they have its type: reflection goes no further.
    private static IEnumerable<ISymbol> Declarations(ISymbol face)
    {
        yield return face;
        for (var current = face as IPropertySymbol;
            current?.OverriddenProperty is { } above && SymbolEqualityComparer.Default.Equals(above.Type, current.Type);
            current = above)
        {
            yield return above;
        }
    }

    // An event without accessors of its own has a field, for which its attributes say so: [field: NonSerialized].
    private static bool IsKept(IEventSymbol changed) => changed.DeclaringSyntaxReferences.Any(
        reference => reference.GetSyntax() is VariableDeclaratorSyntax { Parent.Parent: EventFieldDeclarationSyntax declaration }
            && !declaration.AttributeLists.Any(
                list => list.Target?.Identifier.ValueText == "field" && list.Attributes.Any(each => IsLeavingOut(each.Name.ToString()))))
        && !changed.IsAbstract;

    private static bool IsLeavingOut(string name)
    {
        string last = name.Substring(name.LastIndexOf('.') + 1);
        return last is "IgnoreMember" or "NonSerialized" or "IgnoreDataMember"
            or "IgnoreMemberAttribute" or "NonSerializedAttribute" or "IgnoreDataMemberAttribute";
    }
}
