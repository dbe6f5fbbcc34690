using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp;
using Wire.Amqp.V10;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Finds out by the bytes of a message what it is, and what in it is the payload.</summary>
internal static class MessagePayload
{
    // Of all Wire payloads: the version is in the high bits.
    private const byte WireVersion = 0x10;

    /// <summary>Reads the object of a message.</summary>
    public static T? Read<T>(in StreamMessage message, ChunkMessages chunk)
    {
        ReadOnlySpan<byte> bytes = message.Span;
        if (!bytes.IsEmpty && (bytes[0] & 0xF0) == WireVersion)
        {
            return chunk.Serializer.Deserialize<T>(bytes);
        }

        return TryGetOnlyData(bytes, out ReadOnlySpan<byte> data) ? chunk.Serializer.Deserialize<T>(data) : ReadSections<T>(message, chunk);
    }

    /// <summary>The bytes of the data section that is all of a message, which needs no reader.</summary>
    private static bool TryGetOnlyData(ReadOnlySpan<byte> bytes, out ReadOnlySpan<byte> data)
    {
        const int Short = 5;
        const int Long = 8;
        if (bytes.Length >= Short && bytes.StartsWith(DataSection.Prefix[..3]))
        {
            if (bytes[3] == Constructor.Binary8 && bytes[4] == bytes.Length - Short)
            {
                data = bytes[Short..];
                return true;
            }

            if (bytes[3] == Constructor.Binary32 && bytes.Length >= Long && NetworkOrder.Read<uint>(bytes[4..]) == (uint)(bytes.Length - Long))
            {
                data = bytes[Long..];
                return true;
            }
        }

        data = default;
        return false;
    }

    // Out of line: most have a data section alone.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T? ReadSections<T>(in StreamMessage message, ChunkMessages chunk)
    {
        if (message.Span is not [Constructor.Described, ..])
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body, -1, $"The message with offset {message.Offset} of '{message.Stream}' is neither an AMQP 1.0 message nor a Wire payload, so that no object can be read from it: take its Body");
        }

        Properties properties = default;
        DataSection data = default;
        bool hasData = false;
        var reader = new MessageReader(message.Body);
        while (reader.TryRead(out Section section))
        {
            if (section.Kind == SectionKind.Properties)
            {
                properties = section.Read<Properties>();
            }
            else if (section.Kind == SectionKind.Data)
            {
                DataSection part = section.Read<DataSection>();
                data.Bytes = hasData ? new ReadOnlySequence<byte>([.. data.Bytes.ToArray(), .. part.Bytes.ToArray()]) : part.Bytes;
                hasData = true;
            }
        }

        return hasData
            ? chunk.Body.Read<T>(properties, data)
            : throw new AmqpFormatException(
                AmqpFormatError.Body, -1, $"The message with offset {message.Offset} of '{message.Stream}' has no data, so that no object can be read from it: take its Sections");
    }
}
