using Wire.Amqp.V091;

namespace Wire.Amqp;

/// <summary>Writes whole AMQP 0-9-1 messages: the frames of a method that has a content, of the content header and of the body, split at frame-max.</summary>
internal static class MessageFrames
{
    /// <summary>Writes a message. After a failure the buffer is as it was before.</summary>
    /// <exception cref="ArgumentException">An argument or property does not fit its domain, or the method has no content.</exception>
    /// <exception cref="InvalidOperationException">A message is being written to the buffer already: this is called by what serializes its body.</exception>
    public static void Write<TMethod, TContent>(AmqpBuffer output, ushort channel, in TMethod method, in BasicProperties properties, in TContent content, int frameMax)
        where TMethod : struct, IMethod<TMethod>
        where TContent : struct, IContent
    {
        long start = output.BeginMessage();
        try
        {
            if (!TMethod.Id.HasContent())
            {
                throw new ArgumentException($"The method {TMethod.Id} has no content: a body belongs to basic.publish, return, deliver or get-ok.", nameof(method));
            }

            Slot frame = output.Reserve(FrameLayout.Checked(FrameWriter.SizeOf(in method), frameMax, "the method"));
            FrameWriter.Write(frame.Span, channel, in method);
            BasicProperties own = properties;
            content.Describe(ref own);
            var target = new Frames(output, channel, ref own, frameMax);
            content.WriteTo(ref target);
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
