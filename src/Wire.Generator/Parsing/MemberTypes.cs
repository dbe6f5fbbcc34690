using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Generator.Parsing;

/// <summary>The members of a class or struct that are written, as MemberFinder of Wire finds them by reflection.</summary>
internal static class MemberTypes
{
    private static readonly string[] Ignoring =
    [
        "Wire.IgnoreMemberAttribute", "System.NonSerializedAttribute", "System.Runtime.Serialization.IgnoreDataMemberAttribute",
    ];

    /// <summary>
    /// Returns the members that a class itself declares, and their types; the members are properties where fields belong to them.
    /// </summary>
    /// <param name="type">The class or struct.</param>
    /// <param name="isOwn">Whether its sources are compiled. Of others an editor sees fields that a build does not.</param>
    public static IEnumerable<(ISymbol Member, ITypeSymbol Type)> Of(INamedTypeSymbol type, bool isOwn)
    {
        foreach (ISymbol member in type.GetMembers())
        {
            if (member is IFieldSymbol { IsStatic: false, IsConst: false } field && !IsIgnored(field)
                && (isOwn || field.DeclaredAccessibility == Accessibility.Public)
                && (field.AssociatedSymbol is not { } face || !IsIgnored(face)))
            {
                yield return (field.AssociatedSymbol ?? field, field.Type);
            }
            else if (isOwn && member is IEventSymbol { IsStatic: false } raised && HasField(raised))
            {
                yield return (raised, raised.Type);
            }
        }
    }

    /// <summary>Returns the type of the elements of an inline array; null for any other struct.</summary>
    public static ITypeSymbol? ElementOfInline(INamedTypeSymbol type) =>
        type.GetAttributes().Any(each => each.AttributeClass?.ToDisplayString() == "System.Runtime.CompilerServices.InlineArrayAttribute")
            ? type.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(field => !field.IsStatic)?.Type
            : null;

    private static bool IsIgnored(ISymbol member) =>
        member.GetAttributes().Any(attribute => Ignoring.Contains(attribute.AttributeClass?.ToDisplayString()))
        || (member is IPropertySymbol { OverriddenProperty: { } overridden } && IsIgnored(overridden));

    // The field of an event is no member that the compilation shows, as those of properties and captured parameters are.
    private static bool HasField(IEventSymbol raised)
    {
        foreach (SyntaxReference reference in raised.DeclaringSyntaxReferences)
        {
            if (reference.GetSyntax() is VariableDeclaratorSyntax { Parent.Parent: EventFieldDeclarationSyntax declaration })
            {
                return !declaration.Modifiers.Any(SyntaxKind.AbstractKeyword) && !declaration.AttributeLists
                    .Where(list => list.Target?.Identifier.ValueText == "field")
                    .SelectMany(list => list.Attributes)
                    .Any(attribute => attribute.Name.ToString().Contains("NonSerialized")
                        || attribute.Name.ToString().Contains("IgnoreMember"));
            }
        }

        return false;
    }
}
