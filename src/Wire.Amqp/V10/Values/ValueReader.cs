using System.Runtime.CompilerServices;
using System.Text;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp.V10.Values;

/// <summary>Reads and skips any value, whatever its type.</summary>
internal static class ValueReader
{
    /// <summary>Reads a value of any type.</summary>
    public static AmqpValue ReadValue<TReader>(this ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct =>
        reader.Peek<byte>() == Constructor.Described ? reader.ReadDescribed() : reader.ReadData(reader.Read<byte>());

    /// <summary>Skips a value, even if its type is unknown, as long as the category of its constructor is not.</summary>
    public static void SkipValue<TReader>(this ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct => reader.SkipData(reader.SkipConstructor());

    /// <summary>Reads what follows a constructor that is not 0x00.</summary>
    public static AmqpValue ReadData<TReader>(this ref TReader reader, byte code)
        where TReader : struct, IByteReader, allows ref struct
    {
        switch (code)
        {
            case Constructor.Null: return default;
            case Constructor.True: return true;
            case Constructor.False: return false;
            case Constructor.Boolean: return reader.ReadBooleanOctet();
            case Constructor.UByte: return reader.Read<byte>();
            case Constructor.UShort: return reader.Read<ushort>();
            case Constructor.UInt: return reader.Read<uint>();
            case Constructor.SmallUInt: return (uint)reader.Read<byte>();
            case Constructor.UInt0: return 0u;
            case Constructor.ULong: return reader.Read<ulong>();
            case Constructor.SmallULong: return (ulong)reader.Read<byte>();
            case Constructor.ULong0: return 0ul;
            case Constructor.Byte: return reader.Read<sbyte>();
            case Constructor.Short: return reader.Read<short>();
            case Constructor.Int: return reader.Read<int>();
            case Constructor.SmallInt: return (int)reader.Read<sbyte>();
            case Constructor.Long: return reader.Read<long>();
            case Constructor.SmallLong: return (long)reader.Read<sbyte>();
            case Constructor.Float: return reader.Read<float>();
            case Constructor.Double: return reader.Read<double>();
            case Constructor.Decimal32: return new Decimal32(reader.Read<uint>());
            case Constructor.Decimal64: return new Decimal64(reader.Read<ulong>());
            case Constructor.Decimal128: return new Decimal128(reader.Read<UInt128>());
            case Constructor.Char: return reader.ReadScalarValue();
            case Constructor.Timestamp: return new Timestamp(reader.Read<long>());
            case Constructor.Uuid:
                UInt128 bits = reader.Read<UInt128>();
                return AmqpValue.FromBits(AmqpType.Uuid, (ulong)bits, (ulong)(bits >> 64));

            case Constructor.List0:
                return AmqpValue.FromMemory(AmqpType.List, code, ReadOnlyMemory<byte>.Empty, reader.Offset);
        }

        AmqpType type = Constructor.TypeOf(code);
        if (type is Constructor.Unknown or AmqpType.Described)
        {
            ThrowUnknown(reader.Offset - 1, code);
        }

        int size = reader.ReadSize(code);
        long offset = reader.Offset;
        (byte[] array, int start) = reader.ReadArray(size);
        if (type == AmqpType.Symbol)
        {
            CheckAscii(array.AsSpan(start, size), offset);
        }

        return AmqpValue.FromArray(type, code, array, start, size, offset);
    }

    /// <summary>Reads a described value, at its constructor 0x00.</summary>
    public static AmqpValue ReadDescribed<TReader>(this ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        long offset = reader.Offset;
        TReader ahead = reader;
        byte code = ahead.SkipConstructor();
        long constructor = ahead.Offset - offset;
        ahead.SkipData(code);
        long length = ahead.Offset - offset;
        if (length > Array.MaxLength)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, offset, $"Expected a described value that fits in memory, found one of {length} bytes");
        }

        (byte[] array, int start) = reader.ReadArray((int)length);
        return AmqpValue.FromDescribed(array, start, (int)constructor, (int)(length - constructor), offset);
    }

