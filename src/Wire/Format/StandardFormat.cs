using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Format;

/// <summary>
/// The one layout that a type of fixed size has, chosen by the type: for code that cannot name the layouts. What is left of it once it is
/// compiled for a type is the layout of that type.
/// </summary>
internal readonly struct StandardFormat<T> : IFixedFormat<T>
    where T : unmanaged
{
    public static int Size
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => typeof(T) == typeof(DateTimeOffset) ? DateTimeOffsetFormat.Size
            : typeof(T) == typeof(nint) || typeof(T) == typeof(nuint) ? sizeof(long)
            : Unsafe.SizeOf<T>();
    }

    /// <summary>Gets whether the memory layout is the wire format, which is false only where it is known not to be.</summary>
    public static bool IsRaw
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => typeof(T) == typeof(bool) ? BooleanFormat.IsRaw
            : typeof(T) == typeof(decimal) ? DecimalFormat.IsRaw
            : typeof(T) == typeof(DateTime) ? DateTimeFormat.IsRaw
            : typeof(T) == typeof(DateTimeOffset) ? DateTimeOffsetFormat.IsRaw
            : typeof(T) == typeof(DateOnly) ? DateOnlyFormat.IsRaw
            : typeof(T) == typeof(TimeOnly) ? TimeOnlyFormat.IsRaw
            : typeof(T) == typeof(Guid) ? GuidFormat.IsRaw
            : typeof(T) == typeof(Rune) ? RuneFormat.IsRaw
            : typeof(T) == typeof(Complex) ? ComplexFormat.IsRaw
            : typeof(T) == typeof(nint) ? NativeIntegerFormat<nint, long>.IsRaw
            : typeof(T) == typeof(nuint) ? NativeIntegerFormat<nuint, ulong>.IsRaw
            : RawFormat<T>.IsRaw;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref byte destination, T value)
    {
        if (typeof(T) == typeof(bool))
        {
            BooleanFormat.Store(ref destination, As<bool>(ref value));
        }
        else if (typeof(T) == typeof(decimal))
        {
            DecimalFormat.Store(ref destination, As<decimal>(ref value));
        }
        else if (typeof(T) == typeof(DateTime))
        {
            DateTimeFormat.Store(ref destination, As<DateTime>(ref value));
        }
        else if (typeof(T) == typeof(DateTimeOffset))
        {
            DateTimeOffsetFormat.Store(ref destination, As<DateTimeOffset>(ref value));
        }
        else if (typeof(T) == typeof(DateOnly))
        {
            DateOnlyFormat.Store(ref destination, As<DateOnly>(ref value));
        }
        else if (typeof(T) == typeof(TimeOnly))
        {
            TimeOnlyFormat.Store(ref destination, As<TimeOnly>(ref value));
        }
        else if (typeof(T) == typeof(Guid))
        {
            GuidFormat.Store(ref destination, As<Guid>(ref value));
        }
        else if (typeof(T) == typeof(Rune))
        {
            RuneFormat.Store(ref destination, As<Rune>(ref value));
        }
        else if (typeof(T) == typeof(Complex))
        {
            ComplexFormat.Store(ref destination, As<Complex>(ref value));
        }
        else if (typeof(T) == typeof(nint))
        {
            NativeIntegerFormat<nint, long>.Store(ref destination, As<nint>(ref value));
        }
        else if (typeof(T) == typeof(nuint))
        {
            NativeIntegerFormat<nuint, ulong>.Store(ref destination, As<nuint>(ref value));
        }
        else
        {
            RawFormat<T>.Store(ref destination, value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Load(ref byte source) =>
        typeof(T) == typeof(bool) ? From(BooleanFormat.Load(ref source))
        : typeof(T) == typeof(decimal) ? From(DecimalFormat.Load(ref source))
        : typeof(T) == typeof(DateTime) ? From(DateTimeFormat.Load(ref source))
        : typeof(T) == typeof(DateTimeOffset) ? From(DateTimeOffsetFormat.Load(ref source))
        : typeof(T) == typeof(DateOnly) ? From(DateOnlyFormat.Load(ref source))
        : typeof(T) == typeof(TimeOnly) ? From(TimeOnlyFormat.Load(ref source))
        : typeof(T) == typeof(Guid) ? From(GuidFormat.Load(ref source))
        : typeof(T) == typeof(Rune) ? From(RuneFormat.Load(ref source))
        : typeof(T) == typeof(Complex) ? From(ComplexFormat.Load(ref source))
        : typeof(T) == typeof(nint) ? From(NativeIntegerFormat<nint, long>.Load(ref source))
        : typeof(T) == typeof(nuint) ? From(NativeIntegerFormat<nuint, ulong>.Load(ref source))
        : RawFormat<T>.Load(ref source);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TValue As<TValue>(ref T value)
        where TValue : unmanaged => Unsafe.As<T, TValue>(ref value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T From<TValue>(TValue value)
        where TValue : unmanaged => Unsafe.As<TValue, T>(ref value);
}
