using System.Buffers;
using System.Runtime.InteropServices;
using Wire.Amqp.Bodies;
using Wire.Amqp.Errors;
using Wire.Amqp.V091;

namespace Wire.Amqp;

/// <summary>
/// Bodies that hold many messages, each with properties and a body of its own: one message for the broker, many for programs. <see
/// cref="GatheredBodyWriter"/> writes them. Thread-safe.
/// </summary>
/// <remarks>
/// The content type of the whole is <see cref="ContentType"/>, so that who does not know it refuses it by name. What a message shares with
/// the beginning of the one before is not repeated: each of them has the bytes that it would have alone, and can be published again alone.
/// </remarks>
public static class GatheredBody
{
    /// <summary>The content type of a message that holds others.</summary>
    public const string ContentType = "application/x-wire-gathered";

    /// <summary>The most messages that a body may hold: 65,536.</summary>
    public const int MaxCount = 1 << 16;

    /// <summary>The number of bytes in front of the first message: a version, and how many there are.</summary>
    internal const int HeaderSize = sizeof(byte) + sizeof(uint);

    /// <summary>The version.</summary>
    internal const byte Version = 1;

    // Of a message: four lengths.
    private const int LeastSize = 4;

    /// <summary>
    /// Returns whether a content type marks a body with many messages: <see cref="ContentType"/>, in any case and with any parameters.
    /// </summary>
    public static bool IsContentType(AmqpString contentType) => MediaTypeName.Matches(contentType, ContentType);

    /// <summary>Reads a body: all of it, or nothing.</summary>
    /// <param name="whole">The properties that came with it.</param>
    /// <param name="body">The body, in any number of parts, of which nothing is kept.</param>
    /// <param name="maxBytes">
    /// The number of bytes that its messages may have in all, properties and what memory holds them in included; a few bytes could
    /// otherwise become many.
    /// </param>
    /// <returns>The messages, in their order.</returns>
    /// <exception cref="AmqpFormatException">The body is damaged, of a later version, or becomes too large.</exception>
    public static GatheredMessage[] Read(in BasicProperties whole, in ReadOnlySequence<byte> body, long maxBytes = 1 << 27)
    {
        if (body.IsSingleSegment)
        {
            return Read(in whole, body.FirstSpan, maxBytes);
        }

        if (body.Length > Math.Min(maxBytes, Array.MaxLength))
        {
            throw TooLarge(maxBytes);
        }

        byte[] bytes = ArrayPool<byte>.Shared.Rent((int)body.Length);
        try
        {
            body.CopyTo(bytes);
            return Read(in whole, bytes.AsSpan(0, (int)body.Length), maxBytes);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    /// <summary>Makes the error of a body that becomes too large.</summary>
    internal static AmqpFormatException TooLarge(long maxBytes) => new(
        AmqpFormatError.Body, -1, $"The gathered messages grow to more than {maxBytes} bytes: if they are meant to be that large, raise " +
            $"{nameof(AmqpBodyOptions)}.{nameof(AmqpBodyOptions.MaxDecompressedBytes)}");

    private static GatheredMessage[] Read(in BasicProperties whole, ReadOnlySpan<byte> body, long maxBytes)
    {
        if (body.Length < HeaderSize)
        {
            ThrowHelper.Truncated(0, "the beginning of gathered messages", HeaderSize - body.Length);
        }

        if (body[0] != Version)
        {
            ThrowHelper.Format(
                AmqpFormatError.Body, 0, $"Expected gathered messages of the version {Version}, found those of {body[0]}: a later " +
                    "release of the library may read them");
        }

        uint count = NetworkOrder.Load<uint>(in MemoryMarshal.GetReference(body[1..]));
        int most = Math.Min(MaxCount, (body.Length - HeaderSize) / LeastSize);
        if (count == 0 || count > most)
        {
            ThrowHelper.Format(AmqpFormatError.Length, 1, $"Expected 1 to {most} gathered messages, found {count}");
        }

        var reader = new GatheredBodyReader(body, whole.MessageId.IsNull ? null : whole.MessageId.ToString(), maxBytes, count);
        GatheredMessage[] messages = reader.Begin();
        for (int i = 0; i < messages.Length; i++)
        {
            messages[i] = reader.Read(i);
        }

        reader.Finish();
        return messages;
    }
}

/// <summary>One of the messages that a body holds. It refers to memory of its own, and is valid for ever. Thread-safe.</summary>
public readonly struct GatheredMessage
{
    private readonly GatheredProperties? _properties;
    private readonly string? _id;

    internal GatheredMessage(GatheredProperties properties, string? id, ReadOnlyMemory<byte> body) =>
        (_properties, _id, Body) = (properties, id, body);

    /// <summary>
    /// Gets its properties. One that was written without an id has that of the whole, a slash and its number, beginning with 0; none where
    /// the whole has none.
    /// </summary>
    public BasicProperties Properties
    {
        get
        {
            BasicProperties properties = _properties?.Value ?? default;
            if (_id is not null)
            {
                properties.MessageId = _id;
            }

            return properties;
        }
    }

    /// <summary>Gets its body.</summary>
    public ReadOnlyMemory<byte> Body { get; }
}
