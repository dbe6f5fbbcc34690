using System.Collections;
using System.Collections.Specialized;
using System.Dynamic;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Floods;

/// <summary>
/// Keys that are chosen so that each meets all those before it: no read takes a time that grows with the square of its bytes.
/// </summary>
public sealed class FloodTests
{
    private const int Many = 5_000;

    private static readonly SerializerOptions Allowing = new()
    {
        TypeFilter = WireTypeFilter.Default.Allow<CountedKey>().Allow<CountedComparer>().Allow<FloodKinds.KeyedItems>()
            .Allow<FloodKinds.OwnBase>(),
    };

    public static TheoryData<Type> Hashed() => [.. FloodKinds.Hashed.Keys];

    public static TheoryData<Type> Sorted() => [.. FloodKinds.Sorted.Keys];

    [Fact]
    public void Every_collection_that_Wire_knows_is_in_the_table()
    {
        IEnumerable<Type> known = BuiltIns.Families.Where(type =>
            typeof(IEnumerable).IsAssignableFrom(type) && type.Namespace!.StartsWith("System.Collections", StringComparison.Ordinal));
        Assert.Empty(known.Except(
            [
                .. FloodKinds.Hashed.Keys, .. FloodKinds.Sorted.Keys, .. FloodKinds.Listed.Keys, .. FloodKinds.OfTexts,
                .. FloodKinds.Others,
            ]));
    }

    [Theory]
    [MemberData(nameof(Hashed))]
    public void Equal_hash_codes_are_refused_before_they_cost_anything(Type kind)
    {
        byte[] bytes = Bytes(kind, Enumerable.Range(0, Many));
        foreach (Serializer reader in Readers(Allowing))
        {
            AssertRefused(() => reader.Deserialize<object>(bytes), _ => 7);
            AssertRefused(() => reader.Deserialize<object>(new Trickle(bytes)), _ => 7);
        }
    }

    [Theory]
    [MemberData(nameof(Hashed))]
    public void Hash_codes_that_are_equal_in_the_table_are_refused_before_they_cost_anything(Type kind)
    {
        byte[] bytes = Bytes(kind, Enumerable.Range(0, Many));
        foreach (int size in FloodKinds.Hashed[kind].Collide.Select(collide => collide(Many)))
        {
            foreach (Serializer reader in Readers(Allowing))
            {
                AssertRefused(() => reader.Deserialize<object>(bytes), number => unchecked(number * size));
                AssertRefused(() => reader.Deserialize<object>(new Trickle(bytes)), number => unchecked(number * size));
            }
        }
    }

    [Theory]
    [InlineData(typeof(Hashtable))]
    [InlineData(typeof(NameValueCollection))]
    [InlineData(typeof(HybridDictionary))]
    [InlineData(typeof(OrderedDictionary))]
    public void Places_that_are_taken_one_after_the_other_are_refused(Type kind)
    {
        // All begin to look in a small part of the table, and look on in small steps.
        uint size = (uint)FloodKinds.Chains((int)((Many + 8) / 0.72f));
        var codes = new List<int>();
        for (uint seed = 0; codes.Count < Many; seed++)
        {
            if (seed % size < Many / 10 && (seed * 101) % (size - 1) < 4)
            {
                codes.Add((int)(seed & int.MaxValue));
            }
        }

        byte[] bytes = Bytes(kind, Enumerable.Range(0, Many));
        AssertRefused(() => new Serializer(Allowing).Deserialize<object>(bytes), number => codes[number]);
    }

    [Theory]
    [MemberData(nameof(Hashed))]
    public void A_thousand_equal_hash_codes_are_read(Type kind)
    {
        byte[] bytes = Bytes(kind, Enumerable.Range(0, 1000));
        object back = CountedKey.With(_ => 7, false, () => new Serializer(Allowing).Deserialize<object>(bytes)!);
        Assert.Equal(1000, ((IEnumerable)back).Cast<object>().Count());
    }

