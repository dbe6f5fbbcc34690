using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Writes values of AMQP 1.0, each with its constructor and in its most compact encoding. Into a span: a destination that is too short is
/// an <see cref="ArgumentException"/>; how much a value takes says <see cref="AmqpValue.EncodedSize"/>.
/// </summary>
public static class WriterExtensions
{
    /// <summary>Writes null.</summary>
    public static void WriteNull(this ref AmqpWriter writer) => writer.Write(Constructor.Null);

    /// <summary>Writes a boolean in one byte.</summary>
    public static void WriteBoolean(this ref AmqpWriter writer, bool value) => writer.Write(value ? Constructor.True : Constructor.False);

    /// <summary>Writes a ubyte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteByte(this ref AmqpWriter writer, byte value) => writer.Write(Pair(Constructor.UByte, value));

    /// <summary>Writes a byte, which is signed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteSByte(this ref AmqpWriter writer, sbyte value) => writer.Write(Pair(Constructor.Byte, (byte)value));

    /// <summary>Writes a ushort.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteUInt16(this ref AmqpWriter writer, ushort value) => writer.WriteFixed(Constructor.UShort, value);

    /// <summary>Writes a short.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteInt16(this ref AmqpWriter writer, short value) => writer.WriteFixed(Constructor.Short, value);

    /// <summary>Writes a uint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteUInt32(this ref AmqpWriter writer, uint value) =>
        writer.WriteUnsigned(Constructor.UInt0, Constructor.SmallUInt, Constructor.UInt, value);

    /// <summary>Writes a ulong.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteUInt64(this ref AmqpWriter writer, ulong value) =>
        writer.WriteUnsigned(Constructor.ULong0, Constructor.SmallULong, Constructor.ULong, value);

    /// <summary>Writes an int.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteInt32(this ref AmqpWriter writer, int value) =>
        writer.WriteSigned(Constructor.SmallInt, Constructor.Int, value);

    /// <summary>Writes a long.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteInt64(this ref AmqpWriter writer, long value) =>
        writer.WriteSigned(Constructor.SmallLong, Constructor.Long, value);

    /// <summary>Writes a float.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteSingle(this ref AmqpWriter writer, float value) => writer.WriteFixed(Constructor.Float, value);

    /// <summary>Writes a double.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteDouble(this ref AmqpWriter writer, double value) => writer.WriteFixed(Constructor.Double, value);

    /// <summary>Writes a decimal32.</summary>
    public static void WriteDecimal32(this ref AmqpWriter writer, Decimal32 value) => writer.WriteFixed(Constructor.Decimal32, value.Bits);

    /// <summary>Writes a decimal64.</summary>
    public static void WriteDecimal64(this ref AmqpWriter writer, Decimal64 value) => writer.WriteFixed(Constructor.Decimal64, value.Bits);

    /// <summary>Writes a decimal128.</summary>
    public static void WriteDecimal128(this ref AmqpWriter writer, Decimal128 value) =>
        writer.WriteFixed(Constructor.Decimal128, value.Bits);

    /// <summary>Writes a char.</summary>
    public static void WriteRune(this ref AmqpWriter writer, Rune value) => writer.WriteFixed(Constructor.Char, value.Value);

    /// <summary>Writes a timestamp.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteTimestamp(this ref AmqpWriter writer, Timestamp value) =>
        writer.WriteFixed(Constructor.Timestamp, value.Milliseconds);

    /// <summary>Writes a uuid.</summary>
    public static void WriteGuid(this ref AmqpWriter writer, Guid value) => writer.WriteValue(value);

    /// <summary>Writes binary.</summary>
    public static void WriteBinary(this ref AmqpWriter writer, ReadOnlySpan<byte> value)
    {
        writer.WriteSize(Constructor.Binary8, value.Length);
        writer.WriteBytes(value);
    }

    /// <summary>Writes a string; of no text, null.</summary>
    /// <exception cref="ArgumentException">The text has an unpaired surrogate, or the destination is full.</exception>
    public static void WriteString(this ref AmqpWriter writer, AmqpString value) => writer.WriteText(Constructor.String8, value);

    /// <summary>Writes a symbol; of no symbol, null.</summary>
    public static void WriteSymbol(this ref AmqpWriter writer, AmqpSymbol value) => writer.WriteText(Constructor.Symbol8, value.Text);

