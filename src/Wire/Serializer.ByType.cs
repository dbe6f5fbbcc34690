using System.Buffers;
using Wire.Runtime;

namespace Wire;

/// <content>Reading and writing for callers that have the type as a <see cref="Type"/>.</content>
public sealed partial class Serializer
{
    // Types of other implementations, such as those of assemblies that are being built, have no values.
    private static readonly Type RuntimeType = typeof(object).GetType();

    private TypeMap<ByType>? _byType;

    /// <summary>Reads the one value that the payload holds, as <see cref="Deserialize{T}(ReadOnlySpan{byte})"/> does.</summary>
    /// <param name="type">
    /// The type of the value, or a base class or interface of it; the payload may name the types that its members declare.
    /// </param>
    /// <param name="payload">The bytes.</param>
    /// <returns>The value, boxed if it is of a value type.</returns>
    /// <exception cref="ArgumentException">
    /// No value is of the type: an open generic type, a pointer, a by-ref, a ref struct, void or a static class, or an array of such.
    /// </exception>
    /// <exception cref="WireFormatException">The bytes are not such a payload, or more bytes follow it.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public object? Deserialize(Type type, ReadOnlySpan<byte> payload) => For(type).Read(this, payload);

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte})"/>
    /// <param name="type">The type of the value, or a base class or interface of it.</param>
    /// <param name="payload">The bytes.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public object? Deserialize(Type type, ReadOnlySpan<byte> payload, DeserializerSession session) =>
        For(type).Read(this, payload, session);

    /// <summary>
    /// Reads the value at the beginning of the bytes, as <see cref="Deserialize{T}(ReadOnlySpan{byte}, out int)"/> does; others may follow.
    /// </summary>
    /// <param name="type">The type of the value, or a base class or interface of it.</param>
    /// <param name="payload">The bytes.</param>
    /// <param name="consumed">The number of bytes that the value takes.</param>
    /// <returns>The value, boxed if it is of a value type.</returns>
    /// <exception cref="ArgumentException">No value is of the type.</exception>
    /// <exception cref="WireFormatException">The bytes do not begin with such a payload.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public object? Deserialize(Type type, ReadOnlySpan<byte> payload, out int consumed) => For(type).Read(this, payload, out consumed);

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, out int)"/>
    /// <param name="type">The type of the value, or a base class or interface of it.</param>
    /// <param name="payload">The bytes.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    /// <param name="consumed">The number of bytes that the value takes.</param>
    public object? Deserialize(Type type, ReadOnlySpan<byte> payload, DeserializerSession session, out int consumed) =>
        For(type).Read(this, payload, session, out consumed);

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte})"/>
    public object? Deserialize(Type type, byte[] payload)
    {
        ArgumentNullException.ThrowIfNull(payload);
        return For(type).Read(this, payload);
    }

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, DeserializerSession)"/>
    public object? Deserialize(Type type, byte[] payload, DeserializerSession session)
    {
        ArgumentNullException.ThrowIfNull(payload);
        return For(type).Read(this, payload, session);
    }

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte})"/>
    public object? Deserialize(Type type, ReadOnlyMemory<byte> payload) => For(type).Read(this, payload.Span);

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, DeserializerSession)"/>
    public object? Deserialize(Type type, ReadOnlyMemory<byte> payload, DeserializerSession session) =>
        For(type).Read(this, payload.Span, session);

    /// <summary>
    /// Reads the one value in a sequence of segments, as <see cref="Deserialize{T}(in ReadOnlySequence{byte})"/> does, without joining the
    /// segments.
    /// </summary>
    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte})"/>
    public object? Deserialize(Type type, in ReadOnlySequence<byte> payload) => For(type).Read(this, payload);

    /// <inheritdoc cref="Deserialize(Type, in ReadOnlySequence{byte})"/>
    /// <param name="type">The type of the value, or a base class or interface of it.</param>
    /// <param name="payload">The bytes.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public object? Deserialize(Type type, in ReadOnlySequence<byte> payload, DeserializerSession session) =>
        For(type).Read(this, payload, session);

    /// <summary>
    /// Reads one value from a stream and leaves the stream directly after it, as <see cref="Deserialize{T}(Stream)"/> does.
    /// </summary>
    /// <param name="type">The type of the value, or a base class or interface of it.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>The value, boxed if it is of a value type.</returns>
    /// <exception cref="ArgumentException">No value is of the type.</exception>
    /// <exception cref="WireFormatException">The stream does not hold such a payload here.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public object? Deserialize(Type type, Stream stream) => For(type).Read(this, stream);

    /// <inheritdoc cref="Deserialize(Type, Stream)"/>
    /// <param name="type">The type of the value, or a base class or interface of it.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public object? Deserialize(Type type, Stream stream, DeserializerSession session) => For(type).Read(this, stream, session);

    /// <summary>Reads what was written as typed by the same type: see <see cref="DeserializeTyped{T}(ReadOnlySpan{byte})"/>.</summary>
    /// <param name="type">The type that the writer gave too.</param>
    /// <param name="payload">The bytes.</param>
    /// <returns>The value, boxed if it is of a value type.</returns>
    /// <exception cref="ArgumentException">No value is of the type.</exception>
    /// <exception cref="WireFormatException">
    /// The bytes are not such a payload, or the writer's type of this name has another schema.
    /// </exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public object? DeserializeTyped(Type type, ReadOnlySpan<byte> payload) => For(type).ReadTyped(this, payload);

    /// <inheritdoc cref="DeserializeTyped(Type, ReadOnlySpan{byte})"/>
    /// <param name="type">The type that the writer gave too.</param>
    /// <param name="payload">The bytes.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public object? DeserializeTyped(Type type, ReadOnlySpan<byte> payload, DeserializerSession session) =>
        For(type).ReadTyped(this, payload, session);

    /// <summary>
    /// Writes a value without the manifest of its root, as <see cref="SerializeTyped{T}(T, IBufferWriter{byte})"/> does.
    /// </summary>
    /// <param name="type">The type that readers give too; a value's own type, or a base class or interface of it.</param>
    /// <param name="value">The root; null is written where the type allows it.</param>
    /// <param name="output">The output, as for <see cref="Serialize{T}(T, IBufferWriter{byte})"/>.</param>
    /// <returns>The number of bytes written.</returns>
    /// <exception cref="ArgumentException">No value is of the type, or this one is not.</exception>
    public long SerializeTyped(Type type, object? value, IBufferWriter<byte> output) => For(type).WriteTyped(this, value, output);

    /// <inheritdoc cref="SerializeTyped(Type, object?, IBufferWriter{byte})"/>
    /// <param name="type">The type that readers give too; a value's own type, or a base class or interface of it.</param>
    /// <param name="value">The root; null is written where the type allows it.</param>
    /// <param name="output">The output, as for <see cref="Serialize{T}(T, IBufferWriter{byte})"/>.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public long SerializeTyped(Type type, object? value, IBufferWriter<byte> output, SerializerSession session) =>
        For(type).WriteTyped(this, value, output, session);

    /// <inheritdoc cref="SerializeTyped(Type, object?, IBufferWriter{byte})"/>
    /// <param name="type">The type that readers give too; a value's own type, or a base class or interface of it.</param>
    /// <param name="value">The root; null is written where the type allows it.</param>
    /// <returns>The payload.</returns>
    public byte[] SerializeTyped(Type type, object? value) => For(type).WriteTyped(this, value);

    /// <inheritdoc cref="SerializeTyped(Type, object?)"/>
    /// <param name="type">The type that readers give too; a value's own type, or a base class or interface of it.</param>
    /// <param name="value">The root; null is written where the type allows it.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public byte[] SerializeTyped(Type type, object? value, SerializerSession session) => For(type).WriteTyped(this, value, session);

    private ByType For(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        TypeMap<ByType> known = _byType ?? LazyInitializer.EnsureInitialized(ref _byType, static () => new());
        return type.GetType() == RuntimeType && known.TryGetValue(type, out ByType? calls)
            ? calls
            : known.GetOrAdd(type, MakeByType(type));
    }

    private static ByType MakeByType(Type type)
    {
        CheckHasValues(type, nameof(type));
        return (ByType)ClosedTypes.Create(typeof(ByType<>), [type]);
    }

    private static void CheckHasValues(Type type, string parameter)
    {
        if (WhyNoValue(type) is { } reason)
        {
            throw new ArgumentException(
                $"No value is of type {type}: {reason}. Give the type of a value, or a base class or interface of it.", parameter);
        }
    }

    private static string? WhyNoValue(Type type)
    {
        Type element = type;
        while (element.IsArray)
        {
            element = element.GetElementType()!;
        }

        string? reason = type.ContainsGenericParameters ? "an open generic type"
            : element.GetType() != RuntimeType ? "not loaded"
            : element.IsPointer ? "a pointer"
            : element.IsFunctionPointer ? "a function pointer"
            : element.IsByRef ? "a by-ref"
            : element.IsByRefLike ? "a ref struct"
            : element == typeof(void) ? "void"
            : element is { IsAbstract: true, IsSealed: true } ? "a static class"
            : null;
        return reason is null ? null : element == type ? $"it is {reason}" : $"its elements are of type {element}, which is {reason}";
    }

    /// <summary>The generic methods for one type.</summary>
    internal abstract class ByType
    {
        public abstract object? Read(Serializer serializer, ReadOnlySpan<byte> payload);

        public abstract object? Read(Serializer serializer, ReadOnlySpan<byte> payload, DeserializerSession session);

        public abstract object? Read(Serializer serializer, ReadOnlySpan<byte> payload, out int consumed);

        public abstract object? Read(
            Serializer serializer, ReadOnlySpan<byte> payload, DeserializerSession session, out int consumed);

        public abstract object? Read(Serializer serializer, in ReadOnlySequence<byte> payload);

        public abstract object? Read(Serializer serializer, in ReadOnlySequence<byte> payload, DeserializerSession session);

        public abstract object? Read(Serializer serializer, Stream stream);

        public abstract object? Read(Serializer serializer, Stream stream, DeserializerSession session);

        public abstract object? ReadTyped(Serializer serializer, ReadOnlySpan<byte> payload);

        public abstract object? ReadTyped(Serializer serializer, ReadOnlySpan<byte> payload, DeserializerSession session);

        public abstract byte[] WriteTyped(Serializer serializer, object? value);

        public abstract byte[] WriteTyped(Serializer serializer, object? value, SerializerSession session);

        public abstract long WriteTyped(Serializer serializer, object? value, IBufferWriter<byte> output);

        public abstract long WriteTyped(Serializer serializer, object? value, IBufferWriter<byte> output, SerializerSession session);
    }

    internal sealed class ByType<T> : ByType
    {
        public override object? Read(Serializer serializer, ReadOnlySpan<byte> payload) => serializer.Deserialize<T>(payload);

        public override object? Read(Serializer serializer, ReadOnlySpan<byte> payload, DeserializerSession session) =>
            serializer.Deserialize<T>(payload, session);

        public override object? Read(Serializer serializer, ReadOnlySpan<byte> payload, out int consumed) =>
            serializer.Deserialize<T>(payload, out consumed);

        public override object? Read(
            Serializer serializer, ReadOnlySpan<byte> payload, DeserializerSession session, out int consumed) =>
            serializer.Deserialize<T>(payload, session, out consumed);

        public override object? Read(Serializer serializer, in ReadOnlySequence<byte> payload) => serializer.Deserialize<T>(payload);

        public override object? Read(Serializer serializer, in ReadOnlySequence<byte> payload, DeserializerSession session) =>
            serializer.Deserialize<T>(payload, session);

        public override object? Read(Serializer serializer, Stream stream) => serializer.Deserialize<T>(stream);

        public override object? Read(Serializer serializer, Stream stream, DeserializerSession session) =>
            serializer.Deserialize<T>(stream, session);

        public override object? ReadTyped(Serializer serializer, ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<T>(payload);

        public override object? ReadTyped(Serializer serializer, ReadOnlySpan<byte> payload, DeserializerSession session) =>
            serializer.DeserializeTyped<T>(payload, session);

        public override byte[] WriteTyped(Serializer serializer, object? value) => serializer.SerializeTyped(Cast(value));

        public override byte[] WriteTyped(Serializer serializer, object? value, SerializerSession session) =>
            serializer.SerializeTyped(Cast(value), session);

        public override long WriteTyped(Serializer serializer, object? value, IBufferWriter<byte> output) =>
            serializer.SerializeTyped(Cast(value), output);

        public override long WriteTyped(Serializer serializer, object? value, IBufferWriter<byte> output, SerializerSession session) =>
            serializer.SerializeTyped(Cast(value), output, session);

        private static T Cast(object? value) => value is T || (value is null && default(T) is null)
            ? (T)value!
            : throw new ArgumentException(
                $"The value is {(value is null ? "null" : $"of type {value.GetType()}")}, and not a {typeof(T)}.", nameof(value));
    }
}
