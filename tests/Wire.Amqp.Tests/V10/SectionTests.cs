using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Bodies;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;
using Wire.Testing;

namespace Wire.Amqp.Tests.V10;

public sealed class SectionTests
{
    [Fact]
    public void Fields_behind_the_last_that_is_set_are_not_written_and_those_before_are_null()
    {
        Assert.Equal("00537045", Hex(new Header()));
        Assert.Equal("005370c0020141", Hex(new Header { Durable = true }));
        Assert.Equal("005370c00705" + "40404040" + "5203", Hex(new Header { DeliveryCount = 3 }));
        Assert.Equal(
            "005370c00805" + "42" + "5004" + "52ff" + "41" + "43",
            Hex(new Header { Durable = false, Priority = 4, Ttl = 255, FirstAcquirer = true, DeliveryCount = 0 }));
        Assert.Equal("005373c00904" + "40" + "a0010a" + "40" + "a10178", Hex(new Properties { UserId = new byte[] { 10 }, Subject = "x" }));
        Assert.Equal("005371c10100", Hex(new DeliveryAnnotations()));
        Assert.Equal("005372c10602a3016b5405", Hex(new MessageAnnotations { Map = AmqpValue.Map((new AmqpSymbol("k"), 5)) }));
        Assert.Equal("005374c10602a1016b5405", Hex(new ApplicationProperties { Map = AmqpValue.Map(("k", 5)) }));
        Assert.Equal("005375a003010203", Hex(new DataSection { Bytes = new(new byte[] { 1, 2, 3 }) }));
        Assert.Equal("005376c003015405", Hex(new SequenceSection { List = AmqpValue.List(5) }));
        Assert.Equal("0053775405", Hex(new ValueSection { Value = 5 }));
        Assert.Equal("005378c10100", Hex(new Footer()));
    }

    [Fact]
    public void Sections_with_arbitrary_fields_are_read_as_they_were_written() => Prop.ForAll<int>(seed =>
    {
        var random = new Random(seed);
        Header header = RandomHeader(random);
        Properties properties = RandomProperties(random);
        AmqpMap map = Models.ToValue(new[] { KeyValuePair.Create<object?, object?>("key", Models.Random(random)) }).As<AmqpMap>();
        byte[] data = new byte[random.Next(600)];
        random.NextBytes(data);
        var output = new ArrayBufferWriter<byte>();
        Assert.Equal(MessageWriter.SizeOf(header), MessageWriter.Write(output, header));
        Assert.Equal(MessageWriter.SizeOf(properties), MessageWriter.Write(output, properties));
        MessageWriter.Write(output, new ApplicationProperties { Map = map });
        MessageWriter.Write(output, new DataSection { Bytes = Sequences.Chunked(data, 7) });
        MessageWriter.Write(output, new DataSection());
        MessageWriter.Write(output, new Footer { Map = map });
        byte[] message = output.WrittenSpan.ToArray();
        int step = Math.Max(1, message.Length / 40);
        for (int size = 1; size <= message.Length; size += step)
        {
            var reader = new MessageReader(Sequences.Chunked(message, size));
            AssertSame(header, Next(ref reader).Read<Header>());
            AssertSame(properties, Next(ref reader).Read<Properties>());
            Assert.True(map == Next(ref reader).Read<ApplicationProperties>().Map);
            Assert.Equal(data, Next(ref reader).Read<DataSection>().Bytes.ToArray());
            Assert.Equal(0, Next(ref reader).Read<DataSection>().Bytes.Length);
            Section footer = Next(ref reader);
            Assert.True(map == footer.Read<Footer>().Map && footer.ReadValue() == map);
            Assert.False(reader.TryRead(out _));
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_message_cut_inside_a_section_says_that_more_is_needed_and_split_anywhere_is_the_same()
    {
        byte[] message = Sample();
        int[] ends = [.. Ends(message)];
        for (int cut = 1; cut < message.Length; cut++)
        {
            byte[] part = message[..cut];
            if (ends.Contains(cut))
            {
                Assert.Equal(ends.Where(end => end <= cut), Ends(part));
                continue;
            }

            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Ends(part));
            Assert.Equal(AmqpFormatError.Truncated, e.Error);
            Assert.InRange(e.Missing, 1, message.Length - cut);
        }

        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(message))
        {
            var reader = new MessageReader(split);
            Assert.Equal((byte?)4, Next(ref reader).Read<Header>().Priority);
            Assert.Equal("subject", Next(ref reader).Read<Properties>().Subject.ToString());
            Assert.True(Next(ref reader).Read<ApplicationProperties>().Map["k"] == "v");
            Assert.Equal(20, Next(ref reader).Read<DataSection>().Bytes.Length);
        }
    }

    [Theory]
    [InlineData("005370")]
    [InlineData("00800000000000000070")]
    [InlineData("00a310" + "616d71703a6865616465723a6c697374")]
    [InlineData("00b300000010" + "616d71703a6865616465723a6c697374")]
    public void A_descriptor_may_have_any_of_its_forms(string descriptor)
    {
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(Convert.FromHexString(descriptor + "d0000000050000000141")))
        {
            var reader = new MessageReader(split);
            Section section = Next(ref reader);
            Assert.Equal(SectionKind.Header, section.Kind);
            Assert.Equal((bool?)true, section.Read<Header>().Durable);
        }
    }

