using System.Runtime.Serialization;
using MassTransit;
using Wire.MassTransit.Contracts;

namespace Wire.MassTransit.Envelopes;

/// <summary>The body of a message that is being sent, written when the transport asks for it.</summary>
internal sealed class EnvelopeBody(MessageSerializers serializers, Envelope envelope, object? message, ReadOnlyMemory<byte> written)
    : MessageBody
{
    private byte[]? _bytes;

    /// <summary>Makes the body of a message.</summary>
    public EnvelopeBody(MessageSerializers serializers, Envelope envelope, object message)
        : this(serializers, envelope, message, default)
    {
    }

    /// <summary>Makes the body of a message that is sent on as it came, without being read.</summary>
    public EnvelopeBody(MessageSerializers serializers, Envelope envelope, ReadOnlyMemory<byte> written)
        : this(serializers, envelope, null, written)
    {
    }

    /// <summary>Gets the number of bytes, once they are written.</summary>
    public long? Length => _bytes?.Length;

    public Stream GetStream() => new MemoryStream(GetBytes(), writable: false);

    public byte[] GetBytes()
    {
        try
        {
            return _bytes ??= message is null ? serializers.Write(envelope, written.Span) : serializers.Write(envelope, message);
        }
        catch (Exception e) when (e is not SerializationException)
        {
            throw new SerializationException($"The message cannot be written: {e.Message}", e);
        }
    }

    public string GetString() => Convert.ToBase64String(GetBytes());
}
