using System.Buffers;
using System.IO.Compression;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Amqp.V10.Values;
using Wire.Testing;

namespace Wire.Amqp.Tests.Bodies;

public sealed class AmqpBodyTests
{
    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });

    private static readonly BasicPublish Publish = new() { Exchange = "orders", RoutingKey = "placed" };

    public static TheoryData<int, int> Sizes()
    {
        var sizes = new TheoryData<int, int>();
        foreach (int frameMax in new[] { 0, 4096, 131_072 })
        {
            // Around where a frame ends, and where one ends that has no room for the next value.
            foreach (int size in new[]
            {
                0,
                1,
                100,
                3600,
                3700,
                3800,
                3900,
                3950,
                4000,
                4050,
                4088,
                4096,
                8000,
                8190,
                65_400,
                65_536,
                131_000,
                131_072,
                1_000_000,
            })
            {
                sizes.Add(frameMax, size);
            }
        }

        return sizes;
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_body_is_written_in_whole_frames_and_read_from_their_parts(int frameMax, int size)
    {
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();
        foreach (Message message in Messages(size))
        {
            output.Clear();
            body.Write(output, 7, in Publish, default, message, frameMax);
            Published read = Published.Parse(output.Written.ToArray(), frameMax, 7);
            Assert.Equal("application/x-wire", read.Properties.ContentType.ToString());
            Assert.Equal(message.GetType().FullName, read.Properties.Type.ToString());
            Assert.True(read.Properties.ContentEncoding.IsNull);
            Assert.Equal(Serializer.Serialize<object>(message), read.Body.ToArray());
            Assert.Equal(message, body.Read<Message>(in read.Properties, in read.Body));
        }
    }

    [Fact]
    public void Every_length_of_text_and_every_frame_max_gives_whole_frames() =>
        Prop.ForAll<NonEmptyArray<NonNull<string>>, byte>((texts, spare) =>
    {
        int frameMax = 4096 + spare;
        var message = new Parcels(Guid.NewGuid(), [1.5, double.NaN], [.. texts.Get.SelectMany(text => Enumerable.Repeat(text.Get, 150))]);
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();
        body.Write(output, 1, in Publish, default, message, frameMax);
        Published read = Published.Parse(output.Written.ToArray(), frameMax, 1);
        Assert.Equal(Serializer.Serialize<object>(message), read.Body.ToArray());
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData(Compression.Brotli, "br")]
    [InlineData(Compression.GZip, "gzip")]
    [InlineData(Compression.Deflate, "deflate")]
    public void A_compressed_body_says_so_and_is_read_by_anyone(Compression compression, string name)
    {
        var body = new AmqpBody(Serializer, new AmqpBodyOptions { Compression = compression, Level = CompressionLevel.Optimal });
        using var output = new AmqpBuffer();
        foreach (Message message in Messages(50_000).Append(new OrderPlaced(Guid.NewGuid(), new string('x', 300_000), [])))
        {
            output.Clear();
            body.Write(output, 1, in Publish, new BasicProperties { ContentEncoding = "of another" }, message, 4096);
            Published read = Published.Parse(output.Written.ToArray(), 4096, 1);
            bool smaller = message is not OrderPlaced { Attachment.Length: > 0 };
            Assert.Equal(smaller ? name : "", read.Properties.ContentEncoding.ToString());
            Assert.Equal(message, new AmqpBody(Serializer).Read<Message>(in read.Properties, in read.Body));
        }

        output.Clear();
        body.Write(output, 1, in Publish, default, new OrderPlaced(Guid.NewGuid(), "small", []), 4096);
        Assert.True(Published.Parse(output.Written.ToArray(), 4096, 1).Properties.ContentEncoding.IsNull);
    }

    [Theory]
    [InlineData(Compression.Brotli)]
    [InlineData(Compression.GZip)]
    [InlineData(Compression.Deflate)]
    public void A_damaged_or_cut_compressed_body_is_an_error_of_the_body(Compression compression)
    {
        var message = new Parcels(new Guid("8d3f6f0e-52a1-4c9b-b7e4-19d06a2c75f3"), new double[400], ["text", "text"]);
        var body = new AmqpBody(Serializer, new AmqpBodyOptions { Compression = compression, CompressAbove = 0 });
        using var output = new AmqpBuffer();
        body.Write(output, 1, in Publish, default, message, 4096);
        Published read = Published.Parse(output.Written.ToArray(), 4096, 1);
        byte[] whole = read.Body.ToArray();
        int refused = 0;
        for (int cut = 0; cut < whole.Length; cut++)
        {
            refused += IsRefused(body, read.Properties, whole[..cut], message) ? 1 : 0;
        }

        // Also where only a checksum or an end is missing, which have no content.
        Assert.Equal(whole.Length, refused);

        // What stands behind it is not looked at.
        foreach (byte[] behind in (byte[][])[[0], new byte[20], "behind"u8.ToArray()])
        {
            Assert.Equal(message, body.Read<Message>(in read.Properties, new ReadOnlySequence<byte>([.. whole, .. behind])));
        }

        // Brotli has no checksum: damage can make another message of it, and nobody can know.
        Message? expected = compression == Compression.Brotli ? null : message;
        refused = 0;
        for (int at = 0; at < whole.Length; at++)
        {
            byte[] damaged = [.. whole];
            damaged[at] ^= 0x55;
            refused += IsRefused(body, read.Properties, damaged, expected) ? 1 : 0;
        }

        // Some bytes say nothing of the content, such as when it was compressed.
        Assert.True(refused >= whole.Length * 3 / 4, $"{refused} of {whole.Length}");
    }

    [Fact]
    public void A_body_that_grows_beyond_the_limit_is_refused()
    {
        var message = new OrderPlaced(Guid.NewGuid(), new string('x', 3_000_000), []);
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer, new AmqpBodyOptions { Compression = Compression.Brotli }).Write(
            output, 1, in Publish, default, message, 0);
        Published read = Published.Parse(output.Written.ToArray(), 0, 1);
        Assert.InRange(read.Body.Length, 1, 2000);
        var strict = new AmqpBody(Serializer, new AmqpBodyOptions { MaxDecompressedBytes = 2_000_000 });
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => strict.Read<Message>(in read.Properties, in read.Body));
        Assert.Equal(AmqpFormatError.Body, e.Error);
        Assert.Contains("MaxDecompressedBytes = 2000000", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_content_type_or_an_unknown_encoding_is_named()
    {
        var body = new AmqpBody(Serializer);
        ReadOnlySequence<byte> payload = new(Serializer.Serialize<object>(new OrderPlaced(Guid.NewGuid(), "Ada", [])));
        AmqpFormatException type = Assert.Throws<AmqpFormatException>(
            () => body.Read<Message>(new BasicProperties { ContentType = "application/json" }, in payload));
        Assert.Contains("'application/json'", type.Message, StringComparison.Ordinal);
        AmqpFormatException encoding =
            Assert.Throws<AmqpFormatException>(() => body.Read<Message>(new BasicProperties { ContentEncoding = "zstd" }, in payload));
        Assert.Contains("'zstd'", encoding.Message, StringComparison.Ordinal);
        Assert.IsType<OrderPlaced>(body.Read<Message>(default, in payload));
        Assert.IsType<OrderPlaced>(body.Read<Message>(new BasicProperties { ContentEncoding = "identity" }, in payload));
    }

    [Theory]
    [InlineData("application/x-wire")]
    [InlineData("Application/X-Wire")]
    [InlineData("application/x-wire; charset=binary")]
    [InlineData("APPLICATION/X-WIRE ;v=1;w=2")]
    [InlineData("")]
    public void A_content_type_is_read_and_written_in_any_case_and_with_parameters(string type)
    {
        var body = new AmqpBody(Serializer);
        var message = new OrderPlaced(Guid.NewGuid(), "Ada", []);
        ReadOnlySequence<byte> payload = new(Serializer.Serialize<object>(message));
        foreach (AmqpString given in (AmqpString[])[type, new AmqpString(Encoding.UTF8.GetBytes(type))])
        {
            Assert.Equal(message, body.Read<Message>(new BasicProperties { ContentType = given }, in payload));
            using var output = new AmqpBuffer();
            body.Write(output, 1, in Publish, new BasicProperties { ContentType = given }, message, 4096);
            Published read = Published.Parse(output.Written.ToArray(), 4096, 1);
            Assert.Equal(type.Length == 0 ? "application/x-wire" : type, read.Properties.ContentType.ToString());
            Assert.Equal(message, body.Read<Message>(in read.Properties, in read.Body));
        }
    }

    [Theory]
    [InlineData("application/json")]
    [InlineData("application/x-wire2")]
    [InlineData("x")]
    [InlineData(";application/x-wire")]
    public void A_content_type_of_other_bodies_is_not_written(string type)
    {
        using var output = new AmqpBuffer();
        ArgumentException error = Assert.Throws<ArgumentException>(() => new AmqpBody(Serializer).Write(
            output, 1, in Publish, new BasicProperties { ContentType = type }, "text", 4096));
        Assert.Contains($"'{type}'", error.Message, StringComparison.Ordinal);
        Assert.Contains("leave the content type out", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, output.Length);
        Assert.False(AmqpBody.IsContentType(type));
    }

    [Theory]
    [InlineData(Compression.Brotli, "BR")]
    [InlineData(Compression.GZip, "GZIP")]
    [InlineData(Compression.Deflate, "Deflate")]
    public void An_encoding_is_read_in_any_case(Compression compression, string name)
    {
        var message = new OrderPlaced(Guid.NewGuid(), new string('x', 10_000), []);
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer, new AmqpBodyOptions { Compression = compression }).Write(output, 1, in Publish, default, message, 4096);
        Published read = Published.Parse(output.Written.ToArray(), 4096, 1);
        Assert.Equal(message, new AmqpBody(Serializer).Read<Message>(new BasicProperties { ContentEncoding = name }, in read.Body));
    }

    [Fact]
    public void A_section_of_AMQP_10_that_the_broker_has_passed_on_is_named()
    {
        ReadOnlySequence<byte> section = new((byte[])[0, 0x53, 0x77, 0xa0, 1, 0x10]);
        foreach (AmqpString contentType in (AmqpString[])[default, AmqpBody.ContentType])
        {
            var properties = new BasicProperties { ContentType = contentType, Type = "amqp-1.0" };
            AmqpFormatException error = Assert.Throws<AmqpFormatException>(
                () => new AmqpBody(Serializer).Read<Message>(in properties, in section));
            Assert.Equal(AmqpFormatError.Body, error.Error);
            Assert.Contains("a section of AMQP 1.0", error.Message, StringComparison.Ordinal);
        }

        // A program may give its own messages that type.
        ReadOnlySequence<byte> payload = new(Serializer.Serialize<object>(new OrderPlaced(Guid.NewGuid(), "Ada", [])));
        Assert.IsType<OrderPlaced>(new AmqpBody(Serializer).Read<Message>(new BasicProperties { Type = "amqp-1.0" }, in payload));
    }

    [Theory]
    [InlineData(Compression.None)]
    [InlineData(Compression.GZip)]
    public void After_a_failure_the_buffer_is_as_before(Compression compression)
    {
        var body = new AmqpBody(Serializer, new AmqpBodyOptions { Compression = compression });
        using var output = new AmqpBuffer();
        body.Write(output, 1, in Publish, default, new OrderPlaced(Guid.NewGuid(), "Ada", new byte[100_000]), 4096);
        byte[] before = output.Written.ToArray();
        Assert.Throws<UnsupportedTypeException>(
            () => body.Write(output, 1, in Publish, default, new object[] { new byte[300_000], Stream.Null }, 4096));
        Assert.Throws<ArgumentException>(
            () => body.Write(output, 1, in Publish, new BasicProperties { AppId = new string('x', 256) }, "text", 4096));
        Assert.Equal(before, output.Written.ToArray());
        body.Write(output, 1, in Publish, default, "text", 4096);
        Assert.Equal(before, output.Written.Slice(0, before.Length).ToArray());
        Published read = Published.Parse(output.Written.Slice(before.Length).ToArray(), 4096, 1);
        Assert.Equal("text", body.Read<string>(in read.Properties, in read.Body));
    }

    [Fact]
    public void A_method_or_header_that_no_frame_holds_is_refused_and_so_is_a_method_without_content()
    {
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();
        var headers = new FieldTableBuilder();
        headers.Add("long", new string('x', 4096));
        ArgumentException header = Assert.Throws<ArgumentException>(() =>
            body.Write(output, 1, in Publish, new BasicProperties { Headers = headers.ToTable() }, "text", 4096));
        Assert.Contains("content header", header.Message, StringComparison.Ordinal);
        ArgumentException method = Assert.Throws<ArgumentException>(() =>
            body.Write(output, 1, new BasicPublish { RoutingKey = new string('k', 200) }, default, "text", 128));
        Assert.Contains("frame-max allows 128", method.Message, StringComparison.Ordinal);
        ArgumentException other =
            Assert.Throws<ArgumentException>(() => body.Write(output, 1, default(ChannelOpen), default, "text", 4096));
        Assert.Contains("ChannelOpen", other.Message, StringComparison.Ordinal);
        Assert.Equal(0, output.Length);
        body.Write(output, 1, in Publish, new BasicProperties { Headers = headers.ToTable() }, "text", 0);
        Assert.True(output.Length > 4096);
    }

    [Fact]
    public void The_type_is_named_as_programs_write_it()
    {
        Assert.Equal("Wire.Amqp.Tests.Bodies.OrderPlaced", TypeOf(new OrderPlaced(Guid.NewGuid(), "", [])));
        Assert.Equal(
            "Wire.Amqp.Tests.Bodies.Envelope<Wire.Amqp.Tests.Bodies.Parcels>",
            TypeOf(new Envelope<Parcels>(new Parcels(default, [], []), [])));
        Assert.Equal("System.Collections.Generic.Dictionary<System.String,System.Int32[]>", TypeOf(new Dictionary<string, int[]>()));
        Assert.Equal("System.Object", TypeOf<object?>(null));
        Assert.Equal("", TypeOf(new List<List<List<List<List<List<List<List<List<int>>>>>>>>>()));
        Assert.Equal("mine", TypeOf(1, new BasicProperties { Type = "mine" }));
    }

    [Theory]
    [InlineData(512)]
    [InlineData(16_384)]
    [InlineData(1_000_000)]
    public void To_write_allocates_nothing_whatever_the_size(int size)
    {
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();
        var message = new OrderPlaced(Guid.NewGuid(), "Ada", new byte[size]);
        Allocations.AssertNone(() =>
        {
            body.Write(output, 1, in Publish, default, message, 131_072);
            output.Clear();
        });
    }

    [Theory]
    [InlineData(Compression.None)]
    [InlineData(Compression.Brotli)]
    public void What_serializes_a_body_writes_other_messages_elsewhere_only(Compression compression)
    {
        using var output = new AmqpBuffer();
        using var other = new AmqpBuffer();
        AmqpBuffer target = other;
        AmqpBody? body = null;
        var options = new SerializerOptions
        {
            Surrogates =
            [
                Surrogate.Create<Note, string>(
                    note =>
                    {
                        body!.Write(target, 2, in Publish, default, "inner", 4096);
                        return note.Text;
                    },
                    text => new Note(text)),
            ],
        };
        body = new AmqpBody(new Serializer(options), new AmqpBodyOptions { Compression = compression, CompressAbove = 0 });
        object[] message = [new string('x', 5000), new Note("note"), "tail"];
        body.Write(output, 1, in Publish, default, message, 4096);
        Published read = Published.Parse(output.Written.ToArray(), 4096, 1);
        Assert.Equal(message, body.Read<object[]>(in read.Properties, in read.Body));
        read = Published.Parse(other.Written.ToArray(), 4096, 2);
        Assert.Equal("inner", body.Read<string>(in read.Properties, in read.Body));

        // Where they would end up in the middle of the message.
        byte[] before = output.Written.ToArray();
        target = output;
        Assert.Throws<InvalidOperationException>(() => body.Write(output, 1, in Publish, default, message, 4096));
        Assert.Throws<InvalidOperationException>(() => body.Write(output, default(Wire.Amqp.V10.Properties), default, message));
        Assert.Equal(before, output.Written.ToArray());
        body.Write(output, 1, in Publish, default, "text", 4096);
        read = Published.Parse(output.Written.Slice(before.Length).ToArray(), 4096, 1);
        Assert.Equal("text", body.Read<string>(in read.Properties, in read.Body));
    }

    private sealed record Note(string Text);

    // What is not refused is what was expected, if that is known.
    private static bool IsRefused(AmqpBody body, BasicProperties properties, byte[] payload, Message? expected)
    {
        Message? read = null;
        Exception? e = Record.Exception(() => read = body.Read<Message>(in properties, new ReadOnlySequence<byte>(payload)));
        Assert.True(e is null or AmqpFormatException { Error: AmqpFormatError.Body } or WireFormatException, $"{e}");
        Assert.True(e is not null || expected is null || expected.Equals(read), $"{read}");
        return e is not null;
    }

    private static string TypeOf<T>(T value, BasicProperties properties = default)
    {
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer).Write(output, 1, in Publish, in properties, value, 4096);
        return Published.Parse(output.Written.ToArray(), 4096, 1).Properties.Type.ToString();
    }

    // One that is copied in a block, and one that is many small values.
    private static Message[] Messages(int size)
    {
        byte[] bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return
        [
            new OrderPlaced(Guid.NewGuid(), "Ada", bytes),
            new Parcels(Guid.NewGuid(), new double[size / 16], [.. Enumerable.Range(0, size / 20).Select(i => $"label {i}")]),
        ];
    }
}
