using System.Buffers;
using System.Reflection;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Content;

public sealed class BasicPropertiesTests
{
    private static readonly FieldInfo[] Fields = typeof(BasicProperties).GetFields();

    private static readonly BasicProperties Full = new()
    {
        ContentType = "text/plain",
        ContentEncoding = "br",
        Headers = FieldTable.Create(new Dictionary<string, object?> { ["answer"] = 42, ["name"] = "\u00fc" }),
        DeliveryMode = 2,
        Priority = 255,
        CorrelationId = "",
        ReplyTo = "\u20ac",
        Expiration = "60000",
        MessageId = new string('m', 255),
        Timestamp = new Timestamp(long.MinValue),
        Type = "t",
        UserId = "guest",
        AppId = "app",
        ClusterId = "cluster",
    };

    [Fact]
    public void Every_combination_of_properties_is_read_as_it_was_written()
    {
        for (int combination = 0; combination < 1 << Fields.Length; combination++)
        {
            BasicProperties properties = Some(combination);
            var output = new ArrayBufferWriter<byte>();
            FrameWriter.WriteContentHeader(output, 7, ulong.MaxValue, properties);
            Assert.Equal(FrameWriter.SizeOfContentHeader(properties), output.WrittenCount);
            ContentHeader header = ReadOne(new(output.WrittenMemory)).ReadContentHeader();
            Assert.Equal(ulong.MaxValue, header.BodySize);
            Assert.Equal(properties, header.Properties);
        }
    }

    [Fact]
    public void A_content_header_is_read_however_it_is_split()
    {
        byte[] bytes = Write(Full);
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes).Append(Sequences.Chunked(bytes, 1)))
        {
            Frame frame = ReadOne(split);
            Assert.Equal(FrameType.Header, frame.Type);
            Assert.Equal(Full, frame.ReadContentHeader().Properties);
        }
    }

    [Fact]
    public void Properties_fill_their_frame_exactly()
    {
        byte[] payload = Write(Full)[7..^1];
        for (int cut = 0; cut < payload.Length; cut++)
        {
            Assert.Equal(AmqpFormatError.Length, Refused(payload[..cut]).Error);
        }

        AmqpFormatException trailing = Refused([.. payload, 0]);
        Assert.Equal((AmqpFormatError.Length, 7 + payload.Length), (trailing.Error, trailing.Offset));
    }

    [Fact]
    public void Flags_go_on_in_another_word_as_long_as_they_stand_for_nothing_unknown()
    {
        byte[] begin = [0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9];
        ContentHeader header = ReadOne(new(Enclose([.. begin, 0x08, 0x01, 0, 1, 0, 0, 5]))).ReadContentHeader();
        Assert.Equal((9UL, (byte?)5, default(byte?)), (header.BodySize, header.Properties.Priority, header.Properties.DeliveryMode));

        Assert.Equal(AmqpFormatError.UnknownCode, Refused([.. begin, 0x08, 0x02, 5]).Error);
        Assert.Equal(AmqpFormatError.UnknownCode, Refused([.. begin, 0x08, 0x01, 0x80, 0x00, 5]).Error);
        Assert.Equal(AmqpFormatError.UnknownCode, Refused([.. begin, 0x08, 0x01, 0x00, 0x03, 0, 0, 5]).Error);
        Assert.Equal(AmqpFormatError.Length, Refused([.. begin, 0x00, 0x01]).Error);
    }

    [Fact]
    public void What_is_no_content_header_of_basic_is_refused()
    {
        Assert.Equal(AmqpFormatError.UnknownCode, Refused([0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0]).Error);
        Frame body = ReadOne(new([3, 0, 1, 0, 0, 0, 0, 0xCE]));
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => body.ReadContentHeader());
        Assert.Equal(AmqpFormatError.UnexpectedType, e.Error);
    }

    [Fact]
    public void Headers_without_a_field_are_not_the_same_as_none()
    {
        byte[] none = Write(default);
        byte[] empty = Write(new BasicProperties { Headers = FieldTable.Create([]) });
        Assert.Equal([0, 0], none[^3..^1]);
        Assert.Equal([0x20, 0, 0, 0, 0, 0], empty[^7..^1]);
        foreach (byte[] frame in new[] { none, empty })
        {
            ContentHeader header = ReadOne(new(frame)).ReadContentHeader();
            Assert.True(header.Properties.Headers.IsEmpty);
            Assert.Equal(frame, Write(header.Properties));
        }
    }

    [Fact]
    public void A_text_that_does_not_fit_is_refused_before_anything_is_written()
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.Throws<ArgumentException>(
            () => FrameWriter.WriteContentHeader(output, 1, 0, new BasicProperties { Type = new string('x', 256) }));
        Assert.Throws<ArgumentException>(() => FrameWriter.WriteContentHeader(output, 1, 0, new BasicProperties { Type = "\ud800" }));
        Assert.Equal(0, output.WrittenCount);
        int size = FrameWriter.SizeOfContentHeader(Full);
        Assert.Throws<InvalidOperationException>(() => FrameWriter.WriteContentHeader(new byte[size + 1], 1, 0, Full));
        Assert.Throws<ArgumentException>(() => FrameWriter.WriteContentHeader(new byte[size - 1], 1, 0, Full));
    }

    private static BasicProperties Some(int combination)
    {
        object some = default(BasicProperties);
        for (int i = 0; i < Fields.Length; i++)
        {
            if (((combination >> i) & 1) != 0)
            {
                Fields[i].SetValue(some, Fields[i].GetValue(Full));
            }
        }

        return (BasicProperties)some;
    }

    private static byte[] Write(BasicProperties properties)
    {
        byte[] frame = new byte[FrameWriter.SizeOfContentHeader(properties)];
        FrameWriter.WriteContentHeader(frame, 1, 5, properties);
        return frame;
    }

    private static AmqpFormatException Refused(byte[] payload)
    {
        Frame frame = ReadOne(new(Enclose(payload)));
        AmqpFormatException whole = Assert.Throws<AmqpFormatException>(() => frame.ReadContentHeader());
        Frame split = ReadOne(Sequences.Chunked(Enclose(payload), 1));
        Assert.Equal((whole.Error, 0), (Assert.Throws<AmqpFormatException>(() => split.ReadContentHeader()).Error, whole.Missing));
        return whole;
    }

    private static byte[] Enclose(byte[] payload) => [2, 0, 3, 0, 0, (byte)(payload.Length >> 8), (byte)payload.Length, .. payload, 0xCE];

    private static Frame ReadOne(ReadOnlySequence<byte> bytes)
    {
        var reader = new FrameReader(bytes, 0);
        Assert.True(reader.TryRead(out Frame frame));
        return frame;
    }
}
