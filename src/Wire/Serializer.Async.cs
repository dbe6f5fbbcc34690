using System.Buffers;
using System.IO.Pipelines;
using Wire.AsyncSequences;
using Wire.Framing;
using Wire.Values;

namespace Wire;

/// <content>Payloads whose async sequences are written and read as their elements come.</content>
public sealed partial class Serializer
{
    /// <summary>
    /// Writes a value, with its types, and behind it the elements of each <see cref="IAsyncEnumerable{T}"/> that it leads to, as they come.
    /// It flushes when the next element is not there at once, and when some tens of KiB wait, so that no element is held back, and memory
    /// is needed for one element and not for all.
    /// </summary>
    /// <remarks>
    /// <para>A value that leads to no such sequence is written as <see cref="Serialize{T}(T)"/> writes it. A sequence may be the root, a
    /// member or an element of a collection, and not a part of an element of another sequence. Each is enumerated once, in the order in
    /// which the value leads to them, and its elements are messages of a session of their own: they name each type once, and share no
    /// object with each other or with the value.</para>
    /// <para>When an element cannot be written, a sequence throws, or the call is cancelled, the payload is not whole, and no reader takes
    /// it for one. The pipe is not completed, neither then nor at the end. When its reader has gone, the rest is not written. No other
    /// call may write to it meanwhile.</para>
    /// </remarks>
    /// <param name="value">The root; may be null.</param>
    /// <param name="writer">The pipe.</param>
    /// <param name="cancellationToken">Is given to the sequences, and ends the wait for an element or the pipe.</param>
    /// <exception cref="ArgumentException">
    /// The value or an element would be larger than <see cref="Limits.MaxFrameBytes"/>.
    /// </exception>
    /// <exception cref="UnsupportedTypeException">
    /// A type cannot be written, or an element leads to another async sequence.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token, or a flush of the pipe, was cancelled.</exception>
    /// <example>
    /// <code>
    /// await serializer.SerializeAsync(orders, PipeWriter.Create(stream)); // ten million, or as many as there will be
    /// </code>
    /// </example>
    public ValueTask SerializeAsync<T>(T value, PipeWriter writer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return SendPayloadAsync(value, FrameTarget.For(writer), cancellationToken);
    }

    /// <inheritdoc cref="SerializeAsync{T}(T, PipeWriter, CancellationToken)"/>
    /// <param name="value">The root; may be null.</param>
    /// <param name="stream">The stream, which is not disposed of.</param>
    /// <param name="cancellationToken">Is given to the sequences, and ends the wait for an element or the stream.</param>
    public ValueTask SerializeAsync<T>(T value, Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return SendPayloadAsync(value, FrameTarget.For(stream), cancellationToken);
    }

    /// <summary>
    /// Reads a value from a pipe. Each <see cref="IAsyncEnumerable{T}"/> that it leads to reads its elements from the pipe when it is
    /// enumerated, so that memory is needed for one element and not for all.
    /// </summary>
    /// <remarks>
    /// <para>The sequences are enumerated once each, one after the other, in the order of the payload: enumerating one passes over what is
    /// left of those before it, which then throw <see cref="InvalidOperationException"/>. What ends too early is refused with
    /// <see cref="WireFormatError.Frame"/>, where its end is missing.</para>
    /// <para>Sequences to which the value does not lead, because a type of this program lacks the member, are passed over as well: those
    /// behind the others at the end of the last of these, and all of them before this call ends, where it leads to none. Then the pipe is
    /// directly behind the payload, and nothing behind that has been read.</para>
    /// <para>A payload without such sequences has no end of its own in a pipe: it is read when the pipe is completed, and is all of what is
    /// in it. For many of them there are frames: <see cref="DeserializeAllFramedAsync{T}(PipeReader, CancellationToken)"/>.</para>
    /// <para>Limits are those of one message, for the value and for each element: of the number of elements, and of their bytes together,
    /// there is none.</para>
    /// </remarks>
    /// <typeparam name="T">The type of the value, or a base class or interface of it.</typeparam>
    /// <param name="reader">The pipe, which is not completed.</param>
    /// <param name="cancellationToken">Ends the wait for the value; for elements there is that of their enumeration.</param>
    /// <exception cref="WireFormatException">The pipe does not begin with such a payload.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    /// <exception cref="OperationCanceledException">The token, or the pipe's pending read, was cancelled.</exception>
    /// <example>
    /// <code>
    /// var placed = await serializer.DeserializeAsync&lt;IAsyncEnumerable&lt;OrderPlaced>>(PipeReader.Create(stream));
    /// await foreach (OrderPlaced one in placed!)
    /// {
    ///     Console.WriteLine(one);
    /// }
    /// </code>
    /// </example>
    public ValueTask<T?> DeserializeAsync<T>(PipeReader reader, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadPayloadAsync<T>(reader, cancellationToken);
    }

