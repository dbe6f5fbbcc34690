using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>Finds the messages in the data of a chunk.</summary>
/// <remarks>
/// A message is its length of 31 bits and its bytes; a batch begins with a <see cref="BatchHead"/>, and its bytes are messages when they
/// have been decompressed.
/// </remarks>
internal readonly ref struct ChunkEntries(MessageSource received, Decompressed decompressed, ref MessageArray messages)
{
    private const int LengthBytes = sizeof(uint);

    // After so many messages of one length, the next ones are taken to have it too: where each begins is known then before the length of
    // the one before it has been read, which is most of what finding them takes.
    private const int SameLength = 8;

    private readonly ref MessageArray _messages = ref messages;

    /// <summary>Finds them all: as many as the header says.</summary>
    public void Read(in ChunkHeader header, ArraySegment<byte> data, long position)
    {
        var region = new Region(received, data.Offset, data, position, isReceived: true);
        if ((long)header.Entries * LengthBytes > data.Count)
        {
            region.ThrowLength(0, header.Entries * LengthBytes, "the lengths of its entries");
        }

        // In most chunks there are no batches.
        _messages.MakeRoom(0, header.Entries);
        int at = 0;
        int count = ReadMessages(region, ref at, 0, header.Entries);
        if (count < header.Entries)
        {
            count = ReadMixed(header, region, data, ref at, count);
        }

        region.CheckEnd(at);
        if (count != header.Records)
        {
            throw new AmqpFormatException(AmqpFormatError.Value, position, $"A chunk states {header.Records} messages, and has {count}");
        }
    }

    // Reads entries of both kinds, after allocating for their announced number and no more.
    private int ReadMixed(in ChunkHeader header, scoped in Region region, ArraySegment<byte> data, ref int at, int count)
    {
        int left = header.Entries - count;
        int messages = Measure(header, region, at, count, out int plainBytes);

        // A batch may be empty, and looked at as a message first: each entry that is left has a place.
        _messages.MakeRoom(count, messages + left);
        decompressed.MakeRoom(plainBytes);
        while (left > 0)
        {
            int plain = ReadMessages(region, ref at, count, left);
            count += plain;
            left -= plain;
            if (left > 0)
            {
                count += ReadBatch(region, data, ref at, count);
                left--;
            }
        }

        return count;
    }

    // How many messages all entries have together, and how many bytes when they are decompressed, by what stands in front of each.
    private int Measure(in ChunkHeader header, scoped in Region region, int at, int messages, out int plainBytes)
    {
        plainBytes = 0;
        for (int left = header.Entries - messages; left > 0; left--)
        {
            if (region.Bytes.Length - at < LengthBytes)
            {
                region.ThrowLength(at, LengthBytes, "the length of an entry");
            }

            uint length = BinaryPrimitives.ReadUInt32BigEndian(region.Bytes[at..]);
            if ((length & BatchHead.Bit) == 0)
            {
                at += LengthBytes;
                if (length > (uint)(region.Bytes.Length - at))
                {
                    region.ThrowLength(at, length, "a message");
                }

                at += (int)length;
                messages++;
                continue;
            }

            BatchHead head = ReadHead(region, at);
            long where = region.Position + at;
            if (head.Records > header.Records - (long)messages || (long)head.Records * LengthBytes > head.PlainLength)
            {
                throw new AmqpFormatException(
                    AmqpFormatError.Value,
                    where,
                    $"A batch states {head.Records} messages in {head.PlainLength} bytes, but the chunk has {header.Records} messages " +
                    $"and {messages} of them come before it");
            }

            long grown = plainBytes;
            if (head.Compression != StreamCompression.None)
            {
                grown += head.PlainLength;
            }
            else if (head.Length != head.PlainLength)
            {
                throw new AmqpFormatException(
                    AmqpFormatError.Length,
                    where,
                    $"A batch that is not compressed states {head.PlainLength} bytes, and has {head.Length}");
            }

            messages += head.Records;
            decompressed.CheckSize(grown, messages, where);
            plainBytes = (int)grown;
            at += BatchHead.Size + (int)head.Length;
        }

        return messages;
    }

    private static BatchHead ReadHead(scoped in Region region, int at)
    {
        if (region.Bytes.Length - at < BatchHead.Size)
        {
            region.ThrowLength(at, BatchHead.Size, "the head of a batch");
        }

        BatchHead head = BatchHead.Read(region.Bytes[at..], region.Position + at);
        if (head.Length > (uint)(region.Bytes.Length - at - BatchHead.Size))
        {
            region.ThrowLength(at + BatchHead.Size, head.Length, "a batch");
        }

        return head;
    }

    // Reads up to a number of messages, or until another kind of entry; returns their count.
    private int ReadMessages(scoped in Region region, ref int at, int first, int most)
    {
        ReadOnlySpan<byte> bytes = region.Bytes;
        Span<StreamMessage> found = _messages.Array.AsSpan(first, most);
        MessageSource source = region.Source;
        uint generation = source.Generation;
        int next = at;
        uint before = 0;
        int same = 0;
        for (int i = 0; i < found.Length; i++)
        {
            if (bytes.Length - next < LengthBytes)
            {
                region.ThrowLength(next, LengthBytes, "the length of an entry");
            }

            uint length = BinaryPrimitives.ReadUInt32BigEndian(bytes[next..]);

            // The first bit of another kind is set, which as a length would be too large.
            if (length > (uint)(bytes.Length - next - LengthBytes))
            {
                if ((length & BatchHead.Bit) == 0)
                {
                    region.ThrowLength(next + LengthBytes, length, "a message");
                }

                at = next;
                return i;
            }

            next += LengthBytes;
            StreamMessage.Put(ref found[i], source, generation, region.Start + next, (int)length, (uint)(first + i));
            next += (int)length;

            // Without a branch, which would be guessed wrong where two sizes alternate.
            same = (same + 1) & -(length == before ? 1 : 0);
            before = length;
            if (same == SameLength)
            {
                same = 0;
                int size = LengthBytes + (int)length;
                ReadOnlySpan<byte> head = bytes.Slice(next - size, LengthBytes);
                int end = Math.Min(found.Length, i + 1 + ((bytes.Length - next) / size));
                while (i + 1 < end && MemoryMarshal.Read<uint>(bytes[next..]) == MemoryMarshal.Read<uint>(head))
                {
                    i++;
                    StreamMessage.Put(
                        ref found[i], source, generation, region.Start + next + LengthBytes, (int)length, (uint)(first + i));
                    next += size;
                }
            }
        }

        at = next;
        return found.Length;
    }

    private int ReadBatch(scoped in Region chunk, ArraySegment<byte> data, ref int at, int first)
    {
        BatchHead head = ReadHead(chunk, at);
        long where = chunk.Position + at;
        at += BatchHead.Size;
        ArraySegment<byte> bytes = data.Slice(at, (int)head.Length);
        at += (int)head.Length;
        Region region;
        if (head.Compression == StreamCompression.None)
        {
            region = new Region(received, bytes.Offset, bytes, where + BatchHead.Size, isReceived: true);
        }
        else
        {
            int length = (int)head.PlainLength;
            int start = decompressed.Add(head.Compression, bytes, length, where);
            region = new Region(decompressed.Source, start, decompressed.Source.Array.AsSpan(start, length), where, isReceived: false);
        }

        int end = 0;
        if (ReadMessages(region, ref end, first, head.Records) < head.Records)
        {
            region.ThrowLength(end + LengthBytes, BinaryPrimitives.ReadUInt32BigEndian(region.Bytes[end..]), "a message");
        }

        region.CheckEnd(end);
        return head.Records;
    }

    // Bytes that have messages one behind the other, and where they are.
    private readonly ref struct Region(MessageSource source, int start, ReadOnlySpan<byte> bytes, long position, bool isReceived)
    {
        public MessageSource Source { get; } = source;

        public int Start { get; } = start;

        public long Position { get; } = position;

        public ReadOnlySpan<byte> Bytes { get; } = bytes;

        public void CheckEnd(int at)
        {
            if (at != Bytes.Length)
            {
                throw NewException(at, $"Expected the last message to end, found {Bytes.Length - at} more bytes");
            }
        }

        [DoesNotReturn]
        public void ThrowLength(int at, long length, string expected) =>
            throw NewException(at, $"Expected {expected} of {length} bytes, and there are {Bytes.Length - at} left");

        // Decompressed bytes have no position in the received bytes: the error names that of the batch.
        private AmqpFormatException NewException(int at, string reason) => isReceived
            ? new AmqpFormatException(AmqpFormatError.Length, Position + at, $"{reason} of the chunk's data")
            : new AmqpFormatException(AmqpFormatError.Length, Position, $"{reason} at byte {at} of the decompressed batch");
    }
}
