using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Amqp.V10;

// The conversions to a value: one for each .NET type with a type of AMQP.
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

    /// <summary>A timestamp, truncated to milliseconds.</summary>
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
    public static implicit operator AmqpValue(AmqpString value) => FromText(AmqpType.String, value);

    /// <summary>A symbol; of no symbol, the null value.</summary>
    public static implicit operator AmqpValue(AmqpSymbol value) => FromText(AmqpType.Symbol, value.Text);

    /// <summary>Binary: the array itself, which is not copied; of null, the null value.</summary>
    public static implicit operator AmqpValue(byte[]? value) => value is null ? default : new(AmqpType.Binary, value, 0, value.Length);

    /// <summary>Binary: the memory itself, which is not copied unless it lies outside arrays.</summary>
    public static implicit operator AmqpValue(ReadOnlyMemory<byte> value) => FromMemory(AmqpType.Binary, 0, value, 0);

    /// <summary>A list.</summary>
    public static implicit operator AmqpValue(AmqpList value) => value.Value;

    /// <summary>A map.</summary>
    public static implicit operator AmqpValue(AmqpMap value) => value.Value;

    /// <summary>An array.</summary>
    public static implicit operator AmqpValue(AmqpArray value) => value.Value;

    // What a value is read as, in a table: a .NET type, the type of AMQP that it stands for, and how the contents become it, which happens
    // only where they are of that type. The JIT knows T: one row is left of the table, no types are compared, and nothing is boxed.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryRead<T>(out AmqpType type, [MaybeNullWhen(false)] out T value) =>
        typeof(T) == typeof(bool) ? Is(AmqpType.Boolean, out type, out value) && To(_low != 0, out value) :
        typeof(T) == typeof(byte) ? Is(AmqpType.UByte, out type, out value) && To((byte)_low, out value) :
        typeof(T) == typeof(ushort) ? Is(AmqpType.UShort, out type, out value) && To((ushort)_low, out value) :
        typeof(T) == typeof(uint) ? Is(AmqpType.UInt, out type, out value) && To((uint)_low, out value) :
        typeof(T) == typeof(ulong) ? Is(AmqpType.ULong, out type, out value) && To(_low, out value) :
        typeof(T) == typeof(sbyte) ? Is(AmqpType.Byte, out type, out value) && To((sbyte)_low, out value) :
        typeof(T) == typeof(short) ? Is(AmqpType.Short, out type, out value) && To((short)_low, out value) :
        typeof(T) == typeof(int) ? Is(AmqpType.Int, out type, out value) && To((int)_low, out value) :
        typeof(T) == typeof(long) ? Is(AmqpType.Long, out type, out value) && To((long)_low, out value) :
        typeof(T) == typeof(float) ? Is(AmqpType.Float, out type, out value) && To(BitConverter.UInt32BitsToSingle((uint)_low), out value) :
        typeof(T) == typeof(double) ? Is(AmqpType.Double, out type, out value) && To(BitConverter.UInt64BitsToDouble(_low), out value) :
        typeof(T) == typeof(Decimal32) ? Is(AmqpType.Decimal32, out type, out value) && To(new Decimal32((uint)_low), out value) :
        typeof(T) == typeof(Decimal64) ? Is(AmqpType.Decimal64, out type, out value) && To(new Decimal64(_low), out value) :
        typeof(T) == typeof(Decimal128) ? Is(AmqpType.Decimal128, out type, out value) && To(new Decimal128(Wide), out value) :
        typeof(T) == typeof(Rune) ? Is(AmqpType.Char, out type, out value) && To(new Rune((uint)_low), out value) :
        typeof(T) == typeof(Timestamp) ? Is(AmqpType.Timestamp, out type, out value) && To(new Timestamp((long)_low), out value) :
        typeof(T) == typeof(Guid) ? Is(AmqpType.Uuid, out type, out value) && To(ToGuid(), out value) :
        typeof(T) == typeof(byte[]) ? Is(AmqpType.Binary, out type, out value) && To(Memory.ToArray(), out value) :
        typeof(T) == typeof(ReadOnlyMemory<byte>) ? Is(AmqpType.Binary, out type, out value) && To(Memory, out value) :
        typeof(T) == typeof(string) ? Is(AmqpType.String, out type, out value) && To(Text.ToString(), out value) :
        typeof(T) == typeof(AmqpString) ? Is(AmqpType.String, out type, out value) && To(Text, out value) :
        typeof(T) == typeof(AmqpSymbol) ? Is(AmqpType.Symbol, out type, out value) && To(new AmqpSymbol(Text), out value) :
        typeof(T) == typeof(AmqpList) ? Is(AmqpType.List, out type, out value) && To(new AmqpList(this), out value) :
        typeof(T) == typeof(AmqpMap) ? Is(AmqpType.Map, out type, out value) && To(new AmqpMap(this), out value) :
        typeof(T) == typeof(AmqpArray) ? Is(AmqpType.Array, out type, out value) && To(new AmqpArray(this), out value) :
        throw new ArgumentException($"An AMQP value cannot be read as {typeof(T)}.");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Is<T>(AmqpType expected, out AmqpType type, out T? value)
    {
        type = expected;
        value = default;
        return _type == expected;
    }

    // TFrom and T are one type, which only the JIT knows.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool To<TFrom, T>(TFrom read, out T value)
    {
        value = Unsafe.As<TFrom, T>(ref read);
        return true;
    }
}
