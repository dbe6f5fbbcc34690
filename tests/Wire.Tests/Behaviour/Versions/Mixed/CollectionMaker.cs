using System.Collections;
using System.Collections.Immutable;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>Collections by the names that the table of contracts gives them.</summary>
internal static class CollectionMaker
{
    public static object OfItems<T>(string name, object?[] values)
    {
        T[] items = Array.ConvertAll(values, value => (T)value!);
        return name switch
        {
            "[]" => items,
            "Queue" => new Queue<T>(items),
            "ImmutableArray" => items.ToImmutableArray(),
            "HashSet" => new HashSet<T>(items),
            "SortedSet" => new SortedSet<T>(items),
            "ImmutableHashSet" => items.ToImmutableHashSet(),
            _ => new List<T>(items),
        };
    }

    public static object OfPairs<TKey, TValue>(string name, object?[] values)
        where TKey : notnull
    {
        Dictionary<TKey, TValue> pairs = values.Chunk(2).ToDictionary(pair => (TKey)pair[0]!, pair => (TValue)pair[1]!);
        return name switch
        {
            "SortedDictionary" => new SortedDictionary<TKey, TValue>(pairs),
            "ImmutableDictionary" => pairs.ToImmutableDictionary(),
            _ => pairs,
        };
    }

    /// <summary>Returns whether a collection is an array that was never made.</summary>
    public static bool IsDefault(object value) =>
        value is ValueType && (bool)value.GetType().GetProperty(nameof(ImmutableArray<>.IsDefault))!.GetValue(value)!;

    public static IEnumerable<DictionaryEntry> Pairs(object map)
    {
        IDictionaryEnumerator pairs = ((IDictionary)map).GetEnumerator();
        while (pairs.MoveNext())
        {
            yield return pairs.Entry;
        }
    }
}
