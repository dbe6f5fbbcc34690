using System.Diagnostics.CodeAnalysis;
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

        Unexpected(ref reader, code, AmqpType.Boolean);
        return default;
    }

    /// <summary>Reads a ubyte.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte ReadByte(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.UByte)
        {
            return reader.Read<byte>();
        }

        Unexpected(ref reader, code, AmqpType.UByte);
        return default;
    }

    /// <summary>Reads a ushort.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort ReadUInt16(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.UShort)
        {
            return reader.Read<ushort>();
        }

        Unexpected(ref reader, code, AmqpType.UShort);
        return default;
    }

    /// <summary>Reads a byte.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static sbyte ReadSByte(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Byte)
        {
            return reader.Read<sbyte>();
        }

        Unexpected(ref reader, code, AmqpType.Byte);
        return default;
    }

    /// <summary>Reads a short.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short ReadInt16(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Short)
        {
            return reader.Read<short>();
        }

        Unexpected(ref reader, code, AmqpType.Short);
        return default;
    }

    /// <summary>Reads a float.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float ReadSingle(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Float)
        {
            return reader.Read<float>();
        }

        Unexpected(ref reader, code, AmqpType.Float);
        return default;
    }

    /// <summary>Reads a double.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Double)
        {
            return reader.Read<double>();
        }

        Unexpected(ref reader, code, AmqpType.Double);
        return default;
    }

    /// <summary>Reads a uint.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUInt32(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.SmallUInt)
        {
            return reader.Read<byte>();
        }

        if (code == Constructor.UInt0)
        {
            return 0;
        }

        if (code == Constructor.UInt)
        {
            return reader.Read<uint>();
        }

        Unexpected(ref reader, code, AmqpType.UInt);
        return default;
    }

    /// <summary>Reads a ulong.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ReadUInt64(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.SmallULong)
        {
            return reader.Read<byte>();
        }

        if (code == Constructor.ULong0)
        {
            return 0;
        }

        if (code == Constructor.ULong)
        {
            return reader.Read<ulong>();
        }

        Unexpected(ref reader, code, AmqpType.ULong);
        return default;
    }

    /// <summary>Reads an int.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.SmallInt)
        {
            return reader.Read<sbyte>();
        }

        if (code == Constructor.Int)
        {
            return reader.Read<int>();
        }

        Unexpected(ref reader, code, AmqpType.Int);
        return default;
    }

    /// <summary>Reads a long.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadInt64(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.SmallLong)
        {
            return reader.Read<sbyte>();
        }

        if (code == Constructor.Long)
        {
            return reader.Read<long>();
        }

        Unexpected(ref reader, code, AmqpType.Long);
        return default;
    }

    /// <summary>Reads a decimal32.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal32 ReadDecimal32(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Decimal32)
        {
            return new Decimal32(reader.Read<uint>());
        }

        Unexpected(ref reader, code, AmqpType.Decimal32);
        return default;
    }

    /// <summary>Reads a decimal64.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal64 ReadDecimal64(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Decimal64)
        {
            return new Decimal64(reader.Read<ulong>());
        }

        Unexpected(ref reader, code, AmqpType.Decimal64);
        return default;
    }

    /// <summary>Reads a decimal128.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Decimal128 ReadDecimal128(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Decimal128)
        {
            return new Decimal128(reader.Read<UInt128>());
        }

        Unexpected(ref reader, code, AmqpType.Decimal128);
        return default;
    }

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

        Unexpected(ref reader, code, AmqpType.Char);
        return default;
    }

    /// <summary>Reads a timestamp.</summary>
    /// <exception cref="AmqpFormatException">Another type comes next, or the input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Timestamp ReadTimestamp(this ref AmqpReader reader)
    {
        byte code = reader.Read<byte>();
        if (code == Constructor.Timestamp)
        {
            return new Timestamp(reader.Read<long>());
        }

        Unexpected(ref reader, code, AmqpType.Timestamp);
        return default;
    }

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

        Unexpected(ref reader, code, AmqpType.Uuid);
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
            Unexpected(ref reader, code, AmqpType.Binary);
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

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlyMemory<byte> ReadSized(ref AmqpReader reader, byte small, AmqpType type)
    {
        byte code = reader.Read<byte>();
        if ((code & ~Constructor.Wide) != small)
        {
            Unexpected(ref reader, code, type);
        }

        return reader.ReadMemory(reader.ReadSize(code));
    }

    private static AmqpValue ReadContainer(ref AmqpReader reader, AmqpType type)
    {
        byte code = reader.Read<byte>();
        if (Constructor.TypeOf(code) != type)
        {
            Unexpected(ref reader, code, type);
        }

        return reader.ReadData(code);
    }

    // Out of line: it only throws.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Unexpected(ref AmqpReader reader, byte code, AmqpType expected) =>
        Throw.Format(AmqpFormatError.UnexpectedType, reader.Offset - 1, $"Expected {Constructor.Name(expected)}, found {Constructor.Name(code)}");
}
