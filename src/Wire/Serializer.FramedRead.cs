using System.IO.Pipelines;
using Wire.Framing;

namespace Wire;

/// <content>Reading of frames: a length of four bytes, little-endian, and the payload.</content>
public sealed partial class Serializer
{
    /// <summary>
    /// Reads one frame, and leaves the stream directly after it, even if the frame holds no payload. After a failure or cancellation inside
    /// a frame the stream cannot be read any further.
    /// </summary>
    /// <exception cref="WireFormatException">
    /// The stream ends before the frame, with <see cref="WireFormatError.EndOfStream"/>, or inside it, with
    /// <see cref="WireFormatError.Frame"/>; the frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public ValueTask<T?> DeserializeFramedAsync<T>(Stream stream, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(stream), null).ReadOneAsync(cancellationToken);

    /// <inheritdoc cref="DeserializeFramedAsync{T}(Stream, CancellationToken)"/>
    public ValueTask<T?> DeserializeFramedAsync<T>(
        Stream stream, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(stream), session).ReadOneAsync(cancellationToken);
    }

    /// <summary>
    /// Reads one frame from a pipe, and consumes exactly that frame, even if it holds no payload. A cancelled call consumes nothing, so the
    /// frame can be read again.
    /// </summary>
    /// <exception cref="WireFormatException">
    /// The pipe ends before the frame, with <see cref="WireFormatError.EndOfStream"/>, or inside it, with
    /// <see cref="WireFormatError.Frame"/>; the frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public ValueTask<T?> DeserializeFramedAsync<T>(PipeReader reader, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(reader), null).ReadOneAsync(cancellationToken);

    /// <inheritdoc cref="DeserializeFramedAsync{T}(PipeReader, CancellationToken)"/>
    public ValueTask<T?> DeserializeFramedAsync<T>(
        PipeReader reader, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(reader), session).ReadOneAsync(cancellationToken);
    }

    /// <summary>
    /// Reads one frame, if there is a further one, and leaves the stream directly after it. After a failure or cancellation inside a frame
    /// the stream cannot be read any further.
    /// </summary>
    /// <returns>Whether there was a frame, and its value. It is not found where the stream ends between two frames.</returns>
    /// <exception cref="WireFormatException">
    /// The stream ends inside the frame, the frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public ValueTask<(bool Found, T? Value)> TryDeserializeFramedAsync<T>(Stream stream, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(stream), null).TryReadAsync(cancellationToken);

    /// <inheritdoc cref="TryDeserializeFramedAsync{T}(Stream, CancellationToken)"/>
    public ValueTask<(bool Found, T? Value)> TryDeserializeFramedAsync<T>(
        Stream stream, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(stream), session).TryReadAsync(cancellationToken);
    }

    /// <summary>
    /// Reads one frame from a pipe, if there is a further one, and consumes exactly that frame. A cancelled call consumes nothing, so the
    /// frame can be read again.
    /// </summary>
    /// <returns>Whether there was a frame, and its value. It is not found where the pipe is completed between two frames.</returns>
    /// <exception cref="WireFormatException">
    /// The pipe ends inside the frame, the frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public ValueTask<(bool Found, T? Value)> TryDeserializeFramedAsync<T>(
        PipeReader reader, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(reader), null).TryReadAsync(cancellationToken);

    /// <inheritdoc cref="TryDeserializeFramedAsync{T}(PipeReader, CancellationToken)"/>
    public ValueTask<(bool Found, T? Value)> TryDeserializeFramedAsync<T>(
        PipeReader reader, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(reader), session).TryReadAsync(cancellationToken);
    }

    /// <summary>Reads all frames until the stream ends.</summary>
    /// <exception cref="WireFormatException">
    /// The stream ends inside a frame, a frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    /// <example>
    /// <code>
    /// await foreach (Message? message in serializer.DeserializeAllFramedAsync&lt;Message>(stream))
    /// {
    ///     Console.WriteLine(message);
    /// }
    /// </code>
    /// </example>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(Stream stream, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(stream), null).ReadAllAsync(cancellationToken);

    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(Stream, CancellationToken)"/>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        Stream stream, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(stream), session).ReadAllAsync(cancellationToken);
    }

    /// <summary>Reads all frames until the pipe is completed.</summary>
    /// <exception cref="WireFormatException">
    /// The pipe ends inside a frame, a frame is larger than <see cref="Limits.MaxFrameBytes"/>, or it holds no payload.
    /// </exception>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(PipeReader reader, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(reader), null).ReadAllAsync(cancellationToken);

    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(PipeReader, CancellationToken)"/>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        PipeReader reader, DeserializerSession session, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(reader), session).ReadAllAsync(cancellationToken);
    }

    /// <summary>Reads all frames until the stream ends that meet a condition; of the others no object is read.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="where">The condition, such as one over a <see cref="PayloadPath{T}"/>. What it throws ends the enumeration.</param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    /// <exception cref="WireFormatException">
    /// The stream ends inside a frame, a frame is larger than <see cref="Limits.MaxFrameBytes"/>, or one that is read holds no payload.
    /// </exception>
    public IAsyncEnumerable<T?> DeserializeFramedWhereAsync<T>(
        Stream stream, PayloadCondition where, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(stream), null, where).ReadAllAsync(cancellationToken);

    /// <inheritdoc cref="DeserializeFramedWhereAsync{T}(Stream, PayloadCondition, CancellationToken)"/>
    /// <param name="stream">The stream.</param>
    /// <param name="session">
    /// The stream of messages that the frames belong to. The condition has to look into them with it, so that their types are known to
    /// later ones.
    /// </param>
    /// <param name="where">The condition, such as one over a <see cref="PayloadPath{T}"/>. What it throws ends the enumeration.</param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    public IAsyncEnumerable<T?> DeserializeFramedWhereAsync<T>(
        Stream stream, DeserializerSession session, PayloadCondition where, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(stream), session, where).ReadAllAsync(cancellationToken);
    }

    /// <summary>Reads all frames until the pipe is completed that meet a condition; of the others no object is read.</summary>
    /// <inheritdoc cref="DeserializeFramedWhereAsync{T}(Stream, PayloadCondition, CancellationToken)"/>
    /// <param name="reader">The pipe.</param>
    /// <param name="where">The condition, such as one over a <see cref="PayloadPath{T}"/>. What it throws ends the enumeration.</param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    public IAsyncEnumerable<T?> DeserializeFramedWhereAsync<T>(
        PipeReader reader, PayloadCondition where, CancellationToken cancellationToken = default) =>
        Frames<T>(SourceOf(reader), null, where).ReadAllAsync(cancellationToken);

    /// <inheritdoc cref="DeserializeFramedWhereAsync{T}(Stream, DeserializerSession, PayloadCondition, CancellationToken)"/>
    /// <param name="reader">The pipe.</param>
    /// <param name="session">
    /// The stream of messages that the frames belong to. The condition has to look into them with it, so that their types are known to
    /// later ones.
    /// </param>
    /// <param name="where">The condition, such as one over a <see cref="PayloadPath{T}"/>. What it throws ends the enumeration.</param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    public IAsyncEnumerable<T?> DeserializeFramedWhereAsync<T>(
        PipeReader reader, DeserializerSession session, PayloadCondition where, CancellationToken cancellationToken = default)
    {
        Check(session);
        return Frames<T>(SourceOf(reader), session, where).ReadAllAsync(cancellationToken);
    }

    /// <summary>
    /// Reads all frames until the stream ends, and goes on after a message that cannot be read: a refused type, a value of another type,
    /// damaged bytes, an exception of the program's own code. The message is handed to <paramref name="deadLetters"/>.
    /// </summary>
    /// <param name="stream">The stream.</param>
    /// <param name="deadLetters">
    /// Gets each message that cannot be read, one at a time, in their order among the others. It is awaited before the next frame is read;
    /// what it throws ends the enumeration.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    /// <exception cref="ArgumentException">No value is of type <typeparamref name="T"/>. Nothing has been read.</exception>
    /// <exception cref="UnsupportedTypeException">
    /// No value of type <typeparamref name="T"/> can be read, whatever the messages are. Nothing has been read.
    /// </exception>
    /// <exception cref="WireFormatException">
    /// The stream cannot be read any further: it ends inside a frame, or a frame is larger than <see cref="Limits.MaxFrameBytes"/>.
    /// </exception>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        Stream stream, Func<DeadLetter, ValueTask> deadLetters, CancellationToken cancellationToken = default) =>
        ReadAll<T>(SourceOf(stream), null, deadLetters, cancellationToken);

    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(Stream, Func{DeadLetter, ValueTask}, CancellationToken)"/>
    /// <param name="stream">The stream.</param>
    /// <param name="session">
    /// The stream of messages that the frames belong to. It goes on after a dead letter as <see cref="DeserializerSession"/> says: later
    /// messages that need a definition of types from a damaged one are dead letters too.
    /// </param>
    /// <param name="deadLetters">
    /// Gets each message that cannot be read, one at a time, in their order among the others. It is awaited before the next frame is read;
    /// what it throws ends the enumeration.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    /// <exception cref="ArgumentException">No value is of type <typeparamref name="T"/>. Nothing has been read.</exception>
    /// <exception cref="UnsupportedTypeException">
    /// No value of type <typeparamref name="T"/> can be read, whatever the messages are. Nothing has been read.
    /// </exception>
    /// <exception cref="WireFormatException">
    /// The stream cannot be read any further: it ends inside a frame, a frame is larger than <see cref="Limits.MaxFrameBytes"/>, or a
    /// message contradicts the session, which has ended.
    /// </exception>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        Stream stream,
        DeserializerSession session,
        Func<DeadLetter, ValueTask> deadLetters,
        CancellationToken cancellationToken = default)
    {
        Check(session);
        return ReadAll<T>(SourceOf(stream), session, deadLetters, cancellationToken);
    }

    /// <summary>
    /// Reads all frames until the pipe is completed, and goes on after a message that cannot be read: a refused type, a value of another
    /// type, damaged bytes, an exception of the program's own code. The message is handed to <paramref name="deadLetters"/>.
    /// </summary>
    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(Stream, Func{DeadLetter, ValueTask}, CancellationToken)"/>
    /// <param name="reader">The pipe.</param>
    /// <param name="deadLetters">
    /// Gets each message that cannot be read, one at a time, in their order among the others. It is awaited before the next frame is read;
    /// what it throws ends the enumeration.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        PipeReader reader, Func<DeadLetter, ValueTask> deadLetters, CancellationToken cancellationToken = default) =>
        ReadAll<T>(SourceOf(reader), null, deadLetters, cancellationToken);

    /// <inheritdoc cref="DeserializeAllFramedAsync{T}(Stream, DeserializerSession, Func{DeadLetter, ValueTask}, CancellationToken)"/>
    /// <param name="reader">The pipe.</param>
    /// <param name="session">
    /// The stream of messages that the frames belong to. It goes on after a dead letter as <see cref="DeserializerSession"/> says: later
    /// messages that need a definition of types from a damaged one are dead letters too.
    /// </param>
    /// <param name="deadLetters">
    /// Gets each message that cannot be read, one at a time, in their order among the others. It is awaited before the next frame is read;
    /// what it throws ends the enumeration.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    public IAsyncEnumerable<T?> DeserializeAllFramedAsync<T>(
        PipeReader reader,
        DeserializerSession session,
        Func<DeadLetter, ValueTask> deadLetters,
        CancellationToken cancellationToken = default)
    {
        Check(session);
        return ReadAll<T>(SourceOf(reader), session, deadLetters, cancellationToken);
    }

    private IAsyncEnumerable<T?> ReadAll<T>(
        FrameSource source, DeserializerSession? session, Func<DeadLetter, ValueTask> deadLetters, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(deadLetters);
        CheckReadable(typeof(T));
        return Frames<T>(source, session).ReadAllAsync(
            deadLetters, session is null ? static () => true : session.CanGoOn, cancellationToken);
    }

    // Else each message would be a dead letter, and a mistake of the caller would empty his queue. What derives from a class that
    // cannot be serialized may have a surrogate.
    private void CheckReadable(Type type)
    {
        CheckHasValues(type, "T");
        Type asked = Nullable.GetUnderlyingType(type) ?? type;
        bool isFinal = asked.IsSealed
            || (Options.Surrogates.IsDefaultOrEmpty && Options.ValueSerializerFactories.IsDefaultOrEmpty);
        if (isFinal && !asked.IsAbstract && asked != typeof(object))
        {
            Registry.Entry(asked);
        }
    }

    private FrameSource SourceOf(Stream stream) => new(stream, Options.Limits.MaxFrameBytes);

    private FrameSource SourceOf(PipeReader reader) => new(reader, Options.Limits.MaxFrameBytes);

    private FrameReading<T> Frames<T>(FrameSource source, DeserializerSession? session, PayloadCondition where)
    {
        ArgumentNullException.ThrowIfNull(where);
        return Frames<T>(source, session) with { Where = where };
    }

    private FrameReading<T> Frames<T>(FrameSource source, DeserializerSession? session) => session is null
        ? new(source, payload => Deserialize<T>(payload))
        : new(source, payload => Deserialize<T>(payload, session));
}
