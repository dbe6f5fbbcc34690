using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>One payload's collections in variables of several types: what is shared, refers to itself, or is too much.</summary>
public sealed class CollectionConversionSharingTests
{
    public static TheoryData<bool, bool> Options => new() { { false, true }, { true, true }, { false, false }, { true, false } };

    [Theory]
    [MemberData(nameof(Options))]
    public void One_manifest_is_read_for_variables_of_several_types(bool references, bool dynamicCode)
    {
        (Serializer writer, Serializer reader) = Create<Lists, Forms>(references, dynamicCode);
        var lists = new Lists
        {
            A = new List<int> { 1 },
            B = new List<int> { 2 },
            C = new List<int> { 3 },
            D = new List<int> { 4 },
            E = new List<int> { 5 },
            All = [new List<int> { 6 }, new List<int> { 7 }, new List<int> { 8 }, new List<int> { 9 }],
        };
        byte[] bytes = writer.Serialize(lists);
        SerializerSession session = writer.GetSerializerSession();
        byte[] first = writer.Serialize(lists, session), second = writer.Serialize(lists, session);
        using DeserializerSession reading = reader.GetDeserializerSession();
        for (int i = 0; i < 5; i++)
        {
            Check(reader.Deserialize<Forms>(bytes)!);
            Check(reader.Deserialize<Forms>(i == 0 ? first : second, reading)!);
            Check((Forms)Assert.Single(reader.Deserialize<object[]>(writer.Serialize(new object[] { lists }))!));
        }

        static void Check(Forms read)
        {
            Assert.Equal([1], read.A!);
            Assert.Equal([2], Assert.IsType<List<int>>(read.B));
            Assert.Equal([3], read.C!);
            Assert.Equal([4L], read.D!);
            Assert.Equal([5], read.E!);
            Assert.All(read.All!, list => Assert.IsType<List<int>>(list));
            Assert.Equal([6, 7, 8, 9], read.All!.Cast<List<int>>().Select(list => list[0]));
        }
    }

