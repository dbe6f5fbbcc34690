using System.Collections;
using System.Reflection;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Compares two graphs by runtime types, by every field, and by which objects are shared.</summary>
internal sealed class StrictComparer(bool sharing)
{
    private readonly Dictionary<object, object> _forth = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, object> _back = new(ReferenceEqualityComparer.Instance);

    /// <summary>Where the graphs first differ; null when they are the same.</summary>
    public static string? Difference(object? expected, object? actual, bool sharing) => new StrictComparer(sharing).Compare(expected, actual, "root");

    public static void AssertSame(object? expected, object? actual, bool sharing) => Assert.Null(Difference(expected, actual, sharing));

    private string? Compare(object? expected, object? actual, string path)
    {
        if (expected is null || actual is null)
        {
            return expected is null && actual is null ? null : $"{path}: one is null";
        }

        Type type = expected.GetType();
        if (actual.GetType() != type)
        {
            return $"{path}: {type} became {actual.GetType()}";
        }

        if (type.IsPrimitive || type.IsEnum || expected is string or decimal)
        {
            return expected.Equals(actual) ? null : $"{path}: {expected} became {actual}";
        }

        if (!type.IsValueType || sharing)
        {
            if (_forth.TryGetValue(expected, out object? before))
            {
                // Without the option a shared object comes back as copies: nothing more to compare.
                return !sharing || ReferenceEquals(before, actual) ? null : $"{path}: a shared object was copied";
            }

            if (sharing && _back.ContainsKey(actual))
            {
                return $"{path}: two objects became one";
            }

            // Value types are boxed anew for every member: only boxes that the graph itself holds can be shared.
            if (!type.IsValueType || path.EndsWith('!'))
            {
                _forth[expected] = actual;
                _back[actual] = expected;
            }
        }

        return expected switch
        {
            Array array => CompareArrays(array, (Array)actual, path),
            IDictionary or IEnumerable => CompareSequences((IEnumerable)expected, (IEnumerable)actual, path),
            _ when type == typeof(object) => null,
            _ => CompareFields(type, expected, actual, path),
        };
    }

    private string? CompareArrays(Array expected, Array actual, string path)
    {
        for (int i = 0; i < expected.Rank; i++)
        {
            if (expected.GetLength(i) != actual.GetLength(i) || expected.GetLowerBound(i) != actual.GetLowerBound(i))
            {
                return $"{path}: other bounds";
            }
        }

        return CompareSequences(expected, actual, path);
    }

    private string? CompareSequences(IEnumerable expected, IEnumerable actual, string path)
    {
        string mark = expected.GetType() == typeof(object[]) ? "!" : "";
        IEnumerator x = expected.GetEnumerator();
        IEnumerator y = actual.GetEnumerator();
        int i = 0;
        while (true)
        {
            bool more = x.MoveNext();
            if (more != y.MoveNext())
            {
                return $"{path}: other count";
            }

            if (!more)
            {
                return null;
            }

            if (Compare(x.Current, y.Current, $"{path}[{i++}]{mark}") is { } difference)
            {
                return difference;
            }
        }
    }

    private string? CompareFields(Type type, object expected, object actual, string path)
    {
        const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            foreach (FieldInfo field in current.GetFields(All))
            {
                string mark = field.FieldType == typeof(object) ? "!" : "";
                if (Compare(field.GetValue(expected), field.GetValue(actual), $"{path}.{field.Name}{mark}") is { } difference)
                {
                    return difference;
                }
            }
        }

        return null;
    }
}
