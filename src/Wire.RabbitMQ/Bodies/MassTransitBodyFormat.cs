using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ;

/// <summary>
/// The envelopes of MassTransit in JSON, <c>application/vnd.masstransit+json</c>: messages of its services are read, and those written that
/// these read. A message becomes the first of its message types that a handler has or <paramref name="json"/> allows. Thread-safe.
/// </summary>
/// <remarks>
/// The addresses of an envelope, and its headers, are left out: a reply goes where the message's own property says, and a fault nowhere.
/// Source: MassTransit, "Interoperability".
/// </remarks>
/// <param name="json">Reads and writes the messages in them; its names of types may be message URNs.</param>
public sealed class MassTransitBodyFormat(JsonBodyFormat json) : IBodyFormat
{
    private const string ContentType = "application/vnd.masstransit+json";
    private const string Urn = "urn:message:";

    // For the lifetime of the program, as those types are that a program handles.
    private static readonly ConcurrentDictionary<Type, string> Urns = new();

    private readonly JsonBodyFormat _json = json ?? throw new ArgumentNullException(nameof(json));

    /// <inheritdoc cref="IBodyReader.Reads"/>
    public bool Reads(in BasicProperties properties) => new MediaType(properties.ContentType).Is(ContentType);

    /// <inheritdoc cref="IBodyReader.Read"/>
    /// <exception cref="JsonException">It is no JSON, no envelope, or its message is none of that type.</exception>
    public object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, BodyTypes types)
    {
        ArgumentNullException.ThrowIfNull(types);
        using JsonDocument document = JsonDocument.Parse(body);
        JsonElement envelope = document.RootElement;
        if (envelope.ValueKind != JsonValueKind.Object
            || !envelope.TryGetProperty("message", out JsonElement message)
            || !envelope.TryGetProperty("messageType", out JsonElement names)
            || names.ValueKind != JsonValueKind.Array)
        {
            throw new JsonException("It is no envelope of MassTransit, which has the members 'message' and 'messageType', an array.");
        }

        foreach (JsonElement name in names.EnumerateArray())
        {
            if (name.GetString() is { } urn && TypeOf(urn, types) is { } type)
            {
                return _json.Read(type, message);
            }
        }

        return types.Expected is { } expected && names.GetArrayLength() == 0
            ? _json.Read(expected, message)
            : throw new BodyTypeException(
                $"The envelope has the message types {names.GetRawText().Beginning()}, none of which a handler has: add one with " +
                $"Handle<T>, or allow a type with {nameof(JsonBodyFormat)}.{nameof(JsonBodyFormat.Allow)}.");
    }

    /// <inheritdoc/>
    public void Write(object? message, ref BasicProperties properties, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(output);
        properties.ContentType = ContentType;
        using var writer = new Utf8JsonWriter(output);
        writer.WriteStartObject();
        WriteId(writer, "messageId", properties.MessageId.Text());
        WriteId(writer, "correlationId", properties.CorrelationId.Text());
        writer.WriteStartArray("messageType");
        foreach (Type type in WireConventions.Default.BasesOf(message.GetType()).Prepend(message.GetType()))
        {
            writer.WriteStringValue(UrnOf(type));
        }

        writer.WriteEndArray();
        writer.WritePropertyName("message");
        _json.WriteTo(writer, message);
        if (properties.Timestamp is { } timestamp && timestamp.TryToDateTimeOffset(out DateTimeOffset time))
        {
            writer.WriteString("sentTime", time.UtcDateTime);
        }

        writer.WriteStartObject("headers");
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    // Its own identifiers are GUIDs, and an envelope with another is refused there.
    private static void WriteId(Utf8JsonWriter writer, string name, string? id)
    {
        if (Guid.TryParse(id, out Guid guid))
        {
            writer.WriteString(name, guid);
        }
    }

    private static string UrnOf(Type type) => Urns.GetOrAdd(type, static type => Write(new StringBuilder(Urn), type).ToString());

    private static StringBuilder Write(StringBuilder text, Type type)
    {
        if (type.Namespace is { } space && type.DeclaringType is null)
        {
            text.Append(space).Append(':');
        }

        if (type.DeclaringType is { } outer)
        {
            Write(text, outer).Append('+');
        }

        int arity = type.Name.IndexOf('`', StringComparison.Ordinal);
        text.Append(arity < 0 ? type.Name : type.Name[..arity]);
        if (type.IsGenericType && !type.ContainsGenericParameters)
        {
            text.Append('[');
            foreach ((int index, Type argument) in type.GetGenericArguments().Index())
            {
                Write(text.Append(index == 0 ? "[" : ",["), argument).Append(']');
            }

            text.Append(']');
        }

        return text;
    }

    private Type? TypeOf(string urn, BodyTypes types) => _json.Named(urn) ?? types.Find(type => UrnOf(type) == urn, _json.Allowed);
}
