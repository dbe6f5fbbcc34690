using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Diagnostics;
using System.Drawing;
using System.Dynamic;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Runtime.Intrinsics;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Wire.Tests.Contracting.Products;

/// <summary>A type of a member, and values of it: null, the default, an empty one, usual ones, the least and the greatest.</summary>
internal sealed record ProductType(Type Type, object?[] Values)
{
    /// <summary>All types.</summary>
    public static ProductType[] All { get; } =
    [
        .. Numbers(), .. Scalars(), .. Enums(), .. Structs(), .. Classes(), .. Arrays(), .. Lists(), .. Spans(), .. Untyped(), .. Sets(),
        .. Maps(), .. NamedMaps(),
    ];

    /// <inheritdoc/>
    public override string ToString() => Type.ToString();

    private static ProductType Of<T>(params T[] values) => new(typeof(T), [.. values]);

    private static ProductType OfNumber<T>(params T[] values)
        where T : INumber<T> => Of([T.Zero, T.One, T.CreateChecked(100), .. values]);

    private static ProductType[] Numbers() =>
    [
        OfNumber<sbyte>(-1, sbyte.MinValue), OfNumber<byte>(byte.MaxValue), OfNumber<short>(-1, short.MaxValue),
        OfNumber<ushort>(ushort.MaxValue), OfNumber(-3, int.MaxValue, int.MinValue), OfNumber(uint.MaxValue),
        OfNumber(-1, long.MaxValue, long.MinValue), OfNumber(ulong.MaxValue), OfNumber(-1, Int128.MaxValue), OfNumber(UInt128.MaxValue),
        OfNumber<nint>(-1, nint.MinValue), OfNumber(nuint.MaxValue), OfNumber((Half)0.5f, Half.NaN, Half.MaxValue),
        OfNumber(0.5f, float.NaN, float.MaxValue, -0f), OfNumber(0.1, double.PositiveInfinity, double.MaxValue),
        OfNumber(0.1m, decimal.MaxValue, 1.0m), OfNumber<BigInteger>(-1, BigInteger.Pow(10, 40)),
        Of<int?>(null, 0, -3), Of<long?>(null, 0, long.MaxValue), Of<double?>(null, 0.5, 7), Of<bool?>(null, true),
    ];

    private static ProductType[] Scalars() =>
    [
        Of(false, true), Of('a', '\0', '\uFFFF'), Of(default, new Rune(0x1F600)),
        Of(Guid.Empty, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")),
        Of(DateTime.MinValue, new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc)), Of(DateTimeOffset.MinValue, DateTimeOffset.MaxValue),
        Of(TimeSpan.Zero, TimeSpan.FromTicks(7)), Of(DateOnly.MinValue, DateOnly.MaxValue), Of(TimeOnly.MinValue, TimeOnly.MaxValue),
        Of(Complex.Zero, new Complex(1, 2)), Of(null, "", "7", "abc", "\uD800"), Of(null, new Uri("http://a/b")),
        Of(null, new Version(1, 2)),
        Of<Type?>(null, typeof(int)), Of<object?>(null, 7, "abc", new[] { 1 }, new List<int> { 1 }, new object(), (1, 2)),
        Of(default, Index.Start, new Index(7), ^2), Of(default, 1..^1), Of(default, new BitVector32(-3)),
        Of(default, HashAlgorithmName.SHA256), Of(default, JsonDocument.Parse("7").RootElement, JsonDocument.Parse("\"abc\"").RootElement),
        Of(default, ActivityTraceId.CreateFromString("00112233445566778899aabbccddeeff")),
        Of(default, ActivitySpanId.CreateFromString("0011223344556677")),
        Of(null, CultureInfo.InvariantCulture, CultureInfo.GetCultureInfo("de-CH")),
        Of(default, new CancellationToken(true)), Of(Vector128<int>.Zero, Vector128.Create(1, 2, 3, 4)), Of(default, new Vector3(1, 2, 3)),
        Of(default, Color.Red), Of(default, new Point(1, 2)), Of(default, new Size(1, 2)), Of(null, IPAddress.Parse("10.0.0.1")),
        Of(null, new StringBuilder(), new StringBuilder("abc")), Of<EventArgs?>(null, EventArgs.Empty),
        Of<Exception?>(null, new InvalidOperationException("no")),
        Of<DateTime?>(null, DateTime.MaxValue), Of<Index?>(null, ^2), Of<Guid?>(null, Guid.Empty),
        Of<BitArray?>(null, new BitArray([true, false])),
    ];

