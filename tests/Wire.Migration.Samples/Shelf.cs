using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Wire.Migration.Samples;

[Serializable]
public sealed class Part
{
    public object? Of { get; set; }

    public int Number { get; set; }
}

/// <summary>What became of <see cref="Former.Shelf"/>: the same elements in other collections.</summary>
public sealed class Shelf
{
    public Part? First { get; set; }

    public Part[]? Parts { get; set; }

    public Part[]? Again { get; set; }

    public ImmutableDictionary<string, Part>? ByName { get; set; }

    public IReadOnlyDictionary<Part, string>? ByPart { get; set; }

    public string?[]? Names { get; set; }

    public List<string>? Words { get; set; }

    public long[]? Numbers { get; set; }

    public uint[]? Signed { get; set; }

    public ImmutableArray<int> Counts { get; set; }

    public ImmutableList<object>? Big { get; set; }

    public ReadOnlyMemory<long> Window { get; set; }

    public ImmutableArray<int> Nothing { get; set; }

    public ArraySegment<int> NoSegment { get; set; }

    public ImmutableArray<int>? Present { get; set; }

    public List<int>? Segment { get; set; }

    public ImmutableHashSet<string>? Tags { get; set; }

    public FrozenSet<string>? Lengths { get; set; }

    public int[]? Bag { get; set; }

    public FrozenDictionary<string, long>? Prices { get; set; }

    public SortedDictionary<string, int[]>? Lists { get; set; }

    public LinkedList<int>? Queue { get; set; }

    public ImmutableStack<string>? Stack { get; set; }

    public IReadOnlySet<int>? Collection { get; set; }

    public List<string>? View { get; set; }

    public ReadOnlyCollection<string>? Viewed { get; set; }

    public ImmutableArray<ImmutableList<int>> Jagged { get; set; }

    public (long Number, string Name)[]? Pairs { get; set; }

    public (long Number, string Name)? Pair { get; set; }

    public Dictionary<string, int>? Ordered { get; set; }

    public Dictionary<string, int>? Table { get; set; }

    public Dictionary<string, string[]>? Values { get; set; }

    public int[]? Untyped { get; set; }

    public int[]? Boxed { get; set; }

    /// <summary>Makes what the recorded one is now.</summary>
    public static Shelf Create()
    {
        var shelf = new Shelf
        {
            Names = ["a", null],
            Words = ["b", "c"],
            Numbers = [1, 2],
            Signed = [1, 2],
            Counts = [3, 4],
            Big = [300],
            Window = new long[] { 5, 6 },
            Present = [7],
            Segment = [2, 3],
            Tags = ImmutableHashSet.Create(StringComparer.OrdinalIgnoreCase, "x", "y"),
            Lengths = FrozenSet.Create(new ByLength(), "abc"),
            Bag = [9, 8],
            Prices = new Dictionary<string, long> { ["A"] = 1 }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase),
            Lists = new() { ["b"] = [1], ["a"] = [] },
            Queue = new([1, 2]),
            Stack = ImmutableStack.Create("a", "b"),
            Collection = new HashSet<int> { 1 },
            View = ["v"],
            Viewed = new(new[] { "w" }),
            Jagged = [[1, 2], []],
            Pairs = [(1, "a")],
            Pair = (2, "b"),
            Ordered = new() { ["b"] = 1, ["a"] = 2 },
            Table = new() { ["a"] = 1 },
            Values = new(StringComparer.Ordinal) { ["a"] = ["1", "2"] },
            Untyped = [1, 2],
            Boxed = [1],
        };
        shelf.First = new Part { Of = shelf, Number = 1 };
        shelf.Parts = [shelf.First, new Part { Of = shelf, Number = 2 }, shelf.First];
        shelf.Again = shelf.Parts;
        shelf.ByName = ImmutableDictionary.CreateRange([new KeyValuePair<string, Part>("a", shelf.First)]);
        shelf.ByPart = new Dictionary<Part, string> { [shelf.First] = "first" };
        return shelf;
    }
}
