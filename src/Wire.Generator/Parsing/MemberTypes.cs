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

    /// <summary>Returns the members that a class itself declares, and their types; the members are properties where fields belong to them.</summary>
    public static IEnumerable<(ISymbol Member, ITypeSymbol Type)> Of(INamedTypeSymbol type)
    {
        foreach (ISymbol member in type.GetMembers())
        {
            if (member is IFieldSymbol { IsStatic: false, IsConst: false } field && !IsIgnored(field)
                && (field.AssociatedSymbol is not { } face || !IsIgnored(face)))
            {
                yield return (field.AssociatedSymbol ?? field, field.Type);
            }
            else if (member is IEventSymbol { IsStatic: false } raised && HasField(raised))
            {
                yield return (raised, raised.Type);
            }
        }

        foreach (IParameterSymbol captured in Captured(type))
        {
            yield return (captured, captured.Type);
        }
    }

    private static bool IsIgnored(ISymbol member) =>
        member.GetAttributes().Any(attribute => Ignoring.Contains(attribute.AttributeClass?.ToDisplayString()))
        || (member is IPropertySymbol { OverriddenProperty: { } overridden } && IsIgnored(overridden));

    // The field of an event is no member that the compilation shows.
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

    // Nor is that of a parameter which other members use. A name that is the same by chance gives a row too many, and no harm.
    private static IEnumerable<IParameterSymbol> Captured(INamedTypeSymbol type)
    {
        if (type.IsRecord)
        {
            yield break;
        }

        foreach (IMethodSymbol constructor in type.InstanceConstructors)
        {
            if (constructor.Parameters.IsEmpty || constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is not TypeDeclarationSyntax)
            {
                continue;
            }

            HashSet<string> used = [.. type.DeclaringSyntaxReferences
                .Select(reference => reference.GetSyntax())
                .OfType<TypeDeclarationSyntax>()
                .SelectMany(declaration => declaration.Members)
                .SelectMany(Bodies)
                .SelectMany(body => body.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>())
                .Select(name => name.Identifier.ValueText)];
            foreach (IParameterSymbol parameter in constructor.Parameters)
            {
                if (used.Contains(parameter.Name))
                {
                    yield return parameter;
                }
            }
        }
    }

    // Initializers run with the constructor, and use what it was given.
    private static IEnumerable<SyntaxNode> Bodies(MemberDeclarationSyntax member) => member switch
    {
        BaseFieldDeclarationSyntax or BaseTypeDeclarationSyntax or DelegateDeclarationSyntax => [],
        PropertyDeclarationSyntax property => new SyntaxNode?[] { property.AccessorList, property.ExpressionBody }.OfType<SyntaxNode>(),
        _ => [member],
    };
}
