using System.Buffers;
using Wire.Amqp.Bodies;
using Wire.Amqp.V10;
using Wire.Testing;

namespace Wire.Amqp.Tests.Bodies;

public sealed class AmqpDataTests
{
    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });

    private static ReadOnlySpan<byte> DataDescriptor => [0x00, 0x53, 0x75];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(250)]
    [InlineData(500)]
    [InlineData(1_000)]
    [InlineData(16_384)]
    [InlineData(65_536)]
    [InlineData(1_000_000)]
    public void An_object_is_one_data_section(int size)
    {
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();

        // At every place of a segment of the buffer that matters.
        foreach (int before in Enumerable.Range(0, 40).Select(i => i * 25).Concat(Enumerable.Range(0, 1000).Select(i => 65_536 - i)))
        {
            output.Clear();
            output.Write(new byte[before]);
            var message = new OrderPlaced(Guid.NewGuid(), "Ada", new byte[size]);
            body.Write(output, new Properties { MessageId = "m-1" }, new ApplicationProperties { Map = AmqpValue.Map(("k", 1)) }, message);
            byte[] written = output.Written.Slice(before).ToArray();
            (Properties properties, DataSection data) = Read(written);
            Assert.Equal(("m-1", "application/x-wire"), (properties.MessageId.As<string>(), properties.ContentType.ToString()));
            Assert.Equal(typeof(OrderPlaced).FullName, properties.Subject.ToString());
            Assert.True(properties.ContentEncoding.IsNull);
            Assert.Equal(message, body.Read<Message>(in properties, in data));

            // The shortest form of the length, wherever the body lies.
            Assert.Equal(MessageWriter.SizeOf(in data), written.AsSpan().Length - written.AsSpan().IndexOf(DataDescriptor));
        }
    }

    [Fact]
    public void A_content_type_or_encoding_as_long_as_a_message_is_not_repeated_in_the_error()
    {
        var huge = new AmqpSymbol(new string('x', 100_000));
        foreach (Properties properties in new Properties[] { new() { ContentType = huge }, new() { ContentEncoding = huge } })
        {
            AmqpFormatException e =
                Assert.Throws<AmqpFormatException>(() => new AmqpBody(new Serializer()).Read<object>(in properties, default(DataSection)));
            Assert.Equal(AmqpFormatError.Body, e.Error);
            Assert.InRange(e.Message.Length, 20, 300);
        }
    }

    [Fact]
    public void A_compressed_object_says_so()
    {
        var body = new AmqpBody(Serializer, new AmqpBodyOptions { Compression = Compression.Brotli });
        using var output = new AmqpBuffer();
        var message = new OrderPlaced(Guid.NewGuid(), new string('x', 100_000), []);
        body.Write(output, default, default, message);
        (Properties properties, DataSection data) = Read(output.Written.ToArray());
        Assert.Equal("br", properties.ContentEncoding.ToString());
        Assert.InRange(data.Bytes.Length, 1, 1000);
        Assert.Equal(message, body.Read<Message>(in properties, in data));
        Assert.Throws<AmqpFormatException>(() => body.Read<Message>(new Properties { ContentEncoding = "lz4" }, in data));
    }

    [Fact]
    public void After_a_failure_the_buffer_is_as_before()
    {
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();
        body.Write(output, default, default, "first");
        byte[] before = output.Written.ToArray();
        Assert.Throws<UnsupportedTypeException>(
            () => body.Write(output, default, default, new object[] { new byte[200_000], Stream.Null }));
        Assert.Equal(before, output.Written.ToArray());
    }

    [Fact]
    public void To_write_allocates_nothing()
    {
        var body = new AmqpBody(Serializer);
        using var output = new AmqpBuffer();
        var message = new OrderPlaced(Guid.NewGuid(), "Ada", new byte[1000]);
        var properties = new Properties { MessageId = 5UL, Subject = "order" };
        Allocations.AssertNone(() =>
        {
            body.Write(output, in properties, default, message);
            output.Clear();
        });
    }

    private static (Properties Properties, DataSection Data) Read(byte[] message)
    {
        Properties properties = default;
        DataSection data = default;
        for (var reader = new MessageReader(message); reader.TryRead(out Section section);)
        {
            if (section.Kind == SectionKind.Properties)
            {
                properties = section.Read<Properties>();
            }
            else if (section.Kind == SectionKind.Data)
            {
                data = section.Read<DataSection>();
            }
        }

        return (properties, data);
    }
}