    /// <summary>Skips a constructor, descriptors included.</summary>
    /// <returns>Its last byte, which says how long the data are.</returns>
    public static byte SkipConstructor<TReader>(this ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        int descriptors = 0;
        return reader.SkipConstructor(ref descriptors);
    }

    /// <summary>Skips what follows a constructor, by its category alone.</summary>
    public static void SkipData<TReader>(this ref TReader reader, byte code)
        where TReader : struct, IByteReader, allows ref struct
    {
        long width = Constructor.FixedWidth(code);
        if (width < 0)
        {
            if (!Constructor.HasSize(code))
            {
                ThrowUnknown(reader.Offset - 1, code);
            }

            width = Constructor.SizeWidth(code) == sizeof(byte) ? reader.Read<byte>() : reader.Read<uint>();
        }

        reader.CheckRemaining(width, "a value");
        reader.Skip(width);
    }

    /// <summary>
    /// Reads the size that stands before a value, and makes sure that so much follows before anything is allocated for it.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadSize<TReader>(this ref TReader reader, byte code)
        where TReader : struct, IByteReader, allows ref struct
    {
        uint size = Constructor.SizeWidth(code) == sizeof(byte) ? reader.Read<byte>() : reader.Read<uint>();
        if (size > reader.Remaining || size > Array.MaxLength)
        {
            ThrowSize(ref reader, code, size);
        }

        return (int)size;
    }

    // Out of line: the name is looked for only when it is needed.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowSize<TReader>(ref TReader reader, byte code, uint size)
        where TReader : struct, IByteReader, allows ref struct
    {
        if (size > Array.MaxLength)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, reader.Offset - sizeof(uint), $"Expected a size that fits in memory, found {size} bytes");
        }

        reader.CheckRemaining(size, Constructor.Name(Constructor.TypeOf(code)));
    }

    public static bool ReadBooleanOctet<TReader>(this ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        byte octet = reader.Read<byte>();
        if (octet > 1)
        {
            ThrowHelper.Format(AmqpFormatError.Value, reader.Offset - 1, $"Expected a boolean of 0 or 1, found {octet}");
        }

        return octet != 0;
    }

    public static Rune ReadScalarValue<TReader>(this ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        uint scalar = reader.Read<uint>();
        if (!Rune.IsValid(scalar))
        {
            ThrowHelper.Format(AmqpFormatError.Value, reader.Offset - sizeof(uint), $"Expected a Unicode scalar value, found 0x{scalar:x}");
        }

        return new Rune(scalar);
    }

    public static void CheckAscii(ReadOnlySpan<byte> symbol, long offset)
    {
        if (!Ascii.IsValid(symbol))
        {
            ThrowHelper.Format(AmqpFormatError.Value, offset, "Expected a symbol of ASCII characters, found others");
        }
    }

    public static void ThrowUnknown(long offset, byte code) =>
        ThrowHelper.Format(AmqpFormatError.UnknownCode, offset, $"Expected a constructor, found 0x{code:x2}");

    // Counts the descriptors of one value outside of containers, wherever they are: their depth is limited, and so is the repeated skipping
    // when a reader enumerates them one by one.
    private static byte SkipConstructor<TReader>(this ref TReader reader, ref int descriptors)
        where TReader : struct, IByteReader, allows ref struct
    {
        while (true)
        {
            byte code = reader.Read<byte>();
            if (code != Constructor.Described)
            {
                return code;
            }

            if (++descriptors > AmqpValue.MaxDepth)
            {
                ThrowHelper.Format(
                    AmqpFormatError.Depth,
                    reader.Offset - 1,
                    $"Expected at most {AmqpValue.MaxDepth} nested descriptors, found more");
            }

            reader.SkipData(reader.SkipConstructor(ref descriptors));
        }
    }
}
