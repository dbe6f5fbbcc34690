using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Runtime.CompilerServices;
using Microsoft.FSharp.Collections;
using Wire.Comparing;

namespace Wire.Tests.Testing;

/// <summary>The one comparison sees each kind of difference, and none where there is none.</summary>
public sealed class GraphAssertTests
{
    public static TheoryData<string> Pairs() => [.. Differences().Select(pair => pair.What)];

    public static TheoryData<string> Equals() => [.. Same().Select(pair => pair.What)];

    public static TheoryData<string> Tables() => [.. TornTables().Select(table => table.What)];

    [Theory]
    [MemberData(nameof(Pairs))]
    public void A_difference_is_seen(string what)
    {
        (_, object? left, object? right, bool? sharing) = Differences().Single(pair => pair.What == what);
        Assert.NotNull(GraphAssert.Difference(left, right, sharing));
        Assert.NotNull(GraphAssert.Difference(new object?[] { left }, new object?[] { right }, sharing));
    }

    [Theory]
    [MemberData(nameof(Equals))]
    public void No_difference_is_seen_where_there_is_none(string what)
    {
        (_, object? left, object? right, bool? sharing) = Same().Single(pair => pair.What == what);
        Assert.Null(GraphAssert.Difference(left, right, sharing));
    }

    [Theory]
    [MemberData(nameof(Tables))]
    public void A_table_that_does_not_find_its_own_key_is_seen(string what)
    {
        (_, Func<Key, object> make) = TornTables().Single(table => table.What == what);
        (object whole, object torn) = (Whole(make), Torn(make));
        Assert.Null(GraphAssert.Difference(whole, Whole(make), sharing: true));
        Assert.NotNull(GraphAssert.Difference(whole, torn, sharing: true));
        Assert.Throws<GraphDifferenceException>(() => GraphAssert.FindsItsKeys(torn));
        GraphAssert.FindsItsKeys(whole);
    }

    [Fact]
    public void A_key_that_is_not_found_in_the_original_either_is_the_programs_affair()
    {
        object Lost() => Torn(key => new HashSet<object> { key });
        Assert.Null(GraphAssert.Difference(Lost(), Lost(), sharing: true));
        GraphAssert.FindsItsKeys(new HashSet<Never> { new() });
        GraphAssert.FindsItsKeys(new HashSet<double> { double.NaN });
    }

    [Fact]
    public void The_message_asks_no_ToString_of_users()
    {
        var ring = new Ring(1);
        ring.Next = ring;
        string difference = GraphAssert.Difference(new object[] { ring }, new object[] { 1 }, sharing: true)!;
        Assert.Contains("value[0]: expected type", difference, StringComparison.Ordinal);
    }

    [Fact]
    public void A_graph_may_be_as_deep_as_it_is_large()
    {
        Assert.Null(GraphAssert.Difference(Chain(200_000, 0), Chain(200_000, 0), sharing: true));
        Assert.NotNull(GraphAssert.Difference(Chain(200_000, 0), Chain(200_000, 1), sharing: true));
    }

    private static Ring Chain(int length, int last)
    {
        var ring = new Ring(last);
        for (int i = 0; i < length; i++)
        {
            ring = new Ring(0) { Next = ring };
        }

        return ring;
    }

    private static object[] Whole(Func<Key, object> make)
    {
        var key = new Key { Owner = new Owner { Zname = "z" } };
        return [key, make(key)];
    }

    // As a reader makes it that adds a key before what the key leads to has been read.
    private static object[] Torn(Func<Key, object> make)
    {
        var key = new Key { Owner = new Owner() };
        object table = make(key);
        key.Owner.Zname = "z";
        return [key, table];
    }