    private static ProductType[] Enums() =>
    [
        Of(default, Small.B, (Small)200), Of(default, Plain.B, (Plain)(-3)), Of(default, Moved.B, Moved.C), Of(default, Wide.A, Wide.B),
        Of(default, Bits.A | Bits.C, (Bits)64), Of(default, DayOfWeek.Friday), Of<Plain?>(null, Plain.B),
    ];

    private static ProductType[] Structs() =>
    [
        Of(default, new Both(1, 2)), Of(default, new One(1)), Of(default, new Far(1)), Of(default, new Text("a")), Of(default(Nothing)),
        Of<Both?>(null, new Both(1, 2)), Of<Nothing?>(null, default(Nothing)), Of(default, (1, 2)), Of(default, (1, 2, 3)),
        Of((0, (string?)null), (1, "a")),
        Of(default, ValueTuple.Create(1)), Of(default(ValueTuple)), Of<(int, int)?>(null, (1, 2)),
        Of(default, new KeyValuePair<int, int>(1, 2)),
        Of(default, new KeyValuePair<string, int>("a", 1)), Of(default, new Pair<int>(1)), Of(default, new Around(new One(1), 2)),
    ];

    private static ProductType[] Classes() =>
    [
        Of(null, new Leaf { V = 1 }), Of(null, new Twin { V = 1 }), Of(null, new Other { W = 1 }), Of(null, new Bare()),
        Of(null, new Open { V = 1 }, new Derived { V = 1, W = 2 }),
        Of(null, new Derived { V = 1, W = 2 }), Of<IThing?>(null, new Leaf { V = 1 }, new Derived { V = 1 }),
        Of<Shape?>(null, new Circle { R = 1 }),
        Of(null, new Circle { R = 1 }), Of(null, new Box<int> { V = 1 }), Of(null, new Case<int> { V = 1 }), Of(null, Tuple.Create(1)),
        Of(null, Tuple.Create(1, 2)),
        Of(null, Tuple.Create("a", 2)), Of(null, new Lazy<int>(7)), Of(null, new MyList { 1, 2 }), Of(null, new Lines()),
        Of<IComparable?>(null, 7, "a"),
    ];

    private static ProductType[] Arrays() =>
    [
        Of(null, Array.Empty<int>(), [1, -3, int.MaxValue]), Of(null, [], new long[] { 1, long.MaxValue }),
        Of(null, Array.Empty<byte>(), [1, 255], new byte[16]),
        Of(null, [], new[] { "a", null, "a" }), Of(null, [], new object?[] { null, 1, "a" }), Of(null, [], new[] { true }),
        Of(null, [], new[] { 'a' }),
        Of(null, [], new int?[] { null, 1 }), Of(null, [], new[] { Plain.B }), Of(null, [], new[] { Moved.B }),
        Of(null, [], new int[]?[] { null, [1] }),
        Of(null, [], new[] { new Both(1, 2) }), Of(null, [], new[] { new Leaf { V = 1 } }), Of(null, [], new[] { new Open { V = 1 } }),
        Of(null, [], new[] { new Nothing() }),
        Of(null, new int[0, 0], new[,] { { 1, 2 }, { 3, 4 } }), Of(null, new int[0, 0, 0], new[,,] { { { 1, 2 } } }),
        Of(null, new[,] { { 1L } }), Of(null, new int[1, 1, 1, 1]),
        Of(null, [], new[] { 0.5 }), Of(null, [], new[] { Index.Start, ^2 }),
    ];

