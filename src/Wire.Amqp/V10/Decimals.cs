using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// A decimal number of 32 bits, IEEE 754-2008 decimal32 in binary integer encoding, 7 digits (part 1 section 1.6.13): its bits, to be
/// carried and converted, not to be calculated with. Two are equal when their bits are: 1.0 and 1.00 are not.
/// </summary>
/// <param name="Bits">The bits.</param>
public readonly record struct Decimal32(uint Bits)
{
    /// <summary>The number as a <see cref="decimal"/>.</summary>
    /// <exception cref="OverflowException">It is infinite, not a number, or needs more digits than a <see cref="decimal"/> has.</exception>
    public static explicit operator decimal(Decimal32 value) =>
        value.TryToDecimal(out decimal result)
            ? result
            : throw new OverflowException($"The decimal32 0x{value.Bits:x} has no equal System.Decimal.");

    /// <summary>The number that equals a <see cref="decimal"/>.</summary>
    /// <exception cref="OverflowException">It has more than 7 digits.</exception>
    public static explicit operator Decimal32(decimal value) =>
        TryFromDecimal(value, out Decimal32 result)
            ? result
            : throw new OverflowException($"{value} has more than the 7 digits of a decimal32.");

    /// <summary>The number that equals a <see cref="decimal"/>; false when that has more than 7 digits.</summary>
    public static bool TryFromDecimal(decimal value, out Decimal32 result)
    {
        bool fits = BinaryDecimal.Decimal32.TryFromDecimal(value, out UInt128 bits);
        result = fits ? new Decimal32((uint)bits) : default;
        return fits;
    }

    /// <summary>
    /// The number as a <see cref="decimal"/>; false when it is infinite, not a number, or needs more digits than a <see cref="decimal"/>
    /// has.
    /// </summary>
    public bool TryToDecimal(out decimal value) => BinaryDecimal.Decimal32.TryToDecimal(Bits, out value);

    /// <summary>The number where a <see cref="decimal"/> is equal, otherwise its bits.</summary>
    public override string ToString() =>
        TryToDecimal(out decimal value) ? value.ToString(System.Globalization.CultureInfo.InvariantCulture) : $"0x{Bits:x8}";
}

/// <summary>
/// A decimal number of 64 bits, IEEE 754-2008 decimal64 in binary integer encoding, 16 digits (part 1 section 1.6.14): its bits, to be
/// carried and converted, not to be calculated with. Two are equal when their bits are: 1.0 and 1.00 are not.
/// </summary>
/// <param name="Bits">The bits.</param>
public readonly record struct Decimal64(ulong Bits)
{
    /// <summary>The number as a <see cref="decimal"/>.</summary>
    /// <exception cref="OverflowException">It is infinite, not a number, or needs more digits than a <see cref="decimal"/> has.</exception>
    public static explicit operator decimal(Decimal64 value) =>
        value.TryToDecimal(out decimal result)
            ? result
            : throw new OverflowException($"The decimal64 0x{value.Bits:x} has no equal System.Decimal.");

    /// <summary>The number that equals a <see cref="decimal"/>.</summary>
    /// <exception cref="OverflowException">It has more than 16 digits.</exception>
    public static explicit operator Decimal64(decimal value) =>
        TryFromDecimal(value, out Decimal64 result)
            ? result
            : throw new OverflowException($"{value} has more than the 16 digits of a decimal64.");

    /// <summary>The number that equals a <see cref="decimal"/>; false when that has more than 16 digits.</summary>
    public static bool TryFromDecimal(decimal value, out Decimal64 result)
    {
        bool fits = BinaryDecimal.Decimal64.TryFromDecimal(value, out UInt128 bits);
        result = fits ? new Decimal64((ulong)bits) : default;
        return fits;
    }

    /// <summary>
    /// The number as a <see cref="decimal"/>; false when it is infinite, not a number, or needs more digits than a <see cref="decimal"/>
    /// has.
    /// </summary>
    public bool TryToDecimal(out decimal value) => BinaryDecimal.Decimal64.TryToDecimal(Bits, out value);

    /// <summary>The number where a <see cref="decimal"/> is equal, otherwise its bits.</summary>
    public override string ToString() =>
        TryToDecimal(out decimal value) ? value.ToString(System.Globalization.CultureInfo.InvariantCulture) : $"0x{Bits:x16}";
}

/// <summary>
/// A decimal number of 128 bits, IEEE 754-2008 decimal128 in binary integer encoding, 34 digits (part 1 section 1.6.15): its bits, to be
/// carried and converted, not to be calculated with. Two are equal when their bits are: 1.0 and 1.00 are not.
/// </summary>
/// <param name="Bits">The bits.</param>
public readonly record struct Decimal128(UInt128 Bits)
{
    /// <summary>The number as a <see cref="decimal"/>.</summary>
    /// <exception cref="OverflowException">It is infinite, not a number, or needs more digits than a <see cref="decimal"/> has.</exception>
    public static explicit operator decimal(Decimal128 value) =>
        value.TryToDecimal(out decimal result)
            ? result
            : throw new OverflowException($"The decimal128 0x{value.Bits:x} has no equal System.Decimal.");

    /// <summary>The number that equals a <see cref="decimal"/>, all of which fit.</summary>
    public static implicit operator Decimal128(decimal value)
    {
        BinaryDecimal.Decimal128.TryFromDecimal(value, out UInt128 bits);
        return new Decimal128(bits);
    }

    /// <summary>
    /// The number as a <see cref="decimal"/>; false when it is infinite, not a number, or needs more digits than a <see cref="decimal"/>
    /// has.
    /// </summary>
    public bool TryToDecimal(out decimal value) => BinaryDecimal.Decimal128.TryToDecimal(Bits, out value);

    /// <summary>The number where a <see cref="decimal"/> is equal, otherwise its bits.</summary>
    public override string ToString() =>
        TryToDecimal(out decimal value) ? value.ToString(System.Globalization.CultureInfo.InvariantCulture) : $"0x{Bits:x32}";
}
