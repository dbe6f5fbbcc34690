using Wire.Amqp.Primitives;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Frames;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.Bodies;

/// <summary>
/// Writes whole AMQP 0-9-1 messages: the frames of a method that has a content, of the content header and of the body, split at frame-max.
/// </summary>
internal static class MessageFrames
{
    /// <summary>Writes a message. After a failure the buffer is unchanged.</summary>
    /// <returns>The written part.</returns>
    /// <exception cref="ArgumentException">An argument or property does not fit its domain, or the method has no content.</exception>
    /// <exception cref="InvalidOperationException">
    /// A message is being written to the buffer already: the call comes from the serialization of its body.
    /// </exception>
    public static MessageParts Write<TMethod, TContent>(
        AmqpBuffer output, ushort channel, in TMethod method, in BasicProperties properties, in TContent content, in BodyFraming framing)
        where TMethod : struct, IMethod<TMethod>
        where TContent : struct, IContent
    {
        long start = output.BeginMessage();
        try
        {
            if (!TMethod.Id.HasContent())
            {
                throw new ArgumentException(
                    $"The method {TMethod.Id} has no content: only basic.publish, return, deliver and get-ok have a body.", nameof(method));
            }

            int frameMax = framing.FrameMax;
            Placeholder frame = output.Reserve(FrameLayout.Checked(FrameWriter.SizeOf(in method), frameMax, "the method"));
            FrameWriter.Write(frame.Span, channel, in method);
            BasicProperties own = properties;
            content.Describe(ref own);
            BodyWay way = content.Way(framing.Attaches ? FrameLayout.MaxPayload(frameMax) : 0);
            var target = new Frames(output, channel, ref own, frameMax, way, framing.GatherAtMost);
            content.WriteTo(ref target);
            return new MessageParts(output.BodyFrames.Gathered, output.BodyFrames.Total, way == BodyWay.Attach);
        }
        catch
        {
            output.Truncate(start);
            throw;
        }
        finally
        {
            output.EndMessage();
        }
    }
}

/// <summary>Turns messages into frames.</summary>
/// <param name="FrameMax">The largest frame, with its header and end; 0 for no limit.</param>
/// <param name="GatherAtMost">The size from which a body that can be written twice is only measured.</param>
/// <param name="Attaches">True if the caller's memory may be sent without a copy.</param>
internal readonly record struct BodyFraming(int FrameMax, long GatherAtMost = long.MaxValue, bool Attaches = false);

/// <summary>The part of a message that has been written.</summary>
/// <param name="Gathered">The number of buffered bytes of its body.</param>
/// <param name="BodySize">The size of its body in bytes.</param>
/// <param name="IsAttached">True if the body is still in the caller's memory.</param>
internal readonly record struct MessageParts(long Gathered, long BodySize, bool IsAttached)
{
    /// <summary>Gets whether the rest of the body has yet to be written.</summary>
    public bool HasRest => Gathered < BodySize;
}
