using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>The ways in which generated code writes a member.</summary>
internal enum MemberKind
{
    /// <summary>As an object, by its value serializer.</summary>
    Value,

    /// <summary>As a struct, by its value serializer, where it is.</summary>
    Part,

    /// <summary>In a number of bytes that is known.</summary>
    Fixed,

    /// <summary>Such a value or null.</summary>
    Nullable,

    /// <summary>As a string.</summary>
    Text,
}

/// <summary>Knows which types Wire writes in a fixed number of bytes.</summary>
internal static class MemberKinds
{
    /// <summary>Returns how a member of a type is written, and how many bytes a fixed one has, or one in it.</summary>
    public static (MemberKind Kind, int Size, bool CanFail) Of(ITypeSymbol type)
    {
        if (type.SpecialType == SpecialType.System_String)
        {
            return (MemberKind.Text, 0, false);
        }

        MemberKind other = type.IsValueType ? MemberKind.Part : MemberKind.Value;
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable)
        {
            int inside = SizeOf(nullable.TypeArguments[0]).Size;
            return (inside > 0 ? MemberKind.Nullable : other, inside, false);
        }

        (int size, bool canFail) = SizeOf(type);
        return (size > 0 ? MemberKind.Fixed : other, size, canFail);
    }

    /// <summary>Returns the type of the elements of an array or a list, and whether it is a list.</summary>
    public static (ITypeSymbol? Element, bool IsList) ElementOf(ITypeSymbol type) =>
        type is IArrayTypeSymbol { IsSZArray: true } array ? (array.ElementType, false)
        : type is INamedTypeSymbol { Name: "List", TypeArguments: { Length: 1 } elements } list && list.IsOfFramework()
            && list.ContainingNamespace.ToDisplayString() == "System.Collections.Generic"
            ? (elements[0], true)
        : default;

    // Zero for those of another size. It is checked when the program runs.
    private static (int Size, bool CanFail) SizeOf(ITypeSymbol type) => type.SpecialType switch
    {
        SpecialType.System_Boolean => (1, true),
        SpecialType.System_SByte or SpecialType.System_Byte => (1, false),
        SpecialType.System_Int16 or SpecialType.System_UInt16 or SpecialType.System_Char => (2, false),
        SpecialType.System_Int32 or SpecialType.System_UInt32 or SpecialType.System_Single => (4, false),
        SpecialType.System_Int64 or SpecialType.System_UInt64 or SpecialType.System_Double => (8, false),
        SpecialType.System_IntPtr or SpecialType.System_UIntPtr or SpecialType.System_DateTime => (8, true),
        SpecialType.System_Decimal => (16, true),
        _ when type is INamedTypeSymbol { TypeKind: TypeKind.Enum, EnumUnderlyingType: { } number } => (SizeOf(number).Size, false),
        _ => type.IsOfFramework() && type.ContainingNamespace?.ToDisplayString() is "System" or "System.Text" or "System.Numerics"
            ? SizeOf(type.MetadataName)
            : (0, false),
    };

    private static (int Size, bool CanFail) SizeOf(string name) => name switch
    {
        "Half" => (2, false),
        "DateOnly" or "Rune" => (4, true),
        "TimeSpan" => (8, false),
        "TimeOnly" => (8, true),
        "DateTimeOffset" => (10, true),
        "Guid" or "Int128" or "UInt128" => (16, false),
        "Complex" => (16, true),
        _ => (0, false),
    };
}
