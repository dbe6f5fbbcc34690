using System.Diagnostics.CodeAnalysis;
using System.Net.Mime;
using MassTransit;
using Wire.MassTransit.Contracts;
using Wire.Runtime;

namespace Wire.MassTransit;

/// <summary>
/// Makes the serializer and deserializer that carry MassTransit's messages as Wire payloads. Thread-safe: one may serve a bus and all its
/// endpoints.
/// </summary>
/// <remarks>
/// <para>A body is two payloads, one after the other: the envelope, with identifiers, addresses, headers, host and the names of the
/// message's types, and the message itself. The envelope's names decide which consumers get the message; the message is read as the
/// type that a consumer asks for, and may name that type, the types that it declares, the events of MassTransit, and what
/// <see cref="SerializerOptions.TypeFilter"/> allows.</para>
/// <para>A body that cannot be read is a <see cref="System.Runtime.Serialization.SerializationException"/> with the reason, so that
/// MassTransit moves the message to the error queue.</para>
/// </remarks>
public sealed class WireSerializerFactory : ISerializerFactory
{
    private readonly WireMessageSerializer _serializer;

    /// <summary>Makes a factory.</summary>
    /// <param name="options">The options of the serializer; immutable.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public WireSerializerFactory(SerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _serializer = new WireMessageSerializer(new MessageSerializers(options));
    }

    /// <summary>Gets the content type of messages in this format: <c>application/vnd.masstransit+wire</c>.</summary>
    public static ContentType WireContentType { get; } = new("application/vnd.masstransit+wire");

    /// <inheritdoc/>
    public ContentType ContentType => WireContentType;

    /// <inheritdoc/>
    public IMessageSerializer CreateSerializer() => _serializer;

    /// <inheritdoc/>
    public IMessageDeserializer CreateDeserializer() => _serializer;
}
