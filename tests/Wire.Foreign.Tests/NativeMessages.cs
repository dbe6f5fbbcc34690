using System.Buffers;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V10;

namespace Wire.Foreign.Tests;

/// <summary>Values and messages of AMQP 1.0 that are exchanged.</summary>
internal static class NativeMessages
{
    private static readonly Timestamp Time = new(1_800_000_000_123);
    private static readonly Guid Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");

    /// <summary>The last moment that a date of JavaScript can be.</summary>
    public static readonly Timestamp LastMoment = new(8_640_000_000_000_000);

    /// <summary>Values of each type that is no container, with those at its ends.</summary>
    public static AmqpValue[] Scalars { get; } =
    [
        default, true, false,
        (byte)0, byte.MaxValue, (ushort)0, ushort.MaxValue, 0u, 1u, 255u, 256u, uint.MaxValue,
        0ul, 1ul, 255ul, 256ul, 1ul << 53, ulong.MaxValue,
        sbyte.MinValue, sbyte.MaxValue, short.MinValue, short.MaxValue, int.MinValue, -129, -128, -1, 0, 127, 128, int.MaxValue,
        long.MinValue, -129L, -128L, -1L, 0L, 127L, 128L, 1L << 53, long.MaxValue,
        0f, -0f, -1.5f, 0.1f, float.MaxValue, float.Epsilon, float.PositiveInfinity,
        0d, -0d, -1.5, 0.1, double.MaxValue, double.Epsilon, double.NegativeInfinity,
        (Decimal32)19.9m, (Decimal64)(-12345.67m), (Decimal128)decimal.MaxValue,
        new Rune('a'), new Rune('Ж'), new Rune(0x1f680),
        new Timestamp(0), new Timestamp(-1), Time, LastMoment,
        Id, Array.Empty<byte>(), new byte[] { 0, 255, 128 }, new byte[255], new byte[256],
        "", "text", "Ж 🚀", new string('s', 255), new string('s', 256),
        new AmqpSymbol("symbol"), new AmqpSymbol(new string('s', 300)),
    ];

    /// <summary>Lists, maps, arrays of each type, and described values.</summary>
    public static AmqpValue[] Containers { get; } =
    [
        AmqpValue.List(), AmqpValue.List(1, "two", default, AmqpValue.List(3.5)), AmqpValue.List(Scalars),
        AmqpValue.Map(), AmqpValue.Map(("key", 1), (5u, "five"), (new AmqpSymbol("in"), AmqpValue.Map((Id, true)))),
        .. Scalars.Where(value => !value.IsNull).GroupBy(value => value.Type).Select(
            group => (AmqpValue)AmqpValue.Array(group.Key, [.. group])),
        AmqpValue.Array(AmqpType.List, AmqpValue.List(), AmqpValue.List(1, "two")),
        AmqpValue.Array(AmqpType.Map, AmqpValue.Map(("key", 1)), AmqpValue.Map()),
        AmqpValue.Array(AmqpType.Array, AmqpValue.Array(AmqpType.Int, 1, 300), AmqpValue.Array(AmqpType.String, "text")),
        new AmqpBuilder().BeginArray(AmqpType.Int, new AmqpSymbol("length:cm")).Add(5).Add(1000).End().Build(),
        AmqpValue.Describe(new AmqpSymbol("example:point"), AmqpValue.List(1, 2)), AmqpValue.Describe(0x1234_5678_9abcul, "text"),
        Nested(30),
    ];

    /// <summary>A message with all properties, and identifiers of some type.</summary>
    public static byte[] WithProperties(AmqpValue messageId, AmqpValue correlationId) => Written(
        output =>
        {
            MessageWriter.Write(output, new Properties
            {
                MessageId = messageId,
                UserId = "guest"u8.ToArray(),
                To = "to",
                Subject = "Заявка № 7 🚀",
                ReplyTo = "reply",
                CorrelationId = correlationId,
                ContentType = "application/json",
                ContentEncoding = "gzip",
                AbsoluteExpiryTime = new Timestamp(253_402_300_799_999),
                CreationTime = Time,
                GroupId = "group",
                GroupSequence = uint.MaxValue,
                ReplyToGroupId = "reply group",
            });
            Write(output, [1, 2, 3]);
        });

