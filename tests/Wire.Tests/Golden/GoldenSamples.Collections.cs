using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Data;
using System.Dynamic;
using System.Globalization;
using System.Reflection;

namespace Wire.Tests.Golden;

/// <summary>A comparer of the program's own.</summary>
public sealed class GoldenComparer : IEqualityComparer<int>
{
    public int Divisor { get; set; } = 10;

    public bool Equals(int x, int y) => x % Divisor == y % Divisor;

    public int GetHashCode(int obj) => obj % Divisor;
}

/// <summary>A collection whose elements hold their keys.</summary>
public sealed class GoldenKeyed : KeyedCollection<string, string>
{
    public int Extra { get; set; } = 7;

    protected override string GetKeyForItem(string item) => item[..1];
}

/// <summary>Collections of the time before generic types.</summary>
public sealed class GoldenOldCollection : CollectionBase;

public sealed class GoldenOldDictionary : DictionaryBase;

/// <summary>A list with a field.</summary>
public sealed class GoldenList : List<int>
{
    public string? Title { get; set; }
}

/// <content>Collections. What lies in no order of its own has keys whose hash codes are the same in every process.</content>
internal static partial class GoldenSamples
{
    private static readonly KeyValuePair<int, string?>[] Pairs = [new(2, "b"), new(1, null)];

    private static IEnumerable<GoldenSample> Collections =>
    [
        Of(new OrderedDictionary<int, string?>(Pairs), "OrderedDictionary"), Of(
            new SortedDictionary<int, string?> { [2] = "b", [1] = null }, "SortedDictionary"),
        Of(new SortedList<int, string?> { [2] = "b", [1] = null }, "SortedList"), Of(new SortedSet<int> { 3, 1, 2 }, "SortedSet"),
        Of(new PriorityQueue<string, int>([("b", 2), ("a", 1)]), "PriorityQueue"), Of(new LinkedList<int>([1, 2]), "LinkedList"),
        Of(new LinkedListNode<int>(1), "LinkedListNode"),
        Of(new Queue<int>([1, 2]), "Queue"), Of(new Stack<int>([1, 2]), "Stack"),

        Of(new ConcurrentDictionary<int, string?>([new(1, "a")]), "ConcurrentDictionary"), Of(
            new ConcurrentQueue<int>([1, 2]), "ConcurrentQueue"),
        Of(new ConcurrentStack<int>([1, 2]), "ConcurrentStack"), Of(new ConcurrentBag<int>([1, 2]), "ConcurrentBag"),
        Of(new BlockingCollection<int>(5) { 1, 2 }, "BlockingCollection"),

        Of(new Collection<int> { 1, 2 }, "Collection"), Of(
            new ObservableCollection<int> { 1, 2 }, "ObservableCollection"), Of(new ReadOnlyCollection<int>([1, 2]), "ReadOnlyCollection"),
        Of(new ReadOnlyObservableCollection<int>([1, 2]), "ReadOnlyObservableCollection"), Of(
            new ReadOnlyDictionary<int, string?>(new Dictionary<int, string?>(Pairs)), "ReadOnlyDictionary"),
        Of(new ReadOnlySet<int>(new HashSet<int> { 1, 2 }), "ReadOnlySet"), Of(new GoldenKeyed { "apple", "pear" }, "KeyedCollection"),

        Of(new ArrayList { 1, "a", null }, "ArrayList"), Of(
            new Queue(new object?[] { 1, "a" }), "Queue-untyped"), Of(new Stack(new object?[] { 1, "a" }), "Stack-untyped"),
        Of(new Hashtable { [1] = "a" }, "Hashtable"), Of(new PropertyCollection { [1] = "a" }, "PropertyCollection"), Of(
            new SortedList(Comparer.DefaultInvariant) { ["b"] = 1, ["a"] = 2 }, "SortedList-untyped"),
        Of(new SortedList(new Comparer(CultureInfo.GetCultureInfo("tr-TR"))) { ["b"] = 1 }, "SortedList-untyped-culture"), Of(
            new DictionaryEntry("a", 1), "DictionaryEntry"),
        .. Views,
        Of(new GoldenOldCollection { Capacity = 4 }.With("a"), "CollectionBase"), Of(
            new GoldenOldDictionary().With(1, "a"), "DictionaryBase"),
        Of(new NameValueCollection { { "a", "1" }, { "a", "2" }, { null, "3" }, { "b", null } }, "NameValueCollection"), Of(
            new StringCollection { "a", null! }, "StringCollection"),
        Of(new ListDictionary(Comparer.DefaultInvariant) { { "b", 1 }, { "a", null } }, "ListDictionary"),
        Of(new HybridDictionary(caseInsensitive: true) { { "b", 1 }, { "a", null } }, "HybridDictionary"),
        Of(new OrderedDictionary(StringComparer.Ordinal) { { "b", 1 }, { "a", null } }, "OrderedDictionary-untyped"),
        Of(new StringDictionary { { "A", "1" } }, "StringDictionary"),
        Of(new BindingList<int> { 1, 2 }, "BindingList"), Of(Expando(), "ExpandoObject"),

        Of<ImmutableArray<int>>([1, 2], "ImmutableArray"), Of<ImmutableList<int>>([1, 2], "ImmutableList"),
        Of<ImmutableQueue<int>>([1, 2], "ImmutableQueue"), Of<ImmutableStack<int>>(
            [1, 2], "ImmutableStack"), Of<ImmutableHashSet<int>>([1, 2], "ImmutableHashSet"),
        Of<ImmutableSortedSet<int>>([2, 1], "ImmutableSortedSet"), Of(
            Pairs.ToImmutableDictionary(), "ImmutableDictionary"), Of(Pairs.ToImmutableSortedDictionary(), "ImmutableSortedDictionary"),
        Of(Pairs.ToFrozenDictionary(), "FrozenDictionary"), Of(new[] { 1, 2 }.ToFrozenSet(), "FrozenSet"),

        Of(new[] { "a", "bb", "c" }.ToLookup(text => text.Length), "Lookup"), Of(
            new[] { "a", "c" }.GroupBy(text => text.Length).Single(), "Grouping"),
        Of(new ArraySegment<int>([0, 1, 2, 3], 1, 2), "ArraySegment"), Of<Memory<byte>>(
            new byte[] { 1, 2 }, "Memory"), Of("text".AsMemory(), "ReadOnlyMemory"),
        Of(new ReadOnlySequence<byte>([1, 2]), "ReadOnlySequence"), Of(new Lazy<string>("a"), "Lazy"),
        Of(new WeakReference("a", trackResurrection: true)), Of(new WeakReference<string>("a"), "WeakReference-typed"),

        Of(
            new HashSet<string>(StringComparer.Create(CultureInfo.GetCultureInfo("tr-TR"), CompareOptions.IgnoreCase)) { "i" },
            "Comparer-culture"),
        Of(new HashSet<int>(new GoldenComparer()) { 1, 2 }, "Comparer-object"),
        Of(
            ImmutableDictionary.Create<string, string>(StringComparer.Ordinal, StringComparer.OrdinalIgnoreCase).Add("a", "b"),
            "Comparer-pair"),
        Of(StringComparer.OrdinalIgnoreCase, "StringComparer"), Of(
            EqualityComparer<int>.Default, "EqualityComparer"), Of(Comparer<int>.Default, "Comparer"),
        Of(ReferenceEqualityComparer.Instance, "ReferenceEqualityComparer"),
        Of(new Comparer(CultureInfo.GetCultureInfo("tr-TR")), "Comparer-untyped"),
        Of(CaseInsensitiveComparer.DefaultInvariant, "CaseInsensitiveComparer"),
        Of(HashSet<int>.CreateSetComparer(), "HashSetEqualityComparer"),

        Of(new GoldenList { Title = "numbers" }.With(1), "List-derived"), Of(
            DBNull.Value, "DBNull"), Of(Missing.Value, "Missing"), Of(CancellationToken.None, "CancellationToken"),
    ];

