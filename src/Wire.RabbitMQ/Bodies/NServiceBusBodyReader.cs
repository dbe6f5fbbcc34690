using System.Buffers;
using System.Text.Json;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ;

/// <summary>
/// Messages that services of NServiceBus have sent in JSON: the body is the message, and the header
/// <c>NServiceBus.EnclosedMessageTypes</c> has its types, of which it becomes the first that a handler has or <paramref name="json"/>
/// allows. Thread-safe.
/// </summary>
/// <remarks>
/// Add it before a <see cref="JsonBodyFormat"/>, which reads messages of the same content type. Source: NServiceBus, "Message Headers",
/// "RabbitMQ native integration".
/// </remarks>
/// <param name="json">Reads the messages; its names of types may be those of the header, up to the assembly.</param>
public sealed class NServiceBusBodyReader(JsonBodyFormat json) : IBodyReader
{
    private static readonly AmqpString EnclosedMessageTypes = "NServiceBus.EnclosedMessageTypes";

    private readonly JsonBodyFormat _json = json ?? throw new ArgumentNullException(nameof(json));

    /// <inheritdoc cref="IBodyReader.Reads"/>
    public bool Reads(in BasicProperties properties) =>
        new MediaType(properties.ContentType).Is(JsonBodyFormat.ContentType, "text/json")
        && properties.Headers.TryGetValue(EnclosedMessageTypes, out _);

    /// <inheritdoc cref="IBodyReader.Read"/>
    /// <exception cref="JsonException">It is no JSON, or none of that type.</exception>
    public object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, BodyTypes types)
    {
        ArgumentNullException.ThrowIfNull(types);
        string names = properties.Headers.String(EnclosedMessageTypes) ?? "";
        foreach (string each in names.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if ((_json.Named(each) ?? types.Find(each, _json.Allowed)) is { } type)
            {
                return _json.Read(type, in properties, in body);
            }
        }

        return types.Expected is { } expected && names.Length == 0
            ? _json.Read(expected, in properties, in body)
            : throw new BodyTypeException(
                $"The message has the types '{names.Beginning()}' ({EnclosedMessageTypes}), none of which a handler has: add one with " +
                $"Handle<T>, or allow a type with {nameof(JsonBodyFormat)}.{nameof(JsonBodyFormat.Allow)}.");
    }
}
