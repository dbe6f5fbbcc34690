using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Generator.Parsing;

/// <summary>Tells whether a constructor without parameters does nothing, as the sources show.</summary>
internal static class Constructors
{
    /// <summary>Returns whether <c>new T()</c> gives an object whose fields have their default values, and runs no code.</summary>
    public static bool DoNothing(INamedTypeSymbol type, Compilation compilation, INamedTypeSymbol context)
    {
        if (type.TypeKind != TypeKind.Class || type.IsAbstract || ConstructorOf(type) is not { } own
            || !compilation.IsSymbolAccessibleWithin(own.OriginalDefinition, context))
        {
            return false;
        }

        for (INamedTypeSymbol? current = type; current is not { SpecialType: SpecialType.System_Object }; current = current.BaseType)
        {
            if (current is null || !SymbolEqualityComparer.Default.Equals(current.ContainingAssembly, compilation.Assembly)
                || ConstructorOf(current) is not { } constructor || !IsEmpty(constructor) || Initializes(current))
            {
                return false;
            }
        }

        return true;
    }

    private static IMethodSymbol? ConstructorOf(INamedTypeSymbol type) =>
        type.InstanceConstructors.FirstOrDefault(constructor => constructor.Parameters.IsEmpty);

    private static bool IsEmpty(IMethodSymbol constructor) => constructor.IsImplicitlyDeclared
        || (constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is ConstructorDeclarationSyntax declaration
            && declaration is { Body.Statements.Count: 0, ExpressionBody: null }
            && (declaration.Initializer is null
                || (declaration.Initializer.IsKind(SyntaxKind.BaseConstructorInitializer)
                    && declaration.Initializer.ArgumentList.Arguments.Count == 0)));

    // A required member would have to be set.
    private static bool Initializes(INamedTypeSymbol type) =>
        type.GetMembers().Any(member => member is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true })
        || type.DeclaringSyntaxReferences.Any(reference => reference.GetSyntax() is not TypeDeclarationSyntax declaration
            || declaration.ParameterList is not null || declaration.Members.Any(Initializes));

    private static bool Initializes(MemberDeclarationSyntax member) => !member.Modifiers.Any(SyntaxKind.StaticKeyword)
        && member switch
        {
            BaseFieldDeclarationSyntax field => !field.Modifiers.Any(SyntaxKind.ConstKeyword)
                && field.Declaration.Variables.Any(variable => variable.Initializer is not null),
            PropertyDeclarationSyntax property => property.Initializer is not null,
            _ => false,
        };
}
