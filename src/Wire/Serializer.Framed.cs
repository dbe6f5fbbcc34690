using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Wire.Framing;
using Wire.Values;

namespace Wire;

/// <content>Writing of consecutive messages to one stream, as frames: a length of four bytes, little-endian, and the payload.</content>
public sealed partial class Serializer
{
    /// <summary>
    /// Writes a value as one frame to a buffer writer, such as a <see cref="PipeWriter"/>, and flushes nothing. When serialization fails,
    /// the output and the session are unchanged.
    /// </summary>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">The output. It is advanced over a complete frame only.</param>
    /// <returns>The number of bytes of the frame, its length of four bytes included.</returns>
    /// <exception cref="ArgumentException">The payload would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public int SerializeFramed<T>(T value, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (typeof(T).IsValueType
            || value is null
            || _writePlans.FindFor(value) is not { } plan
            || plan.TryWriteFlatFrame(value, output, tag: 0, null) is not (> 0 and int size))
        {
            return WriteFrame(ThreadWriting(), value, output);
        }

        output.Advance(size);
        return size;
    }

    /// <inheritdoc cref="SerializeFramed{T}(T, IBufferWriter{byte})"/>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">The output. It is advanced over a complete frame only.</param>
    /// <param name="session">
    /// The stream of messages that the value belongs to. It ends when the output throws. The output may then have been advanced over a part
    /// of the frame, as its length without the payload: abandon it too.
    /// </param>
    public int SerializeFramed<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        if (typeof(T).IsValueType
            || value is null
            || session.FindFlat(value, out byte tag) is not { } plan
            || plan.TryWriteFlatFrame(value, output, tag, session.Types) is not (> 0 and int size))
        {
            return WriteFrame(session, value, output);
        }

        session.SendFlat(output, size);
        return size;
    }

    /// <summary>
    /// Writes a value as one frame, and flushes the stream. When serialization fails, or the token is cancelled before it begins, the
    /// stream and the session are unchanged. When the stream fails, or the token is cancelled during the write, part of the frame may have
    /// been sent: the session, like the connection, can no longer be used.
    /// </summary>
    /// <exception cref="ArgumentException">The payload would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    /// <example>
    /// <code>
    /// await serializer.SerializeFramedAsync(order, stream); // with its length in front, so that messages follow each other
    /// </code>
    /// </example>
    public ValueTask SerializeFramedAsync<T>(T value, Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return SendAsync(value, stream, null, cancellationToken);
    }

    /// <inheritdoc cref="SerializeFramedAsync{T}(T, Stream, CancellationToken)"/>
    public ValueTask SerializeFramedAsync<T>(
        T value, Stream stream, SerializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        return SendAsync(value, stream, session, cancellationToken);
    }

    /// <summary>
    /// Writes a value as one frame, and flushes the pipe. When serialization fails, or the token is cancelled before it begins, the pipe
    /// and the session are unchanged. When the pipe fails, or the token is cancelled during the flush, the frame may not arrive: the
    /// session, like the connection, can no longer be used.
    /// </summary>
    /// <exception cref="ArgumentException">The payload would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public ValueTask<FlushResult> SerializeFramedAsync<T>(T value, PipeWriter writer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return SendAsync(value, writer, null, cancellationToken);
    }

    /// <inheritdoc cref="SerializeFramedAsync{T}(T, PipeWriter, CancellationToken)"/>
    public ValueTask<FlushResult> SerializeFramedAsync<T>(
        T value, PipeWriter writer, SerializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        Check(session);
        return SendAsync(value, writer, session, cancellationToken);
    }

    /// <summary>
    /// Writes each value as a frame, as many at a time as there are: it flushes when the next value is not there at once, and when some
    /// tens of KiB wait. So no message is held back while <paramref name="values"/> waits.
    /// </summary>
    /// <remarks>
    /// <para>When a value cannot be written, or <paramref name="values"/> throws, what came before is sent, the session goes on, and the
    /// exception is thrown. When the token is cancelled while nothing is being sent, no further value is asked for, what was taken goes to
    /// the stream as whole frames, and the session goes on. If the stream does not take them within two seconds, it is as if the token had
    /// been cancelled while they are being sent. A pipe has these frames for its next flush.</para>
    /// <para>When the stream fails, or the token is cancelled while frames are being sent, part of them may have been sent: the session,
    /// like the connection, can no longer be used. Then <paramref name="values"/> is cancelled by the token that it was given, and awaited;
    /// a value that it has given meanwhile is lost with these frames. It is at most one. To stop without a loss, let
    /// <paramref name="values"/> end.</para>
    /// <para>No other call may write to the stream meanwhile.</para>
    /// </remarks>
    /// <exception cref="ArgumentException">A payload would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public ValueTask SerializeAllFramedAsync<T>(
        IAsyncEnumerable<T> values, Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return SendAllToStreamAsync(values, stream, null, cancellationToken);
    }

    /// <inheritdoc cref="SerializeAllFramedAsync{T}(IAsyncEnumerable{T}, Stream, CancellationToken)"/>
    public ValueTask SerializeAllFramedAsync<T>(
        IAsyncEnumerable<T> values, Stream stream, SerializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        return SendAllToStreamAsync(values, stream, session, cancellationToken);
    }

    /// <summary>Writes each value as a frame, and flushes when some tens of KiB wait, and at the end.</summary>
    /// <remarks>
    /// The values are taken one by one: a sequence that waits for its next value holds back those before it. For such a source there is the
    /// overload with an <see cref="IAsyncEnumerable{T}"/>. For failures see its remarks.
    /// </remarks>
    /// <exception cref="ArgumentException">A payload would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public ValueTask SerializeAllFramedAsync<T>(IEnumerable<T> values, Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(values);
        return SerializeAllFramedAsync(values.ToAsyncEnumerable(), stream, cancellationToken);
    }

    /// <inheritdoc cref="SerializeAllFramedAsync{T}(IEnumerable{T}, Stream, CancellationToken)"/>
    public ValueTask SerializeAllFramedAsync<T>(
        IEnumerable<T> values, Stream stream, SerializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(values);
        return SerializeAllFramedAsync(values.ToAsyncEnumerable(), stream, session, cancellationToken);
    }

    /// <inheritdoc cref="SerializeAllFramedAsync{T}(IAsyncEnumerable{T}, Stream, CancellationToken)"/>
    /// <returns>
    /// The result of the last flush. When it says <see cref="FlushResult.IsCompleted"/>, the pipe's reader wants no more, and when it says
    /// <see cref="FlushResult.IsCanceled"/>, <see cref="PipeWriter.CancelPendingFlush"/> was called: the rest of
    /// <paramref name="values"/> was then not read. In the second case every value that was taken is in the pipe, for its next flush; in
    /// the first one the frames that the reader has not read are lost, and with them at most one value that was taken during the flush.
    /// </returns>
    public ValueTask<FlushResult> SerializeAllFramedAsync<T>(
        IAsyncEnumerable<T> values, PipeWriter writer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return SendAllAsync(values, FrameTarget.For(writer), null, cancellationToken);
    }

    /// <inheritdoc cref="SerializeAllFramedAsync{T}(IAsyncEnumerable{T}, PipeWriter, CancellationToken)"/>
    public ValueTask<FlushResult> SerializeAllFramedAsync<T>(
        IAsyncEnumerable<T> values, PipeWriter writer, SerializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        Check(session);
        return SendAllAsync(values, FrameTarget.For(writer), session, cancellationToken);
    }

    /// <inheritdoc cref="SerializeAllFramedAsync{T}(IEnumerable{T}, Stream, CancellationToken)"/>
    /// <returns>The result of the last flush, as of the overload with an <see cref="IAsyncEnumerable{T}"/>.</returns>
    public ValueTask<FlushResult> SerializeAllFramedAsync<T>(
        IEnumerable<T> values, PipeWriter writer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(values);
        return SerializeAllFramedAsync(values.ToAsyncEnumerable(), writer, cancellationToken);
    }

    /// <inheritdoc cref="SerializeAllFramedAsync{T}(IEnumerable{T}, PipeWriter, CancellationToken)"/>
    public ValueTask<FlushResult> SerializeAllFramedAsync<T>(
        IEnumerable<T> values, PipeWriter writer, SerializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(values);
        return SerializeAllFramedAsync(values.ToAsyncEnumerable(), writer, session, cancellationToken);
    }

    private async ValueTask SendAllToStreamAsync<T>(
        IAsyncEnumerable<T> values, Stream stream, SerializerSession? session, CancellationToken cancellationToken) =>
        await SendAllAsync(values, FrameTarget.For(stream), session, cancellationToken).ConfigureAwait(false);

    private ValueTask<FlushResult> SendAllAsync<T>(
        IAsyncEnumerable<T> values, FrameTarget target, SerializerSession? session, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(values);
        FrameSending<T> sending = session is null
            ? new(target, SerializeFramed, null)
            : new(target, (value, output) => SerializeFramed(value, output, session), session.Break);
        return sending.SendAllAsync(values, cancellationToken);
    }

    private async ValueTask SendAsync<T>(T value, Stream stream, SerializerSession? session, CancellationToken cancellationToken)
    {
        // Checked before the frame is made: a session must not count definitions as sent that are not.
        cancellationToken.ThrowIfCancellationRequested();
        using var frame = new FrameBuffer();
        WriteFrame(value, frame, session);
        try
        {
            await stream.WriteAsync(frame.Written, cancellationToken).ConfigureAwait(false);
            await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // It is unknown how much of the frame was sent, and the session counts all of its definitions as sent.
            session?.Break();
            throw;
        }
    }

    private async ValueTask<FlushResult> SendAsync<T>(
        T value, PipeWriter writer, SerializerSession? session, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        WriteFrame(value, writer, session);
        try
        {
            return await writer.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            session?.Break();
            throw;
        }
    }

    private void WriteFrame<T>(T value, IBufferWriter<byte> output, SerializerSession? session)
    {
        if (session is null)
        {
            SerializeFramed(value, output);
        }
        else
        {
            SerializeFramed(value, output, session);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteFrame<T>(SerializerSession session, T value, IBufferWriter<byte> output)
    {
        int size = default(T) is not null
            ? session.ToFrame(new MessageRoot<T>(value), output)
            : session.ToFrame(new MessageRoot<object?>(value), output);
        session.Serializer._sizes?.Add(value, size - FrameHeader.Size);
        return size;
    }
}
