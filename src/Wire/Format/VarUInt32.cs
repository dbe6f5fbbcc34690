namespace Wire.Format;

/// <summary>An integer of variable length (docs/format.md, clause 4.3) in memory that is all there.</summary>
internal static class VarUInt32
{
    private const int MostBytes = 5;

    /// <summary>Reads one; false where the bytes are too few, or no such integer.</summary>
    /// <param name="bytes">The bytes, from its first on.</param>
    /// <param name="value">Its value.</param>
    /// <param name="length">How many bytes it takes.</param>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out uint value, out int length)
    {
        value = 0;
        for (length = 0; length < bytes.Length && length < MostBytes;)
        {
            byte part = bytes[length];
            if (length == MostBytes - 1 && part > 0x0F)
            {
                return false;
            }

            value |= (part & 0x7Fu) << (7 * length++);
            if (part < 0x80)
            {
                return true;
            }
        }

        return false;
    }
}
