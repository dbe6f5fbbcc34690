namespace Wire.Testing;

/// <summary>The CRC-32C (RFC 3720, appendix B.4), bit by bit, without the code that is tested.</summary>
public static class Crc32C
{
    private const uint Polynomial = 0x82F63B78;

    /// <summary>The check behind a definition in a session (docs/format.md, clause 10).</summary>
    /// <param name="identifier">The identifier of the manifest.</param>
    /// <param name="manifest">The manifest.</param>
    public static uint OfDefinition(uint identifier, ReadOnlySpan<byte> manifest) =>
        ~Add(Add(uint.MaxValue, BitConverter.GetBytes(identifier)), manifest);

    private static uint Add(uint crc, ReadOnlySpan<byte> bytes)
    {
        foreach (byte next in bytes)
        {
            crc ^= next;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 1) != 0 ? (crc >> 1) ^ Polynomial : crc >> 1;
            }
        }

        return crc;
    }
}
