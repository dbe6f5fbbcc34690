using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;

namespace Wire;

public sealed partial class Serializer
{
    /// <summary>Writes a value, with its types, to a buffer writer.</summary>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">
    /// The output. A value that fits the first span is advanced over when it is complete, so a failure writes nothing. A larger value that
    /// fails may have advanced over full spans: undo them, or abandon the output. The caller's session, if any, can then no longer be used.
    /// </param>
    public void Serialize<T>(T value, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (typeof(T).IsValueType || value is null || _writers.Find(value) is not { } root)
        {
            WriteOther(value, output);
        }
        else if (!root.TryWriteFlat(value, output))
        {
            WriteCommon(root, value, output);
        }
    }

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte})"/>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public void Serialize<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        if (typeof(T).IsValueType || value is null || !session.TryWriteFlat(value, output))
        {
            Write(session, value, output);
        }
    }

    /// <summary>Writes a value, with its types, to a new array.</summary>
    public byte[] Serialize<T>(T value)
    {
        return typeof(T).IsValueType || value is null || _writers.Find(value) is not { } root
            ? ToArray(ThreadWriting(), value)
            : root.TryWriteFlat(value) ?? WriteCommon(root, value);
    }

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize<T>(T value, SerializerSession session)
    {
        Check(session);
        return ToArray(session, value);
    }

    /// <summary>
    /// Writes a value, with its types, to a stream: in one piece when it is complete, or, if larger than 64 KiB, in pieces of at least that
    /// size. A smaller value that fails writes nothing to the stream. A larger one that fails may have written some pieces: the stream then
    /// holds an unreadable value, and the caller's session, if any, can no longer be used.
    /// </summary>
    public void Serialize<T>(T value, Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ToStream(ThreadWriting(), value, stream);
    }

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize<T>(T value, Stream stream, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        ToStream(session, value, stream);
    }

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte})"/>
    public void Serialize(object? value, IBufferWriter<byte> output) => Serialize<object?>(value, output);

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte}, SerializerSession)"/>
    public void Serialize(object? value, IBufferWriter<byte> output, SerializerSession session) =>
        Serialize<object?>(value, output, session);

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize(object? value) => Serialize<object?>(value);

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize(object? value, SerializerSession session) => Serialize<object?>(value, session);

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize(object? value, Stream stream) => Serialize<object?>(value, stream);

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize(object? value, Stream stream, SerializerSession session) => Serialize<object?>(value, stream, session);

    /// <summary>
    /// Writes a value without the manifest of its root, for readers that know <typeparamref name="T"/> and use <see
    /// cref="DeserializeTyped{T}(ReadOnlySpan{byte})"/>. A fingerprint of four bytes turns a mismatch into a clear error.
    /// </summary>
    public void SerializeTyped<T>(T value, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (!typeof(T).IsValueType
            && value is not null
            && _flatTypedRoot is TypedRoot<T> { Writer: { } root }
            && value.GetType() == typeof(T)
            && root.TryWriteFlat(value, output))
        {
            return;
        }

        WriteTyped(ThreadWriting(), value, output);
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public void SerializeTyped<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        WriteTyped(session, value, output);
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public byte[] SerializeTyped<T>(T value)
    {
        byte[]? flat = !typeof(T).IsValueType
            && value is not null
            && _flatTypedRoot is TypedRoot<T> { Writer: { } root }
            && value.GetType() == typeof(T)
            ? root.TryWriteFlat(value)
            : null;
        return flat ?? ThreadWriting().ToArray(new KnownRoot<T>(value));
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public byte[] SerializeTyped<T>(T value, SerializerSession session)
    {
        Check(session);
        return session.ToArray(new KnownRoot<T>(value));
    }

    // Out of line: so the code for flat messages needs no large stack frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteCommon(RootWriter root, object value, IBufferWriter<byte> output) =>
        ThreadWriting().ToBufferWriter(new CommonRoot(root, value), output);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] WriteCommon(RootWriter root, object value) => ThreadWriting().ToArray(new CommonRoot(root, value));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteOther<T>(T value, IBufferWriter<byte> output) => Write(ThreadWriting(), value, output);

    // The three methods below separate references from value types that are not nullable: the code for the latter is compiled per type and
    // boxes nothing. The condition is a constant to the JIT.
    private static void Write<T>(SerializerSession session, T value, IBufferWriter<byte> output)
    {
        if (default(T) is not null)
        {
            session.ToBufferWriter(new ValueRoot<T>(value), output);
        }
        else
        {
            session.ToBufferWriter(new ObjectRoot(value), output);
        }
    }

    private static byte[] ToArray<T>(SerializerSession session, T value) => default(T) is not null
        ? session.ToArray(new ValueRoot<T>(value))
        : session.ToArray(new ObjectRoot(value));

    private static void ToStream<T>(SerializerSession session, T value, Stream stream)
    {
        if (default(T) is not null)
        {
            session.ToStream(new ValueRoot<T>(value), stream);
        }
        else
        {
            session.ToStream(new ObjectRoot(value), stream);
        }
    }

    // The common part of messages of a repeated type is copied, and only the rest is written.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteTyped<T>(SerializerSession session, T value, IBufferWriter<byte> output)
    {
        if (default(T) is null && session.Roots.LastTyped<T>()?.WriterFor(session) is { } root && TypedRoot<T>.IsExact(value))
        {
            session.ToBufferWriter(new CommonRoot(root, value), output);
        }
        else
        {
            session.ToBufferWriter(new KnownRoot<T>(value), output);
        }
    }
}
