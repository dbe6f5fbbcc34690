using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;

namespace Wire.Format;

/// <summary>
/// The largest values, as constants: code that is emitted before .NET's static fields are initialized would check their initialization for
/// ever.
/// </summary>
internal static class DateLimits
{
    /// <summary>The ticks of <see cref="DateTime.MaxValue"/>.</summary>
    public const ulong MaxDateTicks = ((MaxDayNumber + 1) * (ulong)TimeSpan.TicksPerDay) - 1;

    /// <summary>The ticks of <see cref="TimeOnly.MaxValue"/>.</summary>
    public const ulong MaxTimeTicks = TimeSpan.TicksPerDay - 1;

    /// <summary>The day number of <see cref="DateOnly.MaxValue"/>.</summary>
    public const uint MaxDayNumber = 3_652_058;
}

/// <summary>
/// A DateTime: its 64 bits, ticks in the low 62, kind in the high two. Neither is converted. The kind is .NET's internal one, with more
/// information than <see cref="DateTime.Kind"/>: 3 means local, in the first of the two passes through an hour when clocks are set back.
/// </summary>
internal readonly struct DateTimeFormat : IFixedFormat<DateTime>
{
    private const ulong TicksMask = (1UL << 62) - 1;

    public static int Size => 8;

    // Not every pattern is a value: the largest tick is smaller than the field allows.
    public static bool IsRaw => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(ref byte destination, DateTime value) =>
        LittleEndian.Store(ref destination, Unsafe.BitCast<DateTime, ulong>(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTime Load(ref byte source)
    {
        ulong bits = LittleEndian.Load<ulong>(ref source);
        if ((bits & TicksMask) > DateLimits.MaxDateTicks)
        {
            Refuse(bits);
        }

        return Unsafe.BitCast<ulong, DateTime>(bits);
    }

    [DoesNotReturn]
    private static void Refuse(ulong bits) => throw ThrowHelper.NotValid("DateTime", $"0x{bits:X16} has ticks out of range");
}

/// <summary>A DateTimeOffset: the local clock's ticks in eight bytes, the offset in minutes in two.</summary>
internal readonly struct DateTimeOffsetFormat : IFixedFormat<DateTimeOffset>
{
    private const int MaxOffsetMinutes = 14 * 60;

    public static int Size => 10;

    public static bool IsRaw => false;

    public static void Store(ref byte destination, DateTimeOffset value)
    {
        LittleEndian.Store(ref destination, value.Ticks);
        LittleEndian.Store(ref Unsafe.Add(ref destination, 8), (short)value.TotalOffsetMinutes);
    }

    public static DateTimeOffset Load(ref byte source)
    {
        long ticks = LittleEndian.Load<long>(ref source);
        short minutes = LittleEndian.Load<short>(ref Unsafe.Add(ref source, 8));
        if ((ulong)ticks > DateLimits.MaxDateTicks
            || Math.Abs((int)minutes) > MaxOffsetMinutes
            || (ulong)(ticks - (minutes * TimeSpan.TicksPerMinute)) > DateLimits.MaxDateTicks)
        {
            Refuse(ticks, minutes);
        }

        return new DateTimeOffset(ticks, TimeSpan.FromMinutes(minutes));
    }

    [DoesNotReturn]
    private static void Refuse(long ticks, int minutes) =>
        throw ThrowHelper.NotValid("DateTimeOffset", $"{ticks} ticks at {minutes} minutes from UTC are out of range");
}

/// <summary>A DateOnly: the day number, in four bytes.</summary>
internal readonly struct DateOnlyFormat : IFixedFormat<DateOnly>
{
    public static int Size => 4;

    public static bool IsRaw => false;

    public static void Store(ref byte destination, DateOnly value) => LittleEndian.Store(ref destination, value.DayNumber);

    public static DateOnly Load(ref byte source)
    {
        int day = LittleEndian.Load<int>(ref source);
        if ((uint)day > DateLimits.MaxDayNumber)
        {
            Refuse(day);
        }

        return DateOnly.FromDayNumber(day);
    }

    [DoesNotReturn]
    private static void Refuse(int day) => throw ThrowHelper.NotValid("DateOnly", $"{day} is not a day number");
}

/// <summary>A TimeOnly: its ticks, in eight bytes.</summary>
internal readonly struct TimeOnlyFormat : IFixedFormat<TimeOnly>
{
    public static int Size => 8;

    public static bool IsRaw => false;

    public static void Store(ref byte destination, TimeOnly value) => LittleEndian.Store(ref destination, value.Ticks);

    public static TimeOnly Load(ref byte source)
    {
        long ticks = LittleEndian.Load<long>(ref source);
        if ((ulong)ticks > DateLimits.MaxTimeTicks)
        {
            Refuse(ticks);
        }

        return new TimeOnly(ticks);
    }

    [DoesNotReturn]
    private static void Refuse(long ticks) => throw ThrowHelper.NotValid("TimeOnly", $"{ticks} ticks are not a time of day");
}
