using System.Buffers.Binary;
using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>The CRC-32 that zlib has, as fast as the processor allows.</summary>
/// <remarks>
/// Bits are numbered from the least significant one on, as on the wire of Ethernet: the polynomial 0x04C11DB7 is 0xEDB88320 so. The state
/// begins with all ones, and is inverted at the end.
/// </remarks>
internal static class Crc32
{
    /// <summary>Computes the checksum of bytes.</summary>
    public static uint Compute(ReadOnlySpan<byte> bytes)
    {
        const uint Initial = uint.MaxValue;
        if (Crc32Folding.IsSupported)
        {
            return ~Crc32Folding.Update(Initial, bytes);
        }

        return ArmCrc32.Arm64.IsSupported ? ~UpdateOnArm(Initial, bytes) : ~Crc32Tables.Update(Initial, bytes);
    }

    /// <summary>Takes bytes into the state, by the instructions that ARM processors have for it.</summary>
    internal static uint UpdateOnArm(uint crc, ReadOnlySpan<byte> bytes)
    {
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
        {
            crc = ArmCrc32.Arm64.ComputeCrc32(crc, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
        }

        foreach (byte one in bytes)
        {
            crc = ArmCrc32.ComputeCrc32(crc, one);
        }

        return crc;
    }
}
