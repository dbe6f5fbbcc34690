using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Messages;
using Wire.Plans;

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
        if (typeof(T).IsValueType || value is null || _writePlans.FindFor(value) is not { } plan)
        {
            WriteOther(value, output);
        }
        else if (!plan.TryWriteFlat(value, output))
        {
            plan.Write(value, output);
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
        if (typeof(T).IsValueType
            || value is null
            || session.FindFlat(value, out byte tag) is not { } plan
            || plan.TryWriteFlat(value, output, tag, session.Types) is not (> 0 and int size))
        {
            Write(session, value, output);
            return;
        }

        session.SendFlat(output, size);
    }

    /// <summary>Writes a value, with its types, to a new array.</summary>
    public byte[] Serialize<T>(T value)
    {
        byte[]? bytes = typeof(T).IsValueType || value is null ? null : _writePlans.FindFor(value)?.TryWriteFlat(value);
        return bytes ?? ToArray(ThreadWriting(), value);
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
        if (typeof(T).IsValueType
            || value is null
            || _typedPlans.FindFor(value) is not TypedPlan<T> { Writer: { } plan })
        {
            WriteTyped(ThreadWriting(), value, output);
        }
        else if (!plan.TryWriteFlat(value, output))
        {
            plan.Write(value, output);
        }
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public void SerializeTyped<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        if (typeof(T).IsValueType
            || value is null
            || !session.IsReady
            || _typedPlans.FindFor(value) is not TypedPlan<T> { SessionWriter: { } plan }
            || plan.TryWriteFlat(value, output, tag: 0, session.Types) is not (> 0 and int size))
        {
            WriteTyped(session, value, output);
            return;
        }

        session.SendFlat(output, size);
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public byte[] SerializeTyped<T>(T value)
    {
        byte[]? bytes = typeof(T).IsValueType || value is null ? null
            : (_typedPlans.FindFor(value) as TypedPlan<T>)?.Writer?.TryWriteFlat(value);
        return bytes ?? ThreadWriting().ToArray(new MessageRoot<T>(value, isTyped: true));
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public byte[] SerializeTyped<T>(T value, SerializerSession session)
    {
        Check(session);
        return session.ToArray(new MessageRoot<T>(value, isTyped: true));
    }

    // Out of line: so the code for messages with a plan needs no large stack frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteOther<T>(T value, IBufferWriter<byte> output) => Write(ThreadWriting(), value, output);

    // The three methods below separate references from value types that are not nullable: the code for the latter is compiled per type and
    // boxes nothing. The condition is a constant to the JIT.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Write<T>(SerializerSession session, T value, IBufferWriter<byte> output)
    {
        if (default(T) is not null)
        {
            session.ToBufferWriter(new MessageRoot<T>(value), output);
        }
        else
        {
            session.ToBufferWriter(new MessageRoot<object?>(value), output);
        }
    }

    private static byte[] ToArray<T>(SerializerSession session, T value) => default(T) is not null
        ? session.ToArray(new MessageRoot<T>(value))
        : session.ToArray(new MessageRoot<object?>(value));

    private static void ToStream<T>(SerializerSession session, T value, Stream stream)
    {
        if (default(T) is not null)
        {
            session.ToStream(new MessageRoot<T>(value), stream);
        }
        else
        {
            session.ToStream(new MessageRoot<object?>(value), stream);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteTyped<T>(SerializerSession session, T value, IBufferWriter<byte> output) =>
        session.ToBufferWriter(new MessageRoot<T>(value, isTyped: true), output);
}
