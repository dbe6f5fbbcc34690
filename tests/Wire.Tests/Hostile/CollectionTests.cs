using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Dynamic;
using Wire.Tests.Testing;
using Wire.Tests.ValueSerializers.Collections;

namespace Wire.Tests.Hostile;

/// <summary>Bytes that say of a collection what cannot be.</summary>
public sealed class CollectionTests
{
    private readonly Serializer _serializer = new();

    [Fact]
    public void A_comparer_is_created_only_when_its_type_is_allowed()
    {
        var collections = new object[]
        {
            new HashSet<int>(new Modulo()), new Dictionary<int, int>(
                new Modulo()), new SortedSet<int>(new Modulo()), new PriorityQueue<int, int>(new Modulo()),
            ImmutableDictionary.Create<int, int>(null, new Modulo()), new Hashtable(
                new ByLength()), new[] { 1 }.ToFrozenSet(new Modulo()), new[] { 1 }.ToLookup(i => i, new Modulo()),
        };
        foreach (object collection in collections)
        {
            byte[] bytes = _serializer.Serialize(collection);
            var error = Assert.Throws<TypeRefusedException>(() => _serializer.Deserialize<object>(bytes));
            Assert.Contains(collection is Hashtable ? nameof(ByLength) : nameof(Modulo), error.Message, StringComparison.Ordinal);
            var allowing = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Modulo>().Allow<ByLength>() });
            Assert.IsAssignableFrom(collection.GetType(), allowing.Deserialize<object>(bytes));
        }
    }

    [Fact]
    public void A_comparer_that_does_not_compare_is_invalid()
    {
        var reader = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<NoComparer>() });
        Invalid(() => reader.Deserialize<HashSet<int>>(_serializer.Serialize(new HashSet<int>(new TrueComparer()))));
        Invalid(() => reader.Deserialize<Dictionary<int, int>>(_serializer.Serialize(new Dictionary<int, int>(new TrueComparer()))));
    }

    [Fact]
    public void Keys_that_cannot_be_compared_are_invalid()
    {
        // The second number becomes one of another type.
        object[] collections =
        [
            new SortedSet<object> { 1, 2 }, new SortedDictionary<object, byte> { [1] = 0, [2] = 0 },
            new SortedList<object, byte> { [1] = 0, [2] = 0 },
            new PriorityQueue<byte, object>([(0, 1), (0, 2)]), ImmutableSortedSet.Create<object>(
                1, 2), ImmutableSortedDictionary<object, byte>.Empty.Add(1, 0).Add(2, 0),
            new SortedList(Comparer<object>.Default) { [1] = null, [2] = null },
        ];
        foreach (object collection in collections)
        {
            byte[] bytes = _serializer.Serialize(collection);
            int second = bytes.AsSpan().LastIndexOf((byte[])[0x15, 2, 0, 0, 0]);
            Assert.True(second > 0);
            bytes[second] = 0x16;
            Invalid(() => _serializer.Deserialize<object>(bytes));
        }
    }

    [Fact]
    public void Keys_that_come_twice_are_invalid()
    {
        byte[] keys = [1, 2];
        IEnumerable<KeyValuePair<byte, byte>> pairs = keys.Select(key => new KeyValuePair<byte, byte>(key, (byte)(key + 6)));
        object[] collections =
        [
            new Dictionary<byte, byte>(
                pairs), new OrderedDictionary<byte, byte>(pairs), new SortedDictionary<byte, byte>(new Dictionary<byte, byte>(pairs)),
            new SortedList<byte, byte>(new Dictionary<byte, byte>(pairs)), new ConcurrentDictionary<byte, byte>(
                pairs), pairs.ToImmutableDictionary(), pairs.ToImmutableSortedDictionary(),
            pairs.ToFrozenDictionary(), new HashSet<byte>(
                keys), new SortedSet<byte>(keys), keys.ToImmutableHashSet(), keys.ToImmutableSortedSet(), keys.ToFrozenSet(),
        ];
        foreach (object collection in collections)
        {
            byte[] bytes = _serializer.Serialize(collection);
            int first = bytes.Length - (bytes[^1] > 2 ? 4 : 2);
            int second = bytes.Length - (bytes[^1] > 2 ? 2 : 1);
            bytes[second] = bytes[first];
            Invalid(() => _serializer.Deserialize<object>(bytes));
        }

        byte[] table = _serializer.Serialize(new Hashtable { [1] = null, [2] = null });
        table[table.AsSpan().IndexOf((byte[])[0x15, 2]) + 1] = 1;
        Invalid(() => _serializer.Deserialize<object>(table));
        IDictionary<string, object?> expando = new ExpandoObject();
        expando.Add("a", null);
        expando.Add("b", null);
        byte[] bytesOfExpando = _serializer.Serialize((object)expando);
        bytesOfExpando[^2] = (byte)'a';
        Invalid(() => _serializer.Deserialize<object>(bytesOfExpando));
        byte[] lookup = _serializer.Serialize(new[] { "a", "b" }.ToLookup(text => text));
        lookup[lookup.AsSpan().IndexOf((byte[])[3, (byte)'b']) + 1] = (byte)'a';
        Invalid(() => _serializer.Deserialize<object>(lookup));
    }

    [Fact]
    public void Keys_that_are_null_are_invalid()
    {
        object[] collections =
        [
            new Dictionary<string, byte> { [""] = 7 }, new OrderedDictionary<string, byte> { [""] = 7 },
            new SortedDictionary<string, byte> { [""] = 7 }, new SortedList<string, byte> { [""] = 7 },
            new ConcurrentDictionary<string, byte> { [""] = 7 }, ImmutableDictionary<string, byte>.Empty.Add(
                "", 7), ImmutableSortedDictionary<string, byte>.Empty.Add("", 7),
            new Dictionary<string, byte> { [""] = 7 }.ToFrozenDictionary(),
        ];
        foreach (object collection in collections)
        {
            byte[] bytes = _serializer.Serialize(collection);
            Assert.Equal([1, 1, 7], bytes[^3..]);
            bytes[^2] = 0;
            Invalid(() => _serializer.Deserialize<object>(bytes));
        }
    }

    [Fact]
    public void A_bound_that_does_not_hold_the_elements_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(new BlockingCollection<byte>(5) { 1, 2 });
        Assert.Equal([5, 0, 0, 0, 0], bytes[^5..]);
        foreach (int bound in new[] { 1, 0, -2, int.MinValue })
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(bytes.Length - 5), bound);
            Invalid(() => _serializer.Deserialize<object>(bytes));
        }

        BitConverter.TryWriteBytes(bytes.AsSpan(bytes.Length - 5), int.MaxValue);
        Assert.Equal(int.MaxValue, ((BlockingCollection<byte>)_serializer.Deserialize<object>(bytes)!).BoundedCapacity);
    }

    [Fact]
    public void A_key_that_cannot_be_hashed_yet_waits_for_its_members()
    {
        // The key holds the dictionary that holds it: its name comes last.
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        var key = new Key { Name = "a" };
        key.Map.Add(key, 1);
        byte[] bytes = serializer.Serialize(key);
        Key back = serializer.Deserialize<Key>(bytes)!;
        Assert.Equal(1, back.Map[back]);
        Assert.Same(back, back.Map.Keys.Single());
    }

    [Fact]
    public void A_culture_that_does_not_exist_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(new HashSet<string>(Texts.Turkish));
        int at = bytes.AsSpan().IndexOf("tr-TR"u8);
        bytes[at + 2] = (byte)'!';
        Invalid(() => _serializer.Deserialize<object>(bytes));
        bytes[at + 2] = (byte)'-';
        bytes[at + 8] = 0xFF;
        Invalid(() => _serializer.Deserialize<object>(bytes));
    }

    private static void Invalid(Func<object?> read) =>
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(read).Error);

    [WireName("Hostile.Comparer")]
    private sealed class TrueComparer : IEqualityComparer<int>
    {
        public bool Equals(int x, int y) => x == y;

        public int GetHashCode(int obj) => obj;
    }

    [WireName("Hostile.Comparer")]
    private sealed class NoComparer;

    private sealed class Key
    {
        public Dictionary<Key, int> Map { get; } = [];

        public required string Name { get; init; }

        public override int GetHashCode() => Name.Length;

        public override bool Equals(object? obj) => obj is Key key && key.Name == Name;
    }
}
