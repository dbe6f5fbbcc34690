using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Analyzers.Symbols;

/// <summary>Answers questions about types and members of a program that is being compiled.</summary>
internal static class TypeSymbols
{
    // The keys that the assemblies of .NET are signed with, as Wire.Runtime.FrameworkAssemblies has them.
    private static readonly string[] FrameworkTokens = ["7cec85d7bea7798e", "b03f5f7f11d50a3a", "b77a5c561934e089", "cc7b13ffcd2ddd51"];

    private static readonly SymbolDisplayFormat FullNameFormat = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted, SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces);

    /// <summary>Returns whether a type is of Wire's main assembly and has a name.</summary>
    public static bool IsWire(this ISymbol? type, string name) =>
        type is INamedTypeSymbol { ContainingType: null, ContainingNamespace: { Name: "Wire" } space }
            && space.ContainingNamespace.IsGlobalNamespace
            && type.Name == name;

    /// <summary>Returns the namespace and name of a type, without its arguments.</summary>
    public static string FullName(this ITypeSymbol type) => type.OriginalDefinition.ToDisplayString(FullNameFormat);

    /// <summary>Returns the full name of a type's namespace; empty for the global one.</summary>
    public static string NamespaceName(this ITypeSymbol type) =>
        type.ContainingNamespace is { IsGlobalNamespace: false } space ? space.ToDisplayString() : "";

    /// <summary>Returns whether a type is part of .NET.</summary>
    public static bool IsOfFramework(this ITypeSymbol type) => type.ContainingAssembly?.IsFramework() == true;

    /// <summary>Returns whether an assembly is part of .NET.</summary>
    public static bool IsFramework(this IAssemblySymbol assembly) =>
        assembly.Identity.PublicKeyToken is { IsEmpty: false } token && Array.IndexOf(FrameworkTokens, Hex(token)) >= 0;

    /// <summary>Returns a type and the classes that it derives from, up to <see cref="object"/>.</summary>
    public static IEnumerable<ITypeSymbol> AndBases(this ITypeSymbol type)
    {
        ITypeSymbol? current = type;
        while (current is not null && current.SpecialType != SpecialType.System_Object)
        {
            yield return current;
            current = current.BaseType;
        }
    }

    /// <summary>Returns whether a type is, derives from or implements another, whatever their arguments.</summary>
    public static bool IsOrDerivesFrom(this ITypeSymbol type, ITypeSymbol above) =>
        type.AndBases().Concat(type.AllInterfaces)
            .Any(each => SymbolEqualityComparer.Default.Equals(each.OriginalDefinition, above.OriginalDefinition));

    /// <summary>Returns whether a symbol has one of the attributes with these full names.</summary>
    public static bool HasAttribute(this ISymbol symbol, params string[] fullNames) =>
        symbol.GetAttributes().Any(each => each.AttributeClass is { } type && Array.IndexOf(fullNames, type.FullName()) >= 0);

    /// <summary>Returns whether a type or member is declared in parts, of which another generator may add some.</summary>
    public static bool IsPartial(this ISymbol symbol) => symbol.DeclaringSyntaxReferences.Any(
        reference => reference.GetSyntax() is MemberDeclarationSyntax declaration && declaration.Modifiers.Any(SyntaxKind.PartialKeyword));

    /// <summary>Returns the full name of a type as metadata has it, with a character between a type and one nested in it.</summary>
    public static string MetadataName(this ITypeSymbol type, char nested) =>
        type.ContainingType is { } outer ? $"{outer.MetadataName(nested)}{nested}{type.MetadataName}"
        : type.NamespaceName() is { Length: > 0 } space ? $"{space}.{type.MetadataName}"
        : type.MetadataName;

    /// <summary>Returns the [WireName] of a symbol; null where it has none.</summary>
    public static AttributeData? WireName(this ISymbol symbol) =>
        symbol.GetAttributes().FirstOrDefault(each => each.AttributeClass.IsWire("WireNameAttribute"));

    /// <summary>Returns the text that a [WireName] gives; null where that is no constant.</summary>
    public static string? Name(this AttributeData wireName) =>
        wireName.ConstructorArguments.Length == 1 ? wireName.ConstructorArguments[0].Value as string : null;

    /// <summary>Returns how a type is called in messages.</summary>
    public static string Shown(this ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);

    private static string Hex(ImmutableArray<byte> bytes) =>
        string.Concat(bytes.Select(each => each.ToString("x2", System.Globalization.CultureInfo.InvariantCulture)));
}
