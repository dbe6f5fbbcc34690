using System.Collections;
using System.Collections.Specialized;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

public sealed class ListDictionaryTests : ValueTests<ListDictionary?>
{
    protected override IEnumerable<ListDictionary?> Samples =>
    [
        null, [], new() { { 2, "two" }, { 1, null }, { "x", new ListDictionary() } },
        new(StringComparer.OrdinalIgnoreCase) { { "b", 1 }, { "a", 2 } },
        new(Comparer.DefaultInvariant) { { "b", 1 }, { "a", 2 } }, new(Comparer<object>.Default) { { 3, 1 }, { 2, 2 } },
        new(new ByLength()) { { "bb", 1 }, { "a", 2 } },
        new(StructuralComparisons.StructuralComparer) { { new[] { 1 }, 1 } },
    ];

    [Fact]
    public void A_comparer_by_order_is_not_taken_for_none()
    {
        // Half of them cannot be compared by order, and are unequal to one another.
        ListDictionary none = new Serializer().CopyBothWays(new ListDictionary { { 1, 1 }, { "a", 2 } });
        Assert.Equal(2, none["a"]);
        ListDictionary ordered = new Serializer().CopyBothWays(new ListDictionary(Comparer<object>.Default) { { 1, 1 } });
        Assert.Throws<ArgumentException>(() => ordered["a"]);
    }
}

[TypeNotes("whether case matters is kept; in what order a large one comes is not")]
public sealed class HybridDictionaryTests : ValueTests<HybridDictionary?>
{
    protected override IEnumerable<HybridDictionary?> Samples =>
    [
        null, [], new() { { 2, "two" }, { 1, null }, { "x", new HybridDictionary() } },
        new(caseInsensitive: true) { { "b", 1 }, { "a", 2 } }, Numbers(8, false), Numbers(9, false),
        Numbers(100, false), Numbers(9, true), new(20, caseInsensitive: true) { { "a", 1 }, { 5, 2 }, { 3.5, 3 } },
    ];

    protected override void More(HybridDictionary? expected, HybridDictionary? actual)
    {
        if (expected is not null && expected["a"] is { } found)
        {
            Assert.Equal(expected["A"] is not null, Equals(found, actual!["A"]));
        }
    }

    private static HybridDictionary Numbers(int count, bool ignoresCase)
    {
        var numbers = new HybridDictionary(ignoresCase);
        for (int i = count; i > 0; i--)
        {
            numbers.Add(ignoresCase ? $"a{i}" : i, i);
        }

        return numbers;
    }
}

[TypeNotes("comparer and order kept; a read-only view is refused")]
public sealed class UntypedOrderedDictionaryTests : ValueTests<OrderedDictionary?>
{
    protected override IEnumerable<OrderedDictionary?> Samples =>
    [
        null, [], new() { { 2, "two" }, { 1, null }, { "x", new OrderedDictionary() } },
        new(StringComparer.OrdinalIgnoreCase) { { "b", 1 }, { "a", 2 } }, new(Texts.Turkish) { { "i", 1 } },
        new(new ByLength()) { { "bb", 1 }, { "a", 2 } }, new(StructuralComparisons.StructuralEqualityComparer) { { new[] { 1 }, 1 } },
        AfterRemovals(),
    ];

    [Fact]
    public void A_read_only_view_is_refused_by_name()
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(
            () => new Serializer().Serialize(new OrderedDictionary { { 1, 2 } }.AsReadOnly()));
        Assert.Contains("AsReadOnly()", e.Message, StringComparison.Ordinal);
    }

    private static OrderedDictionary AfterRemovals()
    {
        var pairs = new OrderedDictionary { { "a", 1 }, { "b", 2 }, { "c", 3 } };
        pairs.Remove("a");
        pairs.Insert(1, "a", 4);
        return pairs;
    }
}

[TypeNotes("keys in lower case, as it has them")]
public sealed class StringDictionaryTests : ValueTests<StringDictionary?>
{
    protected override IEnumerable<StringDictionary?> Samples =>
        [null, [], new() { { "A", "1" }, { "b", null }, { "", "x" }, { "\u0130", "y" } }, Many()];

    [Fact]
    public void A_key_of_a_payload_is_lower_case_too()
    {
        byte[] bytes = new Serializer().Serialize(new StringDictionary { { "key", "1" } });
        bytes[bytes.AsSpan().IndexOf("key"u8)] = (byte)'K';
        StringDictionary back = new Serializer().Deserialize<StringDictionary>(bytes)!;
        Assert.Equal("1", back["KEY"]);
        GraphAssert.FindsItsKeys(back);
    }

    private static StringDictionary Many()
    {
        var texts = new StringDictionary();
        for (int i = 0; i < 100; i++)
        {
            texts.Add($"Key{i}", $"{i}");
        }

        return texts;
    }
}

public sealed class SpecializedKindsUseTests
{
    private static readonly Serializer References = new(new SerializerOptions { PreserveObjectReferences = true });

    public static TheoryData<IDictionary> All =>
        [new ListDictionary(), new HybridDictionary(), new HybridDictionary(20, caseInsensitive: true), new OrderedDictionary()];

    [Theory]
    [MemberData(nameof(All))]
    public void It_may_hold_itself_and_what_others_hold(IDictionary pairs)
    {
        var shared = new List<int> { 1 };
        pairs.Add("self", pairs);
        pairs.Add("one", shared);
        pairs.Add("two", shared);
        IDictionary back = References.CopyBothWays(pairs);
        Assert.Same(back, back["self"]);
        Assert.Same(back["one"], back["two"]);
        GraphAssert.Same(pairs, back, sharing: true);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void A_key_that_leads_back_to_it_is_found_in_it(IDictionary pairs)
    {
        var key = new Key { Around = pairs, Name = "z" };
        pairs.Add("first", 0);
        pairs.Add(key, 1);
        var holder = new Key { Around = key, Name = "holder" };
        Key back = Assert.IsType<Key>(References.CopyBothWays(holder).Around);
        Assert.Equal(1, ((IDictionary)back.Around!)[back]);
    }

    [Fact]
    public void One_by_its_interface_comes_back_as_itself() =>
        Assert.IsType<HybridDictionary>(
            new Serializer().CopyBothWays(new Holder<IDictionary> { Declared = new HybridDictionary { { 1, 2 } } }).Declared);

    private sealed class Key
    {
        public object? Around { get; set; }

        public string? Name { get; set; }

        public override bool Equals(object? obj) => obj is Key other && other.Name!.Length == Name!.Length && other.Name == Name;

        public override int GetHashCode() => Name!.Length;
    }
}
