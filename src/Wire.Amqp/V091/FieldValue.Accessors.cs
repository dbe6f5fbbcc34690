using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.V091.Fields;

namespace Wire.Amqp.V091;

public readonly partial struct FieldValue
{
    private const int MaxScale = 28;

    /// <summary>The value of a <see cref="FieldType.Boolean"/>.</summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public bool AsBoolean() => Expect(FieldType.Boolean)._bits != 0;

    /// <summary>The value of an integer of any width, with or without a sign.</summary>
    /// <exception cref="AmqpFormatException">The value is not an integer.</exception>
    public long AsInt64()
    {
        switch (Type)
        {
            case FieldType.SByte:
                return (sbyte)_bits;
            case FieldType.Int16 or FieldType.Int16AsSpecified:
                return (short)_bits;
            case FieldType.Int32:
                return (int)_bits;
            case FieldType.Byte or FieldType.UInt16 or FieldType.UInt32 or FieldType.Int64 or FieldType.Int64AsSpecified:
                return (long)_bits;
            default:
                ThrowUnexpected(Type, Offset, "an integer");
                return 0;
        }
    }

    /// <summary>The value of a <see cref="FieldType.Double"/> or of a <see cref="FieldType.Single"/>.</summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public double AsDouble() => Type == FieldType.Single
        ? BitConverter.UInt32BitsToSingle((uint)_bits)
        : BitConverter.UInt64BitsToDouble(Expect(FieldType.Double)._bits);

    /// <summary>The value of a <see cref="FieldType.Decimal"/>.</summary>
    /// <remarks>The number is read with its sign in two's complement: see the conversion from <see cref="decimal"/>.</remarks>
    /// <exception cref="AmqpFormatException">The value is of another type, or has more than 28 decimal places.</exception>
    public decimal AsDecimal()
    {
        int places = (int)(Expect(FieldType.Decimal)._bits >> 32);
        if (places > MaxScale)
        {
            ThrowHelper.Format(AmqpFormatError.Value, Offset, $"Expected a decimal of up to {MaxScale} places, found {places}");
        }

        int number = (int)_bits;
        return new decimal((int)uint.CreateTruncating(Math.Abs((long)number)), 0, 0, number < 0, (byte)places);
    }

    /// <summary>The value of a <see cref="FieldType.String"/>: a view, and any bytes.</summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public AmqpString AsString() => Expect(FieldType.String).Content;

    /// <summary>
    /// The value of <see cref="FieldType.Bytes"/>, or the bytes of a <see cref="FieldType.String"/>: some clients write bytes so.
    /// </summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public ReadOnlyMemory<byte> AsBytes() => (Type == FieldType.String ? this : Expect(FieldType.Bytes)).Content.Utf8;

    /// <summary>The value of a <see cref="FieldType.Timestamp"/>.</summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public Timestamp AsTimestamp() => new((long)Expect(FieldType.Timestamp)._bits);

    /// <summary>The value of a <see cref="FieldType.Table"/>: a view.</summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public FieldTable AsTable()
    {
        (object? bytes, int start, int length) = Expect(FieldType.Table).Content;
        return new FieldTable((byte[]?)bytes, start, length, ContentOffset);
    }

    /// <summary>The value of a <see cref="FieldType.Array"/>: a view.</summary>
    /// <exception cref="AmqpFormatException">The value is of another type.</exception>
    public FieldArray AsArray()
    {
        (object? bytes, int start, int length) = Expect(FieldType.Array).Content;
        return new FieldArray((byte[]?)bytes, start, length, ContentOffset);
    }

    /// <summary>
    /// The value as an object, independent of the input: bool; sbyte, byte, short, ushort, int, uint, long; float, double, decimal; string;
    /// byte[] of <see cref="FieldType.Bytes"/>, and of a <see cref="FieldType.String"/> that is not valid UTF-8; <see
    /// cref="V091.Timestamp"/>; List of object of an array; Dictionary of string and object of a table; null of <see
    /// cref="FieldType.Void"/>.
    /// </summary>
    /// <remarks>RabbitMQ.Client and others write byte arrays as texts: one that happens to be valid UTF-8 is given as a text.</remarks>
    /// <exception cref="AmqpFormatException">
    /// A table or an array in it is damaged or nested deeper than 64, or a decimal has more than 28 places.
    /// </exception>
    public object? ToObject() => ToObject(0);

    /// <summary>The value as an object, at a given depth of tables and arrays.</summary>
    internal object? ToObject(int depth) => Type switch
    {
        FieldType.Void => null,
        FieldType.Boolean => AsBoolean(),
        FieldType.SByte => (sbyte)_bits,
        FieldType.Byte => (byte)_bits,
        FieldType.Int16 or FieldType.Int16AsSpecified => (short)_bits,
        FieldType.UInt16 => (ushort)_bits,
        FieldType.Int32 => (int)_bits,
        FieldType.UInt32 => (uint)_bits,
        FieldType.Single => (float)AsDouble(),
        FieldType.Double => AsDouble(),
        FieldType.Decimal => AsDecimal(),
        FieldType.String => Content.IsValid ? Content.ToString() : AsBytes().ToArray(),
        FieldType.Bytes => AsBytes().ToArray(),
        FieldType.Timestamp => AsTimestamp(),
        FieldType.Table => AsTable().ToDictionary(depth),
        FieldType.Array => AsArray().ToList(depth),
        _ => AsInt64(),
    };

    private long ContentOffset => Offset < 0 ? 0 : Offset + sizeof(FieldType) + sizeof(uint);

    // By value: a call that takes the address would keep it out of registers.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private FieldValue Expect(FieldType type)
    {
        if (Type != type)
        {
            ThrowUnexpected(Type, Offset, FieldTypes.Name(type));
        }

        return this;
    }

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowUnexpected(FieldType found, long offset, string expected) => ThrowHelper.Format(
        AmqpFormatError.UnexpectedType,
        offset,
        $"Expected a field of type {expected}, found {FieldTypes.Name(found)}");
}
