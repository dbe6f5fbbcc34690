using System.Collections.Concurrent;
using NServiceBus.MessageInterfaces;
using NServiceBus.Serialization;
using NServiceBus.Settings;

namespace Wire.NServiceBus;

/// <summary>Makes Wire the serializer of an endpoint: <c>endpoint.UseSerialization(new WireSerializer(options))</c>.</summary>
/// <param name="options">The options of the serializer, with the types that messages may name.</param>
public sealed class WireSerializer(SerializerOptions options) : SerializationDefinition
{
    /// <inheritdoc/>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public override Func<IMessageMapper, IMessageSerializer> Configure(IReadOnlySettings settings) =>
        mapper => new WireMessageSerializer(options, mapper);
}

/// <summary>Writes and reads messages of NServiceBus as Wire payloads. Thread-safe.</summary>
/// <remarks>
/// NServiceBus finds the types of a message among those that it has scanned, and asks for the most derived one. What cannot be read is a
/// <see cref="WireFormatException"/>, with which NServiceBus moves the message to the error queue without further attempts.
/// </remarks>
internal sealed class WireMessageSerializer(SerializerOptions options, IMessageMapper mapper) : IMessageSerializer
{
    // The name of the class that NServiceBus makes for an interface: its own is another one in each process.
    private const string ProxyName = "Wire.NServiceBus.Message";

    private readonly Serializer _serializer = new(options);
    private readonly ConcurrentDictionary<Type, Serializer> _ofProxies = new();

    public string ContentType => "application/x-wire";

    public void Serialize(object message, Stream stream)
    {
        Type type = message.GetType();
        Serializer serializer = mapper.GetMappedTypeFor(type) is { IsInterface: true } ? OfProxy(type) : _serializer;
        serializer.Serialize(message, stream);
    }

    public object[] Deserialize(ReadOnlyMemory<byte> body, IList<Type>? messageTypes = null)
    {
        // Most derived first. An event of two interfaces that have nothing in common is a message for the handlers of each.
        var messages = new List<object>(1);
        foreach (Type type in messageTypes is { Count: > 0 } ? messageTypes : [typeof(object)])
        {
            if (!messages.Any(type.IsInstanceOfType))
            {
                messages.Add(Deserialize(body, type));
            }
        }

        return [.. messages];
    }

    private object Deserialize(ReadOnlyMemory<byte> body, Type type)
    {
        Serializer serializer = type.IsInterface && mapper.GetMappedTypeFor(type) is { } proxy ? OfProxy(proxy) : _serializer;
        return serializer.Deserialize(type, body.Span) ?? throw new FormatException("The payload is null, which no handler is for.");
    }

    private Serializer OfProxy(Type type) => _ofProxies.GetOrAdd(
        type, proxy => new Serializer(options with { TypeAliases = options.TypeAliases.Alias(proxy, ProxyName) }));
}