    private static IEnumerable<(string What, Func<Key, object> Make)> TornTables()
    {
        yield return ("HashSet", key => new HashSet<Key> { key });
        yield return ("HashSet in ReadOnlySet", key => new ReadOnlySet<Key>(new HashSet<Key> { key }));
        yield return ("Dictionary", key => new Dictionary<Key, int> { [key] = 1 });
        yield return ("Dictionary in ReadOnlyDictionary", key => new ReadOnlyDictionary<Key, int>(new Dictionary<Key, int> { [key] = 1 }));
        yield return ("OrderedDictionary", key => new OrderedDictionary<Key, int> { [key] = 1 });
        yield return ("ConcurrentDictionary", key => new ConcurrentDictionary<Key, int> { [key] = 1 });
        yield return ("Hashtable", key => new Hashtable { [key] = 1 });
        yield return ("specialized OrderedDictionary", key => new OrderedDictionary { [key] = 1 });
        yield return ("HybridDictionary", Hybrid);
        yield return ("ImmutableHashSet", key => ImmutableHashSet.Create(key));
        yield return ("ImmutableDictionary", key => ImmutableDictionary<Key, int>.Empty.Add(key, 1));
        yield return ("FrozenSet", key => new[] { key }.Concat(Others()).ToFrozenSet());
        yield return ("FrozenDictionary", key => new[] { key }.Concat(Others()).ToFrozenDictionary(k => k, _ => 1));
        yield return ("ILookup", key => new[] { key }.ToLookup(k => k));
        yield return ("KeyedCollection", key => new ByOwner { key });
        yield return ("SortedSet", key => new SortedSet<Key>(Others()) { key });
        yield return ("SortedDictionary", key => new SortedDictionary<Key, int>(Others().ToDictionary(k => k, _ => 0)) { [key] = 1 });
        yield return ("SortedList", key => new SortedList<Key, int>(Others().ToDictionary(k => k, _ => 0)) { [key] = 1 });
        yield return ("untyped SortedList", key => new SortedList(Others().ToDictionary(k => k, _ => 0)) { [key] = 1 });
        yield return ("ImmutableSortedSet", key => ImmutableSortedSet.CreateRange(Others()).Add(key));
        yield return ("ImmutableSortedDictionary",
            key => ImmutableSortedDictionary.CreateRange(Others().ToDictionary(k => k, _ => 0)).Add(key, 1));
        yield return ("F# set", key => SetModule.OfSeq<Key>([.. Others(), key]));
        yield return ("F# map", key => MapModule.OfSeq<Key, int>([.. Others().Select(k => Tuple.Create(k, 0)), Tuple.Create(key, 1)]));
    }

    // Ten are looked at one by one; more are hashed.
    private static HybridDictionary Hybrid(Key key)
    {
        var pairs = new HybridDictionary { [key] = 1 };
        for (int i = 0; i < 20; i++)
        {
            pairs[i] = i;
        }

        return pairs;
    }

    private static Key[] Others() => [.. "bcdefghijklmnop".Select(c => new Key { Owner = new Owner { Zname = c.ToString() } })];

