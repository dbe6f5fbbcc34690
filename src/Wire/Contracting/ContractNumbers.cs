using System.Diagnostics.CodeAnalysis;
using Wire.Format;
using Wire.Runtime;

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

    /// <summary>Returns whether a tag is that of an integer type.</summary>
    public static bool IsInteger(byte tag) => tag is >= Tag.SByte and <= Tag.UIntPtr;

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
    private static (bool IsInteger, bool IsSigned, int Bits) Describe(byte tag) => tag switch
    {
        Tag.SByte => (true, true, 7),
        Tag.Byte => (true, false, 8),
        Tag.Int16 => (true, true, 15),
        Tag.UInt16 => (true, false, 16),
        Tag.Int32 => (true, true, 31),
        Tag.UInt32 => (true, false, 32),
        Tag.Int64 => (true, true, 63),
        Tag.UInt64 => (true, false, 64),
        // Eight bytes on every platform, and as many bits as it has.
        Tag.IntPtr => (true, true, 63),
        Tag.UIntPtr => (true, false, 64),
        Tag.Int128 => (true, true, 127),
        Tag.UInt128 => (true, false, 128),
        Tag.Half => (false, true, 11),
        Tag.Single => (false, true, 24),
        Tag.Double => (false, true, 53),
        _ => (false, true, int.MaxValue),
    };
}