    private static IEnumerable<GoldenSample> Views =>
    [
        Of(ArrayList.Synchronized(new ArrayList { 1 }), "SyncArrayList"),
        Of(ArrayList.ReadOnly(new ArrayList { 1 }), "ReadOnlyArrayList"),
        Of(ArrayList.FixedSize(new ArrayList { 1 }), "FixedSizeArrayList"),
        Of(ArrayList.Synchronized((IList)new[] { 1 }), "SyncIList"), Of(ArrayList.ReadOnly((IList)new[] { 1 }), "ReadOnlyList"),
        Of(ArrayList.FixedSize((IList)new List<int> { 1 }), "FixedSizeList"), Of(ArrayList.Adapter(new[] { 1 }), "IListWrapper"),
        Of(Hashtable.Synchronized(new() { [1] = "a" }), "SyncHashtable"),
        Of(Queue.Synchronized(new(new object?[] { 1, "a" })), "SynchronizedQueue"),
        Of(Stack.Synchronized(new(new object?[] { 1, "a" })), "SyncStack"),
        Of(SortedList.Synchronized(new(Comparer.DefaultInvariant) { ["a"] = 1 }), "SyncSortedList"),
    ];

    private static T With<T>(this T list, object item)
        where T : IList
    {
        list.Add(item);
        return list;
    }

    private static T With<T>(this T dictionary, object key, object value)
        where T : IDictionary
    {
        dictionary.Add(key, value);
        return dictionary;
    }

    private static ExpandoObject Expando()
    {
        dynamic expando = new ExpandoObject();
        expando.Name = "a";
        expando.Count = 1;
        return expando;
    }
}
