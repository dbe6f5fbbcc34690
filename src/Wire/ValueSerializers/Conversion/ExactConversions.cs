using System.Numerics;

namespace Wire.ValueSerializers.Conversion;

/// <summary>A conversion from one number type to another, of the values that both hold.</summary>
internal interface IExactConversion<TFrom, TTo>
{
    /// <summary>Converts a value; false when the other type does not hold it.</summary>
    static abstract bool TryConvert(TFrom value, out TTo converted);
}

/// <summary>An integer as another one.</summary>
internal readonly struct IntegerToInteger<TFrom, TTo> : IExactConversion<TFrom, TTo>
    where TFrom : IBinaryInteger<TFrom>
    where TTo : IBinaryInteger<TTo>
{
    public static bool TryConvert(TFrom value, out TTo converted)
    {
        converted = TTo.CreateTruncating(value);
        return TFrom.CreateTruncating(converted) == value && TFrom.IsNegative(value) == TTo.IsNegative(converted);
    }
}

/// <summary>An integer as a float, without rounding.</summary>
internal readonly struct IntegerToFloat<TFrom, TTo> : IExactConversion<TFrom, TTo>
    where TFrom : IBinaryInteger<TFrom>
    where TTo : IBinaryFloatingPointIeee754<TTo>
{
    public static bool TryConvert(TFrom value, out TTo converted)
    {
        converted = TTo.CreateSaturating(value);
        return ExactNumbers.IsHeld<TFrom, TTo>(value);
    }
}

/// <summary>A float without a fraction as an integer. The negative zero, which no integer has, is zero.</summary>
internal readonly struct FloatToInteger<TFrom, TTo> : IExactConversion<TFrom, TTo>
    where TFrom : IBinaryFloatingPointIeee754<TFrom>
    where TTo : IBinaryInteger<TTo>
{
    // A value beyond the range becomes the integer at its end, which the float may not hold and so would be rounded back to the value.
    public static bool TryConvert(TFrom value, out TTo converted)
    {
        converted = TTo.CreateSaturating(value);
        return TFrom.IsInteger(value)
            && ExactNumbers.IsHeld<TTo, TFrom>(converted)
            && TFrom.CreateSaturating(converted) == value;
    }
}

/// <summary>A float as another one; what is no number, and what is infinite, is that in all of them.</summary>
internal readonly struct FloatToFloat<TFrom, TTo> : IExactConversion<TFrom, TTo>
    where TFrom : IBinaryFloatingPointIeee754<TFrom>
    where TTo : IBinaryFloatingPointIeee754<TTo>
{
    public static bool TryConvert(TFrom value, out TTo converted)
    {
        converted = TTo.CreateSaturating(value);
        return TFrom.CreateSaturating(converted).Equals(value);
    }
}

/// <summary>An integer of up to 96 bits as a decimal.</summary>
internal readonly struct IntegerToDecimal<TFrom> : IExactConversion<TFrom, decimal>
    where TFrom : IBinaryInteger<TFrom>
{
    private const int DecimalBits = 96;

    public static bool TryConvert(TFrom value, out decimal converted)
    {
        bool fits = ExactNumbers.BitsOf(ExactNumbers.MagnitudeOf(value)) <= DecimalBits;
        converted = fits ? decimal.CreateSaturating(value) : 0;
        return fits;
    }
}

/// <summary>A decimal without a fraction, whatever its scale, as an integer. The negative zero is zero.</summary>
internal readonly struct DecimalToInteger<TTo> : IExactConversion<decimal, TTo>
    where TTo : IBinaryInteger<TTo>
{
    // All integers that a decimal is converted to are decimals.
    public static bool TryConvert(decimal value, out TTo converted)
    {
        converted = TTo.CreateSaturating(value);
        return decimal.IsInteger(value) && decimal.CreateSaturating(converted) == value;
    }
}

/// <summary>The bits of numbers.</summary>
internal static class ExactNumbers
{
    /// <summary>Returns whether a float type has an integer's value.</summary>
    public static bool IsHeld<TInteger, TFloat>(TInteger value)
        where TInteger : IBinaryInteger<TInteger>
    {
        UInt128 magnitude = MagnitudeOf(value);
        if (magnitude == UInt128.Zero)
        {
            return true;
        }

        (int significand, int most) = typeof(TFloat) == typeof(Half) ? (11, 16)
            : typeof(TFloat) == typeof(float) ? (24, 128)
            : (53, 1024);
        int bits = BitsOf(magnitude);
        return bits <= most && bits - (int)UInt128.TrailingZeroCount(magnitude) <= significand;
    }

    /// <summary>Returns an integer without its sign.</summary>
    public static UInt128 MagnitudeOf<TInteger>(TInteger value)
        where TInteger : IBinaryInteger<TInteger>
    {
        var bits = UInt128.CreateTruncating(value);
        return TInteger.IsNegative(value) ? unchecked(UInt128.Zero - bits) : bits;
    }

    /// <summary>Counts the bits up to the highest one that is set.</summary>
    public static int BitsOf(UInt128 value) => 128 - (int)UInt128.LeadingZeroCount(value);
}