    internal async ValueTask<FlushResult> SendElementsAsync<T>(
        IAsyncEnumerable<T> values, FrameTarget target, CancellationToken cancellationToken)
    {
        using SerializerSession session = GetSerializerSession();
        return await SendAllAsync(values, target, session, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask SendPayloadAsync<T>(T value, FrameTarget target, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using (target)
        {
            var sequences = new WrittenSequences();
            WriteBefore(value, sequences, target.Output);
            if (WrittenSequences.WantsMore(await target.FlushAsync(cancellationToken).ConfigureAwait(false)))
            {
                await sequences.SendAllAsync(target, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    // Only when all of the value has been written is it known whether a sequence follows it.
    private void WriteBefore<T>(T value, WrittenSequences sequences, IBufferWriter<byte> output)
    {
        using var payload = new FrameBuffer();
        SerializerSession session = ThreadWriting();
        session.Sequences = sequences;
        try
        {
            Write(session, value, payload);
        }
        finally
        {
            session.Sequences = null;
        }

        if (sequences.Count > 0)
        {
            FrameHeader.Check(payload.Written.Length, Options.Limits.MaxFrameBytes);
            SequencesHeader.Write(output, (uint)sequences.Count);
            FrameHeader.Write(ref output.GetSpan(FrameHeader.Size)[0], payload.Written.Length);
            output.Advance(FrameHeader.Size);
        }

        output.Write(payload.Written.Span);
    }

    /// <summary>Reads the value in front of async sequences, or a part of it. Their elements are read from the pipe as they come.</summary>
    /// <param name="reader">The pipe, at the value.</param>
    /// <param name="count">How many sequences follow it.</param>
    /// <param name="path">The path of the part; empty for the whole.</param>
    /// <param name="cancellationToken">Ends the wait for the value.</param>
    internal async ValueTask<T?> ReadInFrontAsync<T>(PipeReader reader, uint count, string path, CancellationToken cancellationToken)
    {
        FrameSource source = SourceOf(reader);
        ReceivedFrame frame = await source.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (!frame.IsFound)
        {
            throw new WireFormatException(WireFormatError.Frame, "The pipe ends in front of the value that its async sequences belong to.");
        }

        var sequences = new ReadSequences(count);
        T? value;
        try
        {
            value = Read<T>(frame.Payload, path, sequences);
        }
        finally
        {
            frame.Release();
        }

        await sequences.BeginAsync(source, isWhole: path.Length == 0, cancellationToken).ConfigureAwait(false);
        return value;
    }

    private async ValueTask<T?> ReadPayloadAsync<T>(PipeReader reader, CancellationToken cancellationToken)
    {
        uint count = await PayloadPipe.ReadCountAsync(reader, cancellationToken).ConfigureAwait(false);
        if (count > 0)
        {
            return await ReadInFrontAsync<T>(reader, count, "", cancellationToken).ConfigureAwait(false);
        }

        ReadOnlySequence<byte> payload =
            await PayloadPipe.ReadToEndAsync(reader, Options.Limits.MaxBytes, cancellationToken).ConfigureAwait(false);
        try
        {
            return Deserialize<T>(payload);
        }
        finally
        {
            reader.AdvanceTo(payload.End);
        }
    }

    private T? Read<T>(in ReadOnlySequence<byte> payload, string path, ReadSequences sequences)
    {
        DeserializerSession session = ThreadReading();
        session.Sequences = sequences;
        try
        {
            ReadOnlySpan<byte> bytes = payload.IsSingleSegment ? payload.FirstSpan : payload.ToArray();
            return path.Length == 0 ? ReadAny<T>(session, bytes, whole: true, out _)
                : session.TryReadPart(path, PathStep.Parse(path), bytes, out T? value) ? value
                : throw PathStep.NoValue(path);
        }
        finally
        {
            session.Sequences = null;
        }
    }
}
