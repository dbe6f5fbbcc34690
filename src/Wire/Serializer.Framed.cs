using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;
using Wire.Messages;

namespace Wire;

/// <content>Consecutive messages in one stream: each frame is a length of four bytes, little-endian, and the payload.</content>
public sealed partial class Serializer
{
    private const int FrameHeader = sizeof(int);

    /// <summary>
    /// Writes a value as one frame, and flushes the stream. When serialization fails, or the token is cancelled before it begins, the
    /// stream and the session are unchanged. When the stream fails, or the token is cancelled during the write, part of the frame may have
    /// been sent: the session, like the connection, can no longer be used.
    /// </summary>
    /// <exception cref="ArgumentException">The frame would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
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
    /// <exception cref="ArgumentException">The frame would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
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
    /// Reads one frame, and leaves the stream directly after it, even if the frame holds no payload. After an end, failure or cancellation
    /// inside a frame the stream cannot be read any further.
    /// </summary>
    /// <exception cref="WireFormatException">
    /// The stream ends before or inside the frame, the frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public async ValueTask<T?> DeserializeFramedAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        (bool found, T? value) = await ReadFrameAsync<T>(stream, null, cancellationToken).ConfigureAwait(false);
        return found ? value : throw EndOfFrames();
    }

    /// <inheritdoc cref="DeserializeFramedAsync{T}(Stream, CancellationToken)"/>
    public async ValueTask<T?> DeserializeFramedAsync<T>(
        Stream stream, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        (bool found, T? value) = await ReadFrameAsync<T>(stream, session, cancellationToken).ConfigureAwait(false);
        return found ? value : throw EndOfFrames();
    }

    /// <summary>
    /// Reads one frame from a pipe, and consumes exactly that frame, even if it holds no payload. A cancelled call consumes nothing, so the
    /// frame can be read again.
    /// </summary>
    /// <exception cref="WireFormatException">
    /// The pipe ends before or inside the frame, the frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public async ValueTask<T?> DeserializeFramedAsync<T>(PipeReader reader, CancellationToken cancellationToken = default)
    {
        (bool found, T? value) = await ReadFrameAsync<T>(reader, null, cancellationToken).ConfigureAwait(false);
        return found ? value : throw EndOfFrames();
    }

    /// <inheritdoc cref="DeserializeFramedAsync{T}(PipeReader, CancellationToken)"/>
    public async ValueTask<T?> DeserializeFramedAsync<T>(
        PipeReader reader, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        (bool found, T? value) = await ReadFrameAsync<T>(reader, session, cancellationToken).ConfigureAwait(false);
        return found ? value : throw EndOfFrames();
    }

    /// <summary>Reads all frames until the stream ends.</summary>
    /// <exception cref="WireFormatException">
    /// The stream ends inside a frame, a frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return AllAsync(token => ReadFrameAsync<T>(stream, null, token), cancellationToken);
    }

    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(Stream, CancellationToken)"/>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        Stream stream, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        return AllAsync(token => ReadFrameAsync<T>(stream, session, token), cancellationToken);
    }

    /// <summary>Reads all frames until the pipe is completed.</summary>
    /// <exception cref="WireFormatException">
    /// The pipe ends inside a frame, a frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(PipeReader reader, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return AllAsync(token => ReadFrameAsync<T>(reader, null, token), cancellationToken);
    }

    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(PipeReader, CancellationToken)"/>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        PipeReader reader, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        Check(session);
        return AllAsync(token => ReadFrameAsync<T>(reader, session, token), cancellationToken);
    }

    private static async IAsyncEnumerable<T?> AllAsync<T>(
        Func<CancellationToken, ValueTask<(bool Found, T? Value)>> next,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (await next(cancellationToken).ConfigureAwait(false) is (true, var value))
        {
            yield return value;
        }
    }

    private async ValueTask SendAsync<T>(T value, Stream stream, SerializerSession? session, CancellationToken cancellationToken)
    {
        // Checked before the frame is made: a session must not count definitions as sent that are not.
        cancellationToken.ThrowIfCancellationRequested();
        RentedFrame frame = Frame(value, session);
        try
        {
            await stream.WriteAsync(frame.Memory, cancellationToken).ConfigureAwait(false);
            await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // It is unknown how much of the frame was sent, and the session counts all of its definitions as sent.
            session?.Break();
            throw;
        }
        finally
        {
            frame.Return();
        }
    }

    private async ValueTask<FlushResult> SendAsync<T>(
        T value, PipeWriter writer, SerializerSession? session, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RentedFrame frame = Frame(value, session);
        try
        {
            writer.Write(frame.Memory.Span);
            return await writer.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            session?.Break();
            throw;
        }
        finally
        {
            frame.Return();
        }
    }

    private static WireFormatException EndOfFrames() =>
        new(WireFormatError.Frame, "The stream has ended: there is no further frame.");

    private int FrameLength(ReadOnlySpan<byte> header)
    {
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(header);
        if (length > (uint)Options.Limits.MaxFrameBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxFrameBytes), Options.Limits.MaxFrameBytes, $"A frame of {length} bytes");
        }

        return (int)length;
    }

    private RentedFrame Frame<T>(T value, SerializerSession? given)
    {
        SerializerSession session = given ?? ThreadWriting();
        var frame = new RentedFrame(Options.Limits.MaxFrameBytes);
        if (default(T) is not null)
        {
            session.ToSpan(new MessageRoot<T>(value), frame, static (target, bytes) => target.Fill(bytes));
        }
        else
        {
            session.ToSpan(new MessageRoot<object?>(value), frame, static (target, bytes) => target.Fill(bytes));
        }

        return frame;
    }

    private T FromFrame<T>(in ReadOnlySequence<byte> payload, DeserializerSession? session) =>
        session is null ? Deserialize<T>(payload)! : Deserialize<T>(payload, session)!;

    private async ValueTask<(bool Found, T? Value)> ReadFrameAsync<T>(
        Stream stream, DeserializerSession? session, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(stream);
        const int FirstPart = 1 << 16;
        byte[] buffer = ArrayPool<byte>.Shared.Rent(FrameHeader);
        try
        {
            int read = await stream.ReadAtLeastAsync(
                buffer.AsMemory(0, FrameHeader), FrameHeader, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
            if (read == 0)
            {
                return (false, default);
            }

            if (read < FrameHeader)
            {
                throw new WireFormatException(
                    WireFormatError.Frame, $"The stream ends inside the length of a frame, after {read} of {FrameHeader} bytes.");
            }

            int length = FrameLength(buffer);
            for (int done = 0; done < length;)
            {
                // Grows as bytes arrive: a length alone allocates nothing.
                int part = Math.Min(length, Math.Max(FirstPart, done * 2)) - done;
                if (buffer.Length < done + part)
                {
                    byte[] larger = ArrayPool<byte>.Shared.Rent(done + part);
                    buffer.AsSpan(0, done).CopyTo(larger);
                    ArrayPool<byte>.Shared.Return(buffer);
                    buffer = larger;
                }

                read = await stream.ReadAtLeastAsync(buffer.AsMemory(done, part), part, throwOnEndOfStream: false, cancellationToken)
                    .ConfigureAwait(false);
                done += read;
                if (read < part)
                {
                    throw new WireFormatException(
                        WireFormatError.Frame, $"The stream ends inside a frame, after {done} of {length} bytes."
                            + PayloadHeader.AdviceForFrame(buffer.AsSpan(0, done)));
                }
            }

            return (true, FromFrame<T>(new ReadOnlySequence<byte>(buffer, 0, length), session));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private async ValueTask<(bool Found, T? Value)> ReadFrameAsync<T>(
        PipeReader reader, DeserializerSession? session, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(reader);
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            SequencePosition consumed = buffer.Start;
            SequencePosition examined = buffer.End;
            try
            {
                if (result.IsCanceled)
                {
                    throw new OperationCanceledException("The pipe's pending read was cancelled.");
                }

                if (TryFrame(buffer, out ReadOnlySequence<byte> payload))
                {
                    consumed = examined = payload.End;
                    return (true, FromFrame<T>(payload, session));
                }

                if (result.IsCompleted)
                {
                    return buffer.IsEmpty
                        ? (false, default)
                        : throw new WireFormatException(
                            WireFormatError.Frame, $"The pipe ends inside a frame, after {buffer.Length} byte(s) of it."
                                + PayloadHeader.AdviceForFrame(FirstBytes(buffer)));
                }
            }
            finally
            {
                reader.AdvanceTo(consumed, examined);
            }
        }
    }

    // Of a frame that is cut short.
    private static byte[] FirstBytes(in ReadOnlySequence<byte> buffer)
    {
        const int Enough = 32;
        return buffer.Length <= FrameHeader ? [] : buffer.Slice(FrameHeader, Math.Min(buffer.Length - FrameHeader, Enough)).ToArray();
    }

    private bool TryFrame(in ReadOnlySequence<byte> buffer, out ReadOnlySequence<byte> payload)
    {
        payload = default;
        if (buffer.Length < FrameHeader)
        {
            return false;
        }

        Span<byte> header = stackalloc byte[FrameHeader];
        buffer.Slice(0, FrameHeader).CopyTo(header);
        int length = FrameLength(header);
        if (buffer.Length - FrameHeader < length)
        {
            return false;
        }

        payload = buffer.Slice(FrameHeader, length);
        return true;
    }

    /// <summary>A frame in a pooled buffer, complete with its length.</summary>
    private sealed class RentedFrame(int maxBytes)
    {
        private byte[] _buffer = [];
        private int _length;

        public ReadOnlyMemory<byte> Memory => _buffer.AsMemory(0, _length);

        public void Fill(ReadOnlySpan<byte> payload)
        {
            if (payload.Length > maxBytes)
            {
                throw new ArgumentException($"The value takes {payload.Length} bytes, more than Limits.MaxFrameBytes = {maxBytes}.");
            }

            _length = FrameHeader + payload.Length;
            _buffer = ArrayPool<byte>.Shared.Rent(_length);
            BinaryPrimitives.WriteInt32LittleEndian(_buffer, payload.Length);
            payload.CopyTo(_buffer.AsSpan(FrameHeader));
        }

        public void Return()
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }
}