    private static IEnumerable<(string What, object? Left, object? Right, bool? Sharing)> Differences()
    {
        yield return ("null", null, new object(), null);
        yield return ("type", new ArgumentException("x"), new InvalidOperationException("x"), null);
        yield return ("type of a number", 1, 1L, null);
        yield return ("sign of zero", 0.0, -0.0, null);
        yield return ("bits of a NaN", BitConverter.Int32BitsToSingle(0x7FC00001), float.NaN, null);
        var shared = new object();
        yield return ("sharing between sets", new[] { Hashed([shared]), Hashed([shared]) },
            new[] { Hashed([new object()]), Hashed([new object()]) }, true);
        yield return ("bits in an array", new[] { 0.0 }, new[] { -0.0 }, null);
        yield return ("scale of a decimal", 1.0m, 1.00m, null);
        yield return ("kind of a DateTime", new DateTime(5, DateTimeKind.Utc), new DateTime(5, DateTimeKind.Local), null);
        yield return ("fourth kind of a DateTime", Raw(0x8000_0000_0000_0005), Raw(0xC000_0000_0000_0005), null);
        yield return ("offset of a DateTimeOffset", new DateTimeOffset(2020, 1, 1, 1, 0, 0, TimeSpan.FromHours(1)),
            new DateTimeOffset(2020, 1, 1, 0, 0, 0, default), null);
        yield return ("text of a Uri", new Uri("http://a/%41"), new Uri("http://a/A"), null);
        yield return ("lower bound", Array.CreateInstance(typeof(int), [2], [1]), Array.CreateInstance(typeof(int), [2], [2]), null);
        yield return ("shape", new int[2, 3], new int[3, 2], null);
        yield return ("order of a list", new List<int> { 1, 2 }, new List<int> { 2, 1 }, null);
        yield return ("order of a dictionary", new Dictionary<int, int> { [1] = 1, [2] = 2 },
            new Dictionary<int, int> { [2] = 2, [1] = 1 }, null);
        yield return ("order of a stack", new Stack<int>([1, 2]), new Stack<int>([2, 1]), null);
        yield return ("value of a key", new Hashtable { ["a"] = 1 }, new Hashtable { ["a"] = 2 }, null);
        yield return ("element of an immutable set", ImmutableHashSet.Create(1, 2), ImmutableHashSet.Create(1, 3), null);
        yield return ("comparer of texts", new Dictionary<string, int>(StringComparer.Ordinal),
            new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase), null);
        yield return ("comparer and none", new HashSet<string>(StringComparer.InvariantCulture), new HashSet<string>(), null);
        yield return ("comparer's field", new HashSet<int>(new Modulo { By = 5 }), new HashSet<int>(new Modulo { By = 6 }), null);
        yield return ("comparer's order", new SortedSet<int>(new Backwards { Is = true }), new SortedSet<int>(new Backwards()), null);
        yield return ("what a comparer captured", new HashSet<int>(new Secret(5)) { 1, 2 }, new HashSet<int>(new Secret(6)) { 1, 2 }, null);
        yield return ("comparer of a Hashtable", new Hashtable(StringComparer.Ordinal), new Hashtable(), null);
        yield return ("capacity of a BlockingCollection", new BlockingCollection<int>(1), new BlockingCollection<int>(2), null);
        yield return ("private field", new Key { Owner = new Owner { Zname = "a" } }, new Key { Owner = new Owner { Zname = "b" } }, null);
        yield return ("what a conversion saw", new Noted("n7"), new Noted("<not read yet>7"), null);
        yield return ("second element of an inline array", Two(1, 2), Two(1, 3), null);
        yield return ("message of an exception", new FormatException("a"), new FormatException("b"), null);
        yield return ("data of an exception", new FormatException { Data = { ["a"] = 1 } }, new FormatException { Data = { ["a"] = 2 } },
            null);
        yield return ("method of a delegate", (Action)GC.Collect, (Action)GC.WaitForPendingFinalizers, null);
        yield return ("F# list", ListModule.OfSeq([1, 2]), ListModule.OfSeq([1, 3]), null);
        var one = new Owner();
        yield return ("one made two", new[] { one, one }, new[] { new Owner(), new Owner() }, true);
        yield return ("two made one", new[] { new Owner(), new Owner() }, new[] { one, one }, true);
        yield return ("two made one, without references", new[] { new Owner(), new Owner() }, new[] { one, one }, false);
        yield return ("two made one, however", new[] { new Owner(), new Owner() }, new[] { one, one }, null);
        yield return ("shared without references", new[] { one, one },
            new[] { one, one }.Select(_ => new Owner()).Take(1).SelectMany(o => new[] { o, o }).ToArray(), false);
        byte[] bytes = [1];
        yield return ("one array made two", new object[] { bytes, bytes }, new object[] { new byte[] { 1 }, new byte[] { 1 } }, true);
        object box = new KeyValuePair<int, int>(1, 2);
        yield return ("one box made two", new[] { box, box },
            new object[] { new KeyValuePair<int, int>(1, 2), new KeyValuePair<int, int>(1, 2) }, true);
        var plain = new object();
        yield return ("one key of no order made another", new object[] { plain, new Hashtable { [plain] = 1 } },
            new[] { new object(), new Hashtable { [new object()] = 1 } }, true);
    }

    private static IEnumerable<(string What, object? Left, object? Right, bool? Sharing)> Same()
    {
        yield return ("copies", new[] { new Owner { Zname = "a" } }, new[] { new Owner { Zname = "a" } }, false);
        var one = new Owner();
        yield return ("shared as copies", new[] { one, one }, new[] { new Owner(), new Owner() }, false);
        yield return ("the empty array", new object[] { Array.Empty<int>(), GC.AllocateUninitializedArray<int>(0) },
            new object[] { Array.Empty<int>(), Array.Empty<int>() }, false);
        yield return ("the program's own", new object[] { StringComparer.Ordinal, StringComparer.Ordinal },
            new object[] { StringComparer.Ordinal, StringComparer.Ordinal }, false);
        object[] keys = [.. Enumerable.Range(0, 20).Select(_ => new object())];
        object[] copies = [.. keys.Select(_ => new object())];
        yield return ("no order", new object[] { keys, Hashed(keys) }, new object[] { copies, Hashed(copies.Reverse()) }, true);
        yield return ("numbers in no order", Hashed(Enumerable.Range(0, 50).Cast<object>()),
            Hashed(Enumerable.Range(0, 50).Reverse().Cast<object>()), true);
        yield return ("what looks alike, and is referred to from another set", Alike(isSwapped: false), Alike(isSwapped: true), true);
        yield return ("items with one object and with two", Hashed(Holders(isSwapped: false)), Hashed(Holders(isSwapped: true)), true);
    }

    // Two sets hold the same objects, of which the second says which is which.
    private static Hashtable[] Alike(bool isSwapped)
    {
        object[] objects = [.. Enumerable.Range(0, 8).Select(_ => new object())];
        object[] named = [.. objects.Select((item, i) => new object[] { i, item })];
        return [Hashed(isSwapped ? objects.Reverse() : objects), Hashed(isSwapped ? named.Reverse() : named)];
    }

    private static object[] Holders(bool isSwapped)
    {
        var one = new object();
        object[] holders = [new[] { one, one }, new[] { new object(), new object() }];
        return isSwapped ? [.. holders.Reverse()] : holders;
    }

    private static Hashtable Hashed(IEnumerable<object> keys)
    {
        var table = new Hashtable();
        foreach (object key in keys)
        {
            table[key] = null;
        }

        return table;
    }

    private static DateTime Raw(ulong bits) => Unsafe.As<ulong, DateTime>(ref bits);

    private static Pair2 Two(int first, int second)
    {
        var pair = default(Pair2);
        pair[0] = first;
        pair[1] = second;
        return pair;
    }

    private sealed class Owner
    {
        public string? Zname;
    }

    private sealed class Key : IComparable<Key>, IComparable
    {
        public Owner? Owner;

        public int CompareTo(Key? other) => string.CompareOrdinal(Owner?.Zname, other?.Owner?.Zname);

        public int CompareTo(object? obj) => CompareTo(obj as Key);

        public override bool Equals(object? obj) => obj is Key other && other.Owner?.Zname == Owner?.Zname;

        public override int GetHashCode() => Owner?.Zname?.Length ?? 0;
    }

    // Equal to nothing, itself included.
    private sealed class Never
    {
        public override bool Equals(object? obj) => false;

        public override int GetHashCode() => 1;
    }

    private sealed record Ring(int Id)
    {
        public Ring? Next { get; set; }
    }

    private sealed record Noted(string Seen);

    private sealed class Modulo : IEqualityComparer<int>
    {
        public int By = 1;

        public bool Equals(int x, int y) => x % By == y % By;

        public int GetHashCode(int obj) => obj % By;
    }

    private sealed class Backwards : IComparer<int>
    {
        public bool Is;

        public int Compare(int x, int y) => Is ? y.CompareTo(x) : x.CompareTo(y);
    }

    private sealed class Secret(int by) : IEqualityComparer<int>
    {
        public bool Equals(int x, int y) => x % by == y % by;

        public int GetHashCode(int obj) => obj % by;
    }

    private sealed class ByOwner : KeyedCollection<Key, Key>
    {
        public ByOwner()
            : base(null, 0)
        {
        }

        protected override Key GetKeyForItem(Key item) => item;
    }

    [InlineArray(2)]
    private struct Pair2
    {
        private int _first;
    }
}
