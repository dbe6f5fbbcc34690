using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.Benchmarks.Messaging.Lane;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A message of AMQP 1.0: properties, of which five are set, and a data section of 1 KB.</summary>
internal sealed class MessageScenario() : ChecksumScenario<MessageFloor>("AMQP 1.0 message, 5 properties, 1 KB", Sum())
{
    public const string MessageId = "order-123456789";
    public const string To = "/queues/orders";
    public const string Subject = "order.placed.eu";
    public const string ContentType = "application/octet-stream";
    public const long CreationTime = 1_760_000_000_123;

    public static readonly byte[] Data = MakeData();

    public override IEnumerable<Row> Rows() =>
    [
        Floor(),
        Row("Wire.Amqp", Typing.Polymorphic, new MessageCodec()),
    ];

    // Of texts and of the data the length and both ends.
    private static long Sum() =>
        Sum(MessageId) + Sum(To) + Sum(Subject) + Sum(ContentType) + CreationTime + TenFields.Sum(Data);

    private static long Sum(string text) => TenFields.Sum((object)text);

    private static byte[] MakeData()
    {
        byte[] data = new byte[1024];
        new Random(1).NextBytes(data);
        return data;
    }
}

/// <summary>Section by section.</summary>
internal readonly struct MessageCodec() : IAmqpCodec<long>
{
    private readonly ArrayBufferWriter<byte> _output = new(2048);

    public ReadOnlySequence<byte> Written => new(_output.WrittenMemory);

    public long Write()
    {
        _output.ResetWrittenCount();
        var properties = new Properties
        {
            MessageId = MessageScenario.MessageId,
            To = MessageScenario.To,
            Subject = MessageScenario.Subject,
            ContentType = new AmqpSymbol(MessageScenario.ContentType),
            CreationTime = new Timestamp(MessageScenario.CreationTime),
        };
        MessageWriter.Write(_output, in properties);
        MessageWriter.Write(_output, new DataSection { Bytes = new ReadOnlySequence<byte>(MessageScenario.Data) });
        return _output.WrittenCount;
    }

    public long Read()
    {
        var message = new MessageReader(_output.WrittenMemory);
        Properties properties = Next(ref message).Read<Properties>();
        DataSection data = Next(ref message).Read<DataSection>();
        return Sum(properties.MessageId.As<AmqpString>()) + Sum(properties.To) + Sum(properties.Subject) + Sum(properties.ContentType.Text)
            + properties.CreationTime.GetValueOrDefault().Milliseconds + TenFields.Sum(data.Bytes.FirstSpan);
    }

    private static Section Next(ref MessageReader message) =>
        message.TryRead(out Section section) ? section : throw new InvalidOperationException("A section is missing.");

    private static long Sum(AmqpString text) => TenFields.Sum(text.Utf8.Span);
}

/// <summary>Exactly these two sections, by someone who knows which properties are set and that they are short.</summary>
internal struct MessageFloor() : IAmqpCodec<long>
{
    private const byte Null = 0x40;
    private const byte String = 0xA1;
    private const byte Symbol = 0xA3;
    private const byte Time = 0x83;

    // Up to the size of the list, and from there to the first property.
    private const int ListAt = 4;
    private const int FieldsAt = 6;
    private const byte Count = 10;

    private int _length;

    private readonly byte[] _bytes = new byte[2048];

    // A described value with a small number for its descriptor: properties, in a list of up to 255 bytes; and data, with a size of 32 bits.
    private static ReadOnlySpan<byte> Properties => [0x00, 0x53, 0x73, 0xC0];

    private static ReadOnlySpan<byte> Data => [0x00, 0x53, 0x75, 0xB0];

    public readonly ReadOnlySequence<byte> Written => new(_bytes, 0, _length);

    public long Write()
    {
        Span<byte> all = _bytes;
        Properties.CopyTo(all);
        Span<byte> rest = all[FieldsAt..];
        WriteText(ref rest, String, MessageScenario.MessageId);
        WriteNulls(ref rest, 1);
        WriteText(ref rest, String, MessageScenario.To);
        WriteText(ref rest, String, MessageScenario.Subject);
        WriteNulls(ref rest, 2);
        WriteText(ref rest, Symbol, MessageScenario.ContentType);
        WriteNulls(ref rest, 2);
        rest[0] = Time;
        BinaryPrimitives.WriteInt64BigEndian(rest[1..], MessageScenario.CreationTime);
        rest = rest[(1 + sizeof(long))..];
        all[ListAt] = checked((byte)(all.Length - rest.Length - ListAt - 1));
        all[ListAt + 1] = Count;
        Data.CopyTo(rest);
        BinaryPrimitives.WriteInt32BigEndian(rest[Data.Length..], MessageScenario.Data.Length);
        rest = rest[(Data.Length + sizeof(int))..];
        MessageScenario.Data.CopyTo(rest);
        return _length = all.Length - rest.Length + MessageScenario.Data.Length;
    }

    public readonly long Read()
    {
        ReadOnlySpan<byte> input = _bytes.AsSpan(0, _length);
        HandFrames.Expect(input.StartsWith(Properties));
        ReadOnlySpan<byte> list = input.Slice(ListAt + 1, input[ListAt]);
        input = input[(ListAt + 1 + list.Length)..];
        HandFrames.Expect(list[0] == Count);
        list = list[1..];
        long sum = TenFields.Sum(Text(ref list, String));
        ExpectNulls(ref list, 1);
        sum += TenFields.Sum(Text(ref list, String)) + TenFields.Sum(Text(ref list, String));
        ExpectNulls(ref list, 2);
        sum += TenFields.Sum(Text(ref list, Symbol));
        ExpectNulls(ref list, 2);
        HandFrames.Expect(list[0] == Time);
        sum += BinaryPrimitives.ReadInt64BigEndian(list[1..]);
        HandFrames.Expect(input.StartsWith(Data));
        return sum + TenFields.Sum(input.Slice(Data.Length + sizeof(int), BinaryPrimitives.ReadInt32BigEndian(input[Data.Length..])));
    }

    private static void WriteText(ref Span<byte> rest, byte constructor, string text)
    {
        rest[0] = constructor;
        rest = rest[1..];
        HandFrames.WriteText(ref rest, text);
    }

    private static void WriteNulls(ref Span<byte> rest, int count)
    {
        rest[..count].Fill(Null);
        rest = rest[count..];
    }

    private static ReadOnlySpan<byte> Text(ref ReadOnlySpan<byte> rest, byte constructor)
    {
        HandFrames.Expect(rest[0] == constructor);
        rest = rest[1..];
        return HandFrames.Text(ref rest);
    }

    private static void ExpectNulls(ref ReadOnlySpan<byte> rest, int count)
    {
        for (int i = 0; i < count; i++)
        {
            HandFrames.Expect(rest[i] == Null);
        }

        rest = rest[count..];
    }
}
