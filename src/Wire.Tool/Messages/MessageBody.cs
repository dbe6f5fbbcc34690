using System.Text;
using System.Text.Unicode;
using Wire.Amqp;

namespace Wire.Tool.Messages;

/// <summary>The body of a message: a payload of Wire, a text, or bytes.</summary>
internal sealed class MessageBody
{
    private MessageBody(ReadOnlyMemory<byte> bytes) => Bytes = bytes;

    /// <summary>Gets the bytes, decompressed.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>Gets the payload; null where it is none.</summary>
    public PayloadDocument? Payload { get; private init; }

    /// <summary>Gets the text; null where it is none.</summary>
    public string? Text { get; private init; }

    /// <summary>Gets the reason why it is not what the message says that it is; null where it is.</summary>
    public string? Refusal { get; private init; }

    /// <summary>Reads a body.</summary>
    /// <param name="bytes">The bytes, which are kept.</param>
    /// <param name="contentType">The content type that the message says; null for none.</param>
    /// <param name="contentEncoding">The content encoding that it says; null for none.</param>
    /// <param name="limits">What a payload may cost.</param>
    public static MessageBody Read(ReadOnlyMemory<byte> bytes, string? contentType, string? contentEncoding, Limits limits)
    {
        ReadOnlyMemory<byte> plain;
        try
        {
            plain = BodyEncoding.Decode(bytes, contentEncoding, Math.Min(limits.MaxBytes, limits.MaxAllocation));
        }
        catch (InvalidDataException exception)
        {
            return new(bytes) { Refusal = exception.Message };
        }

        bool isMarked = AmqpBody.IsContentType(contentType);
        if (isMarked || (!IsText(contentType) && LooksLikePayload(plain.Span)))
        {
            try
            {
                return new(plain) { Payload = PayloadDocument.Parse(plain, limits) };
            }
            catch (WireFormatException exception)
            {
                if (isMarked)
                {
                    return new(plain) { Refusal = exception.Message };
                }
            }
        }

        bool isText = IsText(contentType) || (string.IsNullOrEmpty(contentType) && LooksLikeText(plain.Span));
        return new(plain) { Text = isText && Utf8.IsValid(plain.Span) ? Encoding.UTF8.GetString(plain.Span) : null };
    }

    /// <summary>Makes a body that was not received, for a reason.</summary>
    public static MessageBody Missing(string reason) => Refused(default, reason);

    /// <summary>Makes a body that is not what its message says, for a reason.</summary>
    public static MessageBody Refused(ReadOnlyMemory<byte> bytes, string reason) => new(bytes) { Refusal = reason };

    // Of version 1, and without the flag that is reserved.
    private static bool LooksLikePayload(ReadOnlySpan<byte> bytes) => bytes.Length >= 2 && bytes[0] is >= 0x10 and <= 0x17;

    private static bool IsText(string? contentType)
    {
        string type = (contentType ?? "").Split(';')[0].Trim();
        return type.StartsWith("text/", StringComparison.OrdinalIgnoreCase)
            || type.EndsWith("json", StringComparison.OrdinalIgnoreCase)
            || type.EndsWith("xml", StringComparison.OrdinalIgnoreCase);
    }

    private static bool LooksLikeText(ReadOnlySpan<byte> bytes) =>
        !bytes.IsEmpty && bytes.IndexOfAnyInRange((byte)0, (byte)8) < 0 && bytes.IndexOfAnyInRange((byte)14, (byte)31) < 0;
}