    /// <summary>A message with an application property of each value that is no container.</summary>
    public static byte[] WithApplicationProperties() => Written(
        output =>
        {
            var map = new AmqpBuilder().BeginMap();
            for (int i = 0; i < Scalars.Length; i++)
            {
                map.Add($"ключ {i}", Scalars[i]);
            }

            MessageWriter.Write(output, new ApplicationProperties { Map = map.End().Build().As<AmqpMap>() });
            Write(output, []);
        });

    /// <summary>A message with annotations.</summary>
    public static byte[] WithAnnotations() => Written(
        output =>
        {
            MessageWriter.Write(
                output,
                new MessageAnnotations { Map = AmqpValue.Map((new AmqpSymbol("x-opt-a"), 1), (new AmqpSymbol("x-opt-b"), "Ж")) });
            Write(output, [4]);
        });

    /// <summary>A message with a body of data, in as many sections as there are lengths.</summary>
    public static byte[] WithData(params int[] lengths) => Written(
        output =>
        {
            foreach (int length in lengths)
            {
                byte[] data = new byte[length];
                new Random(length).NextBytes(data);
                Write(output, data);
            }
        });

    /// <summary>A message with a body of sequences.</summary>
    public static byte[] WithSequences() => Written(
        output =>
        {
            MessageWriter.Write(output, new SequenceSection { List = AmqpValue.List(1, "two", Id) });
            MessageWriter.Write(output, new SequenceSection { List = AmqpValue.List(3.5, AmqpValue.Map(("key", 4))) });
        });

    /// <summary>A message whose body is a value.</summary>
    public static byte[] WithValue(AmqpValue value) => Written(output => MessageWriter.Write(output, new ValueSection { Value = value }));

    /// <summary>What is written, as bytes.</summary>
    public static byte[] Written(Action<ArrayBufferWriter<byte>> write)
    {
        var output = new ArrayBufferWriter<byte>();
        write(output);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>What a message consists of, each section read as its fields and written again.</summary>
    public static byte[] Rewritten(MessageReader reader)
    {
        var output = new ArrayBufferWriter<byte>();
        while (reader.TryRead(out Section section))
        {
            _ = section.Kind switch
            {
                SectionKind.Header => MessageWriter.Write(output, section.Read<Header>()),
                SectionKind.DeliveryAnnotations => MessageWriter.Write(output, section.Read<DeliveryAnnotations>()),
                SectionKind.MessageAnnotations => MessageWriter.Write(output, section.Read<MessageAnnotations>()),
                SectionKind.Properties => MessageWriter.Write(output, section.Read<Properties>()),
                SectionKind.ApplicationProperties => MessageWriter.Write(output, section.Read<ApplicationProperties>()),
                SectionKind.Data => MessageWriter.Write(output, section.Read<DataSection>()),
                SectionKind.Sequence => MessageWriter.Write(output, section.Read<SequenceSection>()),
                SectionKind.Value => MessageWriter.Write(output, section.Read<ValueSection>()),
                SectionKind.Footer => MessageWriter.Write(output, section.Read<Footer>()),
                _ => throw new InvalidOperationException($"No message of these tests has the section {section.Descriptor}."),
            };
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>Values one after the other, as what they are in memory.</summary>
    public static List<AmqpValue> ValuesOf(byte[] bytes)
    {
        var reader = new AmqpReader(bytes);
        List<AmqpValue> values = [];
        while (!reader.IsAtEnd)
        {
            values.Add(reader.ReadValue());
        }

        return values;
    }

    /// <summary>Writes a section of data.</summary>
    public static void Write(IBufferWriter<byte> output, byte[] data) =>
        MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>(data) });

    private static AmqpValue Nested(int depth)
    {
        AmqpValue value = 1;
        for (int i = 0; i < depth; i++)
        {
            value = i % 2 == 0 ? AmqpValue.List(value, "text") : AmqpValue.Map(("in", value));
        }

        return value;
    }
}
