using System.Buffers;
using System.Reflection;
using System.Text;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>Every limit: what is exactly at it passes, what is one over is refused, on write and read, and leaves nothing behind.</summary>
public class LimitTests
{
    // Limits that no value alone exhausts have tests of their own.
    private static readonly Dictionary<string, string> Others = new()
    {
        [nameof(Limits.MaxFrameBytes)] = nameof(A_frame_may_be_as_large_as_the_limit),
        [nameof(Limits.MaxSchemas)] = nameof(As_many_foreign_schemas_of_a_type_are_kept_and_the_others_read_all_the_same),
        [nameof(Limits.MaxConstructedTypes)] = nameof(As_many_constructed_types_may_be_named),
    };

    public static TheoryData<string, string, bool> Cases
    {
        get
        {
            var cases = new TheoryData<string, string, bool>();
            foreach (LimitCase limit in LimitCase.All)
            {
                cases.Add(limit.Limit, limit.What, true);
                cases.Add(limit.Limit, limit.What, false);
            }

            return cases;
        }
    }

    public static TheoryData<bool> Twins => [true, false];

    [Fact]
    public void Every_limit_has_a_test_at_its_boundary()
    {
        foreach (PropertyInfo limit in typeof(Limits).GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            bool isTested = LimitCase.All.Any(c => c.Limit == limit.Name)
                || (Others.TryGetValue(limit.Name, out string? test)
                    && typeof(LimitTests).GetMethod(test)!.IsDefined(typeof(FactAttribute)));
            Assert.True(isTested, $"{limit.Name} has no test at its boundary.");
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task What_is_at_the_limit_passes_and_what_is_over_is_refused(string limit, string what, bool dynamicCode)
    {
        LimitCase at = LimitCase.Find(limit, what);
        foreach (bool references in new[] { false, true })
        {
            byte[] payload = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references }).Serialize(at.Value);
            long exact = at.Smallest(dynamicCode, references, payload);
            Assert.Equal(at.Exact ?? exact, exact);
            await Passes(at.Serializer(dynamicCode, references, exact), at, payload);
            if (!at.HasNothingBelow)
            {
                await IsRefused(at.Serializer(dynamicCode, references, exact - 1), at, payload);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public async Task A_frame_may_be_as_large_as_the_limit(bool dynamicCode)
    {
        var value = new byte[1000];
        Serializer at = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxFrameBytes = 1005 } });
        Serializer over = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxFrameBytes = 1004 } });
        using var stream = new MemoryStream();
        await at.SerializeFramedAsync(value, stream);
        stream.Position = 0;
        Assert.Equal(value, await at.DeserializeFramedAsync<byte[]>(stream));
        stream.Position = 0;
        var read = await Assert.ThrowsAsync<WireFormatException>(() => over.DeserializeFramedAsync<byte[]>(stream).AsTask());
        Assert.Equal(WireFormatError.Limit, read.Error);
        Assert.Contains("Limits.MaxFrameBytes = 1004", read.Message, StringComparison.Ordinal);
        var write = await Assert.ThrowsAsync<ArgumentException>(() => over.SerializeFramedAsync(value, new MemoryStream()).AsTask());
        Assert.Contains("Limits.MaxFrameBytes = 1004", write.Message, StringComparison.Ordinal);
        Assert.Equal(5, over.RoundTrip(5));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void As_many_constructed_types_may_be_named(bool dynamicCode)
    {
        // Of three of these each names one type that the reader has not used.
        byte[][] payloads = [.. new object[] { new Box<sbyte>(), new Box<ushort>(), new Box<uint>() }.Select(
            value => Setup.Serializer(dynamicCode).Serialize(value))];
        Serializer two = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxConstructedTypes = 2 } });
        Assert.IsType<Box<sbyte>>(two.Deserialize<object>(payloads[0]));
        Assert.IsType<Box<ushort>>(two.Deserialize<object>(payloads[1]));
        var error = Assert.Throws<WireFormatException>(() => two.Deserialize<object>(payloads[2]));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains("Limits.MaxConstructedTypes = 2", error.Message, StringComparison.Ordinal);
        Assert.IsType<Box<ushort>>(two.Deserialize<object>(payloads[1]));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void As_many_foreign_schemas_of_a_type_are_kept_and_the_others_read_all_the_same(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxSchemas = 2 } });
        byte[] own = Setup.Serializer(dynamicCode).Serialize(new Versioned { Kept = 42 });
        byte[] first = Foreign(own, 1);
        byte[] second = Foreign(own, 2);
        long kept = Cost(serializer, first);
        Assert.InRange(Cost(serializer, second), 0, kept * 2);
        Assert.InRange(Cost(serializer, first, reads: 1), 0, kept * 2);

        // The third takes the place of the first, and the program's own schema needs none.
        Assert.InRange(Cost(serializer, Foreign(own, 3)), 0, kept * 2);
        Assert.InRange(Cost(serializer, second, reads: 1), 0, kept * 2);
        Assert.InRange(Cost(serializer, first, reads: 1), kept + 500, kept + 20_000);
        Assert.InRange(Cost(serializer, own), 0, kept * 2);
        for (int i = 4; i < 500; i++)
        {
            Assert.Equal(42, serializer.Deserialize<Versioned>(Foreign(own, i))!.Kept);
        }

        Assert.InRange(Cost(serializer, second), 0, kept * 2);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Values_of_more_schemas_than_are_kept_need_one_reader_each_in_one_message(int maxSchemas)
    {
        const int Schemas = 5;
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxSchemas = maxSchemas } });
        byte[] own = serializer.Serialize<object>(new Versioned { Kept = 42 });
        byte[] body = own[^8..];
        byte firstIdentifier = serializer.Serialize(new object[] { new Versioned(), new Versioned() })[^9];

        // The first values define the schemas, the others use them in turn.
        byte[] Message(int values) =>
        [
            .. serializer.Serialize(new object[values])[..^values],
            .. Enumerable.Range(0, Schemas).SelectMany(i => Foreign(own, 500 + i)[1..]),
            .. Enumerable.Range(Schemas, values - Schemas).SelectMany(i => (byte[])[(byte)(firstIdentifier + (i % Schemas)), .. body]),
        ];
        long Cost(int values)
        {
            byte[] message = Message(values);
            long before = GC.GetAllocatedBytesForCurrentThread();
            object[] read = serializer.Deserialize<object[]>(message)!;
            long cost = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.All(read, value => Assert.Equal(42, Assert.IsType<Versioned>(value).Kept));
            return cost;
        }

        _ = Cost(100);
        long few = Cost(100);
        long many = Cost(10_100);
        Assert.InRange(many - few, 0, 10_000 * 100);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_session_defines_as_many_types_as_the_limit_says_over_all_its_messages(bool dynamicCode)
    {
        Serializer two = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxManifests = 2 } });
        Serializer any = Setup.Serializer(dynamicCode);
        using SerializerSession writing = two.GetSerializerSession();
        using SerializerSession unbound = any.GetSerializerSession();
        using DeserializerSession reading = two.GetDeserializerSession();
        foreach (object value in new object[] { new Leaf(), new Node(), new Leaf() })
        {
            byte[] payload = two.Serialize(value, writing);
            Assert.Equal(any.Serialize(value, unbound), payload);
            Assert.IsType(value.GetType(), two.Deserialize<object>(payload, reading));
        }

        Names(Assert.Throws<ObjectGraphException>(() => two.Serialize(new Cat(), writing)), "MaxManifests = 2");
        var error = Assert.Throws<WireFormatException>(() => two.Deserialize<object>(any.Serialize(new Cat(), unbound), reading));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Names(error, "MaxManifests = 2");
        Assert.IsType<Node>(two.Deserialize<object>(two.Serialize(new Node(), writing), reading));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Definitions_of_a_session_take_as_many_bytes_as_the_limit_says_over_all_its_messages(bool dynamicCode)
    {
        Serializer any = Setup.Serializer(dynamicCode);
        int leaf = DefinitionLength(any, new Leaf());
        int node = DefinitionLength(any, new Node());
        Serializer two = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxManifestBytes = leaf + node } });
        using SerializerSession writing = two.GetSerializerSession();
        using SerializerSession unbound = any.GetSerializerSession();
        using DeserializerSession reading = two.GetDeserializerSession();
        foreach (object value in new object[] { new Leaf(), new Node(), new Leaf(), new Node(), new Leaf() })
        {
            byte[] payload = two.Serialize(value, writing);
            Assert.Equal(any.Serialize(value, unbound), payload);
            Assert.IsType(value.GetType(), two.Deserialize<object>(payload, reading));
        }

        string limit = $"MaxManifestBytes = {leaf + node}";
        Names(Assert.Throws<ObjectGraphException>(() => two.Serialize(new Cat(), writing)), limit);
        var error = Assert.Throws<WireFormatException>(() => two.Deserialize<object>(any.Serialize(new Cat(), unbound), reading));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Names(error, limit);

        // Nor does what was refused count, nor what a payload that stands alone defines.
        for (int i = 0; i < 3; i++)
        {
            Assert.IsType<Cat>(two.Deserialize<object>(two.Serialize<object>(new Cat()), reading));
            Assert.IsType<Node>(two.Deserialize<object>(two.Serialize(new Node(), writing), reading));
            Assert.Throws<ObjectGraphException>(() => two.Serialize(new Cat(), writing));
        }

        // What comes twice counts once.
        for (int i = 0; i < 3; i++)
        {
            using SerializerSession first = any.GetSerializerSession();
            Assert.IsType<Leaf>(two.Deserialize<object>(any.Serialize(new Leaf(), first), reading));
        }

        static int DefinitionLength(Serializer serializer, object value)
        {
            // Behind the header, in front of what a second one of the session is.
            using SerializerSession session = serializer.GetSerializerSession();
            int with = serializer.Serialize(value, session).Length;
            int without = serializer.Serialize(value, session).Length;

            // The second has the identifier, of one byte, instead of the definition and its number.
            return with - without;
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_root_whose_definition_exceeds_the_limit_is_refused_again_and_again(bool dynamicCode)
    {
        Serializer small = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxManifestBytes = 10 } });
        byte[] payload = Setup.Serializer(dynamicCode).Serialize<object>(new Leaf());
        for (int i = 0; i < 5; i++)
        {
            Names(Assert.Throws<ObjectGraphException>(() => small.Serialize<object>(new Leaf())), "MaxManifestBytes = 10");
            Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => small.Deserialize<object>(payload)).Error);
            Assert.Equal(5, small.Deserialize<object>(small.Serialize<object>(5)));
        }
    }

    [Fact]
    public void Values_outside_their_range_are_refused()
    {
        foreach (Limits limits in new[]
        {
            new Limits { MaxDepth = 0 }, new Limits { MaxElements = -1 }, new Limits { MaxObjects = 0 }, new Limits { MaxAllocation = 0 },
            new Limits
            {
                MaxStringLength = 63,
            }, new Limits { MaxStringLength = 0x3FFFFFE0 }, new Limits { MaxBytes = 0 }, new Limits { MaxFrameBytes = 0 },
            new Limits { MaxManifests = 0 }, new Limits { MaxManifests = 65_537 }, new Limits { MaxManifestBytes = 0 },
            new Limits { MaxSchemas = -1 }, new Limits { MaxConstructedTypes = -1 },
            new Limits { MaxCollisions = -1 },
        })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new Serializer(new SerializerOptions { Limits = limits }));
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void An_iterator_without_an_end_is_gone_through_no_further_than_can_be_read(bool dynamicCode)
    {
        var taken = new Counter();
        Serializer few = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxElements = 1000 } });
        Names(Assert.Throws<ObjectGraphException>(() => few.Serialize(Endless(taken))), "MaxElements = 1000");
        Assert.Equal(1001, taken.Count);
        taken.Count = 0;
        Serializer small = Setup.Serializer(dynamicCode, o => o with { Limits = Limits.Default with { MaxAllocation = 1 << 20 } });
        Names(Assert.Throws<ObjectGraphException>(() => small.Serialize(new object[] { Endless(taken) })), "MaxAllocation = 1048576");
        Assert.InRange(taken.Count, 200_000, 1 << 18);
        Names(
            Assert.Throws<ObjectGraphException>(() => small.Serialize(Enumerable.Range(0, 1_000_000_000).Select(i => i))),
            "MaxAllocation = 1048576");
    }

    [Fact]
    public void A_value_serializer_that_writes_without_an_end_is_stopped_at_the_limit()
    {
        Serializer serializer = Setup.Serializer(true, o => o with
        {
            Limits = Limits.Default with { MaxBytes = 1 << 20 },
            ValueSerializerFactories = [ValueSerializerFactory.For(new FloodSerializer())],
        });
        Names(Assert.Throws<ObjectGraphException>(() => serializer.Serialize(new Flood())), "MaxBytes = 1048576");
        Names(Assert.Throws<ObjectGraphException>(() => serializer.Serialize(new Flood(), Stream.Null)), "MaxBytes = 1048576");
        Names(
            Assert.Throws<ObjectGraphException>(() => serializer.Serialize(new Flood(), new ArrayBufferWriter<byte>())),
            "MaxBytes = 1048576");
        Assert.Equal("after", serializer.RoundTrip("after"));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_schema_without_the_members_of_large_structs_buys_no_large_array(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        var thin = new WrittenThin[500_000];
        foreach (object value in new object[] { new WrittenThinArray { Items = thin }, new WrittenThinList { Items = [.. thin] } })
        {
            byte[] payload = serializer.Serialize(value);
            Assert.InRange(payload.Length, 500_000, 501_000);
            long before = GC.GetAllocatedBytesForCurrentThread();
            var error = Assert.Throws<WireFormatException>(() => Read(payload));
            Assert.Equal(WireFormatError.Limit, error.Error);
            Names(error, "MaxAllocation");
            error = Assert.Throws<WireFormatException>(() => ReadUnseekable(payload));
            Names(error, "MaxAllocation");
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);

            object? Read(byte[] bytes) =>
                value is WrittenThinArray ? serializer.Deserialize<FatArray>(bytes) : serializer.Deserialize<FatList>(bytes);

            object? ReadUnseekable(byte[] bytes)
            {
                using var stream = new Unseekable(bytes);
                return value is WrittenThinArray ? serializer.Deserialize<FatArray>(stream) : serializer.Deserialize<FatList>(stream);
            }
        }
    }

    [Fact]
    public void Many_small_objects_of_a_large_class_are_counted_by_their_size()
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxAllocation = 10 << 20 } });
        byte[] payload = Setup.Serializer(true).Serialize(
            new WrittenThinObjects { Items = [.. Enumerable.Repeat(0, 20_000).Select(_ => new WrittenThinObject())] });
        Assert.InRange(payload.Length, 20_000, 42_000);
        Names(Assert.Throws<WireFormatException>(() => serializer.Deserialize<FatObjects>(payload)), "MaxAllocation");
        Assert.Equal(20_000, Setup.Serializer(true).Deserialize<FatObjects>(payload)!.Items!.Length);
    }

    [Fact]
    public void A_regular_expression_is_counted_with_what_is_made_of_its_pattern()
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxAllocation = 1 << 20 } });
        byte[] payload = Setup.Serializer(true).Serialize(
            Enumerable.Repeat(0, 1000).Select(_ => new System.Text.RegularExpressions.Regex("a")).ToArray());
        Assert.InRange(payload.Length, 1000, 30_000);
        Names(Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload)), "MaxAllocation");
    }

    [Theory]
    [InlineData("00000100-00000100")] // 2^32 elements
    [InlineData("00000080-02000000")]
    [InlineData("FFFFFF7F-FFFFFF7F")]
    [InlineData("FFFFFF7F-01000000")]
    public void Lengths_of_grids_are_multiplied_without_overflow(string lengths)
    {
        byte[] grid = Setup.Serializer(true).Serialize(new byte[0, 0]);
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        foreach (string length in lengths.Split('-'))
        {
            writer.Write7BitEncodedInt(BitConverter.ToInt32(Convert.FromHexString(length)));
            writer.Write(0);
        }

        byte[] payload = [.. grid[..^10], .. bytes.ToArray(), .. new byte[64]];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<WireFormatException>(() => Setup.Serializer(true).Deserialize<byte[,]>(payload));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(9)]
    public void A_bit_array_is_no_longer_than_its_bytes(int bits)
    {
        byte[] payload = Setup.Serializer(true).Serialize(new System.Collections.BitArray(8, true));
        Assert.Equal([1, 0xFF, 8, 0, 0, 0], payload[^6..]);
        byte[] changed = [.. payload[..^4], .. BitConverter.GetBytes(bits)];
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(
                () => Setup.Serializer(true).Deserialize<object>(changed)).Error);
    }

    [Fact]
    public void An_honest_hundred_megabytes_pass_with_the_default_limits()
    {
        var value = new Leaf[] { new() };
        Serializer serializer = Setup.Serializer(true);
        byte[] payload = serializer.Serialize(new object[] { new byte[100_000_000], value });
        object[] read = serializer.Deserialize<object[]>(payload)!;
        Assert.Equal(100_000_000, ((byte[])read[0]).Length);
        Assert.Single((Leaf[])read[1]);
    }

    [Fact]
    public void The_estimate_of_memory_is_near_what_is_allocated()
    {
        LimitCase graph = LimitCase.Find(nameof(Limits.MaxAllocation), "a graph");
        Serializer serializer = Setup.Serializer(true);
        byte[] payload = serializer.Serialize(graph.Value);
        long estimate = graph.Smallest(true, false, payload);
        long least = long.MaxValue;
        for (int i = 0; i < 20; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            serializer.Deserialize<object>(payload);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.InRange(estimate, least / 2, least * 2);
    }

    private static async Task Passes(Serializer serializer, LimitCase at, byte[] payload)
    {
        Assert.Equal(payload, serializer.Serialize(at.Value));
        foreach ((string sink, Func<object, Task<byte[]>> write) in Sinks(serializer, null))
        {
            byte[] written = await write(at.Value);
            Assert.True(payload.AsSpan().SequenceEqual(written), sink);
        }

        foreach (Func<byte[], Task<object?>> read in Sources(serializer, null))
        {
            Assert.NotNull(await read(payload));
        }
    }

    private static async Task IsRefused(Serializer serializer, LimitCase over, byte[] payload)
    {
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] small =
            Setup.Serializer(true, o => o with { PreserveObjectReferences = serializer.Options.PreserveObjectReferences }).Serialize(true);
        foreach ((string sink, Func<object, Task<byte[]>> write) in Sinks(serializer, writing))
        {
            if (over.OnWrite)
            {
                Names(await Assert.ThrowsAsync<ObjectGraphException>(async () => await write(over.Value)), over.Limit);
            }

            byte[] written = await write(true);
            Assert.True((sink == "session" ? SessionPayload.First(serializer, true) : small).AsSpan().SequenceEqual(written), sink);
        }

        foreach (Func<byte[], Task<object?>> read in Sources(serializer, reading))
        {
            var error = await Assert.ThrowsAsync<WireFormatException>(async () => await read(payload));
            Assert.Equal(WireFormatError.Limit, error.Error);
            Names(error, over.Limit);
            Assert.Equal(true, await read(small));
        }
    }

    private static IEnumerable<(string, Func<object, Task<byte[]>>)> Sinks(Serializer serializer, SerializerSession? session)
    {
        yield return ("array", value => Task.FromResult(serializer.Serialize(value)));
        yield return ("buffer writer", value => Task.FromResult(ToBufferWriter(serializer, value)));
        yield return ("stream", value => Task.FromResult(ToStream(serializer, value)));
        yield return ("frame", value => ToFrame(serializer, value));
        if (session is not null)
        {
            yield return ("session", value => Task.FromResult(serializer.Serialize(value, session)));
        }
    }

    private static byte[] ToBufferWriter(Serializer serializer, object value)
    {
        var output = new ArrayBufferWriter<byte>();
        serializer.Serialize(value, output);
        return output.WrittenSpan.ToArray();
    }

    private static byte[] ToStream(Serializer serializer, object value)
    {
        using var stream = new MemoryStream();
        serializer.Serialize(value, stream);
        return stream.ToArray();
    }

    private static async Task<byte[]> ToFrame(Serializer serializer, object value)
    {
        using var stream = new MemoryStream();
        await serializer.SerializeFramedAsync(value, stream);
        return stream.ToArray()[sizeof(int)..];
    }

    private static IEnumerable<Func<byte[], Task<object?>>> Sources(Serializer serializer, DeserializerSession? session)
    {
        yield return bytes => Task.FromResult(serializer.Deserialize<object>(bytes.AsSpan()));
        yield return bytes => Task.FromResult(serializer.Deserialize<object>(Fragments.Every(bytes, 7)));
        yield return bytes => Task.FromResult(serializer.Deserialize<object>(new SeekableStream(bytes)));
        yield return bytes => Task.FromResult(serializer.Deserialize<object>(new Unseekable(bytes)));
        yield return bytes =>
            serializer.DeserializeFramedAsync<object>(new MemoryStream([.. BitConverter.GetBytes(bytes.Length), .. bytes])).AsTask();
        if (session is not null)
        {
            yield return bytes => Task.FromResult(serializer.Deserialize<object>(bytes, session));
        }
    }

    private static void Names(Exception error, string limit) => Assert.Contains("Limits." + limit, error.Message, StringComparison.Ordinal);

    // The payload of a program in which a member that this one has not has another name.
    private static byte[] Foreign(byte[] own, int version)
    {
        byte[] foreign = [.. own];
        Encoding.ASCII.GetBytes($"V{version:D5}").CopyTo(foreign, own.AsSpan().IndexOf("Member"u8));
        return foreign;
    }

    // What reading a payload allocates when it has come often.
    private static long Cost(Serializer serializer, byte[] payload, int reads = 40)
    {
        long least = long.MaxValue;
        for (int i = 0; i < reads; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Equal(42, serializer.Deserialize<Versioned>(payload)!.Kept);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private sealed class Unseekable(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }

    private sealed class Versioned
    {
        public int Kept;
        public int Member;
    }

    [System.Runtime.CompilerServices.InlineArray(1000)]
    private struct Bulk
    {
        public long First;
    }

    [WireName("Limits.Item")]
    private struct WrittenThin
    {
        public byte Kept;
    }

    [WireName("Limits.Item")]
    private struct Fat
    {
        public byte Kept;
        public Bulk Missing;
    }

    [WireName("Limits.Array")]
    private sealed class WrittenThinArray
    {
        public WrittenThin[]? Items;
    }

    [WireName("Limits.Array")]
    private sealed class FatArray
    {
        public Fat[]? Items;
    }

    [WireName("Limits.List")]
    private sealed class WrittenThinList
    {
        public List<WrittenThin>? Items;
    }

    [WireName("Limits.List")]
    private sealed class FatList
    {
        public List<Fat>? Items;
    }

    [WireName("Limits.Object")]
    private sealed class WrittenThinObject
    {
        public byte Kept;
    }

    [WireName("Limits.Object")]
    private sealed class FatObject
    {
        public byte Kept;
        public Bulk Missing;
    }

    [WireName("Limits.Objects")]
    private sealed class WrittenThinObjects
    {
        public WrittenThinObject[]? Items;
    }

    [WireName("Limits.Objects")]
    private sealed class FatObjects
    {
        public FatObject[]? Items;
    }

    private static IEnumerable<int> Endless(Counter taken)
    {
        while (true)
        {
            yield return taken.Count++;
        }
    }

    private sealed class Counter
    {
        public int Count;
    }

    private sealed class Flood;

    private sealed class FloodSerializer : ValueSerializer<Flood>
    {
        public override void Write(ref WireWriter writer, Flood value)
        {
            while (true)
            {
                writer.WriteFixed(5L);
            }
        }

        public override Flood Read(ref WireReader reader) => throw new InvalidOperationException("Nothing of it is ever complete.");
    }
}
