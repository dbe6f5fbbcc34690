using System.Numerics;

namespace Wire.Amqp.V10.Values;

/// <summary>
/// The decimal numbers of IEEE 754-2008 in binary integer encoding: a sign, an exponent of ten with a bias, and an integer coefficient. One
/// description for all three widths.
/// </summary>
/// <param name="Width">All bits.</param>
/// <param name="ExponentBits">How many of them are the exponent.</param>
/// <param name="Bias">What is taken off the exponent.</param>
/// <param name="Digits">How many decimal digits the coefficient may have.</param>
internal readonly record struct BinaryDecimal(int Width, int ExponentBits, int Bias, int Digits)
{
    public static readonly BinaryDecimal Decimal32 = new(32, 8, 101, 7);
    public static readonly BinaryDecimal Decimal64 = new(64, 10, 398, 16);
    public static readonly BinaryDecimal Decimal128 = new(128, 14, 6176, 34);

    private const int MaxScale = 28;
    private static readonly UInt128 MaxCoefficientOfDecimal = (UInt128.One << 96) - 1;
    private readonly UInt128 _limit = Power(Digits);

    // The position of the exponent in the ordinary form; the form for large coefficients has it two bits lower, after two set bits.
    private int ExponentShift => Width - 1 - ExponentBits;

    /// <summary>The number as a <see cref="decimal"/>, when it has one that is equal.</summary>
    public bool TryToDecimal(UInt128 bits, out decimal value)
    {
        value = 0;
        int leading = (int)(bits >> (Width - 5)) & 0xf;
        if (leading == 0xf)
        {
            return false; // An infinity, or not a number.
        }

        bool large = leading >= 0xc;
        int shift = ExponentShift - (large ? 2 : 0);
        int exponent = (int)((bits >> shift) & (uint)((1 << ExponentBits) - 1)) - Bias;
        UInt128 coefficient = (bits & ((UInt128.One << shift) - 1)) | (large ? (UInt128)0b100 << shift : 0);
        if (coefficient >= _limit)
        {
            coefficient = 0; // As the standard has it for coefficients with more digits than there may be.
        }

        if (coefficient == 0)
        {
            exponent = Math.Clamp(exponent, -MaxScale, 0);
        }

        while ((exponent < -MaxScale || coefficient > MaxCoefficientOfDecimal) && coefficient % 10 == 0)
        {
            coefficient /= 10;
            exponent++;
        }

        for (; exponent > 0 && coefficient <= MaxCoefficientOfDecimal; exponent--)
        {
            coefficient *= 10;
        }

        if (exponent is < -MaxScale or > 0 || coefficient > MaxCoefficientOfDecimal)
        {
            return false;
        }

        bool negative = (bits >> (Width - 1)) != 0;
        value =
            new decimal((int)(uint)coefficient, (int)(uint)(coefficient >> 32), (int)(uint)(coefficient >> 64), negative, (byte)-exponent);
        return true;
    }

    /// <summary>
    /// The bits of a <see cref="decimal"/>, trailing zeros included as far as they fit; false when it has more digits than the width.
    /// </summary>
    public bool TryFromDecimal(decimal value, out UInt128 bits)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        UInt128 coefficient = ((UInt128)(uint)parts[2] << 64) | ((UInt128)(uint)parts[1] << 32) | (uint)parts[0];
        int exponent = -((parts[3] >> 16) & 0xff);
        while (coefficient >= _limit && coefficient % 10 == 0)
        {
            coefficient /= 10;
            exponent++;
        }

        UInt128 sign = parts[3] < 0 ? UInt128.One << (Width - 1) : 0;
        var biased = (UInt128)(uint)(exponent + Bias);
        bits = (coefficient >> ExponentShift) == 0
            ? sign | (biased << ExponentShift) | coefficient
            : sign
                | ((UInt128)0b11 << (Width - 3))
                | (biased << (ExponentShift - 2))
                | (coefficient & ((UInt128.One << (ExponentShift - 2)) - 1));
        return coefficient < _limit;
    }

    private static UInt128 Power(int digits) => (UInt128)BigInteger.Pow(10, digits);
}
