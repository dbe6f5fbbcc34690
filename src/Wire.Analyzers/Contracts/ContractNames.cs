using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Contracts;

/// <summary>Names of types as a contract has them.</summary>
internal static class ContractNames
{
    private const string Collections = "System.Collections.Generic.";

    // Types that the format knows by a number, and C# by no word.
    private static readonly HashSet<string> Tagged = new(StringComparer.Ordinal)
    {
        "System.Guid", "System.DateTime", "System.DateTimeOffset", "System.TimeSpan", "System.DateOnly", "System.TimeOnly", "System.Uri",
        "System.Version", "System.Type", "System.Int128", "System.UInt128", "System.Half", "System.Text.Rune", "System.Numerics.Complex",
        "System.Numerics.BigInteger",
    };

    /// <summary>Returns the name of a type in payloads, without its assembly; null for a generic one.</summary>
    public static string? KeyOf(INamedTypeSymbol type) => type.IsGenericType ? null
        : type.WireName() is { } given ? given.Name()
        : type.ContainingType is { } outer ? KeyOfOwn(outer) is { } around ? $"{around}+{type.Name}" : null
        : KeyOfOwn(type);

    /// <summary>Returns a type in words, with no question mark at its end; null where that takes more than a compiler sees.</summary>
    public static string? Describe(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol { Rank: 1 } array)
        {
            return Describe(array.ElementType) is { } element ? $"{element}{(array.ElementType.IsNullableValue() ? "?" : "")}[]" : null;
        }

        if (type.IsNullableValue())
        {
            return Describe(((INamedTypeSymbol)type).TypeArguments[0]);
        }

        if (type.SpecialType is (>= SpecialType.System_Boolean and <= SpecialType.System_String) or SpecialType.System_Object)
        {
            return type.WithNullableAnnotation(NullableAnnotation.None)
                .ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat);
        }

        if (type is not INamedTypeSymbol { IsTupleType: false } named)
        {
            return null;
        }

        if (named.IsGenericType)
        {
            string full = named.FullName();
            string?[] arguments = [.. named.TypeArguments.Select(each => Describe(each) + (each.IsNullableValue() ? "?" : ""))];
            return full.StartsWith(Collections, StringComparison.Ordinal) && !arguments.Any(string.IsNullOrEmpty)
                ? $"{full.Substring(Collections.Length)}<{string.Join(", ", arguments)}>"
                : null;
        }

        return Tagged.Contains(named.FullName()) ? named.Name : named.IsOfFramework() ? null : KeyOf(named);
    }

    private static bool IsNullableValue(this ITypeSymbol type) => type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    // By the name of .NET, whatever [WireName] the type around has.
    private static string? KeyOfOwn(INamedTypeSymbol type) => type.IsGenericType ? null
        : type.ContainingType is { } outer ? KeyOfOwn(outer) is { } around ? $"{around}+{type.Name}" : null
        : type.NamespaceName() is { Length: > 0 } space ? $"{space}.{type.Name}"
        : type.Name;
}
