using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Specialized;
using System.Reflection;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>Keys in circles: those that a program can have come back whole, and those that only bytes can make are refused.</summary>
public sealed class KeyTests
{
    private static readonly SerializerOptions References = new() { PreserveObjectReferences = true };

    public static TheoryData<bool> DynamicCode() => [true, false];

    [Theory]
    [InlineData(
        "12023A6A53797374656D2E436F6C6C656374696F6E732E47656E657269632E" +
        "4861736853657460315B5B53797374656D2E4F626A6563745D5D014946000001022B" +
        "3E53797374656D2E5475706C6560315B5B53797374656D2E4F626A6563745D5D014401054974656D3146000101")]
    [InlineData("1202233853797374656D2E436F6C6C656374696F6E732E486173687461626C650142460046000601052F0101011501000000")]
    // To a comparer of texts.
    [InlineData(
        "1202233853797374656D2E436F6C6C656374696F6E732E486173687461626C650142460046000101022B" +
        "3E53797374656D2E5475706C6560315B5B53797374656D2E4F626A6563745D5D014401054974656D31460001011501000000")]
    public void A_tuple_or_array_that_holds_itself_is_no_key(string hex) =>
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(Convert.FromHexString(hex))).Error);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(6)]
    public void A_key_that_holds_itself_is_none_to_a_comparer_that_asks_it(byte comparer)
    {
        var own = new Link { Number = 1 };
        own.Next = own;
        var reader = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Link>() });
        foreach (object pairs in new object[]
        {
            new Hashtable(ReferenceEqualityComparer.Instance) { [own] = 1 },
            new OrderedDictionary(ReferenceEqualityComparer.Instance) { { own, 1 } },
        })
        {
            byte[] bytes = new Serializer(References).Serialize(pairs);
            int at = bytes.AsSpan().IndexOf((ReadOnlySpan<byte>)[5, 1]);
            bytes[at] = comparer;
            Assert.Equal(
                WireFormatError.InvalidValue, Assert.ThrowsAny<WireFormatException>(() => reader.Deserialize<object>(bytes)).Error);
        }
    }

    [Fact]
    public void A_record_that_holds_itself_is_no_key()
    {
        var own = new Link { Number = 1 };
        own.Next = own;
        AssertNoKey(own);
    }

    [Fact]
    public void A_chain_of_references_as_long_as_the_payload_is_no_key()
    {
        var all = new List<object>();
        object last = 0;
        for (int i = 0; i < 100_000; i++)
        {
            all.Add(last = Tuple.Create(last));
        }

        AssertNoKey(all, last);
    }

    [Fact]
    public void A_key_whose_hash_code_would_never_end_is_refused()
    {
        object last = 0;
        for (int i = 0; i < 60; i++)
        {
            last = Tuple.Create(last, last);
        }

        AssertNoKey(WireFormatError.Limit, last);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_key_that_leads_back_to_its_set_is_found_in_it(bool dynamicCode)
    {
        var serializer = new Serializer(References with { DynamicCode = dynamicCode });
        var child = new Child { ZName = "z" };
        child.AOwner = new Parent { Children = { child, new Child { ZName = "other" } }, ByChild = { [child] = 1 } };
        Child back = serializer.CopyBothWays(child);
        Assert.Contains(back, back.AOwner!.Children);
        Assert.Equal(["z", "other"], back.AOwner.Children.Select(c => c.ZName));
        Assert.Equal(1, back.AOwner.ByChild[back]);
        Parent parent = serializer.CopyBothWays(child.AOwner);
        Assert.All(parent.Children, c => Assert.Contains(c, parent.Children));
    }

    [Fact]
    public void Structures_and_arrays_that_are_no_circles_are_keys()
    {
        var serializer = new Serializer(References);
        object shared = Tuple.Create("s", 1);
        var set = new HashSet<object>
        {
            Tuple.Create(shared, shared),
            (1, "a"),
            new Link { Number = 3, Next = new Link { Number = 4 } },
            new object?[] { 1, null },
        };
        HashSet<object> back = serializer.CopyBothWays(set);
        Assert.Equal(4, back.Count);
        Assert.Contains((1, "a"), back);
        var self = new object[1];
        self[0] = self;
        HashSet<object> arrays = serializer.CopyBothWays(new HashSet<object> { self });
        Assert.Same(arrays.Single(), ((object[])arrays.Single())[0]);
        var table = new Hashtable(StructuralComparisons.StructuralEqualityComparer) { [new object[] { 1, "b" }] = 5 };
        Assert.Equal(5, serializer.CopyBothWays(table)[new object[] { 1, "b" }]);
    }

    [Fact]
    public void An_exception_inside_itself_is_refused()
    {
        var own = new InvalidOperationException("x");
        typeof(Exception).GetField("_innerException", BindingFlags.Instance | BindingFlags.NonPublic)!.SetValue(own, own);
        Serializer serializer = new(References);
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(own));

        // The payload of one without an inner exception, in which the null of that becomes a reference to the exception itself.
        byte[] none = serializer.Serialize(new InvalidOperationException("x"));
        byte[] some = serializer.Serialize(new InvalidOperationException("x", new InvalidOperationException("y")));
        int at = none.AsSpan().CommonPrefixLength(some);
        byte[] itself = [.. none[..at], 0x01, 0x00, .. none[(at + 1)..]];
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Exception>(itself)).Error);
    }

    [Fact]
    public void Data_of_an_exception_are_limited_and_filled_without_its_code()
    {
        var exception = new FormatException();
        for (int i = 0; i <= 1000; i++)
        {
            exception.Data[i] = i;
        }

        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(exception));
        var own = new WithOwnData();
        Assert.Equal("x", new Serializer().CopyBothWays(own).Message);
    }

    [Fact]
    public void A_bounded_collection_around_the_queue_that_holds_it_is_refused_or_whole()
    {
        var queue = new OwnQueue();
        queue.Around = new BlockingCollection<object>(queue, 5);
        byte[] bytes = new Serializer(References).Serialize(queue);
        try
        {
            Assert.NotNull(new Serializer().Deserialize<OwnQueue>(bytes)!.Around);
        }
        catch (WireFormatException e)
        {
            Assert.Equal(WireFormatError.InvalidValue, e.Error);
        }
    }

    private static void AssertRefused<T>(object graph)
    {
        byte[] bytes = new Serializer(References).Serialize(graph);
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.ThrowsAny<WireFormatException>(() => new Serializer().Deserialize<T>(bytes)).Error);
    }

    // A set by reference can hold anything, and comes back. Bytes can say that it is one by equality.
    private static void AssertNoKey(params object[] keys) => AssertNoKey(WireFormatError.InvalidValue, keys);

    private static void AssertNoKey(WireFormatError error, params object[] keys)
    {
        var reader = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Link>() });
        byte[] bytes = new Serializer(References).Serialize(new HashSet<object>(keys, ReferenceEqualityComparer.Instance));
        Assert.Equal(keys.Length, reader.Deserialize<HashSet<object>>(bytes)!.Count);
        int comparer = 3 + bytes[2];
        Assert.Equal(5, bytes[comparer]);
        bytes[comparer] = 0;
        Assert.Equal(error, Assert.ThrowsAny<WireFormatException>(() => reader.Deserialize<HashSet<object>>(bytes)).Error);
    }

    private sealed record Link
    {
        public int Number { get; init; }

        public Link? Next { get; set; }
    }

    private sealed class Parent
    {
        public HashSet<Child> Children { get; } = [];

        public Dictionary<Child, int> ByChild { get; } = [];
    }

    private sealed class Child
    {
        public Parent? AOwner { get; set; }

        public string? ZName { get; set; }

        public override bool Equals(object? obj) => obj is Child other && other.ZName == ZName;

        public override int GetHashCode() => ZName!.GetHashCode(StringComparison.Ordinal);
    }

    private sealed class WithOwnData : FormatException
    {
        private readonly Dictionary<object, object> _own = [];

        public WithOwnData()
            : base("x") => _own.Add("a", 1);

        public override IDictionary Data => _own;
    }

    private sealed class OwnQueue : ConcurrentQueue<object>
    {
        public BlockingCollection<object>? Around { get; set; }
    }
}
