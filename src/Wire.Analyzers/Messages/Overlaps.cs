using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>
/// Fields that lie over each other in memory, as far as that is certain without loading the type: the serializer judges the rest.
/// </summary>
internal static class Overlaps
{
    // System.Runtime.InteropServices.LayoutKind.Explicit.
    private const int Explicit = 2;

    // Of what no reference is in, the types whose bytes are not all values, or not all written; and how many they are.
    private static readonly Dictionary<string, int> Checked = new(StringComparer.Ordinal)
    {
        ["System.Boolean"] = 1,
        ["System.Decimal"] = 16,
        ["System.DateTime"] = 8,
        ["System.DateTimeOffset"] = 16,
        ["System.DateOnly"] = 4,
        ["System.TimeOnly"] = 8,
        ["System.IntPtr"] = 8,
        ["System.UIntPtr"] = 8,
        ["System.Text.Rune"] = 4,
    };

    private static readonly Dictionary<SpecialType, int> Numbers = new()
    {
        [SpecialType.System_SByte] = 1,
        [SpecialType.System_Byte] = 1,
        [SpecialType.System_Int16] = 2,
        [SpecialType.System_UInt16] = 2,
        [SpecialType.System_Char] = 2,
        [SpecialType.System_Int32] = 4,
        [SpecialType.System_UInt32] = 4,
        [SpecialType.System_Single] = 4,
        [SpecialType.System_Int64] = 8,
        [SpecialType.System_UInt64] = 8,
        [SpecialType.System_Double] = 8,
    };

    /// <summary>Lists the pairs of written members of a type that may not be read over each other, and why.</summary>
    public static IEnumerable<(WrittenMember First, WrittenMember Second, string Reason)> Of(INamedTypeSymbol type)
    {
        if (!type.GetAttributes().Any(IsExplicit))
        {
            yield break;
        }

        (WrittenMember Member, int Begin)[] fields =
        [
            .. WrittenMember.Of(type).Where(member => !member.IsBuffer)
                .Select(member => (Member: member, Begin: OffsetOf(member)))
                .Where(field => field.Begin is not null)
                .Select(field => (field.Member, field.Begin!.Value))
                .OrderBy(field => field.Value),
        ];
        for (int i = 0; i < fields.Length; i++)
        {
            for (int j = i + 1; j < fields.Length && fields[j].Begin < fields[i].Begin + SizeOf(fields[i].Member.Type); j++)
            {
                if (ReasonFor(fields[i].Member.Type, fields[j].Member.Type) is { } reason)
                {
                    yield return (fields[i].Member, fields[j].Member, reason);
                }
            }
        }
    }

    private static string? ReasonFor(ITypeSymbol first, ITypeSymbol second) =>
        HoldsReferences(first) || HoldsReferences(second) ? "a payload could put an object of one into the other"
        : (IsChecked(first) ? first : IsChecked(second) ? second : null) is { } opaque
            ? $"not every pattern of bits is a value of {opaque.Shown()}, or not every bit of it is written"
        : null;

    private static bool IsExplicit(AttributeData attribute) =>
        attribute.AttributeClass?.FullName() == "System.Runtime.InteropServices.StructLayoutAttribute"
            && attribute.ConstructorArguments.Length == 1
            && Convert.ToInt32(attribute.ConstructorArguments[0].Value, System.Globalization.CultureInfo.InvariantCulture) == Explicit;

    private static int? OffsetOf(WrittenMember member) => member.Field?.GetAttributes()
        .FirstOrDefault(each => each.AttributeClass?.FullName() == "System.Runtime.InteropServices.FieldOffsetAttribute") is { } offset
            ? offset.ConstructorArguments[0].Value as int?
            : null;

    private static bool HoldsReferences(ITypeSymbol type) => !type.IsUnmanagedType;

    private static bool IsChecked(ITypeSymbol type) => Checked.ContainsKey(MetadataName(type));

    // The least that it takes: what is not known here lies over what begins at the same place.
    private static int SizeOf(ITypeSymbol type) => type.TypeKind == TypeKind.Enum ? SizeOf(((INamedTypeSymbol)type).EnumUnderlyingType!)
        : Numbers.TryGetValue(type.SpecialType, out int size) || Checked.TryGetValue(MetadataName(type), out size) ? size
        : type.IsReferenceType ? 4
        : 1;

    private static string MetadataName(ITypeSymbol type) => $"{type.NamespaceName()}.{type.MetadataName}";
}