    [Theory]
    [MemberData(nameof(Hashed))]
    public void Whoever_raises_the_limit_reads_more(Type kind)
    {
        byte[] bytes = Bytes(kind, Enumerable.Range(0, 2000));
        AssertRefused(() => new Serializer(Allowing).Deserialize<object>(bytes), _ => 7);
        var raised = new Serializer(Allowing with { Limits = Limits.Default with { MaxCollisions = long.MaxValue } });
        object back = CountedKey.With(_ => 7, false, () => raised.Deserialize<object>(bytes)!);
        Assert.Equal(2000, ((IEnumerable)back).Cast<object>().Count());
        var none = new Serializer(Allowing with { Limits = Limits.Default with { MaxCollisions = 0 } });
        Assert.Equal(2000, ((IEnumerable)none.Deserialize<object>(bytes)!).Cast<object>().Count());
    }

    [Theory]
    [MemberData(nameof(Hashed))]
    public void Keys_by_chance_are_never_refused(Type kind)
    {
        // Not even where nothing beyond the allowance may collide.
        var reader = new Serializer(Allowing with { Limits = Limits.Default with { MaxCollisions = 0 } });
        var random = new Random(5);
        foreach (int count in (int[])[1, 63, 64, 65, 100, 1000, random.Next(1000, 10_000), random.Next(10_000, 30_000), 100_000])
        {
            var numbers = new HashSet<int>();
            while (numbers.Count < count)
            {
                numbers.Add(random.Next());
            }

            byte[] bytes = Bytes(kind, numbers);
            object back = CountedKey.With(null, false, () => reader.Deserialize<object>(bytes)!);
            Assert.Equal(count, ((IEnumerable)back).Cast<object>().Count());
        }
    }

