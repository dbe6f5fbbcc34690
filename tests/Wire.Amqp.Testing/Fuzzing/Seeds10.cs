using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp.V10;
using Wire.Testing;
using Wire.Testing.Fuzzing;

namespace Wire.Amqp.Testing.Fuzzing;

/// <summary>Good values and messages of AMQP 1.0.</summary>
public static class Seeds10
{
    private const int FrameHeader = 8;
    private const ulong Transfer = 0x14;

    // Every constructor with data, by part 1 section 1.6 of the specification.
    private static readonly string[] Constructors =
    [
        "40", "41", "42", "43", "44", "45",
        "50ff", "51ff", "52ff", "53ff", "54ff", "55ff", "5601",
        "60ffff", "61ffff",
        "70ffffffff", "71ffffffff", "723f800000", "730001f600", "7432800001",
        "80ffffffffffffffff", "81ffffffffffffffff", "823ff0000000000000", "830000018bcfe56800", "8431c0000000000001",
        "9430400000000000000000000000000001", "98f81d4fae7dec11d0a76500a0c91e6bf6",
        "a0020102", "a1026162", "a3026162", "b0000000020102", "b1000000026162", "b3000000026162",
        "c0020140", "c103024041", "d0000000050000000140", "d100000006000000024041",
        "e00402500102", "f00000000700000002500102", "e0020343", "e0020340", "e0050200530140", "00531040", "00a3016140",
    ];

    public static IEnumerable<Seed> Values()
    {
        foreach (string hex in Constructors)
        {
            yield return new Seed(hex, Convert.FromHexString(hex));
        }

        yield return new Seed("all", [.. Constructors.SelectMany(Convert.FromHexString)]);
        yield return new Seed("nested", Encode(Nested()));
        AmqpValue deep = 1;
        for (int i = 0; i < 20; i++)
        {
            deep = (i % 3) switch
            {
                0 => AmqpValue.List(deep, "text"),
                1 => AmqpValue.Map((deep, new AmqpSymbol("symbol"))),
                _ => AmqpValue.Describe(deep, AmqpValue.Array(AmqpType.ULong, 1ul, 300ul)),
            };
        }

        yield return new Seed("deep", Encode(deep));
        foreach (byte[] frame in Frames())
        {
            yield return new Seed($"frame {Performative(frame, out _):x}", frame);
        }
    }

    public static IEnumerable<Seed> Messages()
    {
        int i = 0;
        foreach (byte[] frame in Frames())
        {
            if (Performative(frame, out int length) == Transfer)
            {
                yield return new Seed($"recorded {i++}", frame[length..]);
            }
        }

        AmqpMap map = AmqpValue.Map((new AmqpSymbol("x-opt-a"), 1), (new AmqpSymbol("b"), AmqpValue.List(1, "two")));
        var properties = new Properties
        {
            MessageId = Guid.Empty,
            UserId = new byte[] { 1, 2 },
            To = "to",
            Subject = "subject",
            ReplyTo = "reply",
            CorrelationId = 5ul,
            ContentType = "text/plain",
            ContentEncoding = "gzip",
            AbsoluteExpiryTime = new Timestamp(1),
            CreationTime = new Timestamp(2),
            GroupId = "group",
            GroupSequence = 3,
            ReplyToGroupId = "other",
        };
        foreach (int body in (int[])[0, 1, 2])
        {
            var output = new ArrayBufferWriter<byte>();
            MessageWriter.Write(output, new Header { Durable = true, Priority = 4, Ttl = 1000, FirstAcquirer = false, DeliveryCount = 1 });
            MessageWriter.Write(output, new DeliveryAnnotations { Map = map });
            MessageWriter.Write(output, new MessageAnnotations { Map = map });
            MessageWriter.Write(output, in properties);
            MessageWriter.Write(output, new ApplicationProperties { Map = AmqpValue.Map(("a", 1.5), ("b", true)) });
            if (body == 0)
            {
                MessageWriter.Write(output, new DataSection { Bytes = new(new byte[300]) });
                MessageWriter.Write(output, new DataSection { Bytes = new(new byte[3]) });
            }
            else if (body == 1)
            {
                MessageWriter.Write(output, new SequenceSection { List = AmqpValue.List(1, 2, 3) });
            }
            else
            {
                MessageWriter.Write(output, new ValueSection { Value = Nested() });
            }

            output.Write(Encode(AmqpValue.Describe(new AmqpSymbol("unknown"), AmqpValue.List(1, 2))));
            MessageWriter.Write(output, new Footer { Map = map });
            yield return new Seed($"every section {body}", output.WrittenSpan.ToArray());
        }

        yield return new Seed("names", [0x00, 0xa3, 17, .. "amqp:amqp-value:*"u8, 0xa1, 2, .. "ab"u8]);
    }

    // A list of an array of each type, with small and large values, and of described ones.
    private static AmqpValue Nested()
    {
        var builder = new AmqpBuilder();
        builder.BeginList();
        AmqpValue[][] arrays =
        [
            [default, default], [true, false], [(byte)1], [(ushort)1], [1u, 300u], [1ul, 2ul], [(sbyte)-1], [(short)-1], [1, -1], [1L, 1L
                << 40], [1f], [1d],
            [1m], [new System.Text.Rune(
                'x')], [new Timestamp(5)], [Guid.Empty], [new byte[] { 1 }, new byte[300]], ["a", ""], [new AmqpSymbol("a")],
            [AmqpValue.List(), AmqpValue.List(1, "a")], [AmqpValue.Map((1, 2)), AmqpValue.Map()],
            [AmqpValue.Array(AmqpType.Int, 1), AmqpValue.Array(AmqpType.String, "a", "b")],
        ];
        foreach (AmqpValue[] array in arrays)
        {
            builder.Add(AmqpValue.Array(array[0].Type, array));
            builder.BeginArray(array[0].Type, 7ul);
            foreach (AmqpValue element in array)
            {
                builder.Add(element);
            }

            builder.End();
        }

        builder.Describe(AmqpValue.List(1, "descriptor")).Describe(1ul).Add("described twice");
        return builder.End().Build();
    }

    // The bodies of the frames (part 2 section 2.3) that RabbitMQ and a client have sent each other.
    private static IEnumerable<byte[]> Frames()
    {
        foreach (string side in (string[])["client", "server"])
        {
            byte[] bytes =
                File.ReadAllBytes(Path.Combine(Repository.Root, "tests", "Wire.Amqp.Tests", "Interop", "Captures", $"amqp10.{side}.bin"));
            for (int at = 0; at < bytes.Length;)
            {
                if (bytes.AsSpan(at).StartsWith("AMQP"u8))
                {
                    at += FrameHeader;
                    continue;
                }

                int size = BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(at));
                yield return bytes[(at + (bytes[at + 4] * 4))..(at + size)];
                at += size;
            }
        }
    }

    private static ulong Performative(byte[] frame, out int length)
    {
        var reader = new AmqpReader(frame);
        ulong performative = reader.ReadValue().Descriptor.As<ulong>();
        length = (int)reader.Offset;
        return performative;
    }

    private static byte[] Encode(AmqpValue value)
    {
        byte[] bytes = new byte[value.EncodedSize];
        var writer = new AmqpWriter(bytes);
        writer.WriteValue(in value);
        return bytes;
    }
}
