using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Tests.Hostile;

/// <summary>Cases that reviews of the code found, each with what it once did.</summary>
public sealed class ReviewedCasesTests
{
    [Theory]
    [InlineData("41 46 41 44 00")]
    [InlineData("41 44 00")]
    public void A_part_without_members_is_no_schema(string shape)
    {
        // Once: a count of elements that take no bytes allocated without bound.
        string name = "System.Collections.Generic.List`1[[System.Collections.Generic.List`1[[System.ValueTuple]]]]";
        byte[] schema = Convert.FromHexString(shape.Replace(" ", "", StringComparison.Ordinal));
        byte[] manifest =
            [(byte)((name.Length << 1) & 0x7F | 0x80), (byte)(name.Length >> 6), .. System.Text.Encoding.UTF8.GetBytes(name), 1, .. schema];
        byte[] payload = [0x10, 0x02, (byte)(manifest.Length | 0x80), (byte)(manifest.Length >> 7), .. manifest, 0xFF, 0xFF, 0x03];

        WireFormatException e = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(payload));

        Assert.Equal(WireFormatError.Manifest, e.Error);
        Assert.Contains("without members", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("System.Collections.Generic.List`1[]")]
    [InlineData("System.Tuple`1[,]")]
    [InlineData("System.Collections.Generic.List`1")]
    public void Open_types_are_refused(string name)
    {
        byte[] payload =
        [
            0x10,
            0x02,
            (byte)(name.Length + 3),
            (byte)(name.Length << 1),
            .. System.Text.Encoding.UTF8.GetBytes(name),
            1,
            0x44,
            0x00,
            0x00,
        ];

        Assert.ThrowsAny<WireFormatException>(() => new Serializer().Deserialize<object>(payload));
    }

    [Fact]
    public void A_buffer_writer_that_fails_keeps_nothing_for_the_next_message()
    {
        var serializer = new Serializer(
            SerializerOptions.Default with { ValueSerializerFactories = [ValueSerializerFactory.For(new SecretSerializer())] });

        Assert.Throws<InvalidOperationException>(() => serializer.Serialize(new Secret(), new FullWriter()));

        Assert.Equal(new Serializer().Serialize(42), serializer.Serialize(42));
    }

    [Fact]
    public void A_refused_call_leaves_the_message_in_progress_alone()
    {
        var reentrant = new ReentrantSerializer();
        var serializer =
            new Serializer(SerializerOptions.Default with { ValueSerializerFactories = [ValueSerializerFactory.For(reentrant)] });
        using SerializerSession session = serializer.GetSerializerSession();
        reentrant.Again = () => serializer.Serialize(1, new MemoryStream(), session);

        byte[] bytes = serializer.Serialize(new Secret(), session);

        Assert.NotNull(serializer.Deserialize<Secret>(bytes));
        Assert.IsType<InvalidOperationException>(reentrant.Refusal);
    }

