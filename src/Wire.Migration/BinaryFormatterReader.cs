using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using Wire.Migration.Reading;
using Wire.Runtime;

namespace Wire.Migration;

/// <summary>
/// Reads what BinaryFormatter wrote into objects, under the <see cref="SerializerOptions.TypeFilter"/>, the <see
/// cref="SerializerOptions.TypeAliases"/> and the <see cref="SerializerOptions.Limits"/> of a serializer, and writes them again as
/// payloads of Wire. Thread-safe: make one and use it everywhere. It remains usable after any failure.
/// </summary>
/// <remarks>
/// Bytes that cannot be read end in a <see cref="WireFormatException"/>, types that are not allowed in the derived <see
/// cref="TypeRefusedException"/>, and types that the serializer cannot write in an <see cref="UnsupportedTypeException"/>. Constructors
/// with a SerializationInfo, IObjectReference and serialization callbacks, which BinaryFormatter ran for every type, run only where <see
/// cref="SerializerOptions.UseSerializable"/> and <see cref="SerializerOptions.UseSerializationCallbacks"/> are set; a type that has them
/// is refused otherwise. Members that only the payload or only the type has are reported to <see
/// cref="SerializerOptions.SchemaDifference"/> and judged by <see cref="SerializerOptions.MissingMembers"/>. What code of the program
/// throws in a callback reaches the caller unchanged.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class BinaryFormatterReader
{
    private readonly Formatted _formatted;

    /// <summary>Makes a reader.</summary>
    /// <param name="serializer">The serializer, whose options decide what may be read, and which writes what has been read.</param>
    public BinaryFormatterReader(Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        Serializer = serializer;
        _formatted = new Formatted(serializer);
    }

    /// <summary>The serializer that the reader was made with.</summary>
    public Serializer Serializer { get; }

    /// <summary>
    /// Returns whether bytes begin as BinaryFormatter's do: by the 17 bytes of its header, with which no payload of Wire begins.
    /// </summary>
    /// <param name="payload">The bytes, or the first 17 of them.</param>
    public static bool IsBinaryFormatter(ReadOnlySpan<byte> payload) => NrbfDecoder.StartsWithPayloadHeader(payload);

    /// <summary>Reads the one object graph that the bytes hold.</summary>
    /// <typeparam name="T">
    /// The type of the root, or a base class or interface of it; the payload may name the types that its members declare.
    /// </typeparam>
    /// <param name="payload">The bytes.</param>
    /// <exception cref="WireFormatException">The bytes are not what BinaryFormatter wrote, or more bytes follow it.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    /// <exception cref="UnsupportedTypeException">The serializer cannot write a type of the payload.</exception>
    public T? Read<T>(ReadOnlyMemory<byte> payload) => _formatted.Read<T>(payload, out _);

    /// <inheritdoc cref="Read{T}(ReadOnlyMemory{byte})"/>
    public object? Read(ReadOnlyMemory<byte> payload) => Read<object>(payload);

    /// <summary>
    /// Reads one object graph from a stream and leaves the stream directly after it, as BinaryFormatter did: others may follow. After a
    /// failure the stream is left anywhere inside.
    /// </summary>
    /// <param name="input">The stream, which is not closed.</param>
    /// <inheritdoc cref="Read{T}(ReadOnlyMemory{byte})"/>
    public T? Read<T>(Stream input) => _formatted.Read<T>(input, out _);

    /// <inheritdoc cref="Read{T}(Stream)"/>
    public object? Read(Stream input) => Read<object>(input);

    /// <summary>Reads the one object graph that the bytes hold, and writes it as Wire.</summary>
    /// <returns>The payload of Wire.</returns>
    /// <exception cref="ObjectGraphException">
    /// An object has several references, or the graph a cycle, and the serializer does not keep them: <see
    /// cref="SerializerOptions.PreserveObjectReferences"/>.
    /// </exception>
    /// <inheritdoc cref="Read{T}(ReadOnlyMemory{byte})"/>
    public byte[] Convert<T>(ReadOnlyMemory<byte> payload) =>
        Serializer.Serialize(Whole(_formatted.Read<T>(payload, out string? shared), shared));

    /// <inheritdoc cref="Convert{T}(ReadOnlyMemory{byte})"/>
    public byte[] Convert(ReadOnlyMemory<byte> payload) => Convert<object>(payload);

    /// <summary>Reads one object graph from a stream, and writes it to another as Wire.</summary>
    /// <param name="input">The stream that BinaryFormatter wrote; left directly after the graph, and not closed.</param>
    /// <param name="output">The stream for the payload of Wire; not closed. Nothing is written if reading fails.</param>
    /// <inheritdoc cref="Convert{T}(ReadOnlyMemory{byte})"/>
    public void Convert<T>(Stream input, Stream output)
    {
        ArgumentNullException.ThrowIfNull(output);
        Serializer.Serialize(Whole(_formatted.Read<T>(input, out string? shared), shared), output);
    }

    /// <inheritdoc cref="Convert{T}(Stream, Stream)"/>
    public void Convert(Stream input, Stream output) => Convert<object>(input, output);

    /// <inheritdoc cref="Convert{T}(Stream, Stream)"/>
    public void Convert<T>(Stream input, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        Serializer.Serialize(Whole(_formatted.Read<T>(input, out string? shared), shared), output);
    }

    /// <inheritdoc cref="Convert{T}(Stream, Stream)"/>
    public void Convert(Stream input, IBufferWriter<byte> output) => Convert<object>(input, output);

    private T? Whole<T>(T? value, string? shared) => shared is null || Serializer.Options.PreserveObjectReferences
        ? value
        : throw new ObjectGraphException(
            $"The object at {shared} is one that the graph refers to elsewhere too, and would become a copy. Set "
            + "SerializerOptions.PreserveObjectReferences, or write what Read returns, if copies will do.",
            shared);
}
