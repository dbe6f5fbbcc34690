using System.Buffers.Binary;
using RabbitMQ.Client;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>Properties whose bytes are what a test says, for what no client of good will sends.</summary>
internal sealed class RawProperties : IReadOnlyBasicProperties, IAmqpHeader
{
    private readonly byte[] _bytes;

    /// <summary>Properties with headers, a correlation id, an address for replies, a message id and a type.</summary>
    /// <param name="text">Each of the texts, 255 bytes at most.</param>
    /// <param name="name">The name of one of the headers, beside <c>own</c>.</param>
    public RawProperties(byte[] text, byte[] name)
    {
        byte[] headers = [3, .. "own"u8, .. LongText("own"u8), (byte)name.Length, .. name, .. LongText("value"u8)];
        byte[] length = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(length, headers.Length);
        byte[] shortText = [(byte)text.Length, .. text];
        _bytes = [0b0010_0110, 0b1010_0000, .. length, .. headers, .. shortText, .. shortText, .. shortText, .. shortText];
    }

    string? IReadOnlyBasicProperties.AppId => null;

    string? IReadOnlyBasicProperties.ClusterId => null;

    string? IReadOnlyBasicProperties.ContentEncoding => null;

    string? IReadOnlyBasicProperties.ContentType => null;

    string? IReadOnlyBasicProperties.CorrelationId => null;

    string? IReadOnlyBasicProperties.Expiration => null;

    string? IReadOnlyBasicProperties.MessageId => null;

    string? IReadOnlyBasicProperties.ReplyTo => null;

    string? IReadOnlyBasicProperties.Type => null;

    string? IReadOnlyBasicProperties.UserId => null;

    DeliveryModes IReadOnlyBasicProperties.DeliveryMode => default;

    IDictionary<string, object?>? IReadOnlyBasicProperties.Headers => null;

    bool IReadOnlyBasicProperties.Persistent => false;

    byte IReadOnlyBasicProperties.Priority => 0;

    PublicationAddress? IReadOnlyBasicProperties.ReplyToAddress => null;

    AmqpTimestamp IReadOnlyBasicProperties.Timestamp => default;

    ushort IAmqpHeader.ProtocolClassId => 60;

    bool IReadOnlyBasicProperties.IsAppIdPresent() => false;

    bool IReadOnlyBasicProperties.IsClusterIdPresent() => false;

    bool IReadOnlyBasicProperties.IsContentEncodingPresent() => false;

    bool IReadOnlyBasicProperties.IsContentTypePresent() => false;

    bool IReadOnlyBasicProperties.IsCorrelationIdPresent() => false;

    bool IReadOnlyBasicProperties.IsExpirationPresent() => false;

    bool IReadOnlyBasicProperties.IsMessageIdPresent() => false;

    bool IReadOnlyBasicProperties.IsReplyToPresent() => false;

    bool IReadOnlyBasicProperties.IsTypePresent() => false;

    bool IReadOnlyBasicProperties.IsUserIdPresent() => false;

    bool IReadOnlyBasicProperties.IsDeliveryModePresent() => false;

    bool IReadOnlyBasicProperties.IsHeadersPresent() => false;

    bool IReadOnlyBasicProperties.IsPriorityPresent() => false;

    bool IReadOnlyBasicProperties.IsTimestampPresent() => false;

    int IAmqpWriteable.GetRequiredBufferSize() => _bytes.Length;

    int IAmqpWriteable.WriteTo(Span<byte> span)
    {
        _bytes.CopyTo(span);
        return _bytes.Length;
    }

    private static byte[] LongText(ReadOnlySpan<byte> text) => [(byte)'S', 0, 0, 0, (byte)text.Length, .. text];
}
