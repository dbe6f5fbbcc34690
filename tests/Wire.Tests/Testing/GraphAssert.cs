using System.Collections;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Xunit.Sdk;

namespace Wire.Tests.Testing;

/// <summary>
/// Compares object graphs to the last bit: runtime types, NaN payloads, the kind of a DateTime, the scale of a decimal,
/// the bounds of arrays, comparers and order of collections, and every instance field of other types. Equals is not asked.
/// </summary>
internal static class GraphAssert
{
    public static void Same(object? expected, object? actual) => Compare(expected, actual, "value", []);

    private static void Compare(object? expected, object? actual, string path, HashSet<(object, object)> seen)
    {
        if (expected is null || actual is null)
        {
            Check(expected is null && actual is null, path, expected, actual);
            return;
        }

        Check(expected.GetType() == actual.GetType(), path + ".GetType()", expected.GetType(), actual.GetType());
        if (Leaf(expected, actual) is { } equal)
        {
            Check(equal, path, expected, actual);
            return;
        }

        if (!expected.GetType().IsValueType && !seen.Add((expected, actual)))
        {
            return;
        }

        switch (expected)
        {
            case Array array:
                CompareArrays(array, (Array)actual, path, seen);
                break;
            case IDictionary or IList:
                CompareComparers(expected, actual, path);
                CompareItems((IEnumerable)expected, (IEnumerable)actual, path, seen);
                break;
            case IEnumerable items when Property(expected, "Comparer") is not null:
                CompareComparers(expected, actual, path);
                CompareItems(items, (IEnumerable)actual, path, seen);
                break;
            default:
                CompareFields(expected, actual, path, seen);
                break;
        }
    }

    // Null when the type is none whose values are compared as a whole.
    private static bool? Leaf(object expected, object actual) => expected switch
    {
        double value => BitConverter.DoubleToInt64Bits(value) == BitConverter.DoubleToInt64Bits((double)actual),
        float value => BitConverter.SingleToInt32Bits(value) == BitConverter.SingleToInt32Bits((float)actual),
        Half value => BitConverter.HalfToInt16Bits(value) == BitConverter.HalfToInt16Bits((Half)actual),
        Complex value => Leaf(value.Real, ((Complex)actual).Real) & Leaf(value.Imaginary, ((Complex)actual).Imaginary),
        decimal value => decimal.GetBits(value).AsSpan().SequenceEqual(decimal.GetBits((decimal)actual)),
        DateTime value => value.Ticks == ((DateTime)actual).Ticks && value.Kind == ((DateTime)actual).Kind,
        DateTimeOffset value => value.EqualsExact((DateTimeOffset)actual),
        Uri value => value.OriginalString == ((Uri)actual).OriginalString && value.IsAbsoluteUri == ((Uri)actual).IsAbsoluteUri && value == (Uri)actual,
        byte[] value => value.AsSpan().SequenceEqual((byte[])actual),
        string value => string.Equals(value, (string)actual, StringComparison.Ordinal),
        Type or Version or BigInteger => expected.Equals(actual),
        _ when expected.GetType() == typeof(object) => true,
        _ when expected.GetType() is { Namespace: "System" or "System.Text", IsValueType: true, IsGenericType: false } => expected.Equals(actual),
        _ when expected.GetType().IsEnum => expected.Equals(actual),
        _ => null,
    };

    private static void CompareArrays(Array expected, Array actual, string path, HashSet<(object, object)> seen)
    {
        for (int i = 0; i < expected.Rank; i++)
        {
            Check(expected.GetLowerBound(i) == actual.GetLowerBound(i), $"{path}.GetLowerBound({i})", expected.GetLowerBound(i), actual.GetLowerBound(i));
            Check(expected.GetLength(i) == actual.GetLength(i), $"{path}.GetLength({i})", expected.GetLength(i), actual.GetLength(i));
        }

        CompareItems(expected, actual, path, seen);
    }

    private static void CompareItems(IEnumerable expected, IEnumerable actual, string path, HashSet<(object, object)> seen)
    {
        object?[] left = [.. expected];
        object?[] right = [.. actual];
        Check(left.Length == right.Length, path + ".Count", left.Length, right.Length);
        for (int i = 0; i < left.Length; i++)
        {
            Compare(left[i], right[i], $"{path}[{i}]", seen);
        }
    }

    private static void CompareComparers(object expected, object actual, string path)
    {
        object? comparer = Property(expected, "Comparer");
        Check(Equals(comparer, Property(actual, "Comparer")), path + ".Comparer", comparer, Property(actual, "Comparer"));
    }

    private static object? Property(object target, string name) => target.GetType().GetProperty(name)?.GetValue(target);

    private static void CompareFields(object expected, object actual, string path, HashSet<(object, object)> seen)
    {
        for (Type? type = expected.GetType(); type is not null; type = type.BaseType)
        {
            foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                Compare(field.GetValue(expected), field.GetValue(actual), $"{path}.{field.Name}", seen);
            }
        }
    }

    private static void Check(bool holds, string path, object? expected, object? actual, [CallerArgumentExpression(nameof(holds))] string condition = "")
    {
        if (!holds)
        {
            throw new XunitException($"{path}: expected <{Text(expected)}>, actual <{Text(actual)}>; not true: {condition}");
        }
    }

    private static string Text(object? value) => value?.ToString() is { } text ? text[..Math.Min(text.Length, 200)] : "null";
}
