using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Wire.Benchmarks.Messaging.Frames;

namespace Wire.Benchmarks.Messaging.Codecs;

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
