using System.Collections;
using System.Globalization;
using System.Text;

namespace Wire.Comparing;

/// <summary>Pairs the items of collections that have no order of their own.</summary>
internal static class Unordered
{
    private const int Depth = 40;
    private const int Parts = 2000;

    /// <summary>
    /// Items whose keys are known to be the same object are pairs; the rest is paired in the order of what it is made of. ToString is not
    /// asked: it may be a user's.
    /// </summary>
    public static (object?[] Expected, object?[] Actual) Paired(object?[] expected, object?[] actual, Dictionary<object, object> known)
    {
        var left = new List<object?>();
        var right = new List<object?>();
        var rest = actual.ToList();
        var unknown = new List<object?>();
        foreach (object? item in expected)
        {
            int at = KeyOf(item) is { } key && known.TryGetValue(key, out object? same)
                ? rest.FindIndex(other => ReferenceEquals(KeyOf(other), same)) : -1;
            if (at < 0)
            {
                unknown.Add(item);
                continue;
            }

            left.Add(item);
            right.Add(rest[at]);
            rest.RemoveAt(at);
        }

        left.AddRange(unknown.OrderBy(Digest, StringComparer.Ordinal));
        right.AddRange(rest.OrderBy(Digest, StringComparer.Ordinal));
        return ([.. left], [.. right]);
    }

    private static object? KeyOf(object? item) => item switch
    {
        null => null,
        DictionaryEntry entry => entry.Key,
        _ when IsPair(item.GetType()) => item.GetType().GetProperty("Key")!.GetValue(item),
        _ => item,
    };

    private static bool IsPair(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>);

    private static string Digest(object? item)
    {
        var text = new StringBuilder();
        int parts = Parts;
        Add(KeyOf(item), Depth);
        if (!ReferenceEquals(KeyOf(item), item))
        {
            Add(item, Depth);
        }

        return text.ToString();

        void Add(object? value, int depth)
        {
            if (depth == 0 || parts-- <= 0 || value is null)
            {
                text.Append(value is null ? "null;" : "...;");
                return;
            }

            Type type = value.GetType();
            text.Append(type.Name).Append(':');
            if (type.IsPrimitive || value is string or decimal or Guid or Enum)
            {
                text.Append(Convert.ToString(value, CultureInfo.InvariantCulture)).Append(';');
                return;
            }

            if (value is DateTime time)
            {
                text.Append(ScalarAssert.Bits(time)).Append(';');
                return;
            }

            TypeFaces faces = TypeFaces.Of(type);
            if (ScalarAssert.Same(value, value) is not null)
            {
                text.Append(type.Namespace!.StartsWith("System", StringComparison.Ordinal) ? value.ToString() : "").Append(';');
                return;
            }

            // Arrays have no fields.
            object?[] items = value is Array array ? [.. array] : faces.Part is { } part ? ItemsOf(value, part) : [];
            foreach (object? inner in items)
            {
                Add(inner, depth - 1);
            }

            foreach (TypeFaces.Face face in faces.Fields)
            {
                Add(face.Get(value), depth - 1);
            }
        }
    }

    private static object?[] ItemsOf(object value, Type part)
    {
        CollectionState state = CollectionState.Of(value, part);
        return state.IsUnordered ? [state.Items.Length] : state.Items;
    }
}
