using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp.V091.Methods;

/// <summary>Reads and writes the domains of AMQP 0-9-1 that have a length (section 4.2.5).</summary>
internal static class Domains
{
    public const int MaxShortString = byte.MaxValue;

    public static int SizeOfShortString(AmqpString value)
    {
        int bytes = value.ByteCount;
        if (bytes > MaxShortString)
        {
            ThrowHelper.TooLongForShortString(bytes);
        }

        return sizeof(byte) + bytes;
    }

    public static int SizeOfLongString(AmqpString value) => checked(sizeof(uint) + value.ByteCount);

    public static int SizeOfTable(FieldTable value) => checked(sizeof(uint) + value.Span.Length);

    public static void WriteTable(this ref AmqpWriter writer, FieldTable value)
    {
        writer.Write((uint)value.Span.Length);
        writer.WriteBytes(value.Span);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static AmqpString ReadShortString(this ref ArrayReader reader) => reader.ReadText(reader.Read<byte>(), "a short string");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static AmqpString ReadLongString(this ref ArrayReader reader) => reader.ReadText(reader.Read<uint>(), "a long string");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldTable ReadTable(this ref ArrayReader reader)
    {
        uint length = reader.Read<uint>();
        long offset = reader.Offset;
        (object? array, int start, int size) = reader.ReadText(length, "a table");
        return new FieldTable((byte[]?)array, start, size, offset);
    }

    /// <summary>Reads a length and a table, after checking that it is complete, before any allocation.</summary>
    public static FieldTable ReadTable(this ref AmqpReader reader)
    {
        uint length = reader.Read<uint>();
        long offset = reader.Offset;
        if (length > Array.MaxLength)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, offset - sizeof(uint), $"a table of {length} bytes, which is more than memory can hold");
        }

        reader.CheckRemaining(length, "a table");
        return new FieldTable(reader.ReadMemory((int)length), offset);
    }
}
