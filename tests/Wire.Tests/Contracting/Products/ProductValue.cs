using System.Collections;
using System.Collections.Specialized;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using System.Runtime.Intrinsics;

namespace Wire.Tests.Contracting.Products;

/// <summary>
/// Gets whether what was read is what was written, by the rules of docs/versioning.md and nothing of the library.
/// </summary>
internal static class ProductValue
{
    private static readonly Type[] Unordered = [typeof(ISet<>), typeof(IReadOnlySet<>), typeof(IReadOnlyDictionary<,>)];

    /// <summary>Returns whether a value has come back in another type.</summary>
    /// <param name="written">The value.</param>
    /// <param name="read">What came back.</param>
    /// <param name="isWhole">True if no member may be lacking on either side.</param>
    public static bool IsAlike(object? written, object? read, bool isWhole)
    {
        if (IsNone(written) || IsNone(read))
        {
            return IsNone(written) && IsNone(read);
        }

        if (written is Enum && read is Enum && written.GetType() != read.GetType() && IsOfProgram(written) && IsOfProgram(read))
        {
            // Unnamed bits of flags are their own matter.
            return NameOf(written) is not { } name ? IsFlags(read) || Number(written) == Number(read)
                : NameOf(read) is { } other ? other == name
                : Number(written) == Number(read);
        }

        if (Number(written) is { } number && Number(read) is { } copy)
        {
            return number == copy;
        }

        if (Items(written) is { } items && Items(read) is { } others)
        {
            return Shape(written) == Shape(read)
                && (IsOrdered(written) && IsOrdered(read) ? AreAlike(items, others, isWhole) : AreAlikeInAnyOrder(items, others, isWhole));
        }

        if (HasMembers(written) && Members(written).Count == 0)
        {
            // Nothing was written, and nothing is lost.
            return !isWhole || Members(read).Count == 0;
        }

        if (HasMembers(written) && HasMembers(read))
        {
            Dictionary<string, object?> members = Members(written), own = Members(read);
            return members.All(member => own.TryGetValue(member.Key, out object? here)
                    ? IsAlike(member.Value, here, isWhole)
                    : !isWhole)
                && own.Keys.Any(members.ContainsKey)
                && own.All(member => members.ContainsKey(member.Key) || (!isWhole && IsDefault(member.Value)));
        }

        return written!.GetType() == read!.GetType() && (written.Equals(read) || written.ToString() == read.ToString());
    }

    // The default values of these have no elements at all.
    private static bool IsNone(object? value) => value is null
        || (value.GetType() is { IsConstructedGenericType: true, IsValueType: true } type
            && type.GetGenericTypeDefinition() is var definition
            && (definition == typeof(System.Collections.Immutable.ImmutableArray<>) || definition == typeof(ArraySegment<>))
            && value.Equals(Activator.CreateInstance(type)));

    private static bool IsOfProgram(object value) => value.GetType().Assembly == typeof(Leaf).Assembly;

    private static bool IsFlags(object value) => value.GetType().IsDefined(typeof(FlagsAttribute), inherit: false);

    private static string? NameOf(object value) => Enum.GetName(value.GetType(), value);

    // The text of a number is the same in all types that have it.
    private static string? Number(object? value) => value switch
    {
        Enum name => Convert.ChangeType(name, Enum.GetUnderlyingType(name.GetType()), CultureInfo.InvariantCulture).ToString(),
        Half or float or double => Float(value is Half half ? (double)half : Convert.ToDouble(value, CultureInfo.InvariantCulture)),
        decimal number => (number / 1.000000000000000000000000000000000m).ToString(CultureInfo.InvariantCulture),
        sbyte or byte or short or ushort or int or uint or long or ulong or Int128 or UInt128 or nint or nuint => $"{value}",
        _ => null,
    };

    private static string Float(double value) => double.IsInteger(value)
        ? new BigInteger(value).ToString(CultureInfo.InvariantCulture)
        : value.ToString("R", CultureInfo.InvariantCulture);

    private static object?[]? Items(object? value)
    {
        if (value is string or null or System.Text.Json.JsonElement)
        {
            return null;
        }

        if (value is IEnumerable all)
        {
            object?[] items = [.. all.Cast<object?>()];
            return value.GetType().Name.Contains("Stack", StringComparison.Ordinal) ? [.. items.Reverse()]
                : value is NameValueCollection names
                ? [.. names.AllKeys.Select(key => new DictionaryEntry(key!, names.GetValues(key)))]
                : items;
        }

        return value.GetType().GetMethod("ToArray", []) is { ReturnType.IsArray: true } copy && value.GetType().IsValueType
                ? [.. ((Array)copy.Invoke(value, null)!).Cast<object?>()]
            : value is System.Buffers.ReadOnlySequence<byte> bytes ? [.. System.Buffers.BuffersExtensions.ToArray(bytes).Cast<object?>()]
            : value is Vector128<int> vector ? [vector[0], vector[1], vector[2], vector[3]]
            : value is PriorityQueue<int, int> queue ? [.. queue.UnorderedItems.Cast<object?>()]
            : null;
    }

    // The lengths of an array of several dimensions.
    private static string Shape(object? value) => value is Array { Rank: > 1 } array
        ? string.Join(',', Enumerable.Range(0, array.Rank).Select(array.GetLength))
        : "";

    private static bool IsOrdered(object? value) => value is Array
        || (value is not (IDictionary or StringDictionary or NameValueCollection)
            && !Array.Exists(
                value!.GetType().GetInterfaces(),
                face => face.IsConstructedGenericType && Array.IndexOf(Unordered, face.GetGenericTypeDefinition()) >= 0)
            && !value.GetType().Name.Contains("Bag", StringComparison.Ordinal));

    private static bool AreAlike(object?[] items, object?[] others, bool isWhole) =>
        items.Length == others.Length && items.Zip(others).All(pair => IsAlike(pair.First, pair.Second, isWhole));

    private static bool AreAlikeInAnyOrder(object?[] items, object?[] others, bool isWhole)
    {
        List<object?> left = [.. others];
        foreach (object? item in items)
        {
            int at = left.FindIndex(other => IsAlike(item, other, isWhole));
            if (at < 0)
            {
                return false;
            }

            left.RemoveAt(at);
        }

        return left.Count == 0;
    }

    // What only this library's rules know the members of.
    private static bool HasMembers(object? value) => value!.GetType() is var type
        && (IsOfProgram(value) || type == typeof(DictionaryEntry)
            || (type.IsConstructedGenericType && type.FullName!.Contains("Tuple", StringComparison.Ordinal))
            || type.Name.StartsWith("KeyValuePair", StringComparison.Ordinal) || type.Namespace == "System.Drawing"
            || type.FullName is "System.ValueTuple" or "System.Numerics.Vector3" or "System.Range");

    private static Dictionary<string, object?> Members(object? value)
    {
        var members = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        for (Type? type = value!.GetType(); type is not null; type = type.BaseType)
        {
            foreach (FieldInfo field in type.GetFields(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                int end = field.Name.IndexOf('>', StringComparison.Ordinal);
                members[end > 0 ? field.Name[1..end] : field.Name.Trim('_')] = field.GetValue(value);
            }
        }

        return members;
    }

    private static bool IsDefault(object? value) =>
        value is null || (value.GetType().IsValueType && value.Equals(Activator.CreateInstance(value.GetType())));
}
