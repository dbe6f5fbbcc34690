using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wire.Amqp.V10;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>
/// What a message has in it, section by section, as text that can be compared: each value with its type, binary in hexadecimal, timestamps
/// in milliseconds, and of the data how many bytes and their hash.
/// </summary>
internal static class MessageDescription
{
    private static readonly JsonSerializerOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly string[] PropertyNames =
    [
        "message-id", "user-id", "to", "subject", "reply-to", "correlation-id", "content-type", "content-encoding", "absolute-expiry-time",
        "creation-time",
        "group-id", "group-sequence", "reply-to-group-id",
    ];

    /// <summary>Describes a message that has been read.</summary>
    public static JsonObject Of(StreamMessage message)
    {
        var described = new JsonObject();
        MessageReader reader = message.Sections;
        while (reader.TryRead(out Section section))
        {
            switch (section.Kind)
            {
                case SectionKind.Header:
                    described.Add("header", Of(section.Read<Header>()));
                    break;
                case SectionKind.MessageAnnotations:
                    described.Add("message-annotations", Sorted(Of(section.Read<MessageAnnotations>().Map)));
                    break;
                case SectionKind.Properties:
                    described.Add("properties", Of(section.Read<Properties>()));
                    break;
                case SectionKind.ApplicationProperties:
                    described.Add("application-properties", Of(section.Read<ApplicationProperties>().Map));
                    break;
                case SectionKind.Data:
                    described.Add("data", OfData(section.Read<DataSection>().Bytes.ToArray()));
                    break;
                default:
                    throw new InvalidOperationException($"No message of these tests has the section {section.Kind}.");
            }
        }

        return described;
    }

    /// <summary>Describes the bytes of a data section.</summary>
    public static JsonObject OfData(byte[] data) =>
        new() { ["length"] = data.Length, ["sha256"] = Convert.ToHexStringLower(SHA256.HashData(data)) };

    /// <summary>The same on one line.</summary>
    public static string Line(JsonNode described) => described.ToJsonString(Readable);

    private static JsonObject Of(in Header header) => new()
    {
        ["durable"] = header.Durable,
        ["priority"] = header.Priority,
        ["ttl"] = header.Ttl,
        ["first-acquirer"] = header.FirstAcquirer,
    };

    private static JsonObject Of(in Properties properties)
    {
        AmqpValue[] values =
        [
            properties.MessageId, properties.UserId
                ?? default(AmqpValue), properties.To, properties.Subject, properties.ReplyTo, properties.CorrelationId,
            properties.ContentType, properties.ContentEncoding, properties.AbsoluteExpiryTime
                ?? default(AmqpValue), properties.CreationTime ?? default(AmqpValue),
            properties.GroupId, properties.GroupSequence ?? default(AmqpValue), properties.ReplyToGroupId,
        ];
        return new JsonObject(PropertyNames.Zip(values).Where(pair => !pair.Second.IsNull).Select(
            pair => KeyValuePair.Create(pair.First, (JsonNode?)Of(pair.Second))));
    }

    private static JsonObject Of(AmqpMap map)
    {
        var described = new JsonObject();
        foreach ((AmqpValue key, AmqpValue value) in map)
        {
            described.Add(Text(key), Of(value));
        }

        return described;
    }

    // The broker adds them in whatever order.
    private static JsonObject Sorted(JsonObject described) => new(
        described.OrderBy(pair => pair.Key, StringComparer.Ordinal).Select(pair => KeyValuePair.Create(pair.Key, pair.Value?.DeepClone())));

    private static JsonArray Of(AmqpValue value) => [value.Type.ToString().ToLowerInvariant(), Text(value)];

    private static string Text(AmqpValue value) => value.Type switch
    {
        AmqpType.Null => "",
        AmqpType.Boolean => value.As<bool>() ? "true" : "false",
        AmqpType.Binary => Convert.ToHexStringLower(value.As<ReadOnlyMemory<byte>>().Span),
        AmqpType.Timestamp => value.As<Timestamp>().Milliseconds.ToString(CultureInfo.InvariantCulture),
        AmqpType.String => value.As<string>(),
        AmqpType.Symbol => value.As<AmqpSymbol>().ToString(),
        _ => ((IFormattable)value.ToObject()!).ToString(null, CultureInfo.InvariantCulture),
    };
}