    [Fact]
    public void The_limit_of_bytes_holds_for_every_input()
    {
        byte[] bytes = new Serializer().Serialize(new string('x', 100));
        var small = new Serializer(SerializerOptions.Default with { Limits = new Limits { MaxBytes = 50 } });

        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => small.Deserialize<string>(bytes)).Error);
        byte[] numbers = new Serializer().Serialize((1L, 2L, 3L, 4L, 5L, 6L, 7L));
        Assert.Equal(
            WireFormatError.Limit,
            Assert.Throws<WireFormatException>(() => small.Deserialize<(long, long, long, long, long, long, long)>(numbers)).Error);
    }

    [Fact]
    public void Arrays_of_other_numbers_are_not_let_through()
    {
        // The runtime itself lets a uint[] stand in a variable of type int[].
        byte[] bytes = new Serializer().Serialize(new[] { uint.MaxValue });

        Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<int[]>(bytes));
        Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<DayOfWeek[]>(bytes));
        Assert.Equal(["a"], (object[])new Serializer().Deserialize<object[]>(new Serializer().Serialize(new[] { "a" }))!);
    }

    [Fact]
    public void Inline_arrays_are_not_cut_to_one_element()
    {
        var value = new HasInline();
        value.Values[3] = 7;
        Assert.Equal(7, new Serializer().Clone(value).Values[3]);
    }

    [Fact]
    public void Named_types_of_an_allowed_assembly_are_allowed()
    {
        byte[] bytes = new Serializer().Serialize(new Renamed { Value = 7 });

        foreach (WireTypeFilter filter
            in new[] { WireTypeFilter.Unrestricted, WireTypeFilter.Default.AllowAssembly(typeof(Renamed).Assembly) })
        {
            var serializer = new Serializer(SerializerOptions.Default with { TypeFilter = filter });
            Assert.Equal(7, Assert.IsType<Renamed>(serializer.Deserialize<object>(bytes)).Value);
        }
    }

    [Fact]
    public void A_copy_is_never_of_another_type_of_the_same_name()
    {
        var serializer = new Serializer();
        Assert.IsType<TwinA>(serializer.Clone<object>(new TwinA()));

        // Without bytes there are no names that could be confused.
        Assert.IsType<TwinB>(serializer.Clone<object>(new TwinB()));

        // With an exception, graphs are copied by way of bytes.
        Assert.IsType<TwinA>(serializer.Clone(new object[] { new TwinA(), new TimeoutException() })[0]);
        Assert.Contains(
            "Reviewed.Twin",
            Assert.Throws<UnsupportedTypeException>(() => serializer.Clone(new object[] { new TwinB(), new TimeoutException() })).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cancelled_frame_does_not_count_as_said()
    {
        var serializer = new Serializer();
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        var stream = new MemoryStream();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await serializer.SerializeFramedAsync(new TwinA(), stream, writing, new CancellationToken(true)));
        await serializer.SerializeFramedAsync(new TwinA(), stream, writing);
        stream.Position = 0;

        Assert.NotNull(await serializer.DeserializeFramedAsync<TwinA>(stream, reading));
    }

    [Fact]
    public void Types_that_declare_themselves_with_ever_more_arguments_end()
    {
        var serializer = new Serializer();
        byte[] bytes = serializer.Serialize(new Growing<int> { Value = 3 });

        Assert.Equal(3, serializer.Deserialize<Growing<int>>(bytes)!.Value);
        Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Growing<int>>(serializer.Serialize(new TwinA())));
    }

    [Fact]
    public void A_surrogate_that_holds_its_own_source_is_refused()
    {
        var serializer = new Serializer(SerializerOptions.Default with
        {
            Surrogates = [Surrogate.Create<Degrees, (Degrees, int)>(d => (d, 1), pair => pair.Item1)],
        });

        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Degrees()));
    }

    [Fact]
    public void Every_failure_has_its_own_path()
    {
        var serializer = new Serializer();

        Assert.Equal("[1].Bad", Path(new object[] { 1, new HasPointerLike { Bad = () => { } } }));
        Assert.Equal("[2].Bad", Path(new object[] { 1, 2, new HasPointerLike { Bad = () => { } } }));

        string Path(object[] value) => Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(value)).MemberPath;
    }

    [Fact]
    public void The_member_at_fault_is_named_also_among_members_of_fixed_size()
    {
        byte[] bytes = new Serializer().Serialize(new Flags());
        bytes[^1] = 9;

        Assert.Equal("C", Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Flags>(bytes)).MemberPath);
    }

    [Fact]
    public void Null_may_be_written_longer_than_need_be() =>
        Assert.Null(Assert.Single(new Serializer().Deserialize<string?[]>([0x10, 0x05, 0x2A, 0x01, 0x80, 0x00])!));

    public sealed class Secret;

    public struct Degrees
    {
        public double Value;
    }

    public sealed class HasInline
    {
        public Four Values;
    }

    [InlineArray(4)]
    public struct Four
    {
        private int _first;
    }

    [WireName("Reviewed.Renamed")]
    public sealed class Renamed
    {
        public int Value;
    }

    [WireName("Reviewed.Twin")]
    public sealed class TwinA;

    [WireName("Reviewed.Twin")]
    public sealed class TwinB;

    public sealed class Growing<T>
    {
        public T? Value;
        public Growing<Growing<T>>? Next;
    }

    public sealed class HasPointerLike
    {
        public Action? Bad;
    }

    public sealed class Flags
    {
        public int A;
        public bool B;
        public bool C;
    }

    private sealed class SecretSerializer : ValueSerializer<Secret>
    {
        public override void Write(ref WireWriter writer, Secret value) => writer.WriteString(new string('s', 1000));

        public override Secret Read(ref WireReader reader)
        {
            reader.ReadString();
            return new Secret();
        }
    }

    private sealed class ReentrantSerializer : ValueSerializer<Secret>
    {
        public Action? Again { get; set; }

        public Exception? Refusal { get; private set; }

        public override void Write(ref WireWriter writer, Secret value)
        {
            Refusal = Record.Exception(() => Again!());
            writer.WriteByte(1);
        }

        public override Secret Read(ref WireReader reader)
        {
            reader.ReadByte();
            return new Secret();
        }
    }

    private sealed class FullWriter : IBufferWriter<byte>
    {
        private readonly byte[] _buffer = new byte[512];
        private int _windows;

        public void Advance(int count)
        {
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => _buffer;

        public Span<byte> GetSpan(int sizeHint = 0) => ++_windows > 1 ? throw new InvalidOperationException("full") : _buffer;
    }
}
