using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>What one version wrote as one collection, another reads as another of the same shape.</summary>
public sealed class CollectionVersionTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    [Fact]
    public void A_sequence_is_read_as_another_one()
    {
        List<int> list = [1, 2, 3];
        Assert.Equal([1L, 2, 3], Read<List<int>, Queue<long>>(list)!);
        Assert.Equal([3L, 2, 1], Read<List<int>, Stack<long>>(list)!);
        Assert.Equal([1L, 2, 3], Read<List<int>, LinkedList<long>>(list)!);
        Assert.Equal([1m, 2, 3], Read<List<int>, ImmutableList<decimal>>(list)!);
        Assert.Equal([1L, 2, 3], Read<List<int>, ConcurrentQueue<long>>(list)!);
        Assert.Equal([1L, 2, 3], Read<Queue<int>, List<long>>(new(list))!);
        Assert.Equal([1, 2, 3], Read<ImmutableList<int>, Queue<int>>([1, 2, 3])!);
        Assert.Equal([1L, 2, 3], Read<ReadOnlyMemory<int>, ImmutableArray<long>>(new([1, 2, 3])).ToArray());
        Assert.Equal([1L, 2, 3], Read<ArraySegment<int>, ImmutableArray<long>>(new([1, 2, 3])).ToArray());
        Assert.True(Read<ImmutableArray<int>, ImmutableArray<long>>(default).IsDefault);
        Assert.Equal([new(1)], Read<Old[], List<New>>([new() { Id = 1 }])!);
        Assert.Equal([new(1)], Read<List<Old>, New[]>([new() { Id = 1 }])!);
    }

    [Fact]
    public void A_map_is_read_as_another_one_with_its_comparer()
    {
        var map = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1, ["b"] = 2 };
        ImmutableDictionary<string, long> immutable = Read<Dictionary<string, int>, ImmutableDictionary<string, long>>(map)!;
        Assert.Equal((1L, 2L, StringComparer.OrdinalIgnoreCase), (immutable["A"], immutable["b"], immutable.KeyComparer));
        Assert.Equal(2L, Read<Dictionary<string, int>, SortedDictionary<string, long>>(map)!["B"]);
        Assert.Equal(2L, Read<Dictionary<string, int>, FrozenDictionary<string, long>>(map)!["B"]);
        Assert.Equal(2L, Read<Dictionary<string, int>, ConcurrentDictionary<string, long>>(map)!["B"]);
        Assert.Equal(["a", "b"], Read<Dictionary<string, int>, OrderedDictionary<string, long>>(map)!.Keys);
        Assert.Equal(2L, Read<ImmutableDictionary<string, int>, Dictionary<string, long>>(
            map.ToImmutableDictionary(StringComparer.OrdinalIgnoreCase))!["B"]);
        Assert.Equal(1, Read<SortedList<string, int>, Dictionary<string, int>>(new(map, StringComparer.Ordinal))!["a"]);
    }

    [Fact]
    public void A_set_is_read_as_another_one()
    {
        Assert.Equal([1L, 2], Read<HashSet<int>, SortedSet<long>>([2, 1])!);
        Assert.Equal([1L, 2], Read<HashSet<int>, ImmutableSortedSet<long>>([2, 1])!);
        Assert.True(Read<SortedSet<int>, FrozenSet<long>>([2, 1])!.SetEquals([1, 2]));
    }

    [Fact]
    public void Shapes_that_differ_are_a_clear_error()
    {
        Mismatch<Dictionary<int, int>, List<KeyValuePair<int, int>>>(new() { [1] = 1 });
        Mismatch<List<string>, Queue<int>>(["1"]);

        // The comparer of one kind of collection is none for the other.
        WireFormatException error =
            Assert.Throws<WireFormatException>(() => Read<HashSet<int>, SortedSet<int>>(new(new OnlyEquality()) { 1 }));
        Assert.Equal((WireFormatError.InvalidValue, "Value"), (error.Error, error.MemberPath));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_class_may_begin_and_stop_to_derive_from_a_collection(bool dynamicCode)
    {
        Serializer serializer = Setup.Closed(dynamicCode);
        for (int i = 0; i < Reads; i++)
        {
            Before.Bag stopped =
                serializer.Deserialize<Before.Bag>(serializer.Serialize(new After.Bag { Title = "a", Number = 1 }.With("x")))!;
            Assert.Equal("a", stopped.Title);
            After.Bag began = serializer.Deserialize<After.Bag>(serializer.Serialize(new Before.Bag { Title = "b" }))!;
            Assert.Equal(("b", 0), (began.Title, began.Number));
            began.Add("works");
            Assert.Equal(["works"], began);
            After.Wider wider =
                serializer.Deserialize<After.Wider>(serializer.Serialize(new After.Bag { Title = "c", Number = 2 }.With("x")))!;
            Assert.Equal(("c", null), (wider.Title, wider.Added));
            Assert.Equal(["x"], wider);
            Assert.Equal(["x"], serializer.Deserialize<After.Bag>(serializer.Serialize(wider))!);
            After.Names names = serializer.Deserialize<After.Names>(serializer.Serialize(new Before.Bag { Title = "d" }))!;
            Assert.Equal("d", names.Title);
            names.Add(new Part("k", 1));
            Assert.Equal(1, names["k"].Count);
        }
    }

    private static TTo? Read<TFrom, TTo>(TFrom value)
    {
        TTo? result = default;
        foreach (bool dynamicCode in new[] { true, false })
        {
            // The two types stand for one under the identifier that both sides have agreed on.
            SerializerOptions options = Configuration.Options(references: dynamicCode, tolerance: true, dynamicCode);
            var writer = new Serializer(options with { KnownTypes = KnownTypes.Create([new(7, typeof(From<TFrom>))]) });
            var reader = new Serializer(options with { KnownTypes = KnownTypes.Create([new(7, typeof(To<TTo>))]) });
            byte[] bytes = writer.Serialize(new From<TFrom> { Value = value, Last = "last" });
            for (int i = 0; i < Reads; i++)
            {
                To<TTo> read = reader.Deserialize<To<TTo>>(bytes)!;
                Assert.Equal("last", read.Last);
                result = read.Value;
            }
        }

        return result;
    }

    private static void Mismatch<TFrom, TTo>(TFrom value)
    {
        var error = Assert.Throws<WireFormatException>(() => Read<TFrom, TTo>(value));
        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
        Assert.Contains("'Value'", error.Message, StringComparison.Ordinal);
    }

    private sealed class From<T>
    {
        public T? Value { get; set; }

        public string? Last { get; set; }
    }

    private sealed class To<T>
    {
        public T? Value { get; set; }

        public string? Last { get; set; }
    }

    private struct Old
    {
        public int Id { get; set; }
    }

    private readonly record struct New(long Id);

    private sealed class OnlyEquality : IEqualityComparer<int>
    {
        public bool Equals(int x, int y) => x == y;

        public int GetHashCode(int obj) => obj;
    }

    private static class Before
    {
        [WireName("CollectionVersion.Bag")]
        public sealed class Bag
        {
            public string? Title { get; set; }
        }
    }

    private static class After
    {
        [WireName("CollectionVersion.Bag")]
        public sealed class Bag : List<object?>
        {
            public string? Title { get; set; }

            public int Number { get; set; }
        }

        [WireName("CollectionVersion.Bag")]
        public sealed class Wider : LinkedList<object?>
        {
            public string? Title { get; set; }

            public string? Added { get; set; }
        }

        [WireName("CollectionVersion.Bag")]
        public sealed class Names : KeyedCollection<string, Part>
        {
            public string? Title { get; set; }

            protected override string GetKeyForItem(Part item) => item.Key;
        }
    }
}
