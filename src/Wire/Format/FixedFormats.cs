using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Errors;

namespace Wire.Format;

/// <summary>Types whose memory is their wire format: every bit pattern is a value.</summary>
internal readonly struct RawFormat<T> : IFixedFormat<T>
    where T : unmanaged
{
    public static int Size => Unsafe.SizeOf<T>();

    public static bool IsRaw => BitConverter.IsLittleEndian || Unsafe.SizeOf<T>() == 1;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref byte destination, T value) => LittleEndian.Store(ref destination, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Load(ref byte source) => LittleEndian.Load<T>(ref source);
}

/// <summary>One byte, 0 or 1.</summary>
internal readonly struct BooleanFormat : IFixedFormat<bool>
{
    public static int Size => 1;

    public static bool IsRaw => false;

    // A bool from unsafe code may hold another byte than 1: the format never does.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref byte destination, bool value) => destination = value ? (byte)1 : (byte)0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Load(ref byte source)
    {
        if (source > 1)
        {
            ThrowHelper.InvalidValue("bool", "the byte is neither 0 nor 1");
        }

        return source != 0;
    }
}

/// <summary>An enum, as its underlying integer.</summary>
internal readonly struct EnumFormat<TEnum, TUnderlying> : IFixedFormat<TEnum>
    where TEnum : unmanaged
    where TUnderlying : unmanaged
{
    public static int Size => Unsafe.SizeOf<TUnderlying>();

    public static bool IsRaw => RawFormat<TUnderlying>.IsRaw;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref byte destination, TEnum value) => LittleEndian.Store(ref destination, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TEnum Load(ref byte source) => LittleEndian.Load<TEnum>(ref source);
}

/// <summary>A Guid, in the byte order of <see cref="Guid.ToByteArray()"/>.</summary>
internal readonly struct GuidFormat : IFixedFormat<Guid>
{
    public static int Size => 16;

    public static bool IsRaw => BitConverter.IsLittleEndian;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref byte destination, Guid value)
    {
        if (BitConverter.IsLittleEndian)
        {
            Unsafe.WriteUnaligned(ref destination, value);
        }
        else
        {
            value.TryWriteBytes(System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref destination, 16));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Guid Load(ref byte source) => BitConverter.IsLittleEndian
        ? Unsafe.ReadUnaligned<Guid>(ref source)
        : new Guid(System.Runtime.InteropServices.MemoryMarshal.CreateReadOnlySpan(ref source, 16));
}

/// <summary>A native integer, signed or not, always in the eight bytes of a <typeparamref name="TWide"/>.</summary>
internal readonly struct NativeIntegerFormat<T, TWide> : IFixedFormat<T>
    where T : unmanaged, IBinaryInteger<T>
    where TWide : unmanaged, IBinaryInteger<TWide>
{
    public static int Size => 8;

    public static bool IsRaw => BitConverter.IsLittleEndian && nint.Size == 8;

    public static void Store(ref byte destination, T value) => LittleEndian.Store(ref destination, TWide.CreateTruncating(value));

    public static T Load(ref byte source)
    {
        TWide wide = LittleEndian.Load<TWide>(ref source);
        T value = T.CreateTruncating(wide);
        if (TWide.CreateTruncating(value) != wide)
        {
            Refuse(wide);
        }

        return value;
    }

    [DoesNotReturn]
    private static void Refuse(TWide value) =>
        throw ThrowHelper.NotValid(
            typeof(T) == typeof(nint) ? "nint" : "nuint", $"{value} does not fit this platform's {nint.Size * 8} bits");
}

/// <summary>A decimal: its 96-bit integer in twelve bytes, low part first, then the flags word (sign and scale) in four.</summary>
internal readonly struct DecimalFormat : IFixedFormat<decimal>
{
    private const int SignBit = unchecked((int)0x80000000);

    public static int Size => 16;

    public static bool IsRaw => false;

    public static void Store(ref byte destination, decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        for (int i = 0; i < 4; i++)
        {
            LittleEndian.Store(ref Unsafe.Add(ref destination, i * 4), parts[i]);
        }
    }

    public static decimal Load(ref byte source)
    {
        int flags = LittleEndian.Load<int>(ref Unsafe.Add(ref source, 12));
        int scale = (flags >> 16) & 0xFF;
        if ((flags & ~(SignBit | 0x00FF0000)) != 0 || scale > 28)
        {
            Refuse(flags);
        }

        return new decimal(
            LittleEndian.Load<int>(ref source),
            LittleEndian.Load<int>(ref Unsafe.Add(ref source, 4)),
            LittleEndian.Load<int>(ref Unsafe.Add(ref source, 8)),
            (flags & SignBit) != 0,
            (byte)scale);
    }

    [DoesNotReturn]
    private static void Refuse(int flags) =>
        throw ThrowHelper.NotValid("decimal", $"the flags 0x{flags:X8} are not a sign and a scale of 0 to 28");
}

/// <summary>A Unicode scalar value, in four bytes.</summary>
internal readonly struct RuneFormat : IFixedFormat<Rune>
{
    public static int Size => 4;

    public static bool IsRaw => false;

    public static void Store(ref byte destination, Rune value) => LittleEndian.Store(ref destination, value.Value);

    public static Rune Load(ref byte source)
    {
        int value = LittleEndian.Load<int>(ref source);
        if (!Rune.TryCreate(value, out Rune rune))
        {
            Refuse(value);
        }

        return rune;
    }

    [DoesNotReturn]
    private static void Refuse(int value) => throw ThrowHelper.NotValid("Rune", $"0x{value:X} is not a Unicode scalar value");
}

/// <summary>A complex number: the real part, then the imaginary part.</summary>
internal readonly struct ComplexFormat : IFixedFormat<Complex>
{
    public static int Size => 16;

    public static bool IsRaw => false;

    public static void Store(ref byte destination, Complex value)
    {
        LittleEndian.Store(ref destination, value.Real);
        LittleEndian.Store(ref Unsafe.Add(ref destination, 8), value.Imaginary);
    }

    public static Complex Load(ref byte source) =>
        new(LittleEndian.Load<double>(ref source), LittleEndian.Load<double>(ref Unsafe.Add(ref source, 8)));
}