    [Fact]
    public void Every_symbolic_descriptor_is_known()
    {
        (SectionKind, string)[] names =
        [
            (SectionKind.Header, "amqp:header:list"), (SectionKind.DeliveryAnnotations, "amqp:delivery-annotations:map"),
            (SectionKind.MessageAnnotations, "amqp:message-annotations:map"), (SectionKind.Properties, "amqp:properties:list"),
            (SectionKind.ApplicationProperties, "amqp:application-properties:map"), (SectionKind.Data, "amqp:data:binary"),
            (SectionKind.Sequence, "amqp:amqp-sequence:list"), (SectionKind.Value, "amqp:amqp-value:*"),
            (SectionKind.Footer, "amqp:footer:map"),
        ];
        foreach ((SectionKind kind, string name) in names)
        {
            var reader = new MessageReader(AmqpValueTests.Written(AmqpValue.Describe(new AmqpSymbol(name), AmqpValue.List())));
            Assert.Equal(kind, Next(ref reader).Kind);
        }
    }

    [Fact]
    public void Unknown_sections_are_passed_over_even_with_unknown_types()
    {
        byte[] header = Bytes(new Header { Priority = 9 });
        byte[] message =
        [
            0x00, 0x53, 0x7f, 0xcf, 2, 0xff, 0xff, .. header, 0x00, 0xa3, 1, (byte)'x', 0x5f, 0x01, 0x00, 0x00, 0x53, 1, 0x40, 0x45,
            .. Bytes(new ValueSection { Value = "body" }), 0x00, 0x44, 0x40,
        ];
        var reader = new MessageReader(message);
        var kinds = new List<(SectionKind, string)>();
        while (reader.TryRead(out Section section))
        {
            kinds.Add((section.Kind, section.Descriptor.ToString()));
        }

        Assert.Equal(
            [(0, "127"), (SectionKind.Header, "null"), (0, "x"), (0, "a described value"), (SectionKind.Value, "null"), (0, "0")],
            kinds);
    }

