namespace Wire.Format;

/// <summary>A name of an enum.</summary>
/// <param name="Name">The name.</param>
/// <param name="Bits">Its value, as an unsigned number of the size of the enum's integer.</param>
internal readonly record struct EnumMember(string Name, ulong Bits)
{
    /// <summary>Returns whether an enum with names can be made of the integer with a tag.</summary>
    public static bool IsInteger(byte tag) =>
        tag is Tag.SByte or Tag.Byte or Tag.Int16 or Tag.UInt16 or Tag.Int32 or Tag.UInt32 or Tag.Int64 or Tag.UInt64;

    /// <summary>Gets the largest unsigned number of the size of an integer.</summary>
    public static ulong MaxBits(byte integer) => ulong.MaxValue >> (64 - (8 * TagTypes.FixedSizeOf(integer)));

    /// <summary>Gets the value as the number that it is.</summary>
    /// <param name="integer">The tag of the enum's integer.</param>
    public Int128 ValueOf(byte integer) => ValueOf(Bits, integer);

    /// <summary>Gets the bits of an integer of up to eight bytes.</summary>
    public static ulong BitsOf(ReadOnlySpan<byte> bytes)
    {
        ulong bits = 0;
        for (int i = bytes.Length - 1; i >= 0; i--)
        {
            bits = (bits << 8) | bytes[i];
        }

        return bits;
    }

    /// <summary>Gets the number that the bits of an integer are.</summary>
    public static Int128 ValueOf(ulong bits, byte integer) => integer switch
    {
        Tag.SByte => (sbyte)bits,
        Tag.Int16 => (short)bits,
        Tag.Int32 => (int)bits,
        Tag.Int64 => (long)bits,
        _ => bits,
    };
}
