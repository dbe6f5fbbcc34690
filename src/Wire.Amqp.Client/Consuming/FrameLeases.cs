using System.Runtime.CompilerServices;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Frames;
using Wire.Transport.Segments;

namespace Wire.Amqp.Client.Consuming;

/// <summary>Leases of frames of AMQP.</summary>
internal static class FrameLeases
{
    /// <summary>Leases the segments of a frame that has been read and not consumed.</summary>
    /// <exception cref="InvalidOperationException">The frame is not among the unread bytes.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Add(this Lease lease, ReceiveBuffer buffer, in Frame frame) =>
        lease.Add(buffer, frame.Offset, frame.Offset + frame.PayloadLength + FrameLayout.Overhead, frame.PayloadLength);
}