    private static ProductType[] Lists() =>
    [
        Of<List<int>?>(null, [], [1, -3]), Of<List<long>?>(null, [], [1, long.MaxValue]), Of<List<byte>?>(null, [], [1]),
        Of<List<string?>?>(null, [], ["a", null]),
        Of<List<object?>?>(null, [], [null, 1]), Of<List<Plain>?>(null, [], [Plain.B]), Of<List<Both>?>(null, [], [new(1, 2)]),
        Of<List<Leaf>?>(null, [], [new() { V = 1 }]),
        Of<List<int?>?>(null, [], [null, 1]), Of<List<List<int>>?>(null, [], [[1]]), Of<Queue<int>?>(null, new([]), new([1, 2])),
        Of<Stack<int>?>(null, new([]), new([1, 2])),
        Of<LinkedList<int>?>(null, new([1, 2])), Of<ConcurrentQueue<int>?>(null, new([1, 2])), Of<ConcurrentBag<int>?>(null, [1, 2]),
        Of<ImmutableList<int>?>(null, [], [1, 2]),
        Of<ImmutableQueue<int>?>(null, [], [1, 2]), Of<ImmutableStack<int>?>(null, [], ImmutableStack.Create(1, 2)),
        Of<Collection<int>?>(null, [], [1, 2]),
        Of<ReadOnlyCollection<int>?>(null, new([]), new([1, 2])), Of<ObservableCollection<int>?>(null, [], [1, 2]),
        Of<ReadOnlyObservableCollection<int>?>(null, new([1, 2])),
        Of<ReadOnlyCollection<long>?>(null, new([1L])), Of<BindingList<int>?>(null, [], [1, 2]),
        Of<IEnumerable<int>?>(null, new[] { 1, 2 }, new List<int> { 1 }, new HashSet<int> { 1 }),
        Of<ICollection<int>?>(null, new[] { 1, 2 }, new Queue<int>([1]).ToList()),
        Of<IReadOnlyCollection<int>?>(null, new[] { 1, 2 }, new Queue<int>([1])),
        Of<IList<int>?>(null, new[] { 1, 2 }, new Collection<int> { 1 }),
        Of<IReadOnlyList<int>?>(null, new[] { 1, 2 }, new List<int> { 1 }), Of<IReadOnlyList<string>?>(null, new[] { "a" }),
        Of<IImmutableList<int>?>(null, ImmutableList.Create(1), ImmutableArray.Create(1)), Of<BlockingCollection<int>?>(null, [1]),
    ];

    private static ProductType[] Spans() =>
    [
        Of(default, ImmutableArray<int>.Empty, [1, 2]), Of<ImmutableArray<int>?>(null, [], [1]),
        Of(default, ImmutableArray<byte>.Empty, [1]), Of(default, ArraySegment<int>.Empty, new([1, 2])),
        Of(default, new ArraySegment<byte>([1])), Of(default, new Memory<int>([1, 2])), Of<Memory<int>?>(null, new Memory<int>([1])),
        Of(default, new Memory<byte>([1])),
        Of(default, new ReadOnlyMemory<int>([1, 2])), Of(default, new ReadOnlyMemory<byte>(new byte[16])),
        Of(default, new ReadOnlyMemory<char>(['a'])), Of(default, new ReadOnlySequence<byte>([1])),
        Of(default, ImmutableArray.Create("a")), Of(default, new ArraySegment<Leaf>([new Leaf { V = 1 }])),
    ];

    private static ProductType[] Untyped() =>
    [
        Of<ArrayList?>(null, [], [1, "a"]), Of<StringCollection?>(null, [], ["a"]), Of<Queue?>(null, new(new[] { 1 })),
        Of<Stack?>(null, new(new[] { 1 })),
        Of<IEnumerable?>(null, new[] { 1 }, new ArrayList { 1 }), Of<IList?>(null, new[] { 1 }, new List<int> { 1 }),
        Of<ICollection?>(null, new[] { 1 }), Of<Array?>(null, new[] { 1 }, new int[1, 1]),
        Of<IDictionary?>(null, new Hashtable { [1] = 2 }, new Dictionary<int, int> { [1] = 2 }),
    ];

    private static ProductType[] Sets() =>
    [
        Of<HashSet<int>?>(null, [], [1, 2]), Of<HashSet<long>?>(null, [], [1]),
        Of<HashSet<string>?>(null, [], ["a"], new(["a", "B"], StringComparer.OrdinalIgnoreCase)),
        Of<SortedSet<int>?>(null, [], [1, 2]), Of<SortedSet<string>?>(null, [], ["a"], new(["a"], StringComparer.Ordinal)),
        Of<FrozenSet<int>?>(null, FrozenSet.Create(1, 2)),
        Of<ImmutableHashSet<int>?>(null, [], [1, 2]), Of<ImmutableSortedSet<int>?>(null, [], [1, 2]),
        Of<ISet<int>?>(null, new HashSet<int> { 1 }, new SortedSet<int> { 1 }),
        Of<IReadOnlySet<int>?>(null, new HashSet<int> { 1 }, FrozenSet.Create(1)), Of<ReadOnlySet<int>?>(null, new(new HashSet<int> { 1 })),
        Of<HashSet<Plain>?>(null, [], [Plain.A, Plain.B]),
        Of<HashSet<Both>?>(null, [], [new(1, 1), new(1, 2)]), Of<HashSet<One>?>(null, [], [new(1)]),
        Of<PriorityQueue<int, int>?>(null, new(), new([(1, 2)])), Of<IImmutableSet<int>?>(null, ImmutableHashSet.Create(1)),
    ];

