using System.Buffers;
using System.Buffers.Binary;
using Bench;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>Numbers by hand over a span: what nothing can be faster than.</summary>
internal sealed class SpanByHand(bool crc, int messages, ChunkFeed feed) : FeedRow("by hand over a span", crc, messages, feed)
{
    protected override int Take(byte[] chunk) => Count(chunk.AsSpan(ChunkHeader.Size));

    /// <summary>Counts the numbers in the data of a chunk.</summary>
    public static int Count(ReadOnlySpan<byte> data)
    {
        int count = 0;
        while (!data.IsEmpty)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(data);
            if (BinaryPrimitives.ReadInt64BigEndian(data[sizeof(int)..]) == StreamLoad.Number)
            {
                count++;
            }

            data = data[(sizeof(int) + length)..];
        }

        return count;
    }
}

/// <summary>Numbers by the framework's reader of sequences, over one segment.</summary>
internal sealed class SequenceByHand(bool crc, int messages, ChunkFeed feed) : FeedRow("by SequenceReader<byte>", crc, messages, feed)
{
    protected override int Take(byte[] chunk)
    {
        var reader = new SequenceReader<byte>(new ReadOnlySequence<byte>(chunk, ChunkHeader.Size, chunk.Length - ChunkHeader.Size));
        int count = 0;
        while (reader.TryReadBigEndian(out int length))
        {
            if (reader.TryReadBigEndian(out long number) && number == StreamLoad.Number)
            {
                count++;
            }

            reader.Advance(length - sizeof(long));
        }

        return count;
    }
}

/// <summary>Objects by hand over a span, from a data section whose head is known.</summary>
internal sealed class ObjectsByHand(int messages, ChunkFeed feed) : FeedRow("by hand over a span, and the serializer", crc: false, messages, feed)
{
    protected override int Take(byte[] chunk)
    {
        ReadOnlySpan<byte> data = chunk.AsSpan(ChunkHeader.Size);
        int head = StreamLoad.Object.Message.Length - StreamLoad.Payload.Length;
        int count = 0;
        while (!data.IsEmpty)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(data);
            if (StreamLoad.Serializer.Deserialize<Poco>(data.Slice(sizeof(int) + head, length - head))!.IntProp == StreamLoad.Poco.IntProp)
            {
                count++;
            }

            data = data[(sizeof(int) + length)..];
        }

        return count;
    }
}
