using System.Numerics;
using Shop;
using Wire;

// What native code has to see of the types above: structs, enums, and collections with such elements or keys.
internal static class Rows
{
    public static WireTypes Types { get; } =
    [
        WireRow.Struct<Money>(),
        WireRow.Struct<Stock>(),
        WireRow.Struct<Pair<int>>(),
        WireRow.Struct<Pair<string>>(),
        WireRow.Struct<OldPoint>(),
        WireRow.Struct<NewPoint>(),
        WireRow.Struct<Vector3>(),
        WireRow.Struct<(int, string, int?)>(),
        WireRow.Struct<(int, (string, double))>(),
        WireRow.Struct<(string, double)>(),
        WireRow.Struct<(string, string)>(),
        WireRow.Struct<KeyValuePair<int, Money>>(),
        WireRow.Class<Tuple<int, Money>>(),
        WireRow.Class<Holder<int>>(),
        WireRow.Class<Holder<State>>(),
        WireRow.Enum<State>(),
        WireRow.Enum<Days>(),
        WireRow.Enum<Level, byte>(),
        WireRow.Surrogate<Range<int>, RangeData<int>>(),
        WireRow.Array<int[,], int>(),
        WireRow.List<int?>(),
        WireRow.List<Money?>(),
        WireRow.Dictionary<Money, object>(),
        WireRow.Dictionary<object, Money>(),
        WireRow.Dictionary<State, object>(),
        WireRow.Dictionary<int, double>(),
        WireRow.Dictionary<int, Money>(),
        WireRow.Dictionary<Guid, object>(),
        WireRow.HashSet<int>(),
        WireRow.SortedSet<int>(),
        WireRow.SortedDictionary<int, object>(),
        WireRow.LinkedList<int>(),
        WireRow.Queue<int>(),
        WireRow.Stack<int>(),
        WireRow.ConcurrentDictionary<int, object>(),
        WireRow.PriorityQueue<object, int>(),
        WireRow.Collection<int>(),
        WireRow.ArraySegment<int>(),
        WireRow.ImmutableArray<int>(),
        WireRow.ImmutableArray<Money>(),
        WireRow.ImmutableList<Money>(),
        WireRow.ImmutableDictionary<object, int>(),
        WireRow.ImmutableHashSet<Money>(),
        WireRow.ImmutableSortedDictionary<int, object>(),
        WireRow.FrozenDictionary<object, int>(),
        WireRow.FrozenSet<Money>(),
    ];
}
