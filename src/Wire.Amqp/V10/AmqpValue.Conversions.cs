using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Amqp.V10;

// What a value is made of: one conversion for each .NET type that has a type of AMQP.
public readonly partial struct AmqpValue
{
    /// <summary>A boolean.</summary>
    public static implicit operator AmqpValue(bool value) => new(AmqpType.Boolean, value ? 1UL : 0);

    /// <summary>An ubyte.</summary>
    public static implicit operator AmqpValue(byte value) => new(AmqpType.UByte, value);

    /// <summary>An ushort.</summary>
    public static implicit operator AmqpValue(ushort value) => new(AmqpType.UShort, value);

    /// <summary>An uint.</summary>
    public static implicit operator AmqpValue(uint value) => new(AmqpType.UInt, value);

    /// <summary>An ulong.</summary>
    public static implicit operator AmqpValue(ulong value) => new(AmqpType.ULong, value);

    /// <summary>A byte.</summary>
    public static implicit operator AmqpValue(sbyte value) => new(AmqpType.Byte, (ulong)value);

    /// <summary>A short.</summary>
    public static implicit operator AmqpValue(short value) => new(AmqpType.Short, (ulong)value);

    /// <summary>An int.</summary>
    public static implicit operator AmqpValue(int value) => new(AmqpType.Int, (ulong)value);

    /// <summary>A long.</summary>
    public static implicit operator AmqpValue(long value) => new(AmqpType.Long, (ulong)value);

    /// <summary>A float.</summary>
    public static implicit operator AmqpValue(float value) => new(AmqpType.Float, BitConverter.SingleToUInt32Bits(value));

    /// <summary>A double.</summary>
    public static implicit operator AmqpValue(double value) => new(AmqpType.Double, BitConverter.DoubleToUInt64Bits(value));

    /// <summary>A decimal32.</summary>
    public static implicit operator AmqpValue(Decimal32 value) => new(AmqpType.Decimal32, value.Bits);

    /// <summary>A decimal64.</summary>
    public static implicit operator AmqpValue(Decimal64 value) => new(AmqpType.Decimal64, value.Bits);

    /// <summary>A char.</summary>
    public static implicit operator AmqpValue(Rune value) => new(AmqpType.Char, (ulong)value.Value);

    /// <summary>A timestamp.</summary>
    public static implicit operator AmqpValue(Timestamp value) => new(AmqpType.Timestamp, (ulong)value.Milliseconds);

    /// <summary>A decimal128.</summary>
    public static implicit operator AmqpValue(Decimal128 value) => new(AmqpType.Decimal128, (ulong)value.Bits, (ulong)(value.Bits >> 64));

    /// <summary>A decimal128, which holds every <see cref="decimal"/>.</summary>
    public static implicit operator AmqpValue(decimal value) => (Decimal128)value;

    /// <summary>A char, when the UTF-16 code unit is one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is half of a surrogate pair: use a <see cref="Rune"/>.</exception>
    public static implicit operator AmqpValue(char value) => new Rune(value);

    /// <summary>A timestamp; what is finer than milliseconds is cut off.</summary>
    public static implicit operator AmqpValue(DateTimeOffset value) => (Timestamp)value;

    /// <summary>A uuid.</summary>
    public static implicit operator AmqpValue(Guid value)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes, bigEndian: true, out _);
        UInt128 bits = NetworkOrder.Read<UInt128>(bytes);
        return new AmqpValue(AmqpType.Uuid, (ulong)bits, (ulong)(bits >> 64));
    }

    /// <summary>A string; of null, the null value.</summary>
    public static implicit operator AmqpValue(string? value) => value is null ? default : new(AmqpType.String, value, 0, 0);

    /// <summary>A string; of no text, the null value.</summary>
    public static implicit operator AmqpValue(AmqpString value) => OfText(AmqpType.String, value);

    /// <summary>A symbol; of no symbol, the null value.</summary>
    public static implicit operator AmqpValue(AmqpSymbol value) => OfText(AmqpType.Symbol, value.Text);

    /// <summary>Binary: the array itself, which is not copied; of null, the null value.</summary>
    public static implicit operator AmqpValue(byte[]? value) => value is null ? default : new(AmqpType.Binary, value, 0, value.Length);

    /// <summary>Binary: the memory itself, which is not copied unless it lies outside arrays.</summary>
    public static implicit operator AmqpValue(ReadOnlyMemory<byte> value) => OfMemory(AmqpType.Binary, 0, value, 0);

    /// <summary>A list.</summary>
    public static implicit operator AmqpValue(AmqpList value) => value.Value;

    /// <summary>A map.</summary>
    public static implicit operator AmqpValue(AmqpMap value) => value.Value;

    /// <summary>An array.</summary>
    public static implicit operator AmqpValue(AmqpArray value) => value.Value;

    // Which type of AMQP a .NET type stands for. To the JIT it is a constant.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static AmqpType TypeFor<T>()
    {
        if (typeof(T) == typeof(bool))
        {
            return AmqpType.Boolean;
        }

        if (typeof(T) == typeof(byte))
        {
            return AmqpType.UByte;
        }

        if (typeof(T) == typeof(ushort))
        {
            return AmqpType.UShort;
        }

        if (typeof(T) == typeof(uint))
        {
            return AmqpType.UInt;
        }

        if (typeof(T) == typeof(ulong))
        {
            return AmqpType.ULong;
        }

        if (typeof(T) == typeof(sbyte))
        {
            return AmqpType.Byte;
        }

        if (typeof(T) == typeof(short))
        {
            return AmqpType.Short;
        }

        if (typeof(T) == typeof(int))
        {
            return AmqpType.Int;
        }

        if (typeof(T) == typeof(long))
        {
            return AmqpType.Long;
        }

        if (typeof(T) == typeof(float))
        {
            return AmqpType.Float;
        }

        if (typeof(T) == typeof(double))
        {
            return AmqpType.Double;
        }

        if (typeof(T) == typeof(Decimal32))
        {
            return AmqpType.Decimal32;
        }

        if (typeof(T) == typeof(Decimal64))
        {
            return AmqpType.Decimal64;
        }

        if (typeof(T) == typeof(Rune))
        {
            return AmqpType.Char;
        }

        if (typeof(T) == typeof(Timestamp))
        {
            return AmqpType.Timestamp;
        }

        if (typeof(T) == typeof(Decimal128))
        {
            return AmqpType.Decimal128;
        }

        if (typeof(T) == typeof(Guid))
        {
            return AmqpType.Uuid;
        }

        if (typeof(T) == typeof(string))
        {
            return AmqpType.String;
        }

        if (typeof(T) == typeof(AmqpString))
        {
            return AmqpType.String;
        }

        if (typeof(T) == typeof(AmqpSymbol))
        {
            return AmqpType.Symbol;
        }

        if (typeof(T) == typeof(byte[]))
        {
            return AmqpType.Binary;
        }

        if (typeof(T) == typeof(ReadOnlyMemory<byte>))
        {
            return AmqpType.Binary;
        }

        if (typeof(T) == typeof(AmqpList))
        {
            return AmqpType.List;
        }

        if (typeof(T) == typeof(AmqpMap))
        {
            return AmqpType.Map;
        }

        if (typeof(T) == typeof(AmqpArray))
        {
            return AmqpType.Array;
        }

        throw new ArgumentException($"No type of AMQP is read as {typeof(T)}.");
    }

    // The value as the .NET type that stands for its type, which the caller has compared. All but one branch are gone when it has been compiled.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T To<T>()
    {
        if (typeof(T) == typeof(bool))
        {
            return Same<bool, T>(_low != 0);
        }

        if (typeof(T) == typeof(byte))
        {
            return Same<byte, T>((byte)_low);
        }

        if (typeof(T) == typeof(ushort))
        {
            return Same<ushort, T>((ushort)_low);
        }

        if (typeof(T) == typeof(uint))
        {
            return Same<uint, T>((uint)_low);
        }

        if (typeof(T) == typeof(ulong))
        {
            return Same<ulong, T>((ulong)_low);
        }

        if (typeof(T) == typeof(sbyte))
        {
            return Same<sbyte, T>((sbyte)_low);
        }

        if (typeof(T) == typeof(short))
        {
            return Same<short, T>((short)_low);
        }

        if (typeof(T) == typeof(int))
        {
            return Same<int, T>((int)_low);
        }

        if (typeof(T) == typeof(long))
        {
            return Same<long, T>((long)_low);
        }

        if (typeof(T) == typeof(float))
        {
            return Same<float, T>(BitConverter.UInt32BitsToSingle((uint)_low));
        }

        if (typeof(T) == typeof(double))
        {
            return Same<double, T>(BitConverter.UInt64BitsToDouble(_low));
        }

        if (typeof(T) == typeof(Decimal32))
        {
            return Same<Decimal32, T>(new Decimal32((uint)_low));
        }

        if (typeof(T) == typeof(Decimal64))
        {
            return Same<Decimal64, T>(new Decimal64(_low));
        }

        if (typeof(T) == typeof(Rune))
        {
            return Same<Rune, T>(new Rune((uint)_low));
        }

        if (typeof(T) == typeof(Timestamp))
        {
            return Same<Timestamp, T>(new Timestamp((long)_low));
        }

        if (typeof(T) == typeof(Decimal128))
        {
            return Same<Decimal128, T>(new Decimal128(Wide));
        }

        if (typeof(T) == typeof(Guid))
        {
            return Same<Guid, T>(ToGuid());
        }

        if (typeof(T) == typeof(string))
        {
            return Same<string, T>(Text.ToString());
        }

        if (typeof(T) == typeof(AmqpString))
        {
            return Same<AmqpString, T>(Text);
        }

        if (typeof(T) == typeof(AmqpSymbol))
        {
            return Same<AmqpSymbol, T>(new AmqpSymbol(Text));
        }

        if (typeof(T) == typeof(byte[]))
        {
            return Same<byte[], T>(Memory.ToArray());
        }

        if (typeof(T) == typeof(ReadOnlyMemory<byte>))
        {
            return Same<ReadOnlyMemory<byte>, T>(Memory);
        }

        if (typeof(T) == typeof(AmqpList))
        {
            return Same<AmqpList, T>(new AmqpList(this));
        }

        if (typeof(T) == typeof(AmqpMap))
        {
            return Same<AmqpMap, T>(new AmqpMap(this));
        }

        if (typeof(T) == typeof(AmqpArray))
        {
            return Same<AmqpArray, T>(new AmqpArray(this));
        }

        throw new ArgumentException($"No type of AMQP is read as {typeof(T)}.");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo Same<TFrom, TTo>(TFrom value) => Unsafe.As<TFrom, TTo>(ref value);
}
