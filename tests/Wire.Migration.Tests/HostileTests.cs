using Wire.Migration.Samples;
using Wire.Testing;

namespace Wire.Migration.Tests;

/// <summary>Damaged and hostile bytes end in an error of Wire's, within the limits, and make nothing that the filter refuses.</summary>
public sealed class HostileTests
{
    private static readonly SerializerOptions All = Recorded.Options with
    {
        UseSerializable = true,
        UseSerializationCallbacks = true,
        Surrogates = [.. FrameworkSurrogates.All],
        // Its collections are read as others.
        TypeAliases = TypeAliases.None.Redirect("Wire.Migration.Samples.Former.Shelf", typeof(Shelf)),
    };

    public static TheoryData<string> Names => new(Sample.All.Select(sample => sample.Name));

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_cut_is_an_error(string name)
    {
        byte[] old = Recorded.Bytes(name);
        BinaryFormatterReader reader = Recorded.Reader(All);
        foreach (int length in Enumerable.Range(0, old.Length).Sample(among: 4))
        {
            Assert.ThrowsAny<WireFormatException>(() => reader.Read(old.AsMemory(0, length)));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_flip_is_read_or_an_error(string name)
    {
        byte[] old = Recorded.Bytes(name);
        BinaryFormatterReader reader = Recorded.Reader(All with { Limits = new() { MaxAllocation = 1 << 26 } });
        int step = old.Length > 8000 ? 5 : 1;
        int failed = 0;
        for (int i = 0; i < old.Length; i += step)
        {
            foreach (int change in new[] { 0x01, 0x80, 0xFF }.Sample(among: 4, i))
            {
                byte[] damaged = [.. old];
                damaged[i] ^= (byte)change;
                try
                {
                    reader.Read(damaged);
                }
                catch (Exception e) when (e is WireFormatException or UnsupportedTypeException)
                {
                    failed++;
                }
            }
        }

        Assert.NotEqual(0, failed);
    }

    [Fact]
    public void A_type_that_is_not_allowed_is_refused_as_in_payloads_of_Wire()
    {
        RefusedType? reported = null;
        BinaryFormatterReader reader = Recorded.Reader(new() { TypeRefused = refused => reported = refused });

        TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => reader.Read(Recorded.Bytes("Graph")));

        Assert.Equal("Wire.Migration.Samples.Customer, Wire.Migration.Samples", e.TypeName);
        Assert.Contains("WireTypeFilter.Default.Allow<Customer>()", e.Remedy, StringComparison.Ordinal);
        Assert.Equal(("Wire.Migration.Samples.Customer", typeof(object)), (reported!.FullName, reported.RootType));

        // The type asked for, and what its members declare, are allowed.
        Assert.Equal(Level.High, Recorded.Reader(new()).Read<Level>(Recorded.Bytes("Enum")));
        BinaryFormatterReader one = Recorded.Reader(new() { TypeFilter = WireTypeFilter.Default.Allow<Money>() });
        Assert.Equal(5, one.Read<Holder>(Recorded.Bytes("Generics"))!.Numbers!.Content);
    }

    [Fact]
    public void An_argument_that_is_not_allowed_is_refused()
    {
        BinaryFormatterReader reader = Recorded.Reader(
            new() { TypeFilter = WireTypeFilter.Default.Allow<Named>().Deny<Named>() });

        Assert.Throws<TypeRefusedException>(() => reader.Read(Recorded.Bytes("Named")));
    }

    [Fact]
    public void Nulls_that_take_no_bytes_are_counted()
    {
        // An array of two thousand million nulls, in thirty bytes.
        byte[] bytes = [.. Header, 16, 1, 0, 0, 0, 0xC0, 0xFF, 0xFF, 0x7F, 14, 0xC0, 0xFF, 0xFF, 0x7F, 11];

        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader().Read(bytes));

        Assert.Equal(WireFormatError.Limit, e.Error);
    }

    [Fact]
    public void A_deep_graph_ends_at_the_limit_and_needs_no_stack()
    {
        byte[] bytes = Nested(100_000);

        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader().Read(bytes));
        Assert.Equal(WireFormatError.Limit, e.Error);
        Assert.Contains("MaxDepth = 1000", e.Message, StringComparison.Ordinal);

        object? read = Recorded.Reader(Recorded.Options with { Limits = new() { MaxDepth = 200_000 } }).Read(bytes);
        int depth = 0;
        for (; read is object[] { Length: 1 } array; read = array[0])
        {
            depth++;
        }

