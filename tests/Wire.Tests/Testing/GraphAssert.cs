using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Xunit.Sdk;

namespace Wire.Tests.Testing;

/// <summary>
/// Compares object graphs to the last bit: runtime types, NaN payloads, the kind of a DateTime, the scale of a decimal,
/// the bounds of arrays, the comparers, order and contents of collections, and every instance field of other types. Equals
/// is not asked. When objects are expected to be shared, the same objects have to be shared on both sides.
/// </summary>
internal sealed class GraphAssert
{
    private readonly bool _sharing;
    private readonly Dictionary<object, object> _forth = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, object> _back = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<(object Expected, object Actual)> _seen = new(new Pairs());

    private GraphAssert(bool sharing) => _sharing = sharing;

    /// <summary>Fails when the graphs differ.</summary>
    public static void Same(object? expected, object? actual, bool sharing = false) => new GraphAssert(sharing).Compare(expected, actual, "value");

    /// <summary>Where the graphs first differ; null when they are the same.</summary>
    public static string? Difference(object? expected, object? actual, bool sharing)
    {
        try
        {
            Same(expected, actual, sharing);
            return null;
        }
        catch (XunitException e)
        {
            return e.Message;
        }
    }

    // A box is an object of the graph only where a variable of type object holds it: elsewhere it is made by looking.
    private void Compare(object? expected, object? actual, string path, bool holdsBox = false)
    {
        if (expected is null || actual is null)
        {
            Check(expected is null && actual is null, path, expected, actual);
            return;
        }

        Type type = expected.GetType();
        Check(type == actual.GetType(), path + ".GetType()", type, actual.GetType());
        if (Leaf(expected, actual) is { } equal)
        {
            Check(equal, path, expected, actual);
            return;
        }

        if ((!type.IsValueType || holdsBox) && IsKnown(expected, actual, path))
        {
            return;
        }

        if (expected is Array array)
        {
            CompareArrays(array, (Array)actual, path);
            return;
        }

        Type? part = CollectionState.PartOf(type);
        if (part is not null)
        {
            CompareStates(CollectionState.Of(expected, part), CollectionState.Of(actual, part), path);
        }

        CompareFields(expected, actual, path, part);
    }

    // Whether the two have met before: then there is nothing more to compare.
    private bool IsKnown(object expected, object actual, string path)
    {
        if (!_sharing)
        {
            return !_seen.Add((expected, actual));
        }

        if (_forth.TryGetValue(expected, out object? before))
        {
            Check(ReferenceEquals(before, actual), path + " is the object that came before", before, actual);
            return true;
        }

        Check(_back.TryAdd(actual, expected), path + " is an object of its own", expected, actual);
        _forth.Add(expected, actual);
        return false;
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
        CompareInfo => expected.Equals(actual),
        StringComparer => expected.Equals(actual),
        _ when ScalarAssert.Same(expected, actual) is { } same => same,
        _ when expected.GetType() == typeof(object) => true,
        _ when expected.GetType() is { Namespace: "System" or "System.Text", IsValueType: true, IsGenericType: false } => expected.Equals(actual),
        _ when expected.GetType().IsEnum => expected.Equals(actual),
        _ => null,
    };

    private void CompareArrays(Array expected, Array actual, string path)
    {
        for (int i = 0; i < expected.Rank; i++)
        {
            Check(expected.GetLowerBound(i) == actual.GetLowerBound(i), $"{path}.GetLowerBound({i})", expected.GetLowerBound(i), actual.GetLowerBound(i));
            Check(expected.GetLength(i) == actual.GetLength(i), $"{path}.GetLength({i})", expected.GetLength(i), actual.GetLength(i));
        }

        CompareItems([.. expected], [.. actual], path, expected is object[]);
    }

    private void CompareStates(CollectionState expected, CollectionState actual, string path)
    {
        Check(expected.Parts.Count == actual.Parts.Count, path + " has its parts", expected.Parts.Count, actual.Parts.Count);
        foreach (((string name, object? left), (_, object? right)) in expected.Parts.Zip(actual.Parts))
        {
            Compare(left, right, $"{path}.{name}");
        }

        CompareItems(expected.Items, actual.Items, path, holdBoxes: false);
    }

    private void CompareItems(object?[] expected, object?[] actual, string path, bool holdBoxes)
    {
        Check(expected.Length == actual.Length, path + ".Count", expected.Length, actual.Length);
        for (int i = 0; i < expected.Length; i++)
        {
            Compare(expected[i], actual[i], $"{path}[{i}]", holdBoxes);
        }
    }

    private void CompareFields(object expected, object actual, string path, Type? upTo)
    {
        for (Type? type = expected.GetType(); type is not null && type != upTo; type = type.BaseType)
        {
            foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                Compare(field.GetValue(expected), field.GetValue(actual), $"{path}.{field.Name}", field.FieldType == typeof(object));
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

    // Equals of what the pairs hold is not asked, and boxes are the same only as objects.
    private sealed class Pairs : IEqualityComparer<(object Expected, object Actual)>
    {
        public bool Equals((object Expected, object Actual) x, (object Expected, object Actual) y) =>
            ReferenceEquals(x.Expected, y.Expected) && ReferenceEquals(x.Actual, y.Actual);

        public int GetHashCode((object Expected, object Actual) pair) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(pair.Expected), RuntimeHelpers.GetHashCode(pair.Actual));
    }
}