    /// <summary>Writes a value of any type. Lists, maps, arrays and described values are copied as they are encoded.</summary>
    public static void WriteValue(this ref AmqpWriter writer, in AmqpValue value)
    {
        switch (value.Type)
        {
            case AmqpType.Null: writer.WriteNull(); break;
            case AmqpType.Boolean: writer.WriteBoolean(value.Bits != 0); break;
            case AmqpType.UByte: writer.WriteByte((byte)value.Bits); break;
            case AmqpType.UShort: writer.WriteUInt16((ushort)value.Bits); break;
            case AmqpType.UInt: writer.WriteUInt32((uint)value.Bits); break;
            case AmqpType.ULong: writer.WriteUInt64(value.Bits); break;
            case AmqpType.Byte: writer.WriteSByte((sbyte)value.Bits); break;
            case AmqpType.Short: writer.WriteInt16((short)value.Bits); break;
            case AmqpType.Int: writer.WriteInt32((int)value.Bits); break;
            case AmqpType.Long: writer.WriteInt64((long)value.Bits); break;
            case AmqpType.Binary: writer.WriteBinary(value.Span); break;
            case AmqpType.String: writer.WriteText(Constructor.String8, value.Text); break;
            case AmqpType.Symbol: writer.WriteText(Constructor.Symbol8, value.Text); break;
            case AmqpType.Described:
                value.GetParts(out ReadOnlySpan<byte> constructor, out ReadOnlySpan<byte> data);
                writer.WriteBytes(constructor);
                writer.WriteBytes(data);
                break;

            case AmqpType.List or AmqpType.Map or AmqpType.Array:
                writer.WriteContainer(value);
                break;

            default:
                byte code = Elements.WideCode(value.Type);
                writer.Write(code);
                writer.WriteBits(value, Constructor.FixedWidth(code));
                break;
        }
    }

    /// <summary>Writes a number of fixed width without its constructor.</summary>
    internal static void WriteBits(this ref AmqpWriter writer, in AmqpValue value, int width)
    {
        switch (width)
        {
            case 0: break;
            case 1: writer.Write((byte)value.Bits); break;
            case 2: writer.Write((ushort)value.Bits); break;
            case 4: writer.Write((uint)value.Bits); break;
            case 8: writer.Write(value.Bits); break;
            default: writer.Write(value.Wide); break;
        }
    }

    /// <summary>Writes the constructor of binary, a string or a symbol, and its size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void WriteSize(this ref AmqpWriter writer, byte small, int size)
    {
        if (size <= byte.MaxValue)
        {
            writer.Write(Pair(small, (byte)size));
        }
        else
        {
            writer.WriteFixed((byte)(small | Constructor.Wide), (uint)size);
        }
    }

    private static void WriteText(this ref AmqpWriter writer, byte small, AmqpString value)
    {
        if (value.IsNull)
        {
            writer.WriteNull();
            return;
        }

        int bytes = value.ByteCount;
        writer.WriteSize(small, bytes);
        writer.WriteText(value, bytes);
    }

    private static void WriteContainer(this ref AmqpWriter writer, in AmqpValue value)
    {
        ReadOnlySpan<byte> content = value.Span;
        if (value.Code == Constructor.List0)
        {
            writer.Write(value.Code);
            return;
        }

        if (Constructor.SizeWidth(value.Code) == sizeof(byte))
        {
            writer.Write(Pair(value.Code, (byte)content.Length));
        }
        else
        {
            writer.WriteFixed(value.Code, (uint)content.Length);
        }

        writer.WriteBytes(content);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteFixed<T>(this ref AmqpWriter writer, byte code, T value)
        where T : unmanaged, IBinaryNumber<T>
    {
        writer.Write(code);
        writer.Write(value);
    }

    // A number without a sign in its shortest encoding: no byte for zero, one for small ones, or all.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteUnsigned<T>(this ref AmqpWriter writer, byte zero, byte small, byte wide, T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (value > T.CreateTruncating(byte.MaxValue))
        {
            writer.WriteFixed(wide, value);
        }
        else
        {
            writer.WriteSmall(zero, small, byte.CreateTruncating(value));
        }
    }

    // A number with a sign, which takes one byte where it is the number that is left of it in one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteSigned<T>(this ref AmqpWriter writer, byte small, byte wide, T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        sbyte low = sbyte.CreateTruncating(value);
        if (value == T.CreateTruncating(low))
        {
            writer.Write(Pair(small, (byte)low));
        }
        else
        {
            writer.WriteFixed(wide, value);
        }
    }

    private static void WriteSmall(this ref AmqpWriter writer, byte zero, byte small, byte value)
    {
        if (value == 0)
        {
            writer.Write(zero);
        }
        else
        {
            writer.Write(Pair(small, value));
        }
    }

    // A constructor and one byte after it, in one store.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ushort Pair(byte first, byte second) => (ushort)((first << 8) | second);
}
