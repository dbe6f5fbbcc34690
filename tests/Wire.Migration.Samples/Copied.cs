using System.Collections;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Runtime.Serialization;

// What BinaryFormatter asked types for is what this is about.
#pragma warning disable SYSLIB0050, CA2229

namespace Wire.Migration.Samples;

/// <summary>Copies a collection in its constructor, as classes did that had BinaryFormatter fill it first.</summary>
[Serializable]
public sealed class Copied : ISerializable
{
    private readonly IEnumerable _collection;

    public Copied(IEnumerable collection)
    {
        _collection = collection;
        Entries = Copy(collection);
    }

    private Copied(SerializationInfo info, StreamingContext context)
    {
        _collection = (IEnumerable)info.GetValue("collection", typeof(object))!;
        if (_collection is IDeserializationCallback callback and not OrderedDictionary)
        {
            callback.OnDeserialization(null);
        }

        Entries = Copy(_collection);
    }

    /// <summary>The collections of .NET, with keys that compare themselves.</summary>
    public static Copied[] All =>
    [
        new(new Dictionary<Key, int> { [new(1)] = 1 }), new(new Dictionary<string, int>(new ByLength()) { ["abc"] = 3 }),
        new(new HashSet<Key> { new(1), new(2) }), new(new SortedSet<string>(new ByLength()) { "a", "bb" }),
        new(new SortedDictionary<string, Key>(new ByLength()) { ["a"] = new(1) }),
        new(new SortedList<string, Key>(new ByLength()) { ["a"] = new(1) }), new(new Hashtable { [new Key(1)] = "a" }),
        new(new SortedList { ["a"] = 1 }), new(new ListDictionary { ["a"] = new Key(1) }),
        new(new HybridDictionary { [new Key(1)] = "a" }), new(new OrderedDictionary { [new Key(1)] = 1 }),
        new(new LinkedList<Key>([new(1)])), new(new List<Key> { new(1) }), new(new Queue<Key>([new(1)])), new(new Keyed { new(1) }),
        new(new Collection<Key> { new(1) }), new(new ReadOnlyDictionary<Key, int>(new Dictionary<Key, int> { [new(1)] = 1 })),
    ];

    /// <summary>The type of the collection and its elements, as text.</summary>
    public string[] Entries { get; }

    public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("collection", _collection);

    private static string[] Copy(IEnumerable collection) =>
    [
        collection.GetType().ToString(),
        .. collection.Cast<object>().Select(item => item is DictionaryEntry entry ? $"{entry.Key}={entry.Value}" : $"{item}"),
    ];
}

/// <summary>Keys by themselves.</summary>
[Serializable]
public sealed class Keyed : KeyedCollection<Key, Key>
{
    protected override Key GetKeyForItem(Key item) => item;
}

/// <summary>Has the hash code that it computed after it was read.</summary>
[Serializable]
public sealed class LateKey(string name) : IComparable<LateKey>
{
    private readonly string _name = name;

    [NonSerialized]
    private string? _folded = name.ToUpperInvariant();

    public string Name => _name;

    public override bool Equals(object? obj) => obj is LateKey { _folded: var folded } && folded == _folded;

    public override int GetHashCode() => _folded?.GetHashCode(StringComparison.Ordinal) ?? 0;

    public int CompareTo(LateKey? other) => string.CompareOrdinal(_folded, other?._folded);

    [OnDeserialized]
    private void Fold(StreamingContext context) => _folded = _name.ToUpperInvariant();
}

/// <summary>Is in the keys of its own table.</summary>
[Serializable]
public sealed class Selfish
{
    public Dictionary<object, int> Table { get; } = [];

    public int Seen { get; private set; }

    public static Selfish Create()
    {
        var made = new Selfish();
        made.Table[Tuple.Create(made, new LateKey("a"))] = 1;
        return made;
    }

    [OnDeserialized]
    private void Count(StreamingContext context) => Seen = Table.Count;
}

/// <summary>Is made of a collection whose keys lead back to it.</summary>
[Serializable]
public sealed class Circular : ISerializable
{
    private readonly Dictionary<object, int> _table;

    public Circular() => _table = new() { [Tuple.Create(this)] = 1 };

    private Circular(SerializationInfo info, StreamingContext context) =>
        _table = new((Dictionary<object, int>)info.GetValue("table", typeof(object))!);

    public int Count => _table.Count;

    public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("table", _table);
}

/// <summary>A list of nodes that refer to the next one.</summary>
[Serializable]
public sealed class Node
{
    public Node? Next;
}

/// <summary>A list of nodes that write themselves.</summary>
[Serializable]
public sealed class WrittenNode : ISerializable
{
    private WrittenNode(SerializationInfo info, StreamingContext context) =>
        Next = (WrittenNode?)info.GetValue("Next", typeof(WrittenNode));

    public WrittenNode? Next { get; }

    public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Next", Next);
}

#pragma warning restore SYSLIB0050, CA2229
