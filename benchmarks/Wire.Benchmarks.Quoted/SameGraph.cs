using System.Collections;
using System.Reflection;

namespace Wire.Benchmarks.Quoted;

/// <summary>Compares two graphs by all of their fields, private ones too: what was one object has to be one object again.</summary>
internal sealed class SameGraph
{
    private readonly Dictionary<object, object> _pairs = new(ReferenceEqualityComparer.Instance);

    private SameGraph()
    {
    }

    public static bool Same(object? left, object? right) => new SameGraph().IsSame(left, right);

    private bool IsSame(object? left, object? right)
    {
        if (left is null || right is null || left.GetType() != right.GetType())
        {
            return left is null && right is null;
        }

        if (left is DateTime date)
        {
            return date.Equals(right) && date.Kind == ((DateTime)right).Kind;
        }

        // The structs of the models have no objects.
        if (left is string or ValueType)
        {
            return left.Equals(right);
        }

        return _pairs.TryAdd(left, right)
            ? (left, right) switch
            {
                (byte[] a, byte[] b) => a.AsSpan().SequenceEqual(b),
                (IList a, IList b) => a.Count == b.Count && Enumerable.Range(0, a.Count).All(i => IsSame(a[i], b[i])),
                (IDictionary a, IDictionary b) => a.Count == b.Count && a.Keys.Cast<object>().All(key => IsSame(a[key], b[key])),
                _ => Array.TrueForAll(
                    left.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic),
                    field => IsSame(field.GetValue(left), field.GetValue(right))),
            }
            : ReferenceEquals(_pairs[left], right);
    }
}
