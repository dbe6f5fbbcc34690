using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Tests.Behaviour;

namespace Wire.Tests.Hostile.Confusions;

public interface IShape;

/// <summary>Has a surrogate for all that derive from it.</summary>
public abstract class Shape : IShape
{
    public static readonly Surrogate Surrogate = Surrogate.Create<Shape, ShapeRecord>(
        shape => new ShapeRecord { IsRound = shape is Circle },
        record => record.IsRound ? new Circle() : new Square());
}

public sealed class Circle : Shape;

public sealed class Square : Shape;

public sealed class ShapeRecord
{
    public bool IsRound;
    public object? Within;
}

/// <summary>Has a value serializer of the user's, which can be made to return nothing.</summary>
public class Own
{
    public object? Any;

    public sealed class Serializer : ValueSerializer<Own>
    {
        public override void Write(ref WireWriter writer, Own value) => writer.WriteValue(value.Any);

        public override Own Read(ref WireReader reader) => reader.ReadValue<object>() switch
        {
            13 => null!,
            var any => new Own { Any = any },
        };
    }
}

public sealed class ByLength : IEqualityComparer<string>
{
    public object? Any;

    public bool Equals(string? x, string? y) => x?.Length == y?.Length;

    public int GetHashCode(string obj) => obj.Length;
}

public struct Slot<T>
{
    public T? Value;
    public object? Other;
}

public class Failure : Exception
{
    public Leaf? Leaf;
}

/// <summary>A variable of every kind, each of which is null or holds nulls: where a payload says so, anything else can be put.</summary>
public abstract class Slots
{
    public object? Any;
    public Leaf? Sealed;
    public Node? Open;
    public Animal? Abstract;
    public IShape? Interface;
    public Square? Surrogated;
    public Shape? SurrogatedBase;
    public Own? Serialized;
    public string? Text;
    public Uri? BuiltIn;
    public Version? BuiltInToo;
    public Type? Type;
    public Action? Delegate;
    public Func<int, string>? GenericDelegate;
    public IComparable? Comparable;
    public ValueType? Boxed;
    public Enum? BoxedEnum;
    public Color? Enum;
    public Point? Nullable;
    public Box<Leaf>? Generic;
    public IEnumerable<string>? Covariant;
    public IComparer<Cat>? Contravariant;
    public Array? AnyArray;
    public object?[]? Objects;
    public string?[]? Strings;
    public Animal?[]? Animals;
    public int[]? Ints;
    public uint[]? Unsigned;
    public Color[]? Colors;
    public int[][]? Jagged;
    public int[,]? Grid;
    public Leaf[,]? LeafGrid;
    public IList<int>? List;
    public ICollection? Collection;
    public IDictionary? Dictionary;
    public Exception? Error;
    public Failure? OwnError;
    public MulticastDelegate? Multicast;
    public Slots? Self;

    public Slot<Leaf> InStruct;
    public Slot<Slot<string[]>> InStructs;
    public Slot<Cat>? InNullable = new Slot<Cat>();
    public (Leaf?, object?, string?) ValueTuple;
    public Tuple<Leaf?, Action?> Tuple = System.Tuple.Create<Leaf?, Action?>(null, null);
    public KeyValuePair<Leaf?, Cat?> Pair;
    public object?[] ObjectsOf = [null];
    public object?[] ObjectsThatAreCats = new Cat?[1];
    public Cat?[] Cats = [null];
    public string?[] StringsOf = [null];
    public Leaf?[,] Rank2 = new Leaf?[1, 1];
    public List<Dog?> Dogs = [null];
    public Dictionary<string, Leaf?> Map = new() { ["k"] = null };
    public SortedDictionary<int, Cat?> Sorted = new() { [1] = null };
    public Dictionary<string, int> Compared = new(new ByLength());
    public HashSet<Leaf?> Set = [null];
    public HashSet<object?> ObjectSet = [null];
    public Queue<Leaf?> Queue = new([null]);
    public LinkedList<Cat?> Linked = new([null]);
    public ConcurrentDictionary<int, Leaf?> Concurrent = new([new(1, null)]);
    public ImmutableArray<Leaf?> Immutable = [null];
    public ImmutableList<Cat?> ImmutableList = [null];
    public ImmutableDictionary<string, Leaf?> ImmutableMap = ImmutableDictionary<string, Leaf?>.Empty.Add("k", null);
    public ArrayList Untyped = [null];
    public Hashtable Table = new() { ["k"] = null };
    public ReadOnlyCollection<Leaf?> ReadOnly = new([null]);
    public Collection<Cat?> Wrapped = [null];
    public Lazy<Leaf?> Lazy = new((Leaf?)null);
    public Memory<Leaf?> Memory = new Leaf?[1];
    public ReadOnlyMemory<string?> ReadOnlyMemory = new string?[1];
    public ArraySegment<Cat?> Segment = new([null]);
    public Failure Thrown = new();
    public AggregateException Several = new();
    public Own OwnOf = new();
    public Square StandIn = new();
    public readonly Leaf? ReadOnlyField;
    private Cat? _private;

    protected Slots()
    {
        ReadOnlyField = null;
        _private = null;
    }

    public Leaf? Property { get; set; }

    public Cat? InitOnly { get; init; }

    public Cat? Private() => _private;

    public void Set1(Cat? cat) => _private = cat;
}

[WireName("Confusion.Slots")]
public sealed class WrittenSlots : Slots
{
    public object? Gone;
}

[WireName("Confusion.Slots")]
public sealed class OtherSlots : Slots
{
    public Leaf? Added;
}

/// <summary>First objects of every kind, and then the variables.</summary>
[WireName("Confusion.Message")]
public sealed class Confused<TSlots>
{
    public object?[]? Pool;
    public TSlots? Slots;
}
