using System.Diagnostics.CodeAnalysis;
using Wire.Format;
using Wire.Runtime;
using Wire.ValueSerializers.Conversion;

namespace Wire.Contracting;

/// <summary>Judges numbers that are read as others.</summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal static class ContractNumbers
{
    private static readonly Serializer Any = new();

    /// <summary>Judges the values of a built-in value type, or string, that are read as another.</summary>
    public static Finding Judge(byte written, byte own, string writtenWords, string ownWords)
    {
        if (written == own)
        {
            return Finding.Reads;
        }

        // The value serializers themselves say whether there is a conversion.
        return !ContractMachine.Converts(Any.Registry, Shape.BuiltIn(written), TagTypes.TypeOf(own))
                ? Finding.Refuses($"{writtenWords} is not read as {ownWords}.")
            : Holds(own, written) ? Finding.Reads
            : Finding.RefusesSome($"a {writtenWords} that {ownWords} does not hold exactly is refused.");
    }

    // Returns whether each number of a type is one of another.
    private static bool Holds(byte own, byte written)
    {
        (bool isInteger, bool isSigned, int bits) = Describe(written);
        if (own == Tag.Decimal)
        {
            return isInteger && bits <= 64;
        }

        (bool toInteger, bool toSigned, int toBits) = Describe(own);
        return (isInteger || !toInteger) && (!isSigned || toSigned) && bits <= toBits;
    }

    // Bits: for an integer the value bits without the sign, for a float those of the significand.
    private static (bool IsInteger, bool IsSigned, int Bits) Describe(byte tag)
    {
        if (!NumberConversion.IsInteger(tag))
        {
            return (false, true, tag switch { Tag.Half => 11, Tag.Single => 24, Tag.Double => 53, _ => int.MaxValue });
        }

        bool isSigned = tag is Tag.SByte or Tag.Int16 or Tag.Int32 or Tag.Int64 or Tag.Int128 or Tag.IntPtr;
        return (true, isSigned, (8 * TagTypes.FixedSizeOf(tag)) - (isSigned ? 1 : 0));
    }
}