    [Fact]
    public void Sections_out_of_order_are_refused()
    {
        byte[][] bodies = [Bytes(new DataSection()), Bytes(new SequenceSection()), Bytes(new ValueSection())];
        byte[][] all =
        [
            Bytes(new Header()),
            Bytes(new DeliveryAnnotations()),
            Bytes(new MessageAnnotations()),
            Bytes(new Properties()),
            Bytes(new ApplicationProperties()),
            .. bodies,
            Bytes(new Footer()),
        ];
        for (int i = 0; i < all.Length; i++)
        {
            for (int j = 0; j < all.Length; j++)
            {
                byte[] both = [.. all[i], .. all[j]];
                bool allowed = (i < j && !(bodies.Contains(all[i]) && bodies.Contains(all[j]))) || (i == j && i is 5 or 6 && i == j);
                if (allowed)
                {
                    Assert.Equal(2, Ends(both).Count);
                    continue;
                }

                AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Ends(both));
                Assert.Equal((AmqpFormatError.UnexpectedType, (long)all[i].Length), (e.Error, e.Offset));
            }
        }
    }

    [Theory]
    [InlineData("41", AmqpFormatError.UnexpectedType, 0)] // No section.
    [InlineData("005370c0020156", AmqpFormatError.Length, 7)] // A field that runs over its list.
    [InlineData("005370c0030141" + "41", AmqpFormatError.Length, 7)] // A byte too many.
    [InlineData("005370c003015405", AmqpFormatError.UnexpectedType, 6)] // An int for a boolean.
    [InlineData("005373c003015405", AmqpFormatError.UnexpectedType, 6)] // An int for the identity of a message.
    [InlineData("005370c10100", AmqpFormatError.UnexpectedType, 3)] // A map for a list.
    [InlineData("005374c1020141", AmqpFormatError.Value, 5)] // A key without a value.
    [InlineData("005375a10161", AmqpFormatError.UnexpectedType, 3)] // A string for binary.
    public void Bad_sections_are_named(string hex, AmqpFormatError error, int offset)
    {
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Decode(Convert.FromHexString(hex)));
        Assert.Equal((error, (long)offset), (e.Error, e.Offset));
    }

    [Fact]
    public void Fields_of_a_later_version_are_passed_over()
    {
        var reader = new MessageReader(Convert.FromHexString("005370c00b06" + "4140404040" + "a10378797a"));
        Assert.Equal((bool?)true, Next(ref reader).Read<Header>().Durable);
    }

    [Fact]
    public void Bad_callers_are_told()
    {
        Assert.Throws<ArgumentException>(() => MessageWriter.SizeOf(new Properties { MessageId = 5 }));
        Assert.Throws<ArgumentException>(() => MessageWriter.Write(new byte[3], new Header()));
        Assert.Throws<InvalidOperationException>(() =>
        {
            var reader = new MessageReader(Sample());
            return Next(ref reader).Read<Properties>();
        });
    }

    [Fact]
    public void Any_bytes_are_a_message_or_a_format_error() => Prop.ForAll<int>(seed =>
    {
        var random = new Random(seed);
        byte[] message = Sample();
        for (int changes = random.Next(1, 5); changes > 0; changes--)
        {
            message[random.Next(message.Length)] = (byte)random.Next(256);
        }

        try
        {
            Decode(message);
        }
        catch (AmqpFormatException e)
        {
            Assert.Equal(e.Error == AmqpFormatError.Truncated, e.Missing > 0);
        }
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));

    [Fact]
    public void Writing_and_reading_a_message_allocates_nothing()
    {
        byte[] destination = new byte[2000];
        var properties = new Properties
        {
            MessageId = 5ul,
            To = "to",
            Subject = "subject",
            ContentType = "application/x-wire",
            CreationTime = new Timestamp(1),
        };
        var application = new ApplicationProperties { Map = AmqpValue.Map(("a", 1), ("b", "two"), ("c", 3L)) };
        var data = new DataSection { Bytes = new ReadOnlySequence<byte>(new byte[1024]) };
        int length = 0;
        long sum = 0;
        Allocations.AssertNone(() =>
        {
            sum = 0;
            length = MessageWriter.Write(destination, properties);
            length += MessageWriter.Write(destination.AsSpan(length), application);
            length += MessageWriter.Write(destination.AsSpan(length), data);
            var reader = new MessageReader(destination.AsMemory(0, length));
            sum += (long)Next(ref reader).Read<Properties>().MessageId.As<ulong>();
            foreach ((AmqpValue key, AmqpValue value) in Next(ref reader).Read<ApplicationProperties>().Map)
            {
                sum += key.IsNull || value.IsNull ? 100 : 1;
            }

            sum += Next(ref reader).Read<DataSection>().Bytes.Length;
        });
        Assert.Equal(5 + 3 + 1024, sum);
    }

    private static Section Next(ref MessageReader reader)
    {
        Assert.True(reader.TryRead(out Section section));
        return section;
    }

    private static List<int> Ends(byte[] message)
    {
        var ends = new List<int>();
        var reader = new MessageReader(message);
        while (reader.TryRead(out Section section))
        {
            ends.Add((int)section.Offset + section.ReadValue().EncodedSize);
        }

        return ends;
    }

    private static object? Decode(byte[] message)
    {
        object? last = null;
        var reader = new MessageReader(message);
        while (reader.TryRead(out Section section))
        {
            last = section.Kind switch
            {
                SectionKind.Header => section.Read<Header>(),
                SectionKind.DeliveryAnnotations => section.Read<DeliveryAnnotations>().Map.GetHashCode(),
                SectionKind.MessageAnnotations => section.Read<MessageAnnotations>().Map.GetHashCode(),
                SectionKind.Properties => section.Read<Properties>(),
                SectionKind.ApplicationProperties => ((AmqpValue)section.Read<ApplicationProperties>().Map).ToObject(),
                SectionKind.Data => section.Read<DataSection>().Bytes.ToArray(),
                SectionKind.Sequence => section.Read<SequenceSection>().List.Count,
                SectionKind.Value => section.Read<ValueSection>().Value.ToObject(),
                SectionKind.Footer => section.Read<Footer>().Map.GetHashCode(),
                _ => section.Descriptor.ToString(),
            };
        }

        return last;
    }

    private static byte[] Sample() =>
    [
        .. Bytes(new Header { Priority = 4 }),
        .. Bytes(new Properties { MessageId = Guid.Empty, Subject = "subject", ReplyTo = new string('r', 300) }),
        .. Bytes(new ApplicationProperties { Map = AmqpValue.Map(("k", "v"), ("n", 5L)) }),
        .. Bytes(new DataSection { Bytes = new ReadOnlySequence<byte>(new byte[20]) }),
    ];

    private static byte[] Bytes<TSection>(in TSection section)
        where TSection : struct, ISection<TSection>
    {
        byte[] bytes = new byte[MessageWriter.SizeOf(section)];
        Assert.Equal(bytes.Length, MessageWriter.Write(bytes, section));
        return bytes;
    }

    private static string Hex<TSection>(in TSection section)
        where TSection : struct, ISection<TSection> => Convert.ToHexStringLower(Bytes(section));

    private static Header RandomHeader(Random random) => new()
    {
        Durable = Maybe<bool>(random, AmqpType.Boolean),
        Priority = Maybe<byte>(random, AmqpType.UByte),
        Ttl = Maybe<uint>(random, AmqpType.UInt),
        FirstAcquirer = Maybe<bool>(random, AmqpType.Boolean),
        DeliveryCount = Maybe<uint>(random, AmqpType.UInt),
    };

    private static Properties RandomProperties(Random random) => new()
    {
        MessageId = Id(random),
        UserId = random.Next(2) == 0 ? new ReadOnlyMemory<byte>(new byte[random.Next(300)]) : default(ReadOnlyMemory<byte>?),
        To = Text(random),
        Subject = Text(random),
        ReplyTo = Text(random),
        CorrelationId = Id(random),
        ContentType = random.Next(2) == 0 ? "application/x-wire" : default,
        ContentEncoding = random.Next(2) == 0 ? "br" : default,
        AbsoluteExpiryTime = Maybe<Timestamp>(random, AmqpType.Timestamp),
        CreationTime = Maybe<Timestamp>(random, AmqpType.Timestamp),
        GroupId = Text(random),
        GroupSequence = Maybe<uint>(random, AmqpType.UInt),
        ReplyToGroupId = Text(random),
    };

    private static T? Maybe<T>(Random random, AmqpType type)
        where T : struct => random.Next(2) == 0 ? (T?)Models.Scalar(random, type) : null;

    private static AmqpString Text(Random random) => random.Next(2) == 0 ? (string?)Models.Scalar(random, AmqpType.String) : null;

    private static AmqpValue Id(Random random) => Models.ScalarValue(random.Next(5) switch
    {
        0 => null,
        1 => Models.Scalar(random, AmqpType.ULong),
        2 => Models.Scalar(random, AmqpType.Uuid),
        3 => Models.Scalar(random, AmqpType.Binary),
        _ => Models.Scalar(random, AmqpType.String),
    });

    private static void AssertSame(in Header expected, in Header read)
    {
        Assert.Equal(
            (expected.Durable, expected.Priority, expected.Ttl, expected.FirstAcquirer, expected.DeliveryCount),
            (read.Durable, read.Priority, read.Ttl, read.FirstAcquirer, read.DeliveryCount));
    }

    private static void AssertSame(in Properties expected, in Properties read)
    {
        Assert.True(expected.MessageId == read.MessageId && expected.CorrelationId == read.CorrelationId);
        Assert.Equal(expected.UserId.HasValue, read.UserId.HasValue);
        Assert.Equal(expected.UserId.GetValueOrDefault().ToArray(), read.UserId.GetValueOrDefault().ToArray());
        Assert.Equal(
            (expected.To, expected.Subject, expected.ReplyTo, expected.ContentType, expected.ContentEncoding),
            (read.To, read.Subject, read.ReplyTo, read.ContentType, read.ContentEncoding));
        Assert.Equal(
            (expected.AbsoluteExpiryTime, expected.CreationTime, expected.GroupId, expected.GroupSequence, expected.ReplyToGroupId),
            (read.AbsoluteExpiryTime, read.CreationTime, read.GroupId, read.GroupSequence, read.ReplyToGroupId));
    }
}
