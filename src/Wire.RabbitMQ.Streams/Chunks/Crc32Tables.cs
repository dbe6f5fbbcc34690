using System.Buffers.Binary;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>CRC-32 by tables, eight bytes at once, for processors that have nothing for it and for a few bytes.</summary>
internal static class Crc32Tables
{
    private const uint Polynomial = 0xEDB88320;
    private const int Slices = sizeof(ulong);
    private const int Values = 1 << 8;

    // Slice n has what a byte makes of the state when n more bytes, of zeros, follow it. What several bytes make of it is the sum of these.
    private static readonly uint[] Table = MakeTable();

    /// <summary>Takes bytes into the state.</summary>
    public static uint Update(uint crc, ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<uint> table = Table;
        for (; bytes.Length >= Slices; bytes = bytes[Slices..])
        {
            ulong next = BinaryPrimitives.ReadUInt64LittleEndian(bytes) ^ crc;
            crc = 0;
            for (int slice = Slices - 1; slice >= 0; slice--)
            {
                crc ^= table[(slice * Values) + (byte)next];
                next >>= 8;
            }
        }

        foreach (byte one in bytes)
        {
            crc = table[(byte)(crc ^ one)] ^ (crc >> 8);
        }

        return crc;
    }

    private static uint[] MakeTable()
    {
        uint[] table = new uint[Slices * Values];
        for (uint value = 0; value < Values; value++)
        {
            uint crc = value;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 1) != 0 ? (crc >> 1) ^ Polynomial : crc >> 1;
            }

            table[value] = crc;
        }

        for (int i = Values; i < table.Length; i++)
        {
            uint before = table[i - Values];
            table[i] = table[(byte)before] ^ (before >> 8);
        }

        return table;
    }
}
