using System.Runtime.CompilerServices;
using System.Text;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Reads values of AMQP 1.0 of which the type is known. Each accepts all encodings that the type has; a value of another type is an <see
/// cref="AmqpFormatException"/> that names both (<see cref="AmqpFormatError.UnexpectedType"/>). Where null is possible, ask <see
/// cref="TryReadNull"/>.
/// </summary>
public static class ReaderExtensions
{
    /// <summary>Reads a value of any type.</summary>
    /// <exception cref="AmqpFormatException">The bytes are not a valid value, or are incomplete.</exception>
    public static AmqpValue ReadValue(this ref AmqpReader reader) => ValueReader.ReadValue(ref reader);

    /// <summary>
    /// Skips a value without decoding it, even one of an unknown type, if its constructor's category is known.
    /// </summary>
    /// <exception cref="AmqpFormatException">The bytes are not a valid value, or are incomplete.</exception>
    public static void SkipValue(this ref AmqpReader reader) => ValueReader.SkipValue(ref reader);

    /// <summary>Reads null if it is next; otherwise reads nothing.</summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadNull(this ref AmqpReader reader) => TypedReader.TryReadNull(ref reader);

    /// <summary>Reads a boolean.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadBoolean(this ref AmqpReader reader) => TypedReader.ReadBoolean(ref reader);

    /// <summary>Reads a ubyte.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte ReadByte(this ref AmqpReader reader) =>
        TypedReader.ReadFixed<byte, AmqpReader>(ref reader, Constructor.UByte, AmqpType.UByte);

    /// <summary>Reads a ushort.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort ReadUInt16(this ref AmqpReader reader) =>
        TypedReader.ReadFixed<ushort, AmqpReader>(ref reader, Constructor.UShort, AmqpType.UShort);

    /// <summary>Reads a byte.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static sbyte ReadSByte(this ref AmqpReader reader) =>
        TypedReader.ReadFixed<sbyte, AmqpReader>(ref reader, Constructor.Byte, AmqpType.Byte);

    /// <summary>Reads a short.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short ReadInt16(this ref AmqpReader reader) =>
        TypedReader.ReadFixed<short, AmqpReader>(ref reader, Constructor.Short, AmqpType.Short);

    /// <summary>Reads a float.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float ReadSingle(this ref AmqpReader reader) =>
        TypedReader.ReadFixed<float, AmqpReader>(ref reader, Constructor.Float, AmqpType.Float);

    /// <summary>Reads a double.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble(this ref AmqpReader reader) =>
        TypedReader.ReadFixed<double, AmqpReader>(ref reader, Constructor.Double, AmqpType.Double);

    /// <summary>Reads a uint.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUInt32(this ref AmqpReader reader) => TypedReader.ReadUInt(ref reader);

    /// <summary>Reads a ulong.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ReadUInt64(this ref AmqpReader reader) => TypedReader.ReadCompact<ulong, byte, AmqpReader>(
        ref reader, Constructor.SmallULong, Constructor.ULong0, Constructor.ULong, AmqpType.ULong);

    /// <summary>Reads an int.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32(this ref AmqpReader reader) =>
        TypedReader.ReadCompact<int, sbyte, AmqpReader>(ref reader, Constructor.SmallInt, null, Constructor.Int, AmqpType.Int);

    /// <summary>Reads a long.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadInt64(this ref AmqpReader reader) =>
        TypedReader.ReadCompact<long, sbyte, AmqpReader>(ref reader, Constructor.SmallLong, null, Constructor.Long, AmqpType.Long);

    /// <summary>Reads a decimal32.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal32 ReadDecimal32(this ref AmqpReader reader) =>
        new(TypedReader.ReadFixed<uint, AmqpReader>(ref reader, Constructor.Decimal32, AmqpType.Decimal32));

    /// <summary>Reads a decimal64.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal64 ReadDecimal64(this ref AmqpReader reader) =>
        new(TypedReader.ReadFixed<ulong, AmqpReader>(ref reader, Constructor.Decimal64, AmqpType.Decimal64));

    /// <summary>Reads a decimal128.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal128 ReadDecimal128(this ref AmqpReader reader) =>
        new(TypedReader.ReadFixed<UInt128, AmqpReader>(ref reader, Constructor.Decimal128, AmqpType.Decimal128));

    /// <summary>Reads a char.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Rune ReadRune(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Char)
        {
            return reader.ReadScalarValue();
        }

        TypedReader.Unexpected(reader.Offset, code, AmqpType.Char);
        return default;
    }

    /// <summary>Reads a timestamp.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Timestamp ReadTimestamp(this ref AmqpReader reader) =>
        new(TypedReader.ReadFixed<long, AmqpReader>(ref reader, Constructor.Timestamp, AmqpType.Timestamp));

    /// <summary>Reads a uuid.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Guid ReadGuid(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Uuid)
        {
            return reader.ReadData(code).As<Guid>();
        }

        TypedReader.Unexpected(reader.Offset, code, AmqpType.Uuid);
        return default;
    }

    /// <summary>Reads binary: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static ReadOnlyMemory<byte> ReadBinary(this ref AmqpReader reader) =>
        TypedReader.ReadBytes(ref reader, Constructor.Binary8, AmqpType.Binary).Utf8;

    /// <summary>Reads binary: a view of the input without a copy, even across segments.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static System.Buffers.ReadOnlySequence<byte> ReadBinarySequence(this ref AmqpReader reader) =>
        reader.ReadSequence(TypedReader.ReadSize(ref reader, Constructor.Binary8, AmqpType.Binary));

    /// <summary>Reads a string: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpString ReadString(this ref AmqpReader reader) =>
        TypedReader.ReadBytes(ref reader, Constructor.String8, AmqpType.String);

    /// <summary>Reads a symbol: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpSymbol ReadSymbol(this ref AmqpReader reader) => TypedReader.ReadSymbol(ref reader);

    /// <summary>Reads a list: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpList ReadList(this ref AmqpReader reader) => new(TypedReader.ReadContainer(ref reader, AmqpType.List));

    /// <summary>Reads a map: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpMap ReadMap(this ref AmqpReader reader) => new(TypedReader.ReadContainer(ref reader, AmqpType.Map));

    /// <summary>Reads an array: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpArray ReadArray(this ref AmqpReader reader) => new(TypedReader.ReadContainer(ref reader, AmqpType.Array));
}
