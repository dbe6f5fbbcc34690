namespace Wire.Amqp.V10;

/// <summary>
/// A decimal number of 128 bits, IEEE 754-2008 decimal128 in binary integer encoding, 34 digits (part 1 section 1.6.15): its bits, to be carried and
/// converted, not to be calculated with. Two are equal when their bits are: 1.0 and 1.00 are not.
/// </summary>
/// <param name="Bits">The bits.</param>
public readonly record struct Decimal128(UInt128 Bits)
{
    /// <summary>The number as a <see cref="decimal"/>.</summary>
    /// <exception cref="OverflowException">It is infinite, not a number, or needs more digits than a <see cref="decimal"/> has.</exception>
    public static explicit operator decimal(Decimal128 value) =>
        value.TryToDecimal(out decimal result) ? result : throw new OverflowException($"The decimal128 0x{value.Bits:x} has no equal System.Decimal.");

    /// <summary>The number that equals a <see cref="decimal"/>, all of which fit.</summary>
    public static implicit operator Decimal128(decimal value)
    {
        BinaryDecimal.Decimal128.TryFromDecimal(value, out UInt128 bits);
        return new Decimal128(bits);
    }

    /// <summary>The number as a <see cref="decimal"/>; false when it is infinite, not a number, or needs more digits than a <see cref="decimal"/> has.</summary>
    public bool TryToDecimal(out decimal value) => BinaryDecimal.Decimal128.TryToDecimal(Bits, out value);

    /// <summary>The number where a <see cref="decimal"/> is equal, otherwise its bits.</summary>
    public override string ToString() =>
        TryToDecimal(out decimal value) ? value.ToString(System.Globalization.CultureInfo.InvariantCulture) : $"0x{Bits:x32}";
}
