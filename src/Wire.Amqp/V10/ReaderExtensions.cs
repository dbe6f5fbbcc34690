using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Amqp.V10;

/// <summary>
/// Reads values of AMQP 1.0 of which the type is known. Each accepts all encodings that the type has; a value of another type is an
/// <see cref="AmqpFormatException"/> that names both (<see cref="AmqpFormatError.UnexpectedType"/>). Where null is possible, ask <see cref="TryReadNull"/>.
/// </summary>
public static class ReaderExtensions
{
    /// <summary>Reads a value of any type.</summary>
    /// <exception cref="AmqpFormatException">The bytes are no value, or end before it does.</exception>
    public static AmqpValue ReadValue(this ref AmqpReader reader)
    {
        if (reader.Peek<byte>() == Constructor.Described)
        {
            return reader.ReadDescribed();
        }

        return reader.ReadData(reader.Read<byte>());
    }

    /// <summary>Passes over a value without decoding it, even if its type is unknown, as long as the category of its constructor is not.</summary>
    /// <exception cref="AmqpFormatException">The bytes are no value, or end before it does.</exception>
    public static void SkipValue(this ref AmqpReader reader) => reader.SkipData(reader.SkipConstructor());

    /// <summary>Reads null if that comes next; otherwise nothing.</summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadNull(this ref AmqpReader reader)
    {
        if (reader.Peek<byte>() != Constructor.Null)
        {
            return false;
        }

        reader.Skip(1);
        return true;
    }

    /// <summary>Reads a boolean.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadBoolean(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.True)
        {
            return true;
        }

        if (code == Constructor.False)
        {
            return false;
        }

        if (code == Constructor.Boolean)
        {
            return reader.ReadBooleanOctet();
        }

