using System.Collections;
using System.Globalization;
using System.Reflection;

namespace Wire.Comparing;

/// <summary>
/// Values that are compared by all their public properties, where fields hold what has been asked for before. What throws, throws in both.
/// </summary>
internal static class PublicFace
{
    public static bool Same(object expected, object actual) => Difference(expected, actual) is null;

    private static string? Difference(object expected, object actual)
    {
        foreach (PropertyInfo property in expected.GetType().GetProperties(BindingFlags.Instance | BindingFlags.Public))
        {
            if (property.GetIndexParameters().Length == 0 && !IsLeftOut(property, expected)
                && !SameValues(CollectionState.Asked(property, expected), CollectionState.Asked(property, actual)))
            {
                return property.Name;
            }
        }

        return (expected, actual) switch
        {
            (DateTimeFormatInfo left, DateTimeFormatInfo right) =>
                "dDfFgGmMoOrRstTuUyY".All(format => left.GetAllDateTimePatterns(format).SequenceEqual(right.GetAllDateTimePatterns(format)))
                    ? null
                    : "patterns",
            (MemoryStream left, MemoryStream right) =>
                left.TryGetBuffer(out _) == right.TryGetBuffer(out _) && IsGrowing(left) == IsGrowing(right) ? null : "buffer",
            (AssemblyName left, AssemblyName right) => SameValues(left.GetPublicKey(), right.GetPublicKey())
                && SameValues(Field(left, "_publicKeyToken"), Field(right, "_publicKeyToken")) ? null : "key",
            _ => null,
        };
    }

    // What a growing stream has in reserve is its own affair, and who asks for the URI of a builder changes its parts.
    private static bool IsLeftOut(PropertyInfo property, object value) =>
        (property.Name == nameof(MemoryStream.Capacity) && IsGrowing(value)) || property.Name == nameof(UriBuilder.Uri);

    private static bool SameValues(object? left, object? right) => (left, right) switch
    {
        (Calendar, Calendar) => left.GetType() == right.GetType() && Same(left, right),
        (string, string) => string.Equals((string)left, (string)right, StringComparison.Ordinal),
        (IEnumerable, IEnumerable) => ((IEnumerable)left).Cast<object?>().SequenceEqual(((IEnumerable)right).Cast<object?>()),
        _ => Equals(left, right),
    };

    private static bool IsGrowing(object value) => value is MemoryStream && (bool)Field(value, "_expandable")!;

    private static object? Field(object value, string name) =>
        value.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(value);
}