    [Fact]
    public void Roots_are_read_as_asked_for_in_any_order()
    {
        var serializer = new Serializer();
        SerializerSession session = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        var list = new List<Item> { new("a") };
        byte[] bytes = serializer.Serialize(list), first = serializer.Serialize(list, session), later = serializer.Serialize(list, session);
        for (int i = 0; i < 20; i++)
        {
            byte[] next = i == 0 ? first : later;
            Assert.Equal(list, serializer.Deserialize<Item[]>(bytes));
            Assert.Equal(list, serializer.Deserialize<Item[]>(next, reading));
            Assert.IsType<List<Item>>(serializer.Deserialize<List<Item>>(bytes));
            Assert.IsType<List<Item>>(serializer.Deserialize<IReadOnlyList<Item>>(later, reading));
            Assert.Equal(list, serializer.Deserialize<ImmutableArray<Item>>(bytes));
            Assert.Equal(list, serializer.Deserialize<ImmutableArray<Item>?>(bytes)!.Value);
            Assert.Equal(list, serializer.Deserialize<HashSet<Item>>(bytes)!.ToArray());
            WireFormatException error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Item>(bytes));
            Assert.Equal(WireFormatError.TypeMismatch, error.Error);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_shared_collection_stays_one_where_all_variables_have_its_new_type(bool dynamicCode)
    {
        (Serializer writer, Serializer reader) = Create<Lists, Forms>(references: true, dynamicCode);
        var one = new List<int> { 1 };
        Forms read = reader.Deserialize<Forms>(writer.Serialize(new Lists { A = one, C = one, All = [one] }))!;
        Assert.Same(read.A, read.C);
        Assert.Same(read.A, Assert.Single(read.All!));

        WireFormatException error = Assert.Throws<WireFormatException>(
            () => reader.Deserialize<Forms>(writer.Serialize(new Lists { A = one, D = one })));
        Assert.Equal((WireFormatError.TypeMismatch, "D"), (error.Error, error.MemberPath));

        // As a value, it is equal.
        (Serializer values, Serializer asValues) = Create<Lists, Values>(references: true, dynamicCode);
        Values parts = asValues.Deserialize<Values>(values.Serialize(new Lists { A = one, B = one, C = new List<int> { 3 } }))!;
        Assert.Equal(parts.A, parts.B);
        Assert.Equal([3], parts.C.AsEnumerable());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Numbers_of_objects_stay_right_behind_a_converted_collection(bool dynamicCode)
    {
        Item a = new("a"), b = new("b"), c = new("c");
        Same<IReadOnlyList<Item>, Item[]>(new ReadOnlyCollection<Item>(new ObservableCollection<Item>([a, b])));
        Same<ReadOnlyCollection<Item>, ImmutableArray<Item>>(new([a, b]));
        Same<ReadOnlyCollection<Item>, List<Item>>(new([a, b]));
        Same<List<Item>, ReadOnlyCollection<Item>>([a, b]);
        Same<ImmutableArray<Item>, ReadOnlyObservableCollection<Item>>([a, b]);
        Same<ImmutableArray<Item>, Queue<Item>>([a, b]);
        Same<ArraySegment<Item>, HashSet<Item>>(new([a, b]));
        Same<HashSet<Item>, IReadOnlyList<Item>>(new(new ByName(c)) { a, b });
        Same<Item[], ImmutableList<Item>>([a, b]);

        void Same<TFrom, TTo>(TFrom items)
            where TFrom : IEnumerable<Item>
            where TTo : IEnumerable<Item>
        {
            (Serializer writer, Serializer reader) = Create<Around<TFrom>, Around<TTo>>(references: true, dynamicCode);
            for (int i = 0; i < 12; i++)
            {
                Around<TTo> read = reader.Deserialize<Around<TTo>>(
                    writer.Serialize(new Around<TFrom> { Before = a, Items = items, Then = [b, c, b, a] }))!;
                Item[] found = [.. read.Items!];
                Assert.Equal([a, b], found);
                Assert.Equal(4, read.Then!.Length);
                Assert.Same(read.Before, found[0]);
                Assert.Same(read.Then[0], found[1]);
                Assert.Same(read.Then[2], found[1]);
                Assert.Same(read.Then[3], found[0]);
                Assert.Equal("c", read.Then[1].Name);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_collection_that_holds_itself_is_made_before_its_elements(bool dynamicCode)
    {
        var list = new List<object> { 1 };
        list.Add(list);
        Leads<object[]>(read => read[1]);
        Leads<ReadOnlyCollection<object>>(read => read[1]);
        Leads<Queue<object>>(read => read.Last());
        Leads<Collection<object>>(read => read[1]);
        Leads<IReadOnlyCollection<object>>(read => read.Last());

        (Serializer writer, Serializer reader) = Create<Around<List<object>>, Around<ImmutableList<object>>>(true, dynamicCode);
        WireFormatException error = Assert.Throws<WireFormatException>(
            () => reader.Deserialize<Around<ImmutableList<object>>>(writer.Serialize(new Around<List<object>> { Items = list })));
        Assert.Equal(WireFormatError.Reference, error.Error);

        void Leads<TTo>(Func<TTo, object> itself)
            where TTo : class
        {
            (Serializer writer, Serializer reader) = Create<Around<List<object>>, Around<TTo>>(references: true, dynamicCode);
            byte[] bytes = writer.Serialize(new Around<List<object>> { Items = list });
            TTo read = reader.Deserialize<Around<TTo>>(bytes)!.Items!;
            Assert.Same((object)read, itself(read));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_inside_a_value_never_takes_the_place_of_the_object_around_it(bool dynamicCode)
    {
        var node = new Node<ImmutableArray<object>>();
        node.Parts = [node, "x"];
        Leads<List<object>>(parts => parts[0]);
        Leads<object[]>(parts => parts[0]);
        Leads<ReadOnlyCollection<object>>(parts => parts[0]);
        Leads<Queue<object>>(parts => parts.First());
        Leads<HashSet<object>>(parts => parts.First(part => part is not string));

        void Leads<TTo>(Func<TTo, object> first)
        {
            (Serializer writer, Serializer reader) = Create<Node<ImmutableArray<object>>, Node<TTo>>(references: true, dynamicCode);
            Node<TTo> read = reader.Deserialize<Node<TTo>>(writer.Serialize(node))!;
            Assert.Same(read, first(read.Parts!));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_a_removed_member_shared_is_read_as_the_kept_one_declares(bool dynamicCode)
    {
        List<int> numbers = [1, 2];
        List<Item> items = [new("a")];
        Kept<Removed<IEnumerable<int>, List<int>>, int[]>(new() { Gone = numbers, Kept = numbers });
        Kept<Removed<List<int>, List<int>>, int[]>(new() { Gone = numbers, Kept = numbers });
        Kept<Removed<List<int>, List<int>>, Queue<int>>(new() { Gone = numbers, Kept = numbers });
        Kept<Removed<List<Item>, List<Item>>, Item[]>(new() { Gone = items, Kept = items });
        Kept<Removed<object, List<Item>>, ImmutableArray<Item>>(new() { Gone = items, Kept = items });
        Kept<Removed<List<Item>, List<Item>>, ImmutableArray<Item>>(new() { Gone = items, Kept = items });

        void Kept<TFrom, TTo>(TFrom value)
        {
            (Serializer writer, Serializer reader) = Create<TFrom, Left<TTo>>(references: true, dynamicCode);
            Left<TTo> read = reader.Deserialize<Left<TTo>>(writer.Serialize(value))!;
            object[] kept = [.. ((System.Collections.IEnumerable)read.Kept!).Cast<object>()];
            Assert.Equal(kept is [int, ..] ? [1, 2] : (object[])[new Item("a")], kept);
        }
    }

    [Fact]
    public void A_collection_that_the_filter_denies_is_not_made()
    {
        (Serializer writer, _) = Create<Around<List<int>>, Around<Queue<int>>>(references: false, dynamicCode: true);
        byte[] bytes = writer.Serialize(new Around<List<int>> { Items = [1] });
        Refused<IReadOnlyList<int>>(WireTypeFilter.Default.Deny<List<int>>());
        Refused<Queue<int>>(WireTypeFilter.Default.Deny<Queue<int>>());
        Refused<ISet<int>>(WireTypeFilter.Default.Deny<HashSet<int>>());

        void Refused<T>(WireTypeFilter filter)
        {
            var reader = new Serializer(new() { TypeFilter = filter, KnownTypes = KnownTypes.Create([new(7, typeof(Around<T>))]) });
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Around<T>>(bytes));
        }
    }

    [Fact]
    public void Limits_hold_for_converted_collections()
    {
        var serializer = new Serializer(SerializerOptions.Default with { Limits = new Limits { MaxElements = 100 } });
        byte[] many = new Serializer().Serialize(Enumerable.Range(0, 101).ToList());
        Limit(() => serializer.Deserialize<int[]>(many));
        Limit(() => serializer.Deserialize<HashSet<int>>(many));
        Limit(() => serializer.Deserialize<ImmutableArray<int>>(many));

        // All have one hash code.
        byte[] flood = new Serializer().Serialize(Enumerable.Range(0, 100_000).Select(i => ((long)i << 32) | (uint)i).ToList());
        Limit(() => new Serializer().Deserialize<HashSet<long>>(flood));
        Limit(() => new Serializer().Deserialize<IReadOnlySet<long>>(flood));
        Limit(() => new Serializer().Deserialize<ImmutableHashSet<long>>(flood));

        // A count that the bytes cannot have.
        byte[] list = new Serializer().Serialize(new List<int> { 1 });
        list[^5] = 0x7F;
        foreach (Action read in (Action[])[
            () => new Serializer().Deserialize<int[]>(list), () => new Serializer().Deserialize<HashSet<int>>(list)])
        {
            Assert.Equal(WireFormatError.Length, Assert.Throws<WireFormatException>(read).Error);
        }

        static void Limit(Action read) => Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(read).Error);
    }

    private static (Serializer Writer, Serializer Reader) Create<TFrom, TTo>(bool references, bool dynamicCode)
    {
        SerializerOptions options = Configuration.Options(references, tolerance: true, dynamicCode);
        return (
            new(options with { KnownTypes = KnownTypes.Create([new(7, typeof(TFrom))]) }),
            new(options with { KnownTypes = KnownTypes.Create([new(7, typeof(TTo))]) }));
    }

    private sealed record Item(string Name);

    private sealed class ByName(Item item) : IEqualityComparer<Item>
    {
        private readonly Item _item = item;

        public bool Equals(Item? x, Item? y) => x?.Name == y?.Name || x?.Name == _item.Name;

        public int GetHashCode(Item obj) => 1;
    }

    private sealed class Lists
    {
        public IEnumerable<int>? A;
        public IEnumerable<int>? B;
        public IEnumerable<int>? C;
        public IEnumerable<int>? D;
        public IEnumerable<int>? E;
        public object[]? All;
    }

    private sealed class Forms
    {
        public int[]? A;
        public IReadOnlyList<int>? B;
        public int[]? C;
        public Queue<long>? D;
        public HashSet<int>? E;
        public object[]? All;
    }

    private sealed class Values
    {
        public ImmutableArray<int> A;
        public ImmutableArray<int> B;
        public ImmutableArray<int> C;
    }

    private sealed class Around<T>
    {
        public Item? Before { get; set; }

        public T? Items { get; set; }

        public Item[]? Then { get; set; }
    }

    private sealed class Removed<TGone, TKept>
    {
        public TGone? Gone { get; set; }

        public TKept? Kept { get; set; }
    }

    private sealed class Left<T>
    {
        public T? Kept { get; set; }
    }

    private sealed class Node<T>
    {
        public T? Parts { get; set; }
    }
}
