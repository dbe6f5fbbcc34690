using System.Collections;
using System.Reflection;

namespace Quickstart.Contest;

/// <summary>What a walk over two graphs found.</summary>
/// <param name="Objects">How many objects of the left graph were met, strings aside.</param>
/// <param name="Difference">The first difference, or null when the graphs are equal.</param>
internal readonly record struct Comparison(int Objects, string? Difference);

/// <summary>
/// Walks two graphs in lock step and knows nothing of the model: it looks at the fields themselves, so nothing that
/// a property hides can slip through. It keeps its own stack, as graphs may be deeper than a thread's.
/// </summary>
internal sealed class GraphComparer
{
    private readonly Dictionary<object, object> _rightOfLeft = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<object> _rights = new(ReferenceEqualityComparer.Instance);
    private readonly Stack<(object Left, object Right)> _pending = [];
    private readonly Dictionary<Type, FieldInfo[]> _fields = [];

    private GraphComparer()
    {
    }

    public static Comparison Compare(object left, object right)
    {
        var comparer = new GraphComparer();
        string? difference = comparer.CompareValue("root", left, right);
        while (difference is null && comparer._pending.TryPop(out var pair))
        {
            difference = comparer.CompareContent(pair.Left, pair.Right);
        }

        return new Comparison(comparer._rightOfLeft.Count, difference);
    }

    private string? CompareValue(string where, object? left, object? right)
    {
        if (left is null || right is null)
        {
            return left == right ? null : $"{where}: {left ?? "null"} against {right ?? "null"}";
        }

        var type = left.GetType();
        if (type != right.GetType())
        {
            return $"{where}: {type} against {right.GetType()}";
        }

        if (type == typeof(string) || type.IsValueType)
        {
            return left.Equals(right) ? null : $"{where}: {left} against {right}";
        }

        return CompareReference(where, left, right);
    }

    // Sharing is the same when left and right objects pair off: no object of either side has two partners.
    private string? CompareReference(string where, object left, object right)
    {
        if (_rightOfLeft.TryGetValue(left, out object? partner))
        {
            return partner == right ? null : $"{where}: one shared {left.GetType()} became two";
        }

        if (!_rights.Add(right))
        {
            return $"{where}: two of {left.GetType()} became one";
        }

        _rightOfLeft.Add(left, right);
        _pending.Push((left, right));
        return null;
    }

    private string? CompareContent(object left, object right) => left switch
    {
        IDictionary entries => CompareEntries(entries, (IDictionary)right),
        IList items => CompareItems(items, (IList)right),
        _ => CompareFields(left, right),
    };

    private string? CompareEntries(IDictionary left, IDictionary right)
    {
        string? difference = CompareCount(left, right);
        var entry = left.GetEnumerator();
        while (difference is null && entry.MoveNext())
        {
            difference = right.Contains(entry.Key)
                ? CompareValue($"{left.GetType()}[{entry.Key}]", entry.Value, right[entry.Key])
                : $"{left.GetType()}: no entry {entry.Key}";
        }

        return difference;
    }

    private string? CompareItems(IList left, IList right)
    {
        string? difference = CompareCount(left, right);
        for (int i = 0; difference is null && i < left.Count; i++)
        {
            difference = CompareValue($"{left.GetType()}[{i}]", left[i], right[i]);
        }

        return difference;
    }

    private static string? CompareCount(ICollection left, ICollection right) =>
        left.Count == right.Count ? null : $"{left.GetType()}: {left.Count} items against {right.Count}";

    private string? CompareFields(object left, object right)
    {
        foreach (var field in FieldsOf(left.GetType()))
        {
            if (CompareValue(field.Name, field.GetValue(left), field.GetValue(right)) is { } difference)
            {
                return $"{left.GetType()} {difference}";
            }
        }

        return null;
    }

    private FieldInfo[] FieldsOf(Type type)
    {
        if (!_fields.TryGetValue(type, out var fields))
        {
            const BindingFlags OwnFields =
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            var found = new List<FieldInfo>();
            for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
            {
                found.AddRange(declaring.GetFields(OwnFields));
            }

            fields = [.. found];
            _fields.Add(type, fields);
        }

        return fields;
    }
}
