using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>How the domains of AMQP 0-9-1 that have a length are read and written (section 4.2.5).</summary>
internal static class Domains
{
    public const int MaxShortString = byte.MaxValue;

    public static int SizeOfShortString(AmqpString value)
    {
        int bytes = value.ByteCount;
        if (bytes > MaxShortString)
        {
            Throw.TooLongForShortString(bytes);
        }

        return sizeof(byte) + bytes;
    }

    public static int SizeOfLongString(AmqpString value) => checked(sizeof(uint) + value.ByteCount);

    public static int SizeOfTable(FieldTable value) => checked(sizeof(uint) + value.Span.Length);

    /// <summary>Writes the text behind its length, which is known when it has been written: it was counted once, for the size of the frame.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteShortString(this ref AmqpWriter writer, AmqpString value) =>
        writer.Advance(EncodeShortString(writer.Reserve(sizeof(byte)), value));

    // Out of line: it has no reference to the writer, which so can live in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int EncodeShortString(Span<byte> destination, AmqpString value)
    {
        Span<byte> text = destination[sizeof(byte)..];
        if (!value.TryCopyTo(text.Length > MaxShortString ? text[..MaxShortString] : text, out int length))
        {
            Throw.DestinationTooSmall(SizeOfShortString(value), destination.Length);
        }

        destination[0] = (byte)length;
        return sizeof(byte) + length;
    }

    public static void WriteLongString(this ref AmqpWriter writer, AmqpString value)
    {
        int bytes = value.ByteCount;
        writer.Write((uint)bytes);
        writer.WriteText(value, bytes);
    }

    public static void WriteTable(this ref AmqpWriter writer, FieldTable value)
    {
        writer.Write((uint)value.Span.Length);
        writer.WriteBytes(value.Span);
    }

    /// <summary>Reads a length and a table, which is all there before anything is allocated for it.</summary>
    public static FieldTable ReadTable(this ref AmqpReader reader)
    {
        uint length = reader.Read<uint>();
        long offset = reader.Offset;
        if (length > int.MaxValue)
        {
            Throw.Format(AmqpFormatError.Length, offset - sizeof(uint), $"a table of {length} bytes, which is more than memory can hold");
        }

        reader.CheckRemaining(length, "a table");
        return new FieldTable(reader.ReadMemory((int)length), offset);
    }
}