    private static ProductType[] Maps() =>
    [
        Of<Dictionary<int, int>?>(null, [], new() { [1] = 2 }), Of<Dictionary<long, double>?>(null, [], new() { [1] = 0.5 }),
        Of<Dictionary<Plain, Both>?>(null, new() { [Plain.A] = new(1, 2) }),
        Of<SortedDictionary<int, int>?>(null, [], new() { [1] = 2 }),
        Of<IReadOnlyDictionary<int, int>?>(null, new Dictionary<int, int> { [1] = 2 }),
        Of<ReadOnlyDictionary<int, int>?>(null, new(new Dictionary<int, int> { [1] = 2 })),
        Of<Dictionary<int, string>?>(null, [], new() { [1] = "a" }),
        Of<List<KeyValuePair<int, int>>?>(null, [], [new(1, 2)]),
        Of<IEnumerable<KeyValuePair<int, int>>?>(null, new Dictionary<int, int> { [1] = 2 }, new[] { new KeyValuePair<int, int>(1, 2) }),
        Of<Hashtable?>(null, [], new Hashtable { [1] = 2 }, new Hashtable(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }),
        Of<SortedList?>(null, [], new SortedList { [1] = 2 }),
        Of<ListDictionary?>(null, new ListDictionary { [1] = 2 }),
        Of<HybridDictionary?>(null, new HybridDictionary { ["a"] = 2 }, new HybridDictionary(true) { ["a"] = 2 }),
        Of<System.Collections.Specialized.OrderedDictionary?>(null, new System.Collections.Specialized.OrderedDictionary { ["a"] = 2 }),
    ];

    private static ProductType[] NamedMaps()
    {
        Dictionary<string, string> plain = new() { ["a"] = "b" }, ignoring = new(StringComparer.OrdinalIgnoreCase) { ["A"] = "b" };
        Dictionary<string, string> wide = new() { ["a"] = "b", ["A"] = "c" };
        return
        [
            Of<Dictionary<string, string>?>(null, [], plain, ignoring, wide),
            Of<Dictionary<string, object>?>(null, [], new() { ["a"] = "b" }, new(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }),
            Of<Dictionary<string, int>?>(null, [], new() { ["a"] = 1 }),
            Of<SortedDictionary<string, string>?>(null, new(plain), new(plain, StringComparer.OrdinalIgnoreCase)),
            Of<SortedList<string, string>?>(null, new(plain)),
            Of<ConcurrentDictionary<string, string>?>(null, new(plain), new(ignoring, StringComparer.OrdinalIgnoreCase)),
            Of<ImmutableDictionary<string, string>?>(null, plain.ToImmutableDictionary()),
            Of<ImmutableSortedDictionary<string, string>?>(null, plain.ToImmutableSortedDictionary()),
            Of<FrozenDictionary<string, string>?>(
                null, plain.ToFrozenDictionary(), ignoring.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase)),
            Of<ReadOnlyDictionary<string, string>?>(null, new(plain), new(ignoring)),
            Of<OrderedDictionary<string, string>?>(null, new(plain)),
            Of<IDictionary<string, string>?>(null, plain, ignoring, new SortedDictionary<string, string>(plain)),
            Of<IReadOnlyDictionary<string, string>?>(null, plain, ignoring),
            Of<IImmutableDictionary<string, string>?>(null, plain.ToImmutableDictionary()),
            Of<StringDictionary?>(null, [], new StringDictionary { ["a"] = "b" }),
            Of<NameValueCollection?>(null, [], new NameValueCollection { ["a"] = "b" }),
            Of<ExpandoObject?>(null, new ExpandoObject(), Expando()),
        ];
    }

    private static ExpandoObject Expando()
    {
        IDictionary<string, object?> made = new ExpandoObject();
        made["a"] = "b";
        return (ExpandoObject)made;
    }
}