        Assert.Equal(100_000, depth);
    }

    [Theory]
    [InlineData(typeof(Node))]
    [InlineData(typeof(WrittenNode))]
    public void Deep_objects_need_no_stack(Type type)
    {
        const int Depth = 30_000;
        byte[] bytes = Nested(Depth, type);

        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => Recorded.Reader(All).Read(bytes)).Error);

        int depth = 0;
        object? read = Recorded.Reader(All with { Limits = new() { MaxDepth = 1_000_000 } }).Read(bytes);
        for (; read is not null; read = read is Node node ? node.Next : ((WrittenNode)read).Next)
        {
            depth++;
        }

        Assert.Equal(Depth, depth);
    }

    [Fact]
    public void A_secret_is_refused_with_the_reason()
    {
        byte[] name = "System.Net.NetworkCredential"u8.ToArray();
        byte[] bytes = [.. Header, 4, 1, 0, 0, 0, (byte)name.Length, .. name, 0, 0, 0, 0, 11];

        TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => Recorded.Reader().Read(bytes));

        Assert.Contains("it holds a secret", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("WireTypeFilter", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_comparer_without_the_type_that_it_compares_is_an_error()
    {
        byte[] name = "System.Collections.Generic.GenericEqualityComparer`1"u8.ToArray();
        byte[] bytes = [.. Header, 4, 1, 0, 0, 0, (byte)name.Length, .. name, 0, 0, 0, 0, 11];

        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader().Read(bytes));

        Assert.Contains("a comparer has one type argument, and this 0", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Limits_hold()
    {
        Assert.Equal(WireFormatError.Limit, Failure(new() { MaxBytes = 100 }, "Graph"));
        Assert.Equal(WireFormatError.Limit, Failure(new() { MaxObjects = 5 }, "Graph"));
        Assert.Equal(WireFormatError.Limit, Failure(new() { MaxElements = 2 }, "Arrays"));
        Assert.Equal(WireFormatError.Limit, Failure(new() { MaxAllocation = 500 }, "Graph"));
        Assert.Equal(WireFormatError.Limit, Failure(new() { MaxDepth = 3 }, "Graph"));
        Assert.Equal(WireFormatError.Limit, Failure(new() { MaxConstructedTypes = 0 }, "Sets"));
    }

    [Fact]
    public void Bytes_behind_a_payload_are_an_error_and_in_a_stream_the_next_one()
    {
        byte[] two = [.. Recorded.Bytes("Text"), .. Recorded.Bytes("Number")];
        using var stream = new MemoryStream(two);
        BinaryFormatterReader reader = Recorded.Reader();

        Assert.Equal(WireFormatError.TrailingBytes, Assert.Throws<WireFormatException>(() => reader.Read(two)).Error);
        Assert.Equal("old", reader.Read<string>(stream));
        Assert.Equal(42, reader.Read<int>(stream));
        Assert.Equal(stream.Length, stream.Position);
        Assert.Equal(WireFormatError.Truncated, Assert.Throws<WireFormatException>(() => reader.Read(stream)).Error);
    }

    [Fact]
    public void What_a_stream_throws_is_no_error_of_the_bytes() =>
        Assert.Throws<IOException>(() => Recorded.Reader().Read(new FailingStream(Recorded.Bytes("Graph"))));

    [Fact]
    public void The_header_is_recognised()
    {
        Assert.True(BinaryFormatterReader.IsBinaryFormatter(Recorded.Bytes("Graph").AsSpan(0, 17)));
        Assert.False(BinaryFormatterReader.IsBinaryFormatter(Recorded.Bytes("Graph").AsSpan(0, 16)));
        Assert.False(BinaryFormatterReader.IsBinaryFormatter(new Serializer().Serialize("text")));
        Assert.Equal(
            WireFormatError.Header,
            Assert.Throws<WireFormatException>(() => Recorded.Reader().Read(new Serializer().Serialize("text"))).Error);
    }

    private static ReadOnlySpan<byte> Header => [0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0];

    private static WireFormatError Failure(Limits limits, string name) => Assert.ThrowsAny<WireFormatException>(
        () => Recorded.Reader(All with { Limits = limits }).Read(Recorded.Bytes(name))).Error;

    // Arrays of one object each, in one another by references.
    private static byte[] Nested(int depth)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(Header);
        for (int i = 1; i <= depth; i++)
        {
            writer.Write((byte)16);
            writer.Write(i);
            writer.Write(1);
            writer.Write((byte)(i < depth ? 9 : 10));
            if (i < depth)
            {
                writer.Write(i + 1);
            }
        }

        writer.Write((byte)11);
        return stream.ToArray();
    }

    // Objects with one member, Next, in one another by references.
    private static byte[] Nested(int depth, Type type)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(Header);
        writer.Write((byte)12);
        writer.Write(-1);
        writer.Write(type.Assembly.FullName!);
        for (int i = 1; i <= depth; i++)
        {
            writer.Write((byte)(i == 1 ? 5 : 1));
            writer.Write(i);
            if (i == 1)
            {
                writer.Write(type.FullName!);
                writer.Write(1);
                writer.Write("Next");
                writer.Write((byte)4);
                writer.Write(type.FullName!);
                writer.Write(-1);
                writer.Write(-1);
            }
            else
            {
                writer.Write(1);
            }

            writer.Write((byte)(i < depth ? 9 : 10));
            if (i < depth)
            {
                writer.Write(i + 1);
            }
        }

        writer.Write((byte)11);
        return stream.ToArray();
    }

    private sealed class FailingStream(byte[] bytes) : MemoryStream(bytes)
    {
        public override int Read(Span<byte> buffer) => Position > 100 ? throw new IOException("gone") : base.Read(buffer);
    }
}
