using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Floods;

/// <summary>Keys that are not complete yet when the collection that cannot wait for them has to be there.</summary>
public sealed class KeysInCirclesTests
{
    private static readonly SerializerOptions References = new() { PreserveObjectReferences = true };

    public static TheoryData<bool> DynamicCode() => [true, false];

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Immutable_collections_in_a_circle_with_a_key_find_it(bool dynamicCode)
    {
        var key = new Key { ZName = "a" };
        var other = new Key { ZName = "b" };
        key.AHashSet = [key, other];
        key.ADictionary = ImmutableDictionary<Key, int>.Empty.Add(key, 1).Add(other, 2);
        key.ASortedSet = [key, other];
        key.ASortedDictionary = ImmutableSortedDictionary<Key, int>.Empty.Add(key, 3).Add(other, 4);
        Key back = new Serializer(References with { DynamicCode = dynamicCode }).CopyBothWays(key);
        Assert.Same(back, back.AHashSet!.TryGetValue(back, out Key? found) ? found : null);
        Assert.Same(back, back.AHashSet!.Single(item => item.ZName == "a"));
        Assert.Equal(1, back.ADictionary![back]);
        Assert.Equal(["a", "b"], back.ASortedSet!.Select(item => item.ZName));
        Assert.Equal(0, back.ASortedSet!.IndexOf(back));
        Assert.Equal(3, back.ASortedDictionary![back]);
        Assert.Equal(3, back.ADictionary.Add(new Key { ZName = "c" }, 5).Count);
    }

    [Fact]
    public void A_frozen_collection_whose_key_would_not_be_found_in_it_is_refused()
    {
        var key = new Key { ZName = "a" };
        key.AFrozen = new[] { key }.ToFrozenSet();
        byte[] bytes = new Serializer(References).Serialize(key);
        WireFormatException error = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Key>(bytes));
        Assert.Equal(WireFormatError.InvalidValue, error.Error);
        var plain = new Plain();
        plain.Frozen = new[] { plain }.ToFrozenSet();
        Plain back = new Serializer(References).CopyBothWays(plain);
        Assert.Same(back, back.Frozen!.TryGetValue(back, out Plain? found) ? found : null);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_key_that_comes_twice_in_a_keyed_collection_is_noticed_at_once(bool dynamicCode)
    {
        var serializer = new Serializer(new SerializerOptions { DynamicCode = dynamicCode });
        var items = new ByName { new Item { Name = "a" }, new Item { Name = "b" } };
        ByName back = serializer.CopyBothWays(items);
        Assert.Equal("b", back["b"].Name);
        Assert.Throws<ArgumentException>(() => back.Add(new Item { Name = "a" }));
        Assert.True(back.Remove("a"));
        Assert.Single(back);
        items[1].Name = "a";
        byte[] bytes = serializer.Serialize(items);
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.Deserialize<ByName>(bytes)).Error);
    }

    [Fact]
    public void The_table_of_a_keyed_collection_is_made_when_its_own_members_are_there()
    {
        var items = new ByPrefix { Prefix = "p" };
        items.Add(new Item { Name = "a" });
        ByPrefix back = new Serializer().CopyBothWays(items);
        Assert.True(back.Contains("pa"));
        Assert.True(back.TryGetValue("pa", out _));
    }

    private sealed class Key : IComparable<Key>
    {
        public ImmutableHashSet<Key>? AHashSet { get; set; }

        public ImmutableDictionary<Key, int>? ADictionary { get; set; }

        public ImmutableSortedSet<Key>? ASortedSet { get; set; }

        public ImmutableSortedDictionary<Key, int>? ASortedDictionary { get; set; }

        public FrozenSet<Key>? AFrozen { get; set; }

        public string? ZName { get; set; }

        public override bool Equals(object? obj) => obj is Key other && other.ZName == ZName;

        public override int GetHashCode() => ZName?.Length * 31 + ZName?[0] ?? 0;

        public int CompareTo(Key? other) => string.CompareOrdinal(ZName, other?.ZName);
    }

    private sealed class Plain
    {
        public FrozenSet<Plain>? Frozen { get; set; }
    }

    private sealed class Item
    {
        public string Name { get; set; } = "";
    }

    private sealed class ByName : KeyedCollection<string, Item>
    {
        protected override string GetKeyForItem(Item item) => item.Name;
    }

    private sealed class ByPrefix : KeyedCollection<string, Item>
    {
        public string? Prefix { get; set; }

        protected override string GetKeyForItem(Item item) => (Prefix ?? throw new InvalidOperationException()) + item.Name;
    }
}
