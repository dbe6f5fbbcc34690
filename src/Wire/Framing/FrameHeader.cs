using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;

namespace Wire.Framing;

/// <summary>The length in front of each payload in a framed stream: four bytes, little-endian (docs/format.md, clause 11).</summary>
internal static class FrameHeader
{
    public const int Size = sizeof(int);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(ref byte destination, int length) => LittleEndian.Store(ref destination, length);

    /// <summary>Refuses to write what no reader with these limits would take.</summary>
    /// <exception cref="ArgumentException">The payload is larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public static void Check(int length, int maxBytes)
    {
        if (length > maxBytes)
        {
            throw new ArgumentException($"The value takes {length} bytes, more than Limits.MaxFrameBytes = {maxBytes}.");
        }
    }

    /// <summary>Reads the length of a payload.</summary>
    /// <exception cref="WireFormatException">It is larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public static int Read(ReadOnlySpan<byte> header, int maxBytes)
    {
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(header);
        if (length > (uint)maxBytes)
        {
            // A payload without a frame begins with a byte that makes a length of many millions of the four.
            string payload = PayloadHeader.IsKnown(header[0])
                ? " If the input is a payload without a length in front, read it with Deserialize."
                : "";
            ThrowHelper.Limit("MaxFrameBytes", maxBytes, $"A frame of {length} bytes", payload);
        }

        return (int)length;
    }
}
