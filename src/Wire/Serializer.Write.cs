using System.Buffers;

namespace Wire;

public sealed partial class Serializer
{
    /// <summary>Writes a value, with its types, to a buffer writer.</summary>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">
    /// Where to write. A value that fits the first span that it gives is advanced over when it is complete; of a larger one
    /// that fails, whole spans may have been advanced over.
    /// </param>
    public void Serialize<T>(T value, IBufferWriter<byte> output) => Write(value, output, typed: false);

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte})"/>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public void Serialize<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        session.ToBufferWriter(value, output, typed: false);
    }

    /// <summary>Writes a value, with its types, to a new array.</summary>
    public byte[] Serialize<T>(T value) => Write(value, typed: false);

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize<T>(T value, SerializerSession session)
    {
        Check(session);
        return session.ToArray(value, typed: false);
    }

    /// <summary>
    /// Writes a value, with its types, to a stream: in one piece when it is complete, or, when it is larger than 64 KiB, in
    /// pieces of that size. A smaller value that fails leaves the stream untouched.
    /// </summary>
    public void Serialize<T>(T value, Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        SerializerSession session = Rent();
        try
        {
            session.ToStream(value, stream, typed: false);
        }
        finally
        {
            Return(session);
        }
    }

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize<T>(T value, Stream stream, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        session.ToStream(value, stream, typed: false);
    }

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte})"/>
    public void Serialize(object? value, IBufferWriter<byte> output) => Serialize<object?>(value, output);

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte}, SerializerSession)"/>
    public void Serialize(object? value, IBufferWriter<byte> output, SerializerSession session) => Serialize<object?>(value, output, session);

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize(object? value) => Serialize<object?>(value);

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize(object? value, SerializerSession session) => Serialize<object?>(value, session);

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize(object? value, Stream stream) => Serialize<object?>(value, stream);

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize(object? value, Stream stream, SerializerSession session) => Serialize<object?>(value, stream, session);

    /// <summary>
    /// Writes a value without the manifest of its root, for readers that know <typeparamref name="T"/> and read it with
    /// <see cref="DeserializeTyped{T}(ReadOnlySpan{byte})"/>. Four bytes of fingerprint make a mismatch a clear error.
    /// </summary>
    public void SerializeTyped<T>(T value, IBufferWriter<byte> output) => Write(value, output, typed: true);

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public void SerializeTyped<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        session.ToBufferWriter(value, output, typed: true);
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public byte[] SerializeTyped<T>(T value) => Write(value, typed: true);

    private void Write<T>(T value, IBufferWriter<byte> output, bool typed)
    {
        ArgumentNullException.ThrowIfNull(output);
        SerializerSession session = Rent();
        try
        {
            session.ToBufferWriter(value, output, typed);
        }
        finally
        {
            Return(session);
        }
    }

    private byte[] Write<T>(T value, bool typed)
    {
        SerializerSession session = Rent();
        try
        {
            return session.ToArray(value, typed);
        }
        finally
        {
            Return(session);
        }
    }
}
