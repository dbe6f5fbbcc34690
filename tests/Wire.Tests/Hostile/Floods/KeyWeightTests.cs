using System.Collections;
using System.Diagnostics;
using System.Numerics;

using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Floods;

/// <summary>What it takes to hash and compare a key is counted by what the key holds, however few bytes that takes.</summary>
public sealed class KeyWeightTests
{
    private static readonly SerializerOptions References = new() { PreserveObjectReferences = true };

    private static readonly Limits Deep = Limits.Default with { MaxDepth = 300_000 };

    [Fact]
    public void Arrays_that_structural_keys_share_count_for_each()
    {
        // Two keys of references to one array each, which are compared element by element.
        object[] keys = [.. Enumerable.Range(0, 2).Select(_ => new byte[10_000]).Select(
            shared => (object)Enumerable.Repeat<object>(shared, 16_000).ToArray())];
        AssertRefused(Structural(keys, References));
    }

    [Theory]
    [InlineData(1_400, 700, 0)]
    [InlineData(63, 4_000, 0)]
    [InlineData(200, 4_000, 40_000)]
    public void Arrays_of_one_hash_code_are_weighed_one_by_one(int heavy, int length, int light)
    {
        // .NET hashes the last eight elements.
        IEnumerable<object> arrays = Enumerable.Range(0, heavy).Select(i =>
        {
            var array = new byte[length];
            BitConverter.TryWriteBytes(array.AsSpan(length - 12), i);
            return array;
        });
        AssertRefused(Structural([.. arrays, .. Enumerable.Range(0, light).Cast<object>()], new SerializerOptions()));
    }

    [Fact]
    public void A_large_number_that_keys_share_counts_for_each()
    {
        object shared = Tuple.Create(BigInteger.One << 7_000_000);
        for (int i = 0; i < 12; i++)
        {
            shared = Tuple.Create(shared, shared);
        }

        var keys =
            new HashSet<object>(Enumerable.Range(0, 10).Select(i => (object)Tuple.Create(shared, i)), ReferenceEqualityComparer.Instance);
        AssertRefused(ByDefault(new Serializer(References).Serialize(keys)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_key_that_is_too_deep_for_the_stack_is_refused(bool references)
    {
        var options = new SerializerOptions { PreserveObjectReferences = references, Limits = Deep };
        byte[] tuples =
            ByDefault(new Serializer(options).Serialize(new HashSet<object>([Tuples(200_000)], ReferenceEqualityComparer.Instance)));
        byte[] arrays = Structural([Arrays(20_000)], options);
        OnSmallStack(() =>
        {
            foreach (byte[] bytes in (byte[][])[tuples, arrays])
            {
                Assert.Equal(
                    WireFormatError.InvalidValue,
                    Assert.Throws<WireFormatException>(() => new Serializer(options).Deserialize<object>(bytes)).Error);
            }
        });
    }

    [Fact]
    public void A_key_that_is_not_too_deep_is_read_on_any_stack()
    {
        var options = new SerializerOptions { Limits = Deep };
        byte[] tuples = new Serializer(options).Serialize(new HashSet<object> { Tuples(1_000) });
        byte[] arrays =
            new Serializer(options).Serialize(new Hashtable(StructuralComparisons.StructuralEqualityComparer) { [Arrays(1_000)] = 1 });
        OnSmallStack(() =>
        {
            Assert.Single(new Serializer(options).Deserialize<HashSet<object>>(tuples)!);
            Assert.Single(new Serializer(options).Deserialize<Hashtable>(arrays)!);
        });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_takes_no_longer_than_its_bytes_is_read(bool references)
    {
        var serializer = new Serializer(
            new SerializerOptions { PreserveObjectReferences = references, Limits = Limits.Default with { MaxCollisions = 0 } });
        object[] key = [.. Enumerable.Range(0, 20_000).Select(i => (object)i)];
        var table =
            new Hashtable(StructuralComparisons.StructuralEqualityComparer) { [key] = 5, [new int[30_000]] = 6, [new object?[5_000]] = 7 };
        Hashtable back = serializer.CopyBothWays(table);
        Assert.Equal(5, back[key]);
        Assert.Equal(6, back[new int[30_000]]);
    }

    [Fact]
    public void Keys_that_no_reader_would_read_are_not_written()
    {
        var shared = Tuple.Create(new string('x', 100_000));
        var many = new HashSet<object>(Enumerable.Range(0, 2_000).Select(i => Tuple.Create(shared, i)));
        ObjectGraphException error = Assert.Throws<ObjectGraphException>(() => new Serializer(References).Serialize(many));
        Assert.Contains(nameof(Limits.MaxCollisions), error.Message, StringComparison.Ordinal);
        SerializerOptions raised = References with { Limits = Limits.Default with { MaxCollisions = 1 << 26 } };
        Assert.Equal(2_000, new Serializer(raised).CopyBothWays(many).Count);

        // Every one writes its own.
        Assert.Equal(200, new Serializer(new SerializerOptions()).CopyBothWays(new HashSet<object>(many.Take(200))).Count);
        foreach (bool references in (bool[])[false, true])
        {
            var deep = new Serializer(
                new SerializerOptions { PreserveObjectReferences = references, Limits = Limits.Default with { MaxDepth = 5_000 } });
            Assert.Contains(
                "1024 levels",
                Assert.Throws<ObjectGraphException>(() => deep.Serialize(new HashSet<object> { Tuples(1_100) })).Message,
                StringComparison.Ordinal);
            Assert.Single(deep.CopyBothWays(new HashSet<object>([Tuples(1_100)], ReferenceEqualityComparer.Instance)));
        }
    }

    private static object Tuples(int levels)
    {
        object last = 0;
        for (int i = 0; i < levels; i++)
        {
            last = Tuple.Create(last);
        }

        return last;
    }

    private static object Arrays(int levels)
    {
        object last = 0;
        for (int i = 0; i < levels; i++)
        {
            last = new[] { last };
        }

        return last;
    }

    // A table by reference can hold anything. Bytes can say that it is one by structure.
    private static byte[] Structural(object[] keys, SerializerOptions options)
    {
        var table = new Hashtable(ReferenceEqualityComparer.Instance);
        foreach (object key in keys)
        {
            table.Add(key, null);
        }

        return Compared(new Serializer(options).Serialize(table), 6);
    }

    private static byte[] ByDefault(byte[] bytes) => Compared(bytes, 0);

    private static byte[] Compared(byte[] bytes, byte comparer)
    {
        int at = 3 + bytes[2];
        Assert.Equal(5, bytes[at]);
        bytes[at] = comparer;
        return bytes;
    }

    private static void AssertRefused(byte[] bytes)
    {
        var watch = Stopwatch.StartNew();
        WireFormatException error = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(bytes));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains(nameof(Limits.MaxCollisions), error.Message, StringComparison.Ordinal);
        Assert.InRange(watch.ElapsedMilliseconds, 0, 10_000);
    }

    private static void OnSmallStack(Action test)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(test), 256 << 10);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }
}
