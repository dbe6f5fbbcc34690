using System.Buffers.Binary;
using Wire.Amqp;

namespace Wire.Benchmarks;

/// <summary>The frames before a body, by hand, with the properties that all messages of the direct lane's tables have.</summary>
internal static class HandMessage
{
    // Content type, delivery mode and type.
    private const ushort Flags = 0b1001_0000_0010_0000;

    /// <summary>Writes the frames of method and content header.</summary>
    /// <returns>How long they are.</returns>
    public static int WriteHead(Span<byte> frames, string routingKey, long bodySize)
    {
        int written = HandFrames.WriteMethod(frames, "", routingKey);
        Span<byte> header = frames[written..];
        BinaryPrimitives.WriteUInt16BigEndian(header[7..], HandFrames.Basic);
        BinaryPrimitives.WriteUInt16BigEndian(header[9..], 0);
        BinaryPrimitives.WriteInt64BigEndian(header[11..], bodySize);
        BinaryPrimitives.WriteUInt16BigEndian(header[19..], Flags);
        Span<byte> rest = header[21..];
        HandFrames.WriteText(ref rest, AmqpBody.ContentType);
        rest[0] = Parcels.DeliveryMode;
        rest = rest[1..];
        HandFrames.WriteText(ref rest, Parcels.TypeName);
        return written + HandFrames.Envelope(header, HandFrames.Header, header.Length - rest.Length - HandFrames.Head);
    }
}
