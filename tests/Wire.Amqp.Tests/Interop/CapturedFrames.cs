using System.Buffers;
using System.Reflection;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.Interop;

/// <summary>The frames of one direction of a capture, and how each is written again.</summary>
internal static class CapturedFrames
{
    private static readonly Dictionary<MethodId, Func<Frame, byte[]>> Methods = typeof(FrameWriter).Assembly.GetTypes()
        .Where(
            type => type.IsValueType && type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IMethod<>)))
        .Select(type => typeof(CapturedFrames).GetMethod(nameof(Handler), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(
            type).Invoke(null, null))
        .Cast<KeyValuePair<MethodId, Func<Frame, byte[]>>>()
        .ToDictionary();

    /// <summary>The bytes of one direction, without the protocol header that a client sends first.</summary>
    public static byte[] Load(string name, bool fromClient)
    {
        var capture = Capture.Load(name);
        return fromClient ? capture.FromClient[ProtocolHeader.Size..] : capture.FromServer;
    }

    /// <summary>All frames; nothing may be left.</summary>
    public static List<Frame> Read(ReadOnlySequence<byte> bytes)
    {
        var frames = new List<Frame>();
        var reader = new FrameReader(bytes, frameMax: 0);
        while (reader.TryRead(out Frame frame))
        {
            frames.Add(frame);
        }

        Assert.Equal(bytes.Length, reader.Consumed);
        return frames;
    }

    /// <summary>Decodes what the frame carries, and writes a frame that carries the same.</summary>
    public static byte[] WriteAgain(Frame frame)
    {
        var output = new ArrayBufferWriter<byte>();
        switch (frame.Type)
        {
            case FrameType.Method:
                return Methods[frame.MethodId](frame);
            case FrameType.Header:
                ContentHeader header = frame.ReadContentHeader();
                FrameWriter.WriteContentHeader(output, frame.Channel, header.BodySize, in header.Properties);
                break;
            case FrameType.Body:
                FrameWriter.WriteBody(output, frame.Channel, frame.Payload, frameMax: 0);
                break;
            case FrameType.Heartbeat:
                FrameWriter.WriteHeartbeat(output);
                break;
        }

        return output.WrittenSpan.ToArray();
    }

    private static KeyValuePair<MethodId, Func<Frame, byte[]>> Handler<TMethod>()
        where TMethod : struct, IMethod<TMethod> => new(TMethod.Id, frame =>
        {
            TMethod method = frame.ReadMethod<TMethod>();
            var output = new ArrayBufferWriter<byte>();
            FrameWriter.Write(output, frame.Channel, in method);
            return output.WrittenSpan.ToArray();
        });
}
