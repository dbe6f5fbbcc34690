using Wolverine;
using Wolverine.Configuration;
using Wolverine.Runtime.Serialization;

namespace Wire.Wolverine;

/// <summary>Adds Wire to the serializers of an application or of one endpoint.</summary>
public static class WireSerializationExtensions
{
    /// <summary>
    /// Writes messages with Wire by default. Those in other content types are still read by the serializers that are registered.
    /// </summary>
    /// <param name="options">The application.</param>
    /// <param name="serializer">The options of the serializer, with the types that messages may name.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static void UseWireSerialization(this WolverineOptions options, SerializerOptions serializer)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.DefaultSerializer = new WireMessageSerializer(serializer);
    }

    /// <summary>Writes the messages of one endpoint with Wire.</summary>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="serializer">The options of the serializer, with the types that messages may name.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static T UseWireSerialization<T>(this T endpoint, SerializerOptions serializer)
        where T : IEndpointConfiguration<T> => endpoint.DefaultSerializer(new WireMessageSerializer(serializer));
}

/// <summary>Writes and reads messages of Wolverine as Wire payloads. Thread-safe.</summary>
/// <remarks>
/// Wolverine looks the type up by the name in the envelope, among the types that have handlers, and asks for that type. What
/// cannot be read is a <see cref="WireFormatException"/>, with which Wolverine moves the envelope to its dead letters.
/// </remarks>
public sealed class WireMessageSerializer : IMessageSerializer
{
    private readonly Serializer _serializer;

    /// <summary>Makes a serializer of messages.</summary>
    /// <param name="options">The options, with the types that messages may name.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public WireMessageSerializer(SerializerOptions options) => _serializer = new Serializer(options);

    /// <inheritdoc/>
    public string ContentType => "application/x-wire";

    /// <inheritdoc/>
    public byte[] Write(Envelope envelope)
    {
        ArgumentNullException.ThrowIfNull(envelope);
        return WriteMessage(envelope.Message ?? throw new ArgumentException("The envelope has no message.", nameof(envelope)));
    }

    /// <inheritdoc/>
    public byte[] WriteMessage(object message) => _serializer.Serialize(message);

    /// <inheritdoc/>
    public object ReadFromData(Type messageType, Envelope envelope)
    {
        ArgumentNullException.ThrowIfNull(envelope);
        return _serializer.Deserialize(messageType, envelope.Body.Span)!;
    }

    /// <inheritdoc/>
    public object ReadFromData(byte[] data) => _serializer.Deserialize<object>(data)!;
}
