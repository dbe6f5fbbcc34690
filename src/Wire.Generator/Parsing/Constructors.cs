using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Generator.Parsing;

/// <summary>Finds constructors that do nothing, or only keep what they are given, as the sources show.</summary>
internal static class Constructors
{
    /// <summary>
    /// Returns the arguments for which <c>new T(...)</c> gives an object whose fields have their default values, and runs no other code;
    /// null where there are none.
    /// </summary>
    public static string? ArgumentsOf(INamedTypeSymbol type, Compilation compilation, INamedTypeSymbol context)
    {
        if (type.TypeKind != TypeKind.Class || type.IsAbstract || ConstructorOf(type) is not { } own
            || !compilation.IsSymbolAccessibleWithin(own.OriginalDefinition, context) || !IsOnlyOneOf(own, compilation, context))
        {
            return null;
        }

        for (INamedTypeSymbol? current = type; current is not { SpecialType: SpecialType.System_Object }; current = current.BaseType)
        {
            if (current is null || !SymbolEqualityComparer.Default.Equals(current.ContainingAssembly, compilation.Assembly)
                || ConstructorOf(current) is not { } constructor || !KeepsOnly(constructor, current))
            {
                return null;
            }
        }

        return string.Join(", ", own.Parameters.Select(_ => "default!"));
    }

    // A primary one runs whichever is called.
    private static IMethodSymbol? ConstructorOf(INamedTypeSymbol type) =>
        type.InstanceConstructors.FirstOrDefault(constructor => PrimaryOf(constructor) is not null)
        ?? type.InstanceConstructors.FirstOrDefault(constructor => constructor.Parameters.IsEmpty);

    private static TypeDeclarationSyntax? PrimaryOf(IMethodSymbol constructor) =>
        constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is TypeDeclarationSyntax { ParameterList: not null } declaration
            ? declaration
            : null;

    // Defaults say nothing of their types.
    private static bool IsOnlyOneOf(IMethodSymbol constructor, Compilation compilation, INamedTypeSymbol context) =>
        constructor.Parameters.IsEmpty
        || (constructor.Parameters.All(parameter => parameter is { RefKind: RefKind.None, IsParams: false })
            && constructor.ContainingType.InstanceConstructors.Count(other => other.Parameters.Length >= constructor.Parameters.Length
                && compilation.IsSymbolAccessibleWithin(other.OriginalDefinition, context)) == 1);

    // A required member would have to be set.
    private static bool KeepsOnly(IMethodSymbol constructor, INamedTypeSymbol type) =>
        !type.GetMembers().Any(member => member is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true })
        && IsEmpty(constructor)
        && type.DeclaringSyntaxReferences.All(reference => reference.GetSyntax() is TypeDeclarationSyntax declaration
            && declaration.Members.All(member => Keeps(member, constructor, type)));

    private static bool IsEmpty(IMethodSymbol constructor) => PrimaryOf(constructor) is { } primary
        ? primary.BaseList?.Types.OfType<PrimaryConstructorBaseTypeSyntax>().All(
            general => AreKept(general.ArgumentList, constructor)) ?? true
        : constructor.IsImplicitlyDeclared
            || (constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is ConstructorDeclarationSyntax declaration
                && declaration is { Body.Statements.Count: 0, ExpressionBody: null }
                && (declaration.Initializer is null
                    || (declaration.Initializer.IsKind(SyntaxKind.BaseConstructorInitializer)
                        && declaration.Initializer.ArgumentList.Arguments.Count == 0)));

    // By the constructor of the base class that is looked at too.
    private static bool AreKept(ArgumentListSyntax arguments, IMethodSymbol constructor) =>
        ConstructorOf(constructor.ContainingType.BaseType!) is { } general
        && general.Parameters.Length == arguments.Arguments.Count
        && arguments.Arguments.Zip(general.Parameters, (argument, parameter) => (argument, parameter)).All(
            each => each.argument.NameColon is null && IsParameter(each.argument.Expression, constructor, each.parameter.Type));

    private static bool Keeps(MemberDeclarationSyntax member, IMethodSymbol constructor, INamedTypeSymbol type) =>
        member.Modifiers.Any(SyntaxKind.StaticKeyword)
        || member switch
        {
            BaseFieldDeclarationSyntax field => field.Modifiers.Any(SyntaxKind.ConstKeyword) || field.Declaration.Variables.All(
                variable => Keeps(variable.Initializer, variable.Identifier, constructor, type)),
            PropertyDeclarationSyntax property => Keeps(property.Initializer, property.Identifier, constructor, type),
            _ => true,
        };

    private static bool Keeps(EqualsValueClauseSyntax? value, SyntaxToken name, IMethodSymbol constructor, INamedTypeSymbol type) =>
        value is null || type.GetMembers(name.ValueText).FirstOrDefault() switch
        {
            IFieldSymbol field => IsParameter(value.Value, constructor, field.Type),
            IPropertySymbol property => IsParameter(value.Value, constructor, property.Type),
            _ => false,
        };

    // Of another type, it could be converted by code of the program.
    private static bool IsParameter(ExpressionSyntax value, IMethodSymbol constructor, ITypeSymbol type) =>
        value is IdentifierNameSyntax { Identifier.ValueText: var name }
        && constructor.Parameters.Any(
            parameter => parameter.Name == name && SymbolEqualityComparer.Default.Equals(parameter.Type, type));
}
