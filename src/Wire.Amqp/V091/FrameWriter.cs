using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Content;
using Wire.Amqp.V091.Frames;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>
/// Writes frames (AMQP 0-9-1 section 4.2.3). The size of each is known before its first byte is written: it is one span of the output, and
/// the written size is compared with the promised one. Thread-safe: there is no state.
/// </summary>
/// <remarks>
/// A frame-max counts whole frames, their 8 bytes of envelope included, as it is negotiated by connection.tune; 0 is no limit. Bodies are
/// split by it. Methods and content headers cannot be: compare their sizes with it where texts and tables may be long, as
/// <see cref="AmqpBody"/> does.
/// </remarks>
public static class FrameWriter
{
    /// <summary>The number of bytes that the frame of a heartbeat takes.</summary>
    public const int SizeOfHeartbeat = FrameLayout.Overhead;

    /// <summary>Returns the number of bytes that the frame of a method takes.</summary>
    /// <exception cref="ArgumentException">
    /// An argument does not fit its domain: a short string of more than 255 bytes, or a text that is not valid Unicode.
    /// </exception>
    public static int SizeOf<TMethod>(in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        var arguments = default(SizeArguments);
        TMethod.Arguments(ref Unsafe.AsRef(in method), ref arguments);
        return checked(FrameLayout.Overhead + sizeof(MethodId) + arguments.Size);
    }

    /// <summary>Writes a method.</summary>
    /// <exception cref="ArgumentException">An argument does not fit its domain: nothing has been written.</exception>
    public static void Write<TMethod>(IBufferWriter<byte> output, ushort channel, in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        int size = SizeOf(in method);
        Write(output.GetSpan(size)[..size], channel, in method);
        output.Advance(size);
    }

    /// <summary>Writes a method to a span of exactly the <see cref="SizeOf"/> of its frame.</summary>
    /// <exception cref="ArgumentException">The span is too short.</exception>
    /// <exception cref="InvalidOperationException">The span is too long.</exception>
    public static void Write<TMethod>(Span<byte> frame, ushort channel, in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        PayloadWriter writer = BeginFrame(frame, FrameType.Method, channel);
        writer.Write((uint)TMethod.Id);
        var arguments = new WriteArguments(writer);
        TMethod.Arguments(ref Unsafe.AsRef(in method), ref arguments);
        EndFrame(frame, arguments.Finish());
    }

    /// <summary>Returns the number of bytes that the frame of a content header takes.</summary>
    /// <exception cref="ArgumentException">
    /// A property does not fit its domain: a short string of more than 255 bytes, or a text that is not valid Unicode.
    /// </exception>
    public static int SizeOfContentHeader(in BasicProperties properties)
    {
        var size = default(SizeProperties);
        BasicProperties.Properties(ref Unsafe.AsRef(in properties), ref size);
        return checked(FrameLayout.Overhead + ContentHeader.FixedSize + size.Size);
    }

    /// <summary>Writes the content header of a message.</summary>
    /// <param name="output">The output to write to.</param>
    /// <param name="channel">The channel of the method that the header follows.</param>
    /// <param name="bodySize">How many bytes of body follow, in all frames.</param>
    /// <param name="properties">The properties.</param>
    /// <exception cref="ArgumentException">A property does not fit its domain: nothing has been written.</exception>
    public static void WriteContentHeader(IBufferWriter<byte> output, ushort channel, ulong bodySize, in BasicProperties properties)
    {
        int size = SizeOfContentHeader(in properties);
        WriteContentHeader(output.GetSpan(size)[..size], channel, bodySize, in properties);
        output.Advance(size);
    }

    /// <summary>Writes the content header of a message to a span of exactly the <see cref="SizeOfContentHeader"/>.</summary>
    /// <exception cref="ArgumentException">The span is too short.</exception>
    /// <exception cref="InvalidOperationException">The span is too long.</exception>
    public static void WriteContentHeader(Span<byte> frame, ushort channel, ulong bodySize, in BasicProperties properties)
    {
        PayloadWriter writer = BeginFrame(frame, FrameType.Header, channel);
        writer.Write(ContentHeader.ClassId);
        writer.Write(ContentHeader.Weight);
        writer.Write(bodySize);
        var written = new WriteProperties(writer);
        BasicProperties.Properties(ref Unsafe.AsRef(in properties), ref written);
        EndFrame(frame, written.Finish());
    }

    /// <summary>Returns the number of bytes that a body takes in frames: none, when it is empty.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The body is shorter than nothing, or no byte of it fits a frame.</exception>
    public static long SizeOfBody(long bodySize, int frameMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bodySize);
        int max = FrameLayout.MaxPayload(frameMax);
        return checked(bodySize + (FrameLayout.Overhead * ((bodySize / max) + (bodySize % max == 0 ? 0 : 1))));
    }

    /// <summary>Writes a body in as many frames as it takes; an empty one takes none.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The frame-max leaves no room for a byte of payload.</exception>
    public static void WriteBody(IBufferWriter<byte> output, ushort channel, ReadOnlySpan<byte> body, int frameMax)
    {
        int max = FrameLayout.MaxPayload(frameMax);
        while (!body.IsEmpty)
        {
            int payload = Math.Min(body.Length, max);
            body[..payload].CopyTo(BeginBody(output, channel, payload));
            output.Advance(payload + FrameLayout.Overhead);
            body = body[payload..];
        }
    }

    /// <inheritdoc cref="WriteBody(IBufferWriter{byte}, ushort, ReadOnlySpan{byte}, int)"/>
    public static void WriteBody(IBufferWriter<byte> output, ushort channel, in ReadOnlySequence<byte> body, int frameMax)
    {
        if (body.IsSingleSegment)
        {
            WriteBody(output, channel, body.FirstSpan, frameMax);
            return;
        }

        int max = FrameLayout.MaxPayload(frameMax);
        ReadOnlySequence<byte> left = body;
        for (long length = body.Length; length > 0;)
        {
            int payload = (int)Math.Min(length, max);
            left.Slice(0, payload).CopyTo(BeginBody(output, channel, payload));
            output.Advance(payload + FrameLayout.Overhead);
            left = left.Slice(payload);
            length -= payload;
        }
    }

    /// <summary>Writes a heartbeat.</summary>
    public static void WriteHeartbeat(IBufferWriter<byte> output) =>
        output.Write<byte>([(byte)FrameType.Heartbeat, 0, 0, 0, 0, 0, 0, FrameLayout.End]);

    // Writes a body frame except its payload, which is returned to be filled.
    private static Span<byte> BeginBody(IBufferWriter<byte> output, ushort channel, int payload)
    {
        int size = payload + FrameLayout.Overhead;
        Span<byte> frame = output.GetSpan(size)[..size];
        BeginFrame(frame, FrameType.Body, channel);
        frame[^1] = FrameLayout.End;
        return frame[FrameLayout.Header..^1];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static PayloadWriter BeginFrame(Span<byte> frame, FrameType type, ushort channel)
    {
        // The end octet is outside the destination, so overlong output hits its end.
        var writer = new PayloadWriter(frame[..^1]);
        writer.WriteHeader(type, channel, frame.Length - FrameLayout.Overhead);
        return writer;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void EndFrame(Span<byte> frame, int left)
    {
        if (left != 0)
        {
            ThrowOtherSize(frame.Length - left, frame.Length);
        }

        frame[^1] = FrameLayout.End;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowOtherSize(int written, int size) => throw new InvalidOperationException(
        $"The frame takes {written} bytes and was given {size}: give it its exact size, and do not change what is being written.");
}
