using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>The CRC-32 that zlib has, as fast as the processor allows.</summary>
/// <remarks>
/// Bits are numbered from the least significant one on, as on the wire of Ethernet: the polynomial 0x04C11DB7 is 0xEDB88320 so. The state begins with all
/// ones, and is inverted at the end.
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

        return ArmCrc32.Arm64.IsSupported ? ~Crc32Arm.Update(Initial, bytes) : ~Crc32Tables.Update(Initial, bytes);
    }
}
