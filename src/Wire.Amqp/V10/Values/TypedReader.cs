using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp.V10.Values;

/// <summary>Reads values whose type is known, for each kind of encodings that a type has.</summary>
internal static class TypedReader
{
    /// <summary>Reads null if it is next; otherwise reads nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadNull<TReader>(ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        if (reader.Peek<byte>() != Constructor.Null)
        {
            return false;
        }

        reader.Skip(1);
        return true;
    }

    /// <summary>Reads a boolean.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadBoolean<TReader>(ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        byte code = reader.Read<byte>();
        switch (code)
        {
            case Constructor.True: return true;
            case Constructor.False: return false;
            case Constructor.Boolean: return reader.ReadBooleanOctet();
        }

        Unexpected(reader.Offset, code, AmqpType.Boolean);
        return default;
    }

    /// <summary>Reads a number of a type that has one encoding.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T ReadFixed<T, TReader>(ref TReader reader, byte encoding, AmqpType type)
        where T : unmanaged, IBinaryNumber<T>
        where TReader : struct, IByteReader, allows ref struct
    {
        byte code = reader.Read<byte>();
        if (code != encoding)
        {
            Unexpected(reader.Offset, code, type);
        }

        return reader.Read<T>();
    }

    /// <summary>
    /// Reads a number of a type that has an encoding of one byte for small values, too, and perhaps one without any for zero.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T ReadCompact<T, TSmall, TReader>(ref TReader reader, byte small, byte? zero, byte wide, AmqpType type)
        where T : unmanaged, IBinaryInteger<T>
        where TSmall : unmanaged, IBinaryInteger<TSmall>
        where TReader : struct, IByteReader, allows ref struct
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

    /// <summary>Reads a uint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUInt<TReader>(ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct =>
        ReadCompact<uint, byte, TReader>(ref reader, Constructor.SmallUInt, Constructor.UInt0, Constructor.UInt, AmqpType.UInt);

    /// <summary>Reads the size of a value that has one of one or four bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadSize<TReader>(ref TReader reader, byte small, AmqpType type)
        where TReader : struct, IByteReader, allows ref struct
    {
        byte code = reader.Read<byte>();
        if ((code & ~Constructor.Wide) != small)
        {
            Unexpected(reader.Offset, code, type);
        }

        return reader.ReadSize(code);
    }

    /// <summary>Reads binary, a string or a symbol as its bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static AmqpString ReadBytes<TReader>(ref TReader reader, byte small, AmqpType type)
        where TReader : struct, IByteReader, allows ref struct
    {
        int length = ReadSize(ref reader, small, type);
        (byte[] array, int start) = reader.ReadArray(length);
        return new AmqpString(array, start, length);
    }

    /// <summary>Reads a symbol.</summary>
    public static AmqpSymbol ReadSymbol<TReader>(ref TReader reader)
        where TReader : struct, IByteReader, allows ref struct
    {
        AmqpString symbol = ReadBytes(ref reader, Constructor.Symbol8, AmqpType.Symbol);
        ReadOnlySpan<byte> bytes = symbol.Utf8.Span;
        ValueReader.CheckAscii(bytes, reader.Offset - bytes.Length);
        return new AmqpSymbol(symbol);
    }

    /// <summary>Reads a list, map or array.</summary>
    public static AmqpValue ReadContainer<TReader>(ref TReader reader, AmqpType type)
        where TReader : struct, IByteReader, allows ref struct
    {
        byte code = reader.Read<byte>();
        if (Constructor.TypeOf(code) != type)
        {
            Unexpected(reader.Offset, code, type);
        }

        return reader.ReadData(code);
    }

    /// <summary>Refuses a value of another type.</summary>
    /// <param name="end">Where the constructor ends.</param>
    /// <param name="code">The constructor.</param>
    /// <param name="expected">What was asked for.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Unexpected(long end, byte code, AmqpType expected) =>
        ThrowHelper.Format(
            AmqpFormatError.UnexpectedType, end - sizeof(byte), $"Expected {Constructor.Name(expected)}, found {Constructor.Name(code)}");
}
