using System.Buffers.Binary;
using Wire.Amqp.V10;
using Wire.Benchmarks.Messaging.Tables;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>The data of AMQP 1.0 messages by hand: the sections before it are passed over by their sizes, all of which are known to have one byte.</summary>
internal sealed class DataByHand(int messages, ChunkFeed feed) : FeedRow("by hand over a span, data alone", crc: false, messages, feed)
{
    // 0, the descriptor as a small ulong, and the type of what it describes, in front of the size.
    private const int Head = 4;

    protected override int Take(byte[] chunk)
    {
        ReadOnlySpan<byte> data = chunk.AsSpan(ChunkHeader.Size);
        int count = 0;
        while (!data.IsEmpty)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(data);
            ReadOnlySpan<byte> message = data.Slice(sizeof(int), length);
            while (message[2] != (byte)SectionKind.Data)
            {
                message = message[(Head + 1 + message[Head])..];
            }

            if (message[Head] == StreamLoad.DataBytes)
            {
                count++;
            }

            data = data[(sizeof(int) + length)..];
        }

        return count;
    }
}

/// <summary>Data, properties and one application property in one pass over the sections.</summary>
internal sealed class SectionsInOnePass(int messages, ChunkFeed feed)
    : FeedRow("by hand with MessageReader, data, properties and an application property", crc: false, messages, feed)
{
    protected override int Take(byte[] chunk)
    {
        int count = 0;
        for (int at = ChunkHeader.Size; at < chunk.Length;)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(chunk.AsSpan(at));
            count += IsRight(chunk.AsMemory(at + sizeof(int), length)) ? 1 : 0;
            at += sizeof(int) + length;
        }

        return count;
    }

    private static bool IsRight(ReadOnlyMemory<byte> message)
    {
        int right = 0;
        var reader = new MessageReader(message);
        while (reader.TryRead(out Section section))
        {
            right += section.Kind switch
            {
                SectionKind.Properties => section.Read<Properties>().MessageId.As<ulong>() == StreamLoad.MessageId,
                SectionKind.ApplicationProperties => section.Read<ApplicationProperties>().Map["priority"].As<int>() == StreamLoad.Priority,
                _ => section.Read<DataSection>().Bytes.Length == StreamLoad.DataBytes,
            }
            ? 1
            : 0;
        }

        return right == 3;
    }
}
