using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

[TypeNotes("comparer and order are kept; a comparer of your own is an object, whose type has to be allowed", Options = "TypeFilter")]
public sealed class DictionaryTests : ValueTests<Dictionary<string, int>?>
{
    protected override IEnumerable<Dictionary<string, int>?> Samples =>
    [
        null, [], new() { ["a"] = 1, ["A"] = 2, [""] = 3 }, new(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 },
        new(StringComparer.Ordinal) { ["b"] = 2 }, new(StringComparer.InvariantCulture) { ["c"] = 3 },
        new(StringComparer.InvariantCultureIgnoreCase) { ["d"] = 4 },
    ];
}

public sealed class DictionaryOfReferencesTests : ValueTests<Dictionary<object, object?>>
{
    protected override IEnumerable<Dictionary<object, object?>> Samples =>
        [[], new() { [1] = "one", ["two"] = 2, [DayOfWeek.Friday] = null, [(1, "x")] = new List<int> { 1 } }];
}

public sealed class DictionaryOfStructsTests : ValueTests<Dictionary<Guid, KeyValuePair<int, string?>>>
{
    protected override IEnumerable<Dictionary<Guid, KeyValuePair<int, string?>>> Samples =>
        [[], new() { [Guid.Empty] = new(1, null), [Guid.AllBitsSet] = default }];
}

[TypeNotes("comparer and order are kept", Options = "TypeFilter")]
public sealed class HashSetTests : ValueTests<HashSet<string?>?>
{
    protected override IEnumerable<HashSet<string?>?> Samples =>
        [null, [], ["a", "A", null], new(StringComparer.OrdinalIgnoreCase) { "a", "b" }, new(StringComparer.Ordinal) { "x" }];
}

public sealed class HashSetOfIntegersTests : ValueTests<HashSet<int>>
{
    protected override IEnumerable<HashSet<int>> Samples => [[], [1], [.. Enumerable.Range(0, 40)]];
}

/// <summary>Comparers, and what bytes may not hold.</summary>
public sealed class KeyedSerializersTests
{
    private readonly Serializer _serializer = new();

    [Fact]
    public void A_known_comparer_still_works_after_reading()
    {
        var set = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "Key" };
        Assert.Contains("kEY", _serializer.CopyBothWays(set));
        var map = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["Key"] = 1 };
        Assert.Equal(1, _serializer.CopyBothWays(map)["kEY"]);
    }

    [Fact]
    public void A_comparer_that_would_be_lost_is_refused()
    {
        var map = new Dictionary<int, int>(EqualityComparer<int>.Create((x, y) => x == y, x => x)) { [1] = 1 };
        Assert.Contains(
            "Comparer", Assert.Throws<UnsupportedTypeException>(() => _serializer.Serialize(map)).Message, StringComparison.Ordinal);
        var holder = new Holder<SortedSet<int>> { Declared = new(Comparer<int>.Create((x, y) => y - x)) };
        Assert.Equal("Declared", Assert.Throws<UnsupportedTypeException>(() => _serializer.Serialize(holder)).MemberPath);
    }

    [Fact]
    public void A_key_that_comes_twice_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(new Dictionary<byte, byte> { [1] = 7, [2] = 8 });
        bytes[^2] = 1;
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => _serializer.Deserialize<Dictionary<byte, byte>>(bytes)).Error);
        bytes = _serializer.Serialize(new HashSet<byte> { 1, 2 });
        bytes[^1] = 1;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<HashSet<byte>>(bytes)).Error);
    }

    [Fact]
    public void An_unknown_comparer_byte_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(new HashSet<byte> { 1 });
        foreach (byte comparer in new byte[] { 1, 2, 6, 11, 18, 21, 255 })
        {
            bytes[^3] = comparer;
            Assert.Equal(
                WireFormatError.InvalidValue,
                Assert.Throws<WireFormatException>(() => _serializer.Deserialize<HashSet<byte>>(bytes)).Error);
        }
    }

    [Fact]
    public void The_order_of_a_dictionary_is_kept()
    {
        var map = new Dictionary<int, int>();
        foreach (int key in new[] { 5, 3, 9, 1, 7 })
        {
            map[key] = key;
        }

        Assert.Equal(map.Keys, _serializer.CopyBothWays(map).Keys);
    }
}
