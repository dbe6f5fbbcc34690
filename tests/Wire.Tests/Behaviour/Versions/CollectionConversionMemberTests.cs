using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>A member that has become another collection: null, wider elements, pairs, and what does not convert.</summary>
public sealed class CollectionConversionMemberTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    [Fact]
    public void Null_stays_null()
    {
        Assert.Null(Read<List<int>, int[]>(null));
        Assert.Null(Read<int[], IReadOnlyList<int>>(null));
        Assert.Null(Read<List<int>, HashSet<int>>(null));
        Assert.Null(Read<HashSet<int>, ReadOnlyCollection<int>>(null));
        Assert.True(Read<List<int>, ImmutableArray<int>>(null).IsDefault);
        Assert.Null(Read<int[], ArraySegment<int>>(null).Array);
        Assert.Null(Read<List<int>, ImmutableArray<int>?>(null));
        Assert.Null(Read<ImmutableArray<int>, List<int>>(default));
        Assert.Null(Read<ArraySegment<int>, IReadOnlySet<int>>(default));
        Assert.Null(Read<ImmutableArray<int>, ReadOnlyCollection<int>>(default));
        AssertMismatch<List<int>, ReadOnlyMemory<int>>(null, WireFormatError.TypeMismatch);
        AssertMismatch<ImmutableArray<int>, ReadOnlyMemory<int>>(default);

        Assert.Equal([1], Read<List<int>, ImmutableArray<int>?>([1])!.Value.AsEnumerable());
        Assert.Equal([1L], Read<ImmutableArray<int>?, ImmutableArray<long>?>([1])!.Value.AsEnumerable());
    }

    [Fact]
    public void Elements_are_converted_as_well()
    {
        Assert.Equal([1L, 2], Read<List<int>, long[]>([1, 2])!);
        Assert.Equal([1L, 2], Read<int[], List<long>>([1, 2])!);
        Assert.Equal([1m, 2], Read<int[], IReadOnlyList<decimal>>([1, 2])!);
        Assert.Equal([1L, 2], Read<IReadOnlyList<int>, ImmutableArray<long>>([1, 2]).AsEnumerable());
        Assert.Equal([1L, null], Read<IEnumerable<int?>, LinkedList<long?>>(new List<int?> { 1, null })!);
        Assert.Equal([1.0, 2], Read<HashSet<int>, IReadOnlyCollection<double>>([1, 2])!.Order());
        Assert.Equal([[1L], null, []], Read<List<List<int>?>, ImmutableArray<long>?[]>([[1], null, []])!.Select(a => a?.ToArray()));
        Assert.Equal([[1L], []], Read<IReadOnlyList<int[]>, ImmutableArray<long>[]>([[1], []])!);
        Assert.Equal(["a", null], Read<List<string?>, IReadOnlyCollection<string?>>(["a", null])!);
        Assert.Equal([null, "a"], Read<List<string?>, HashSet<string?>>(["a", null])!.Order());
        Assert.Equal([new(1)], Read<List<Old>, IReadOnlySet<New>>([new() { Id = 1 }])!);
    }

    [Fact]
    public void Values_may_hold_their_own_type_in_another_collection()
    {
        // In an immutable array, a level takes no object.
        var tree = new OldTree { Kids = [new() { Kids = [new(), new() { Kids = [] }] }] };
        NewTree read = Assert.Single(Read<OldTree[], List<NewTree>>([tree])!);
        Assert.Null(read.Kids![0].Kids![0].Kids);
        Assert.Empty(read.Kids[0].Kids![1].Kids!);

        Limits deep = new() { MaxDepth = 1_000_000 };
        SerializerOptions options = SerializerOptions.Default with { Limits = deep };
        for (int i = 0; i < 20_000; i++)
        {
            tree = new OldTree { Kids = [tree] };
        }

        byte[] bytes = Writer<OldTree[]>(options).Serialize(new From<OldTree[]> { Value = [tree] });
        int levels = 0;
        NewTree level = Reader<NewTree[]>(options).Deserialize<To<NewTree[]>>(bytes)!.Value![0];
        while (level.Kids is [var next, ..])
        {
            levels++;
            level = next;
        }

        Assert.Equal(20_002, levels);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(
            () => Reader<NewTree[]>(SerializerOptions.Default).Deserialize<To<NewTree[]>>(bytes)).Error);
    }

    [Fact]
    public void Signed_numbers_are_not_taken_for_unsigned_ones()
    {
        // The runtime would take the array itself, or one of an enum for one of numbers.
        IReadOnlyList<DayOfWeek> days = new[] { DayOfWeek.Friday };
        IReadOnlyList<int> numbers = Read<IReadOnlyList<DayOfWeek>, IReadOnlyList<int>>(days)!;
        Assert.Equal([5], Assert.IsType<List<int>>(numbers));
        Assert.IsType<int[]>(Read<IReadOnlyList<int>, IReadOnlyList<int>>(new[] { 1 }));
        AssertMismatch<IReadOnlyList<string>, IReadOnlyList<int>>(new[] { "a" });
    }

    [Fact]
    public void Maps_are_read_as_other_maps()
    {
        var map = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1, ["b"] = 2 };
        Check(Read<Dictionary<string, int>, IReadOnlyDictionary<string, int>>(map), typeof(Dictionary<string, int>));
        Check(Read<Dictionary<string, int>, IDictionary<string, int>>(map)!.AsReadOnly(), typeof(ReadOnlyDictionary<string, int>));
        Check(Read<Dictionary<string, int>, IImmutableDictionary<string, int>>(map), typeof(ImmutableDictionary<string, int>));
        Check(Read<Dictionary<string, int>, ReadOnlyDictionary<string, int>>(map), typeof(ReadOnlyDictionary<string, int>));
        Check(Read<ReadOnlyDictionary<string, int>, SortedDictionary<string, int>>(new(map)), typeof(SortedDictionary<string, int>));
        Check(Read<IReadOnlyDictionary<string, int>, ConcurrentDictionary<string, int>>(map), typeof(ConcurrentDictionary<string, int>));
        Check(Read<IReadOnlyDictionary<string, int>, IDictionary<string, int>>(
            map.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase))!.AsReadOnly(), typeof(ReadOnlyDictionary<string, int>));
        Assert.IsType<Dictionary<string, int>>(Read<Dictionary<string, int>, IEnumerable<KeyValuePair<string, int>>>(map));
        IReadOnlyDictionary<string, long[]> lists =
            Read<SortedList<string, List<int>>, IReadOnlyDictionary<string, long[]>>(new() { ["a"] = [1] })!;
        Assert.Equal([1L], lists["a"]);

        static void Check(IReadOnlyDictionary<string, int>? read, Type type)
        {
            Assert.IsType(type, read);
            Assert.Equal((2, 1, 2), (read.Count, read["A"], read["B"]));
        }
    }

    [Fact]
    public void A_set_takes_no_element_twice()
    {
        Twice<HashSet<int>>();
        Twice<SortedSet<int>>();
        Twice<FrozenSet<int>>();
        Twice<ImmutableHashSet<int>>();
        Twice<ImmutableSortedSet<int>>();
        Twice<IReadOnlySet<int>>();

        static void Twice<TSet>()
        {
            foreach (int[] items in (int[][])[[1, 2, 1], [.. Enumerable.Range(0, 5_000), 7]])
            {
                WireFormatException error = Assert.Throws<WireFormatException>(() => Read<List<int>, TSet>([.. items]));
                Assert.Equal(WireFormatError.InvalidValue, error.Error);
                Assert.StartsWith("Value", error.MemberPath, StringComparison.Ordinal);
                Assert.Contains("The writer had a sequence there", error.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void The_comparer_of_a_set_is_passed_over()
    {
        Assert.Equal(["a"], Read<HashSet<string>, string[]>(new(StringComparer.OrdinalIgnoreCase) { "a" })!);
        Assert.Equal(["a"], Read<SortedSet<string>, List<string>>(new(StringComparer.Create(new("tr-TR"), true)) { "a" })!);

        // Its class need not even exist, or be allowed, here.
        SerializerOptions options = SerializerOptions.Default with { PreserveObjectReferences = true };
        var set = new HashSet<Item>(new Secret(new Item("in the comparer"))) { new("a") };
        byte[] bytes = Writer<HashSet<Item>>(options).Serialize(new From<HashSet<Item>> { Value = set, Last = set.First() });
        To<List<Item>> read = Reader<List<Item>>(options).Deserialize<To<List<Item>>>(bytes)!;
        Assert.Same(Assert.Single(read.Value!), read.Last);
        Assert.Equal("a", Assert.Single(read.Value!).Name);
    }

    [Fact]
    public void What_does_not_convert_is_told_by_both_types()
    {
        Says<Dictionary<int, string>, List<KeyValuePair<int, string>>>(new() { [1] = "a" }, "map of", "List<KeyValuePair<int, string>>");
        Says<IReadOnlyDictionary<int, string>, List<string>>(
            new Dictionary<int, string> { [1] = "a" }, "Dictionary<int, string>", "List<string>");
        Says<List<string>, Dictionary<int, string>>(["a"], "sequence of", "Dictionary<int, string>");
        Says<int[,], int[]>(new[,] { { 1 } }, "array of", "Int32[]");
        Says<IReadOnlyList<string>, string>(["a"], "", "");
        Says<IReadOnlyList<int>, Item>([1], "ReadOnlyCollection<int>", "CollectionConversionMemberTests.Item");
        Says<List<int>, Item>([1], "sequence of", "Item");
        Says<IReadOnlyList<int>, Own>([1], "ReadOnlyCollection<int>", "CollectionConversionMemberTests.Own");
        Says<List<string>, int[]>(["a"], "String", "Int32");

        static void Says<TFrom, TTo>(TFrom value, string written, string declared)
        {
            WireFormatException error = AssertMismatch<TFrom, TTo>(value);
            Assert.Contains(written, error.Message, StringComparison.Ordinal);
            Assert.Contains(declared, error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Nothing_converts_without_version_tolerance()
    {
        SerializerOptions strict = SerializerOptions.Default with { VersionTolerance = false };
        byte[] list = new Serializer(strict).Serialize(new List<int> { 1 });
        Assert.Equal(
            WireFormatError.TypeMismatch, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<int[]>(list)).Error);
        byte[] array = new Serializer().Serialize(new[] { 1 });
        Assert.Equal(
            WireFormatError.TypeMismatch,
            Assert.Throws<WireFormatException>(() => new Serializer(strict).Deserialize<List<int>>(array)).Error);
        Assert.Equal([1], new Serializer().Deserialize<List<int>>(array));
    }

    internal static TTo? Read<TFrom, TTo>(TFrom? value)
    {
        TTo? result = default;
        foreach ((bool references, bool dynamicCode) in new[] { (false, true), (true, false), (true, true) })
        {
            SerializerOptions options = Configuration.Options(references, tolerance: true, dynamicCode);
            Serializer writer = Writer<TFrom>(options), reader = Reader<TTo>(options);
            byte[] bytes = writer.Serialize(new From<TFrom> { Value = value, Last = "last" });
            for (int i = 0; i < Reads; i++)
            {
                To<TTo> read = i % 2 == 0 ? reader.Deserialize<To<TTo>>(bytes)! : reader.Deserialize<To<TTo>>(new SeekableStream(bytes))!;
                Assert.Equal("last", read.Last);
                result = read.Value;
            }
        }

        return result;
    }

    private static WireFormatException AssertMismatch<TFrom, TTo>(
        TFrom? value, WireFormatError expected = WireFormatError.SchemaMismatch)
    {
        WireFormatException error = Assert.Throws<WireFormatException>(() => Read<TFrom, TTo>(value));
        Assert.Equal(expected, error.Error);
        return error;
    }

    // The two types stand for one under the identifier that both sides have agreed on.
    private static Serializer Writer<T>(SerializerOptions options) =>
        new(options with { KnownTypes = KnownTypes.Create([new(7, typeof(From<T>))]) });

    private static Serializer Reader<T>(SerializerOptions options) =>
        new(options with { KnownTypes = KnownTypes.Create([new(7, typeof(To<T>))]) });

    private sealed class From<T>
    {
        public object? Last { get; set; }

        public T? Value { get; set; }
    }

    private sealed class To<T>
    {
        public object? Last { get; set; }

        public T? Value { get; set; }
    }

    private sealed record Item(string Name);

    private sealed class Own : List<int>
    {
        public int More { get; set; }
    }

    private sealed class Secret(Item item) : IEqualityComparer<Item>
    {
        private readonly Item _item = item;

        public bool Equals(Item? x, Item? y) => x == y || x == _item;

        public int GetHashCode(Item obj) => 1;
    }

    private struct Old
    {
        public int Id { get; set; }
    }

    private readonly record struct New(long Id);

    private struct OldTree
    {
        public ImmutableArray<OldTree> Kids;
    }

    private struct NewTree
    {
        public NewTree[]? Kids;
    }
}
