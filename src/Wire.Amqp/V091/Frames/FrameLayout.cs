using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Amqp.V091.Frames;

/// <summary>The layout of a frame (AMQP 0-9-1 sections 4.2.3 and 4.2.6).</summary>
/// <remarks>
/// <code>
/// 0      1         3             7                 7 + size
/// +------+---------+-------------+-----------------+-------+
/// | type | channel | size        | payload         | 0xCE  |
/// +------+---------+-------------+-----------------+-------+
///  octet  short     long          size octets       octet
///
/// The payload of a method:          | class | method | arguments                              |
/// The payload of a content header:  | class | weight | body size | flags | properties         |
///                                   0       2        4           12
/// </code>
/// </remarks>
internal static class FrameLayout
{
    /// <summary>The number of bytes that stand before the payload.</summary>
    public const int Header = 7;

    /// <summary>The number of bytes of a frame that are not payload.</summary>
    public const int Overhead = Header + 1;

    /// <summary>The octet that ends every frame.</summary>
    public const byte End = 0xCE;

    /// <summary>The position of the payload's size in a frame.</summary>
    public const int SizeAt = 3;

    /// <summary>The position of the body's size in the frame of a content header: it can be filled in later.</summary>
    public const int BodySizeAt = Header + 4;

    /// <summary>Returns the number of bytes of a body that fit one frame.</summary>
    /// <param name="frameMax">The largest frame that both sides agreed on, whole frames counted; 0 for no limit.</param>
    /// <exception cref="ArgumentOutOfRangeException">No byte would fit.</exception>
    public static int MaxPayload(int frameMax)
    {
        if (frameMax == 0)
        {
            return Array.MaxLength - Overhead;
        }

        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(frameMax, Overhead);
        return frameMax - Overhead;
    }

    /// <summary>Returns the size of a frame that cannot be split, after checking it against the agreed limit.</summary>
    /// <exception cref="ArgumentException">It is larger: the other side would close the connection over it.</exception>
    public static int Checked(int size, int frameMax, string what) => frameMax == 0 || size <= frameMax
        ? size
        : throw new ArgumentException(
            $"The frame of {what} takes {size} bytes where frame-max allows {frameMax}: shorten its texts and tables, or agree on larger " +
            "frames.");

    /// <summary>Writes what stands before the payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteHeader(this ref PayloadWriter writer, FrameType type, ushort channel, int payload)
    {
        // One check of the room for all of it.
        ref byte start = ref MemoryMarshal.GetReference(writer.Reserve(Header));
        start = (byte)type;
        NetworkOrder.Store(ref Unsafe.Add(ref start, 1), channel);
        NetworkOrder.Store(ref Unsafe.Add(ref start, SizeAt), payload);
    }
}
