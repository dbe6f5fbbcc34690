using System.Buffers;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ;

/// <summary>
/// Bytes as the bodies of messages: an array of <see cref="byte"/> as <c>application/octet-stream</c>. Thread-safe.
/// </summary>
public sealed class BytesBodyFormat : IBodyFormat
{
    private const string ContentType = "application/octet-stream";

    /// <inheritdoc cref="IBodyReader.Reads"/>
    public bool Reads(in BasicProperties properties) => new MediaType(properties.ContentType).Is(ContentType);

    /// <inheritdoc cref="IBodyReader.Read"/>
    public object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, BodyTypes types) => body.ToArray();

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">The object is no array of bytes.</exception>
    public void Write(object? message, ref BasicProperties properties, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        byte[] bytes = message as byte[] ?? throw new ArgumentException(
            $"Bytes are written, and the message is {message?.GetType().ToString() ?? "null"}: give this format arrays of bytes alone.",
            nameof(message));
        properties.ContentType = ContentType;
        output.Write(bytes);
    }
}
