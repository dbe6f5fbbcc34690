using System.Buffers;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>What messages hold, by whomever they were written.</summary>
public sealed class StreamMessageTests : IDisposable
{
    private static readonly Serializer Serializer = new();

    private readonly ChunkMessages _chunk = new("letters", Serializer, new ChunkReading());

    public void Dispose() => _chunk.Dispose();

    [Fact]
    public void Reads_an_object_alone()
    {
        StreamMessage message = Read(Serializer.Serialize(new Letter("Ada", 3)));

        Assert.Equal(new Letter("Ada", 3), message.Read<Letter>());
        Assert.Throws<TypeRefusedException>(() => message.Read<object>());
        Assert.False(message.HasSections);
    }

    [Fact]
    public void Reads_null() => Assert.Null(Read(Serializer.Serialize<Letter?>(null)).Read<Letter>());

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(300)]
    [InlineData(70_000)]
    public void Reads_an_object_in_a_data_section_of_any_length(int length)
    {
        var letter = new Letter(new string('x', length), 3);
        using var output = new AmqpBuffer();
        MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>(Serializer.Serialize(letter)) });
        StreamMessage message = Read(output.Written.ToArray());

        Assert.Equal(letter, message.Read<Letter>());
        Assert.True(message.HasSections);
        Assert.Equal(Serializer.Serialize(letter), message.ReadData().ToArray());
    }

    [Theory]
    [InlineData(Wire.Amqp.Compression.None)]
    [InlineData(Wire.Amqp.Compression.Brotli)]
    public void Reads_an_object_with_properties_as_this_library_writes_it(Wire.Amqp.Compression compression)
    {
        var letter = new Letter(new string('y', 5000), 4);
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer, new AmqpBodyOptions { Compression = compression }).Write(
            output,
            new Properties { MessageId = 17ul, CorrelationId = "order 5" },
            new ApplicationProperties { Map = AmqpValue.Map(("region", "north"), ("try", 2)) },
            letter);
        StreamMessage message = Read(output.Written.ToArray());

        Assert.Equal(letter, message.Read<Letter>());
        Assert.Equal(17ul, message.ReadProperties().MessageId.As<ulong>());
        Assert.Equal("order 5", message.ReadProperties().CorrelationId.As<string>());
        Assert.Equal(AmqpBody.ContentType, message.ReadProperties().ContentType.ToString());
        Assert.Equal("north", message.ReadApplicationProperties()["region"].As<string>());
        Assert.Equal(2, message.ReadApplicationProperties()["try"].As<int>());
    }

    [Fact]
    public void Reads_data_of_several_sections_as_one()
    {
        byte[] payload = Serializer.Serialize(new Letter("Ada", 3));
        using var output = new AmqpBuffer();
        foreach (byte one in payload)
        {
            MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>([one]) });
        }

        StreamMessage message = Read(output.Written.ToArray());

        Assert.Equal(payload, message.ReadData().ToArray());
        Assert.Equal(new Letter("Ada", 3), message.Read<Letter>());
    }

    [Fact]
    public void Reads_what_others_write_with_all_sections()
    {
        using var output = new AmqpBuffer();
        MessageWriter.Write(output, new Header { Durable = true });
        MessageWriter.Write(output, new MessageAnnotations { Map = AmqpValue.Map((new AmqpSymbol("x-exchange"), "amq.topic")) });
        MessageWriter.Write(output, new Properties { ContentType = "text/plain", Subject = "greeting" });
        MessageWriter.Write(output, new ApplicationProperties { Map = AmqpValue.Map(("k", 1L)) });
        MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>("hello"u8.ToArray()) });
        MessageWriter.Write(output, new Footer { Map = AmqpValue.Map((new AmqpSymbol("f"), 1)) });
        StreamMessage message = Read(output.Written.ToArray());

        Assert.Equal("hello", Encoding.UTF8.GetString(message.ReadData().Span));
        Assert.Equal("greeting", message.ReadProperties().Subject.ToString());
        Assert.Equal(1L, message.ReadApplicationProperties()["k"].As<long>());
        var kinds = new List<SectionKind>();
        MessageReader sections = message.Sections;
        while (sections.TryRead(out Section section))
        {
            kinds.Add(section.Kind);
        }

        Assert.Equal([
            SectionKind.Header,
            SectionKind.MessageAnnotations,
            SectionKind.Properties,
            SectionKind.ApplicationProperties,
            SectionKind.Data,
            SectionKind.Footer,
        ], kinds);
        Assert.Contains(
            "The content type is 'text/plain'",
            Assert.Throws<AmqpFormatException>(() => message.Read<Letter>()).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "offset 40 of 'letters' has no value",
            Assert.Throws<AmqpFormatException>(() => message.ReadValue()).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Reads_a_body_that_is_a_value()
    {
        using var output = new AmqpBuffer();
        MessageWriter.Write(output, new ValueSection { Value = "hello" });
        StreamMessage message = Read(output.Written.ToArray());

        Assert.Equal("hello", message.ReadValue().As<string>());
        Assert.True(message.ReadProperties().MessageId.IsNull);
        Assert.Equal(0, message.ReadApplicationProperties().Count);
        Assert.Contains(
            "offset 40 of 'letters' has no data",
            Assert.Throws<AmqpFormatException>(() => message.ReadData()).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "offset 40 of 'letters' has no data",
            Assert.Throws<AmqpFormatException>(() => message.Read<string>()).Message,
            StringComparison.Ordinal);
    }

    // The same message with each form that its descriptors may have.
    [Theory]
    [InlineData("00 53 75 A0 01 2A")]
    [InlineData("00 53 75 B0 00 00 00 01 2A")]
    [InlineData("00 80 00 00 00 00 00 00 00 75 A0 01 2A")]
    [InlineData("00 A3 10 61 6D 71 70 3A 64 61 74 61 3A 62 69 6E 61 72 79 A0 01 2A")]
    [InlineData("00 53 70 45 00 53 75 A0 01 2A")]
    public void Reads_sections_whichever_form_their_descriptors_have(string hex)
    {
        StreamMessage message = Read(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)));

        Assert.True(message.HasSections);
        Assert.Equal([42], message.ReadData().ToArray());
    }

    [Theory]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("00 53")]
    [InlineData("00 53 6F")]
    [InlineData("00 53 79")]
    [InlineData("00 00 00 00 00 00 00 00")]
    [InlineData("68 65 6C 6C 6F")]
    public void Bytes_of_any_kind_are_no_sections_and_no_object(string hex)
    {
        StreamMessage message = Read(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)));

        Assert.False(message.HasSections);
        Assert.Equal(
            "The message with offset 40 of 'letters' is neither an AMQP 1.0 message nor a Wire payload, so it has no object: read its Body",
            Assert.Throws<AmqpFormatException>(() => message.Read<Letter>()).Message);
        Assert.Contains(
            "is not an AMQP 1.0 " +
            "message", Assert.Throws<AmqpFormatException>(() => message.ReadProperties()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_cut_of_a_message_is_an_error_of_its_bytes()
    {
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer).Write(
            output,
            new Properties { MessageId = 17ul },
            new ApplicationProperties { Map = AmqpValue.Map(("k", 1L)) },
            new Letter("Ada", 3));
        byte[] whole = output.Written.ToArray();
        for (int length = 0; length < whole.Length; length++)
        {
            StreamMessage message = Read(whole[..length]);
            Assert.Throws<AmqpFormatException>(() => message.Read<Letter>());
        }
    }

    [Fact]
    public void Every_flipped_bit_of_a_message_gives_an_object_or_an_error_of_its_bytes()
    {
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer).Write(
            output,
            new Properties { MessageId = 17ul },
            new ApplicationProperties { Map = AmqpValue.Map(("k", 1L)) },
            new Letter("Ada", 3));
        byte[] whole = output.Written.ToArray();
        for (int bit = 0; bit < whole.Length * 8; bit++)
        {
            byte[] flipped = [.. whole];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            StreamMessage message = Read(flipped);
            Exception? e = Record.Exception(() => message.Read<Letter>());
            Assert.True(e is null or AmqpFormatException or WireFormatException or TypeRefusedException, $"{e}");
        }
    }

    [Fact]
    public void Reading_allocates_nothing_but_the_object()
    {
        byte[] payload = Serializer.Serialize(42);
        using var output = new AmqpBuffer();
        new AmqpBody(Serializer).Write(
            output, new Properties { MessageId = 17ul, Subject = "s" }, new ApplicationProperties { Map = AmqpValue.Map(("k", 1L)) }, 42);
        byte[] sections = output.Written.ToArray();
        byte[] chunk = new ChunkWriter().Add(payload).Add([0, 0x53, 0x75, 0xa0, (byte)payload.Length, .. payload]).Add(sections).ToArray();
        AmqpValue key = "k";
        long sum = 0;
        var gauge = new Gauge(() =>
        {
            foreach (ref readonly StreamMessage message in _chunk.Read(chunk, 0, 0).Span)
            {
                sum += message.Read<int>();
                if (message.Offset == 2)
                {
                    sum += message.ReadApplicationProperties()[key].As<long>() +
                        (long)message.ReadProperties().MessageId.As<ulong>() +
                        message.ReadData().Length;
                }
            }
        });

        Gauge.Settle(() => gauge.BytesOfTenCalls == 0, gauge);

        Assert.Equal(0, gauge.BytesOfTenCalls);
        Assert.NotEqual(0, sum);
    }

    private StreamMessage Read(byte[] message) => _chunk.Read(new ChunkWriter { FirstOffset = 40 }.Add(message).ToArray(), 0, 0).Span[0];

    public sealed record Letter(string To, int Pages);
}
