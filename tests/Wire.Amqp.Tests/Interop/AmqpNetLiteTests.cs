using System.Buffers;
using System.Text;
using global::Amqp;
using Wire.Amqp.Tests.V10;
using Wire.Amqp.V10;
using Encoder = global::Amqp.Types.Encoder;

namespace Wire.Amqp.Tests.Interop;

/// <summary>
/// AMQPNetLite reads values and messages of AMQP 1.0 that Wire has written, and writes them again, and Wire reads what that has written.
/// </summary>
public sealed class AmqpNetLiteTests
{
    private const int Values = 2000;
    private const ulong LastOwnDescriptor = 0xff;

    [Fact]
    public void Values_go_and_come_back()
    {
        var random = new Random(1);
        int exchanged = 0;
        foreach (object? model in Enumerable.Range(0, Values).Select(_ => Models.Random(random)).Where(Keeps))
        {
            AmqpValue value = Models.ToValue(model);
            byte[] bytes = new byte[value.EncodedSize];
            var writer = new AmqpWriter(bytes);
            writer.WriteValue(value);
            var again = new ByteBuffer(bytes.Length, autoGrow: true);
            Encoder.WriteObject(again, Encoder.ReadObject(Buffer(bytes)));
            var reader = new AmqpReader(Bytes(again));
            Models.AssertSame(model, reader.ReadValue().ToObject());
            Assert.True(reader.IsAtEnd);
            exchanged++;
        }

        Assert.InRange(exchanged, Values / 2, Values);
    }

    [Fact]
    public void Messages_go_and_come_back()
    {
        foreach (byte[] message in Messages())
        {
            var reader = new MessageReader(message);
            var again = new MessageReader(Bytes(Message.Decode(Buffer(message)).Encode()));
            while (reader.TryRead(out Section section))
            {
                Assert.True(again.TryRead(out Section other));
                Assert.Equal((section.Kind, section.ReadValue()), (other.Kind, other.ReadValue()));
            }

            Assert.False(again.TryRead(out _));
        }
    }

    [Fact]
    public void An_array_without_elements_that_it_has_written_has_no_type_and_is_refused()
    {
        var written = new ByteBuffer(16, autoGrow: true);
        Encoder.WriteObject(written, Array.Empty<int>());
        Assert.Throws<AmqpFormatException>(
            () =>
            {
                var reader = new AmqpReader(Bytes(written));
                reader.ReadArray();
            });
    }

    private static IEnumerable<byte[]> Messages()
    {
        AmqpMap map = AmqpValue.Map((new AmqpSymbol("x-opt-a"), 1), (new AmqpSymbol("x-opt-b"), AmqpValue.List(1, "two")));
        var body = new ArrayBufferWriter<byte>();
        MessageWriter.Write(body, new DataSection { Bytes = new ReadOnlySequence<byte>([1, 2, 3]) });
        yield return Written(body);
        MessageWriter.Write(body, new DataSection { Bytes = new ReadOnlySequence<byte>(new byte[300]) });
        yield return Written(body);
        AmqpValue[] identifiers = ["id", 5ul, ulong.MaxValue, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), new byte[] { 1 }];
        foreach (AmqpValue id in identifiers)
        {
            var output = new ArrayBufferWriter<byte>();
            MessageWriter.Write(output, new Header { Durable = true, Priority = 7, Ttl = 1000, FirstAcquirer = true, DeliveryCount = 1 });
            MessageWriter.Write(output, new DeliveryAnnotations { Map = map });
            MessageWriter.Write(output, new MessageAnnotations { Map = map });
            MessageWriter.Write(output, new Properties
            {
                MessageId = id,
                UserId = new byte[] { 1, 2 },
                To = "to",
                Subject = ClientSamples.Text,
                ReplyTo = "reply",
                CorrelationId = id,
                ContentType = "application/x-wire",
                ContentEncoding = "gzip",
                AbsoluteExpiryTime = new Timestamp(253_402_300_799_999),
                CreationTime = new Timestamp(1_800_000_000_123),
                GroupId = "group",
                GroupSequence = uint.MaxValue,
                ReplyToGroupId = "other",
            });
            MessageWriter.Write(
                output, new ApplicationProperties { Map = AmqpValue.Map(("text", ClientSamples.Text), ("double", 1.5), ("id", id)) });
            MessageWriter.Write(output, new ValueSection { Value = map });
            MessageWriter.Write(output, new Footer { Map = map });
            yield return Written(output);
        }

        static byte[] Written(ArrayBufferWriter<byte> output) => output.WrittenSpan.ToArray();
    }

    // What version 2.5 does not keep. It writes no constructor into an array without elements, and binary for one of octets.
    private static bool Keeps(object? model) => model switch
    {
        ArrayModel array => !array.HasDescriptor && array.Type is not (AmqpType.Null or AmqpType.UByte) && array.Elements.Length > 0
            && array.Elements.All(Keeps),

        // It leaves out a null at the end of a list.
        object?[] list => (list.Length == 0 || list[^1] is not null) && list.All(Keeps),

        // Keys have to be those of a dictionary.
        KeyValuePair<object?, object?>[] map => map.DistinctBy(entry => entry.Key).Count() == map.Length
            && map.All(entry => entry.Key is not null && Keeps(entry.Key) && Keeps(entry.Value)),

        // With its own descriptors, a value has to be what they describe.
        DescribedObject { Descriptor: <= LastOwnDescriptor } => false,
        DescribedObject described => Keeps(described.Value),

        // Characters and moments have to be those of .NET.
        Rune rune => rune.IsBmp,
        Timestamp time => time.TryToDateTimeOffset(out _),
        _ => true,
    };

    private static ByteBuffer Buffer(byte[] bytes) => new(bytes, 0, bytes.Length, bytes.Length);

    private static ReadOnlyMemory<byte> Bytes(ByteBuffer buffer) => buffer.Buffer.AsMemory(buffer.Offset, buffer.Length);
}
