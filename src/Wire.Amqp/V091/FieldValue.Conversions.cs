using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Fields;

namespace Wire.Amqp.V091;

public readonly partial struct FieldValue
{
    /// <summary>A <see cref="FieldType.Boolean"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(bool value) => new(FieldType.Boolean, value ? 1UL : 0);

    /// <summary>An <see cref="FieldType.SByte"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(sbyte value) => new(FieldType.SByte, (byte)value);

    /// <summary>A <see cref="FieldType.Byte"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(byte value) => new(FieldType.Byte, value);

    /// <summary>An <see cref="FieldType.Int16"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(short value) => new(FieldType.Int16, (ushort)value);

    /// <summary>A <see cref="FieldType.UInt16"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(ushort value) => new(FieldType.UInt16, value);

    /// <summary>An <see cref="FieldType.Int32"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(int value) => new(FieldType.Int32, (uint)value);

    /// <summary>A <see cref="FieldType.UInt32"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(uint value) => new(FieldType.UInt32, value);

    /// <summary>An <see cref="FieldType.Int64"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(long value) => new(FieldType.Int64, (ulong)value);

    /// <summary>A <see cref="FieldType.Single"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(float value) => new(FieldType.Single, BitConverter.SingleToUInt32Bits(value));

    /// <summary>A <see cref="FieldType.Double"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(double value) => new(FieldType.Double, BitConverter.DoubleToUInt64Bits(value));

    /// <summary>A <see cref="FieldType.Decimal"/>: the number of decimal places, and the digits as a number of 32 bits.</summary>
    /// <remarks>
    /// Negative numbers are refused, because clients do not agree on them: section 4.2.5.5 says two's complement ("a long signed integer"),
    /// and RabbitMQ.Client for .NET writes the absolute value with the sign in the highest bit. Each would read another number, without an
    /// error. Those that were received are read, in two's complement, and written again as they came.
    /// </remarks>
    /// <exception cref="ArgumentException">
    /// The number is negative, or its digits without the point do not form an integer of 31 bits.
    /// </exception>
    public static implicit operator FieldValue(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        if (decimal.Sign(value) < 0)
        {
            throw new ArgumentException(
                $"A negative decimal is read as another number by some clients, and {value} is negative: write it as a text or a double.");
        }

        if ((parts[1] | parts[2]) != 0 || parts[0] < 0)
        {
            throw new ArgumentException(
                $"A decimal of AMQP 0-9-1 has 31 bits for its digits, up to {int.MaxValue}, and {value} needs more: round it, or write " +
                "it as a double or a text.");
        }

        return new FieldValue(FieldType.Decimal, ((ulong)value.Scale << 32) | (uint)parts[0]);
    }

    /// <summary>A <see cref="FieldType.String"/>; null is <see cref="FieldType.Void"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(string? value) => (AmqpString)value;

    /// <summary>A <see cref="FieldType.String"/>; no text is <see cref="FieldType.Void"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(AmqpString value) => value.IsNull ? default : FromContent(FieldType.String, value);

    /// <summary><see cref="FieldType.Bytes"/>, which are not copied.</summary>
    public static implicit operator FieldValue(ReadOnlyMemory<byte> value) => FromContent(FieldType.Bytes, new AmqpString(value));

    /// <summary><see cref="FieldType.Bytes"/>, which are not copied; null is <see cref="FieldType.Void"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(byte[]? value) =>
        value is null ? default : new FieldValue(FieldType.Bytes, value, 0, value.Length);

    /// <summary>A <see cref="FieldType.Timestamp"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static implicit operator FieldValue(Timestamp value) => new(FieldType.Timestamp, (ulong)value.Seconds);

    /// <summary>A <see cref="FieldType.Table"/>: a view of it.</summary>
    public static implicit operator FieldValue(FieldTable value) => FromContent(FieldType.Table, value.Content);

    /// <summary>A <see cref="FieldType.Array"/>: a view of it.</summary>
    public static implicit operator FieldValue(FieldArray value) => FromContent(FieldType.Array, value.Content);

    /// <summary>
    /// The value of an object of one of the types that convert to a field, of null, of a dictionary with string keys (a table) or of
    /// another collection (an array).
    /// </summary>
    /// <exception cref="ArgumentException">The object, or one in it, is of a type that no field has.</exception>
    /// <exception cref="InvalidOperationException">Collections are nested deeper than 63, or contain themselves.</exception>
    public static FieldValue From(object? value)
    {
        if (!FieldObjects.TryConvert(value, out FieldValue converted))
        {
            var array = new FieldArrayBuilder();
            FieldObjects.Add(array, default, value, "");
            FieldArray.Enumerator elements = array.Array.GetEnumerator();
            elements.MoveNext();
            converted = elements.Current;
        }

        return converted;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static FieldValue FromContent(FieldType type, AmqpString content)
    {
        (object? source, int start, int length) = content;
        return new FieldValue(type, source, start, length);
    }
}