    [Fact]
    public void The_limit_is_of_the_whole_message()
    {
        byte[] bytes = new Serializer(Allowing).Serialize(
            Enumerable.Range(0, 4).Select(_ => FloodKinds.Keys(Enumerable.Range(0, 1000)).ToHashSet()).ToArray());
        var reader = new Serializer(Allowing);
        Assert.Equal(
            WireFormatError.Limit,
            CountedKey.With(_ => 7, false, () => Assert.Throws<WireFormatException>(() => reader.Deserialize<object>(bytes))).Error);
        byte[] one = Bytes(typeof(HashSet<>), Enumerable.Range(0, 1000));
        for (int i = 0; i < 4; i++)
        {
            Assert.NotNull(CountedKey.With(_ => 7, false, () => reader.Deserialize<object>(one)));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Longs_of_one_hash_code_or_one_remainder_are_refused(bool equal)
    {
        int size = FloodKinds.Chains(Many);
        byte[] set = new Serializer().Serialize(new HashSet<long>(Enumerable.Range(1, Many).Select(i => (long)i)));
        for (int i = 0; i < Many; i++)
        {
            // The hash code of a long is one half of it with the other.
            long key = equal ? ((long)i << 32) | (uint)i : (long)i * size;
            BitConverter.TryWriteBytes(set.AsSpan(set.Length - ((Many - i) * sizeof(long))), key);
        }

        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(set)).Error);
        Assert.Equal(
            WireFormatError.Limit,
            Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<HashSet<long>>(new Trickle(set))).Error);
        var raised = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxCollisions = long.MaxValue } });
        Assert.Equal(Many, raised.Deserialize<HashSet<long>>(set)!.Count);
    }

    [Theory]
    [MemberData(nameof(Sorted))]
    public void Sorted_collections_compare_in_the_order_of_n_log_n_whatever_order_comes(Type kind)
    {
        const int Count = 20_000;
        byte[] bytes = Bytes(kind, Enumerable.Range(0, Count));
        foreach (bool descends in (bool[])[false, true])
        {
            object back = CountedKey.With(null, descends, () => new Serializer(Allowing).Deserialize<object>(bytes)!);
            Assert.InRange(CountedKey.Compared, Count - 1, 4 * Count * (long)Math.Log2(Count));
            if (kind == typeof(SortedList<,>) || kind == typeof(SortedList))
            {
                // The last keys were put behind all others: nothing had to be moved.
                Assert.InRange(CountedKey.ComparedLessInARow, Count, long.MaxValue);
                Assert.Equal(descends ? Count - 1 : 0, ((CountedKey)((IDictionary)back).Keys.Cast<object>().First()).Number);
            }
        }
    }

    [Fact]
    public void An_expando_object_has_as_many_members_as_the_limit_lets_it_compare()
    {
        byte[] many = new Serializer().Serialize(FloodKinds.Listed[typeof(ExpandoObject)](Enumerable.Range(0, 1600)));
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(many)).Error);
        var raised = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxCollisions = 1 << 22 } });
        Assert.Equal(1600, raised.Deserialize<ExpandoObject>(many)!.Count());
        byte[] fewer = new Serializer().Serialize(FloodKinds.Listed[typeof(ExpandoObject)](Enumerable.Range(0, 1400)));
        Assert.Equal(1400, new Serializer().Deserialize<ExpandoObject>(fewer)!.Count());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_list_of_pairs_compares_each_key_with_all_others_and_has_a_limit(bool references)
    {
        var writer = new Serializer(new SerializerOptions { PreserveObjectReferences = references });
        byte[] many = writer.Serialize(FloodKinds.Listed[typeof(ListDictionary)](Enumerable.Range(0, 5000)));
        WireFormatException error = CountedKey.With(
            null, false, () => Assert.Throws<WireFormatException>(() => new Serializer(Allowing).Deserialize<object>(many)));
        Assert.Equal((WireFormatError.Limit, 0), (error.Error, CountedKey.Compared));
        byte[] numbers = writer.Serialize(Numbers(5000));
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(numbers)).Error);
        Assert.Equal(1400, new Serializer().Deserialize<ListDictionary>(writer.Serialize(Numbers(1400)))!.Count);
        var raised = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxCollisions = 1 << 24 } });
        Assert.Equal(5000, raised.Deserialize<ListDictionary>(numbers)!.Count);
    }

    [Fact]
    public void A_list_of_pairs_with_heavy_keys_has_a_limit_of_what_is_compared()
    {
        // They differ only in their last parts, and weigh no more than their bytes.
        var pairs = new ListDictionary();
        for (int i = 0; i < 1000; i++)
        {
            pairs.Add(
                Tuple.Create(string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{new string('x', 10_000)}{i:D4}"), i),
                null);
        }

        byte[] bytes = new Serializer().Serialize(pairs);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(bytes)).Error);
    }

    [Fact]
    public void A_comparer_of_texts_does_not_hide_keys_that_are_none()
    {
        // Numbers with one hash code, which a comparer of texts asks of themselves.
        var table = new Hashtable(StringComparer.OrdinalIgnoreCase);
        var hybrid = new HybridDictionary(caseInsensitive: true);
        const long Marker = 0x5A5B_5C5D_0000_0000;
        for (long i = 0; i < Many; i++)
        {
            table.Add(Marker | i, null);
            hybrid.Add(Marker | i, null);
        }

        foreach (object pairs in new object[] { table, hybrid })
        {
            byte[] bytes = new Serializer().Serialize(pairs);
            Assert.Equal(Many, ((ICollection)new Serializer().Deserialize<object>(bytes)!).Count);
            for (int i = 0; i < Many; i++)
            {
                int at = bytes.AsSpan().IndexOf(BitConverter.GetBytes(Marker | (uint)i));
                BitConverter.GetBytes(((long)i << 32) | (uint)i).CopyTo(bytes, at);
            }

            Assert.Equal(
                WireFormatError.Limit, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(bytes)).Error);
        }
    }

    private static ListDictionary Numbers(int count)
    {
        var numbers = new ListDictionary();
        for (int i = 0; i < count; i++)
        {
            numbers.Add(i, null);
        }

        return numbers;
    }

    [Fact]
    public void What_keys_share_is_hashed_for_each_of_them_and_counts()
    {
        // One long string in the bytes, and a long time for each key that leads to it.
        var shared = Tuple.Create(new string('x', 1 << 20));
        Tuple<Tuple<string>, int>[] keys = [.. Enumerable.Range(0, 1000).Select(i => Tuple.Create(shared, i))];
        byte[] bytes = new Serializer(new SerializerOptions { PreserveObjectReferences = true }).Serialize(
            new HashSet<object>(keys, ReferenceEqualityComparer.Instance));
        int comparer = 3 + bytes[2];
        Assert.Equal(5, bytes[comparer]);
        bytes[comparer] = 0;
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(bytes)).Error);
        var small =
            new HashSet<Tuple<Tuple<string>, int>>(Enumerable.Range(0, 10_000).Select(i => Tuple.Create(Tuple.Create("shared"), i)));
        Assert.Equal(10_000, new Serializer(new SerializerOptions { PreserveObjectReferences = true }).CopyBothWays(small).Count);
    }

    [Fact]
    public void A_part_of_the_programs_own_class_and_another_schema_count_too()
    {
        var own = new OwnDictionary { Name = "own" };
        var old = new Old { Keys = new Dictionary<CountedKey, int>() };
        foreach (CountedKey key in FloodKinds.Keys(Enumerable.Range(0, Many)))
        {
            own.Add(key, 1);
            old.Keys.Add(key, 1);
        }

        byte[] part = new Serializer().Serialize(own);
        byte[] foreign = new Serializer().Serialize(old);
        foreach (Serializer reader in Readers(new SerializerOptions()))
        {
            AssertRefused(() => reader.Deserialize<OwnDictionary>(part), _ => 7);
            AssertRefused(() => reader.Deserialize<New>(foreign), _ => 7);
            Assert.Equal(Many, reader.Deserialize<New>(foreign)!.Keys!.Count);
            Assert.Equal(Many, reader.Deserialize<OwnDictionary>(part)!.Count);
        }
    }

    private static byte[] Bytes(Type kind, IEnumerable<int> numbers) => new Serializer(Allowing).Serialize(
        FloodKinds.Hashed.TryGetValue(kind, out var hashed) ? hashed.Fill(numbers) : FloodKinds.Sorted[kind](numbers));

    private static IEnumerable<Serializer> Readers(SerializerOptions options) => [new(options), new(options with { DynamicCode = false })];

    // Each key may be hashed a few times; what is counted is what would grow with the square.
    private static void AssertRefused(Func<object?> read, Func<int, int> hash)
    {
        WireFormatException error = CountedKey.With(hash, false, () => Assert.Throws<WireFormatException>(read));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains(nameof(Limits.MaxCollisions), error.Message, StringComparison.Ordinal);
        Assert.InRange(CountedKey.Hashed, 1, 5 * Many);
        Assert.InRange(CountedKey.Compared, 0, Many);
    }

    [WireName("Floods.Holder")]
    private sealed class Old
    {
        public Dictionary<CountedKey, int>? Keys { get; set; }
    }

    [WireName("Floods.Holder")]
    private sealed class New
    {
        public Dictionary<CountedKey, long>? Keys { get; set; }
    }

    private sealed class OwnDictionary : Dictionary<CountedKey, int>
    {
        public string? Name { get; set; }
    }

    /// <summary>A stream of unknown length that gives a few bytes at a time.</summary>
    private sealed class Trickle(byte[] bytes) : Stream
    {
        private int _at;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            int part = Math.Min(Math.Min(count, 1000), bytes.Length - _at);
            bytes.AsSpan(_at, part).CopyTo(buffer.AsSpan(offset));
            _at += part;
            return part;
        }

        public override void Flush() => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