        Unexpected(reader.Offset, code, AmqpType.Boolean);
        return default;
    }

    /// <summary>Reads a ubyte.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte ReadByte(this ref AmqpReader reader) => ReadFixed<byte>(ref reader, Constructor.UByte, AmqpType.UByte);

    /// <summary>Reads a ushort.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort ReadUInt16(this ref AmqpReader reader) => ReadFixed<ushort>(ref reader, Constructor.UShort, AmqpType.UShort);

    /// <summary>Reads a byte.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static sbyte ReadSByte(this ref AmqpReader reader) => ReadFixed<sbyte>(ref reader, Constructor.Byte, AmqpType.Byte);

    /// <summary>Reads a short.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short ReadInt16(this ref AmqpReader reader) => ReadFixed<short>(ref reader, Constructor.Short, AmqpType.Short);

    /// <summary>Reads a float.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float ReadSingle(this ref AmqpReader reader) => ReadFixed<float>(ref reader, Constructor.Float, AmqpType.Float);

    /// <summary>Reads a double.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble(this ref AmqpReader reader) => ReadFixed<double>(ref reader, Constructor.Double, AmqpType.Double);

    /// <summary>Reads a uint.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUInt32(this ref AmqpReader reader) => ReadCompact<uint, byte>(ref reader, Constructor.SmallUInt, Constructor.UInt0, Constructor.UInt, AmqpType.UInt);

    /// <summary>Reads a ulong.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ReadUInt64(this ref AmqpReader reader) => ReadCompact<ulong, byte>(ref reader, Constructor.SmallULong, Constructor.ULong0, Constructor.ULong, AmqpType.ULong);

    /// <summary>Reads an int.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32(this ref AmqpReader reader) => ReadCompact<int, sbyte>(ref reader, Constructor.SmallInt, null, Constructor.Int, AmqpType.Int);

    /// <summary>Reads a long.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadInt64(this ref AmqpReader reader) => ReadCompact<long, sbyte>(ref reader, Constructor.SmallLong, null, Constructor.Long, AmqpType.Long);

    /// <summary>Reads a decimal32.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal32 ReadDecimal32(this ref AmqpReader reader) => new(ReadFixed<uint>(ref reader, Constructor.Decimal32, AmqpType.Decimal32));

    /// <summary>Reads a decimal64.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal64 ReadDecimal64(this ref AmqpReader reader) => new(ReadFixed<ulong>(ref reader, Constructor.Decimal64, AmqpType.Decimal64));

    /// <summary>Reads a decimal128.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal128 ReadDecimal128(this ref AmqpReader reader) => new(ReadFixed<UInt128>(ref reader, Constructor.Decimal128, AmqpType.Decimal128));

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

        Unexpected(reader.Offset, code, AmqpType.Char);
        return default;
    }

    /// <summary>Reads a timestamp.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Timestamp ReadTimestamp(this ref AmqpReader reader) => new(ReadFixed<long>(ref reader, Constructor.Timestamp, AmqpType.Timestamp));

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

        Unexpected(reader.Offset, code, AmqpType.Uuid);
        return default;
    }

    /// <summary>Reads binary: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static ReadOnlyMemory<byte> ReadBinary(this ref AmqpReader reader) => ReadSized(ref reader, Constructor.Binary8, AmqpType.Binary);

    /// <summary>Reads binary: a view of the input without a copy, even where it lies across segments.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static System.Buffers.ReadOnlySequence<byte> ReadBinarySequence(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if ((code & ~Constructor.Wide) != Constructor.Binary8)
        {
            Unexpected(reader.Offset, code, AmqpType.Binary);
        }

        return reader.ReadSequence(reader.ReadSize(code));
    }

    /// <summary>Reads a string: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpString ReadString(this ref AmqpReader reader) => new(ReadSized(ref reader, Constructor.String8, AmqpType.String));

    /// <summary>Reads a symbol: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpSymbol ReadSymbol(this ref AmqpReader reader)
    {
        ReadOnlyMemory<byte> symbol = ReadSized(ref reader, Constructor.Symbol8, AmqpType.Symbol);
        ValueReader.CheckAscii(symbol.Span, reader.Offset - symbol.Length);
        return new AmqpSymbol(new AmqpString(symbol));
    }

    /// <summary>Reads a list: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpList ReadList(this ref AmqpReader reader) => new(ReadContainer(ref reader, AmqpType.List));

    /// <summary>Reads a map: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpMap ReadMap(this ref AmqpReader reader) => new(ReadContainer(ref reader, AmqpType.Map));

    /// <summary>Reads an array: a view of the input.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    public static AmqpArray ReadArray(this ref AmqpReader reader) => new(ReadContainer(ref reader, AmqpType.Array));

    // A type with one encoding.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadFixed<T>(ref AmqpReader reader, byte encoding, AmqpType type)
        where T : unmanaged, IBinaryNumber<T>
    {
        byte code = reader.Read<byte>();
        if (code != encoding)
        {
            Unexpected(reader.Offset, code, type);
        }

        return reader.Read<T>();
    }

    // A type that has an encoding of one byte for small values, and perhaps one without any for zero.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadCompact<T, TSmall>(ref AmqpReader reader, byte small, byte? zero, byte wide, AmqpType type)
        where T : unmanaged, IBinaryInteger<T>
        where TSmall : unmanaged, IBinaryInteger<TSmall>
    {
        byte code = reader.Read<byte>();
        if (code == small)
        {
            return T.CreateTruncating(reader.Read<TSmall>());
        }

        if (code == wide)
        {
            return reader.Read<T>();
        }

        if (code != zero)
        {
            Unexpected(reader.Offset, code, type);
        }

        return T.Zero;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlyMemory<byte> ReadSized(ref AmqpReader reader, byte small, AmqpType type)
    {
        byte code = reader.Read<byte>();
        if ((code & ~Constructor.Wide) != small)
        {
            Unexpected(reader.Offset, code, type);
        }

        return reader.ReadMemory(reader.ReadSize(code));
    }

    private static AmqpValue ReadContainer(ref AmqpReader reader, AmqpType type)
    {
        byte code = reader.Read<byte>();
        if (Constructor.TypeOf(code) != type)
        {
            Unexpected(reader.Offset, code, type);
        }

        return reader.ReadData(code);
    }

    // Out of line: it only throws.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Unexpected(long end, byte code, AmqpType expected) =>
        Throw.Format(AmqpFormatError.UnexpectedType, end - sizeof(byte), $"Expected {Constructor.Name(expected)}, found {Constructor.Name(code)}");
}
