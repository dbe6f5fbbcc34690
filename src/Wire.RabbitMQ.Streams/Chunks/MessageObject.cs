using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>Finds out by the bytes of a message where its object is, and reads it.</summary>
internal static class MessageObject
{
    /// <summary>Reads the object of a message.</summary>
    public static T? Read<T>(in StreamMessage message, ChunkMessages chunk)
    {
        ReadOnlySpan<byte> payload = PlainPayload(message.Span);
        return payload.IsEmpty ? ReadSections<T>(message, chunk) : chunk.Serializer.Deserialize<T>(payload);
    }

    /// <summary>Asks a condition about the object of a message; true for what is no Wire payload.</summary>
    public static bool Meets(in StreamMessage message, ChunkMessages chunk, PayloadCondition condition)
    {
        ReadOnlySpan<byte> payload = PlainPayload(message.Span);
        return payload.IsEmpty ? MeetInSections(message, chunk, condition) : AmqpBody.Meets(payload, condition);
    }

    // The payload of most messages, which needs no reader; empty for others.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlySpan<byte> PlainPayload(ReadOnlySpan<byte> bytes)
    {
        if (AmqpBody.BeginsPayload(bytes))
        {
            return bytes;
        }

        int prefix = OnlyDataPrefix(bytes);
        return prefix > 0 ? bytes[prefix..] : default;
    }

    // Where the bytes begin of a data section that is all of the message, which needs no reader; 0 where it is something else.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int OnlyDataPrefix(ReadOnlySpan<byte> bytes)
    {
        const int Short = 5;
        const int Long = 8;
        if (bytes.Length < Short || !bytes.StartsWith(DataSection.Prefix[..3]))
        {
            return 0;
        }

        if (bytes[3] == Constructor.Binary8)
        {
            return bytes[4] == bytes.Length - Short ? Short : 0;
        }

        return bytes[3] == Constructor.Binary32
            && bytes.Length >= Long
            && NetworkOrder.Read<uint>(bytes[4..]) == (uint)(bytes.Length - Long) ? Long : 0;
    }

    // Out of line: most have a data section alone.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T? ReadSections<T>(in StreamMessage message, ChunkMessages chunk)
    {
        if (!message.HasSections)
        {
            throw MessageSections.NewException(
                message, "is neither an AMQP 1.0 message nor a Wire payload, so it has no object: read its Body");
        }

        DataSection data = DataOf(message, out Properties properties);
        return chunk.Body.Read<T>(properties, data);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool MeetInSections(in StreamMessage message, ChunkMessages chunk, PayloadCondition condition)
    {
        if (!message.HasSections)
        {
            return true;
        }

        DataSection data;
        Properties properties;
        try
        {
            data = DataOf(message, out properties);
        }
        catch (AmqpFormatException)
        {
            // A value, or damage: whoever reads it is told what it is.
            return true;
        }

        return chunk.Body.Meets(properties, data, condition);
    }

    private static DataSection DataOf(in StreamMessage message, out Properties properties)
    {
        ReadOnlyMemory<byte> data = MessageSections.ReadData(message);
        MessageSections.Find(message, out properties);
        return new DataSection { Bytes = new ReadOnlySequence<byte>(data) };
    }
}
