using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Collections of one kind that become those of another, with the same elements.</summary>
internal static class CollectionChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;
    private const string Twice = "where an element comes twice";

    public static IEnumerable<Change> All =>
    [
        Change.OfMember<List<int>, int[]>("`List<T>` to `T[]`").BothRead([1, 2], [1, 2], "the elements"),
        Change.OfMember<List<Line>, Line[]>("`List<T>` to `T[]`, of a class")
            .BothRead([new() { X = 1 }], [new() { X = 1 }], "the elements"),
        Change.OfMember<List<int>, IReadOnlyList<int>>("`List<T>` to `IReadOnlyList<T>` or another interface")
            .BothRead([1, 2], new List<int> { 1, 2 }, "the elements"),
        Change.OfMember<int[], IReadOnlyList<int>>("`T[]` to `IReadOnlyList<T>` or another interface")
            .NewReads([1, 2], new[] { 1, 2 }, "the array")
            .OldReads(new List<int> { 1, 2 }, [1, 2], "the elements"),
        Change.OfMember<List<int>, List<long?>>("elements widened").BothRead([1, 2], [1, 2], "the elements")
            .OldRefuses([null], "where one is null", Mismatch, "null"),
        Change.OfMember<List<int>, Queue<int>>("`List<T>` to `Queue<T>`").BothRead([1, 2], new([1, 2]), "the elements"),
        Change.OfMember<List<int>, Stack<int>>("`List<T>` to `Stack<T>`")
            .BothRead([1, 2], new([1, 2]), "the elements, the last on top"),
        Change.OfMember<List<int>, ImmutableArray<int>>("`List<T>` to `ImmutableArray<T>`").BothRead([1, 2], [1, 2], "the elements"),
        Change.OfMember<List<int>, ImmutableList<int>>("`List<T>` to `ImmutableList<T>`").BothRead([1, 2], [1, 2], "the elements"),
        Change.OfMember<List<int>, ReadOnlyCollection<int>>("`List<T>` to `ReadOnlyCollection<T>`")
            .NewReads([1, 2], new([1, 2]), "the elements").OldReads(new([1, 2]), [1, 2], "the elements"),
        Change.OfMember<int[], ArraySegment<int>>("`T[]` to `ArraySegment<T>`").BothRead([1, 2], new([1, 2]), "the elements"),
        Change.OfMember<List<int>, HashSet<int>>("`List<T>` to a set")
            .BothRead([1, 2], [1, 2], "the elements").NewRefuses([1, 1], Twice, WireFormatError.InvalidValue, "twice"),
        Change.OfMember<HashSet<string>, List<string>>("set with a comparer to `List<T>`, and back")
            .NewReads(new(["a", "b"], StringComparer.OrdinalIgnoreCase), ["a", "b"], "the elements")
            .OldReads(["a", "b"], ["a", "b"], "the elements, with the default comparer"),
        Change.OfMember<HashSet<int>, SortedSet<int>>("`HashSet<T>` to `SortedSet<T>`").BothRead([1, 2], [1, 2], "the elements"),
        Change.OfMember<HashSet<int>, FrozenSet<int>>("`HashSet<T>` to `FrozenSet<T>` or an immutable set")
            .BothRead([1, 2], FrozenSet.Create(1, 2), "the elements"),
        Change.OfMember<Dictionary<int, string>, SortedDictionary<int, string>>("`Dictionary` to `SortedDictionary`")
            .BothRead(new() { [1] = "a" }, new() { [1] = "a" }, "the pairs"),
        Change.OfMember<Dictionary<int, string>, IReadOnlyDictionary<int, string>>("`Dictionary` to `IReadOnlyDictionary`")
            .BothRead(new() { [1] = "a" }, new Dictionary<int, string> { [1] = "a" }, "the pairs"),
        Change.OfMember<Dictionary<int, string>, ImmutableDictionary<int, string>>("`Dictionary` to an immutable or frozen one")
            .BothRead(new() { [1] = "a" }, ImmutableDictionary<int, string>.Empty.Add(1, "a"), "the pairs"),
        Change.OfMember<Dictionary<int, int>, Dictionary<long, double>>("keys and values widened")
            .BothRead(new() { [1] = 2 }, new() { [1] = 2 }, "the pairs"),
        Change.OfMember<Dictionary<int, string>, List<KeyValuePair<int, string>>>("`Dictionary` to a list of pairs")
            .NewRefuses(new() { [1] = "a" }, Mismatch, "Value", "map of", "List<KeyValuePair")
            .OldRefuses([new(1, "a")], Mismatch, "Value", "sequence of", "Dictionary<"),
        Change.OfMember<int, List<int>>("one value to a list of them").BothRefuse(1, [1], Mismatch, "Value", "Int32"),
        Change.OfMember<int[], object>("`T[]` to `object`, and back").BothRead([1, 2], new[] { 1, 2 }, "the array"),
        Change.OfMember<int[,], int[]>("`T[,]` to `T[]`")
            .NewRefuses(new[,] { { 1, 2 } }, Mismatch, "Value", "Int32[]")
            .OldRefuses([1, 2], WireFormatError.TypeMismatch, "Value", "Int32[,]"),
        Change.OfMember<(int, int), (int, int, int)>("value tuple gets an element")
            .NewReads((1, 2), (1, 2, 0), "the elements that both have").OldReads((1, 2, 3), (1, 2), "the elements that both have"),
        Change.Of<Named, Swapped>("named elements of a value tuple change places")
            .BothRead(new() { Pair = (1, 2) }, new() { Pair = (2, 1) }, "the elements, by their names"),
        Change.Of<Named, Renamed>("element of a value tuple renamed")
            .NewReads(new() { Pair = (1, 2) }, new() { Pair = (1, 0) }, "the elements that both have")
            .OldReads(new() { Pair = (1, 2) }, new() { Pair = (1, 0) }, "the elements that both have"),
        Change.Of<Named, AllRenamed>("all elements of a value tuple renamed")
            .BothRefuse(new() { Pair = (1, 2) }, new() { Pair = (1, 2) }, Mismatch, "Pair", "no member in common"),
        Change.Of<Unnamed, Named>("elements of a value tuple get names")
            .NewReads(new() { Pair = (1, 2) }, new() { Pair = (1, 2) }, "the elements, by their places")
            .OldRefuses(new() { Pair = (1, 2) }, Mismatch, "Pair", "no member in common"),
        Change.OfMember<Tuple<int, int>, (int, int)>("`Tuple` to a value tuple")
            .BothRefuse(new(1, 2), (1, 2), Mismatch, "Value", "Tuple"),
        Change.OfMember<KeyValuePair<int, int>, (int, int)>("`KeyValuePair` to a value tuple")
            .BothRefuse(new(1, 2), (1, 2), Mismatch, "Value", "no member in common"),
        Change.OfMember<(int, int), Pair>("value tuple to a struct or record of one's own")
            .BothRefuse((1, 2), new() { X = 1, Y = 2 }, Mismatch, "Value", "no member in common"),
    ];

    public sealed class Line
    {
        public int X { get; init; }
    }

    public record struct Pair(int X, int Y);

    public sealed class Unnamed
    {
        public (int, int) Pair;
    }

    public sealed class Named
    {
        public (int Left, int Right) Pair;
    }

    public sealed class Swapped
    {
        public (int Right, int Left) Pair;
    }

    public sealed class Renamed
    {
        public (int Left, int Last) Pair;
    }

    public sealed class AllRenamed
    {
        public (int First, int Last) Pair;
    }
}
