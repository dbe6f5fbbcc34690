using System.Buffers;
using System.Text;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ;

/// <summary>
/// Texts as the bodies of messages: a <see cref="string"/> as <c>text/plain</c> in UTF-8. Reads other character sets as well that
/// <see cref="Encoding.GetEncoding(string)"/> knows; bytes that are none of their characters are an error. Thread-safe.
/// </summary>
public sealed class TextBodyFormat : IBodyFormat
{
    private const string ContentType = "text/plain";

    /// <inheritdoc cref="IBodyReader.Reads"/>
    public bool Reads(in BasicProperties properties) => new MediaType(properties.ContentType).Is(ContentType);

    /// <inheritdoc cref="IBodyReader.Read"/>
    public object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, BodyTypes types) =>
        new MediaType(properties.ContentType).Encoding().GetString(in body);

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">The object is no text, or no valid UTF-16.</exception>
    public void Write(object? message, ref BasicProperties properties, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        string text = message as string ?? throw new ArgumentException(
            $"A text is written, and the message is {message?.GetType().ToString() ?? "null"}: give this format strings alone.",
            nameof(message));
        properties.ContentType = ContentType + "; charset=utf-8";
        MediaType.Utf8.GetBytes(text, output);
    }
}
