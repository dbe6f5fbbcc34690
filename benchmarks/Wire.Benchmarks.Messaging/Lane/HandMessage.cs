using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp;
using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Publishing;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>A message by hand, with the properties that all messages of the direct lane's tables have.</summary>
internal static class HandMessage
{
    // Content type, delivery mode and type.
    private const ushort Flags = 0b1001_0000_0010_0000;

    // More than the frames of method and content header take.
    private const int MostHead = 512;

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

    /// <summary>Writes a message to a buffer of any kind.</summary>
    public static void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> body)
    {
        output.Advance(WriteHead(output.GetSpan(MostHead), Sender.RoutingKey, body.Length));
        while (!body.IsEmpty)
        {
            int length = Math.Min(body.Length, HandConnection.FrameMax - HandFrames.Head - 1);
            output.Advance(HandFrames.WriteBody(output.GetSpan(length + HandFrames.Head + 1), body[..length]));
            body = body[length..];
        }
    }
}
