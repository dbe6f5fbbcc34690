using System.Buffers.Binary;
using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>CRC-32 by the instructions that ARM processors have for it.</summary>
internal static class Crc32Arm
{
    /// <summary>Takes bytes into the state.</summary>
    public static uint Update(uint crc, ReadOnlySpan<byte> bytes)
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
