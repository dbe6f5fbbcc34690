using System.Buffers.Binary;

namespace Wire.Benchmarks.Looking;

/// <summary>
/// What somebody writes by hand for one kind of payload: it compares the bytes of the type once, and then knows where the members are. It
/// checks what a reader must not leave unchecked: tags, lengths and the end.
/// </summary>
internal static class OffsetReader
{
    private const byte Definition = 2;
    private const byte Declared = 4;
    private const byte SecondType = 0x81;

    /// <summary>The type of lines, which the first one of a payload defines.</summary>
    private static readonly byte[] LineType = TypeOfLines();

    /// <summary>Goes behind the bytes of the type; they have to be those that are known.</summary>
    public static int Begin(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> beginning) =>
        payload.StartsWith(beginning) ? beginning.Length : throw new InvalidDataException();

    public static int Int32(ReadOnlySpan<byte> payload, ref int at)
    {
        int value = BinaryPrimitives.ReadInt32LittleEndian(payload[at..]);
        at += sizeof(int);
        return value;
    }

    public static double Double(ReadOnlySpan<byte> payload, ref int at)
    {
        double value = BinaryPrimitives.ReadDoubleLittleEndian(payload[at..]);
        at += sizeof(double);
        return value;
    }

    /// <summary>Reads the characters of a text of one byte each.</summary>
    public static ReadOnlySpan<byte> Text(ReadOnlySpan<byte> payload, ref int at)
    {
        int header = Count(payload, ref at) - 1;
        if (header < 0 || (header & 1) != 0)
        {
            throw new InvalidDataException();
        }

        ReadOnlySpan<byte> text = payload.Slice(at, header >> 1);
        at += text.Length;
        return text;
    }

    public static void Pass(ReadOnlySpan<byte> payload, ref int at)
    {
        int header = Count(payload, ref at);
        at += header == 0 ? 0 : ((header - 1) >> 1) << ((header - 1) & 1);
    }

    /// <summary>Goes to the lines of a sale, and returns how many there are.</summary>
    public static int Lines(ReadOnlySpan<byte> payload, ref int at)
    {
        Pass(payload, ref at);
        at += sizeof(int);
        Tag(payload, ref at);
        return Count(payload, ref at);
    }

    public static void PassLine(ReadOnlySpan<byte> payload, ref int at)
    {
        EnterLine(payload, ref at);
        Pass(payload, ref at);
        at += sizeof(double) + (2 * sizeof(int));
    }

    /// <summary>Goes to the pairs of a sale, and returns how many there are.</summary>
    public static int Stock(ReadOnlySpan<byte> payload, ref int at)
    {
        Tag(payload, ref at);
        if (payload[at++] != 0)
        {
            throw new InvalidDataException();
        }

        return Count(payload, ref at);
    }

    public static void Tag(ReadOnlySpan<byte> payload, ref int at)
    {
        if (payload[at++] != Declared)
        {
            throw new InvalidDataException();
        }
    }

    /// <summary>Goes behind what says the type of a line.</summary>
    public static void EnterLine(ReadOnlySpan<byte> payload, ref int at)
    {
        byte tag = payload[at++];
        if (tag == SecondType)
        {
            return;
        }

        if (tag != Definition || !payload[at..].StartsWith(LineType))
        {
            throw new InvalidDataException();
        }

        at += LineType.Length;
    }

    // Between the count of the lines and the first one's name.
    private static byte[] TypeOfLines()
    {
        byte[] payload = new Serializer().Serialize(new Sale { Lines = [new SaleLine { Name = "name" }], Customer = "a customer" });
        int from = payload.AsSpan().IndexOf("a customer"u8) + "a customer".Length + sizeof(int) + 3;
        return payload[from..(payload.AsSpan().IndexOf("\x09name"u8))];
    }

    /// <summary>Reads a number that has one byte for each seven of its bits.</summary>
    public static int Count(ReadOnlySpan<byte> payload, ref int at)
    {
        uint value = payload[at++];
        for (int shift = 7; value >= 1u << shift; shift += 7)
        {
            value = (value & ((1u << shift) - 1)) | ((uint)payload[at++] << shift);
        }

        return (int)value;
    }
}
