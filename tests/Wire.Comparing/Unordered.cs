using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Comparing;

/// <summary>Pairs the items of collections that have no order of their own.</summary>
internal static class Unordered
{
    private const int Depth = 40;
    private const int Parts = 2000;

    /// <summary>
    /// Items whose keys are known to be the same object are pairs; the rest is paired in the order of what it is made of. ToString is not
    /// asked: it may be a user's. Where objects are shared alike (<paramref name="isShared"/>), so is what they have in common: an item
    /// that holds one object twice is no pair of one that holds two, nor an item with a known object of one with another. Items that look
    /// alike may be told apart by what else refers to them: they are left for later, unless <paramref name="isForced"/> takes the first.
    /// </summary>
    public static Pairing Paired(
        object?[] expected,
        object?[] actual,
        Dictionary<object, object> known,
        Dictionary<object, object> back,
        bool isShared,
        bool isForced)
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

        Func<object, object?>? before = isShared ? known.GetValueOrDefault : null;
        Func<object, object?>? itself = isShared ? item => back.ContainsKey(item) ? item : null : null;
        List<IGrouping<string, object?>> ours = Alike(unknown, before);
        List<IGrouping<string, object?>> theirs = Alike(rest, itself);
        if (!isShared
            || !ours.Select(group => (group.Key, group.Count())).SequenceEqual(theirs.Select(group => (group.Key, group.Count()))))
        {
            return new([.. left, .. ours.SelectMany(group => group)], [.. right, .. theirs.SelectMany(group => group)], [], []);
        }

        string? forced = isForced ? ours.Find(group => group.Count() > 1)?.Key : null;
        bool Takes(IGrouping<string, object?> group) => group.Count() == 1 || group.Key == forced;
        return new(
            [.. left, .. ours.Where(Takes).SelectMany(group => group)], [.. right, .. theirs.Where(Takes).SelectMany(group => group)],
            [.. ours.Where(group => !Takes(group)).SelectMany(group => group)],
            [.. theirs.Where(group => !Takes(group)).SelectMany(group => group)]);
    }

    private static List<IGrouping<string, object?>> Alike(List<object?> items, Func<object, object?>? counterpart) =>
        [.. items.GroupBy(item => Digest(item, counterpart)).OrderBy(group => group.Key, StringComparer.Ordinal)];

    private static object? KeyOf(object? item) => item switch
    {
        null => null,
        DictionaryEntry entry => entry.Key,
        _ when IsPair(item.GetType()) => item.GetType().GetProperty("Key")!.GetValue(item),
        _ => item,
    };

    private static bool IsPair(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>);

    // What counterpart gives is the object on the side of what was read, of those that are known already.
    private static string Digest(object? item, Func<object, object?>? counterpart)
    {
        var text = new StringBuilder();
        var met = new Dictionary<object, int>(ReferenceEqualityComparer.Instance);
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
            bool isLeaf = ScalarAssert.Same(value, value) is not null;
            if (counterpart is not null && !type.IsValueType && (!isLeaf || faces.IsObjectOfItsOwn))
            {
                if (counterpart(value) is { } known)
                {
                    text.Append('=').Append(RuntimeHelpers.GetHashCode(known)).Append(';');
                    return;
                }

                if (!met.TryAdd(value, met.Count))
                {
                    text.Append('#').Append(met[value]).Append(';');
                    return;
                }
            }

            if (isLeaf)
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

    /// <summary>The items that are pairs, and those that are left for later.</summary>
    public readonly record struct Pairing(object?[] Expected, object?[] Actual, object?[] ExpectedRest, object?[] ActualRest);
}
