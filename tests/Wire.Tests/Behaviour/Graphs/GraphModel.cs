using System.Collections;
using System.Collections.Frozen;
using System.Collections.Immutable;

namespace Wire.Tests.Behaviour.Graphs;

/// <summary>Its last member decides how the items in the collections before it compare.</summary>
public sealed class Owner
{
    public object? First;
    public HashSet<Item>? Hashed;
    public Dictionary<Item, object?>? Named;
    public OrderedDictionary<Item, int>? Ordered;
    public Hashtable? Table;
    public SortedSet<Item>? Sorted;
    public SortedDictionary<Item, int>? SortedNames;
    public ImmutableHashSet<Item>? Immutable;
    public ImmutableSortedSet<Item>? ImmutableSorted;
    public FrozenSet<Item>? Frozen;
    public object? Other;
    public string? Zname;
}

/// <summary>Equal by what its owner is called.</summary>
public sealed class Item : IComparable<Item>
{
    public int Id;
    public Owner? Owner;

    public int CompareTo(Item? other) =>
        string.CompareOrdinal(Owner?.Zname, other?.Owner?.Zname) is not 0 and var order ? order : Id.CompareTo(other?.Id);

    public override bool Equals(object? obj) => obj is Item other && other.Id == Id && other.Owner?.Zname == Owner?.Zname;

    public override int GetHashCode() => HashCode.Combine(Owner?.Zname, Id);
}

/// <summary>Equal as records are: by all members, of which the last comes after the rooms.</summary>
public sealed record House
{
    public HashSet<Room>? Rooms { get; set; }

    public string? Zname { get; set; }
}

public sealed record Room(House House, int Id);

/// <summary>A comparer with state, which its own collections use while it is read.</summary>
public sealed class Comparing : IEqualityComparer<string>, IComparer<string>
{
    public Dictionary<string, object?>? Cache;
    public SortedDictionary<string, int>? Order;
    public HashSet<string>? Texts;
    public bool ZisReverse;

    public int Compare(string? x, string? y) => ZisReverse ? string.CompareOrdinal(y, x) : string.CompareOrdinal(x, y);

    public bool Equals(string? x, string? y) =>
        string.Equals(x, y, ZisReverse ? StringComparison.Ordinal : StringComparison.OrdinalIgnoreCase);

    public int GetHashCode(string obj) =>
        (ZisReverse ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase).GetHashCode(obj) ^ (ZisReverse ? 1 : 0);
}

/// <summary>The parent of what is written by stand-ins that hold it.</summary>
public sealed class Parent
{
    public object? First;
    public List<Kid>? Kids;
    public string? Name;
}

/// <summary>Notes what its conversion saw of the parent.</summary>
public sealed class Kid
{
    public Kid(Parent? parent, int id) => (Parent, Id, Seen) = (parent, id, parent?.Name + id);

    public Parent? Parent { get; }

    public int Id { get; }

    public string Seen { get; }
}

public sealed class KidName
{
    public int Id;
    public Parent? Parent;
}

/// <summary>Written by a value serializer, in a frame.</summary>
public sealed class Framed
{
    public object? Inside;
}

public sealed class FramedSerializer : ValueSerializer<Framed>
{
    public override void Write(ref WireWriter writer, Framed value) => writer.WriteValue(value.Inside);

    public override Framed Read(ref WireReader reader) => new() { Inside = reader.ReadValue<object?>() };
}

public struct Cell
{
    public object? Any;
    public Item? Item;
    public DateTime When;
}

/// <summary>What another version of the program has written.</summary>
[WireName("Graphs.Case")]
public sealed class WrittenCase
{
    public object? Archive;
    public List<object?>? Before;
    public Cell Cell;
    public object? Kept;
    public WrittenCase? Next;
    public object?[]? Rest;
}

/// <summary>The same with members removed: behind each of them stands one that may share what it held.</summary>
[WireName("Graphs.Case")]
public sealed class ReadCase
{
    public object? Kept;
    public ReadCase? Next;
    public object?[]? Rest;
}
