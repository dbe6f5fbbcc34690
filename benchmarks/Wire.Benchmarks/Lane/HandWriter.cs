using System.Buffers;

namespace Wire.Benchmarks;

/// <summary>A message by hand into any buffer.</summary>
internal static class HandWriter
{
    // More than the frames of method and content header take.
    private const int MostHead = 512;

    public static void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> body)
    {
        output.Advance(HandMessage.WriteHead(output.GetSpan(MostHead), Sender.RoutingKey, body.Length));
        while (!body.IsEmpty)
        {
            int length = Math.Min(body.Length, HandConnection.FrameMax - HandFrames.Head - 1);
            output.Advance(HandFrames.WriteBody(output.GetSpan(length + HandFrames.Head + 1), body[..length]));
            body = body[length..];
        }
    }
}
