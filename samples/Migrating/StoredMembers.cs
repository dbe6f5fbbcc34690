using System.Collections;
using System.Globalization;
using System.Runtime.Serialization;

// What BinaryFormatter asked types for is what this shows.
#pragma warning disable SYSLIB0050, SYSLIB0051

namespace Shop;

/// <summary>The names under which BinaryFormatter stored the members of types: a table of docs/migrating.md.</summary>
internal static class StoredMembers
{
    private static readonly (object Value, string Names)[] Expected =
    [
        (new List<int> { 1 }, "_items, _size, _version"),
        (new ArrayList { 1 }, "_items, _size, _version"),
        (new Stack<int>([1]), "_array, _size, _version"),
        (new Queue<int>([1]), "_array, _head, _tail, _size, _version"),
        (new Dictionary<string, int> { ["a"] = 1 }, "Version, Comparer, HashSize, KeyValuePairs"),
        (new Dictionary<string, int>(), "Version, Comparer, HashSize"),
        (new KeyValuePair<int, int>(1, 2), "key, value"),
        (new HashSet<int> { 1 }, "Version, Comparer, Capacity, Elements"),
        (new Hashtable { [1] = 2 }, "LoadFactor, Version, Comparer, HashCodeProvider, HashSize, Keys, Values"),
        (DayOfWeek.Friday, "value__"),
        (Tuple.Create(1, 2), "m_Item1, m_Item2"),
        ((1, 2), "Item1, Item2"),
        (DateTimeOffset.UnixEpoch, "DateTime, OffsetMinutes"),
        (Guid.Empty, "_a, _b, _c, _d, _e, _f, _g, _h, _i, _j, _k"),
        (new Version(1, 2), "_Major, _Minor, _Build, _Revision"),
        (new Uri("http://a/b"), "AbsoluteUri"),
        (new Child(1), "_own, Parent+_number"),
    ];

    public static bool Check()
    {
        bool isRight = true;
        foreach ((object value, string expected) in Expected)
        {
            string actual = string.Join(", ", Names(value));
            isRight &= actual == expected;
            string name = Convert.ToString(value.GetType().Name, CultureInfo.InvariantCulture);
            Console.WriteLine($"  {name,-20} {actual}{(actual == expected ? "" : $", and not {expected}")}");
        }

        return isRight;
    }

    private static List<string> Names(object value)
    {
        if (value is not ISerializable serializable)
        {
            return [.. FormatterServices.GetSerializableMembers(value.GetType()).Select(member => member.Name)];
        }

        var info = new SerializationInfo(value.GetType(), new FormatterConverter());
        serializable.GetObjectData(info, new StreamingContext(StreamingContextStates.All));
        var names = new List<string>();
        foreach (SerializationEntry entry in info)
        {
            names.Add(entry.Name);
        }

        return names;
    }
}

#pragma warning restore SYSLIB0050, SYSLIB0051
