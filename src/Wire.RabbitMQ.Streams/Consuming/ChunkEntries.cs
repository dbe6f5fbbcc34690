using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Finds the messages in the data of a chunk.</summary>
/// <remarks>
/// <code>
/// a message: 0 | length 31 bits | bytes
/// a batch:   1 | compression 3 bits | 0 4 bits | records uint16 | uncompressed length uint32 | length uint32 | bytes
/// </code>
/// The bytes of a batch are messages, when they have been decompressed.
/// </remarks>
internal readonly ref struct ChunkEntries(MessageSource received, Decompressed decompressed, ref MessageArray messages)
{
    private const uint BatchBit = 1u << 31;
    private const int BatchHead = 11;
    private const int LengthBytes = sizeof(uint);

    private readonly ref MessageArray _messages = ref messages;

    /// <summary>Finds them all: as many as the header says.</summary>
    public void Read(in ChunkHeader header, ArraySegment<byte> data, long position)
    {
        var region = new Region(received, data.Offset, data, position, isReceived: true);
        if ((long)header.Entries * LengthBytes > data.Count)
        {
            region.ThrowLength(0, header.Entries * LengthBytes, "the lengths of its entries");
        }

        int at = 0;
        int count = 0;
        for (int entries = header.Entries; ;)
        {
            // For what is left, if there are no batches: in most chunks there are none.
            _messages.MakeRoom(count, count + entries);
            int plain = ReadMessages(region, ref at, count, entries);
            count += plain;
            entries -= plain;
            if (entries == 0)
            {
                break;
            }

            count += ReadBatch(data, position, ref at, count, header.Records);
            entries--;
        }

        region.CheckEnd(at);
        if (count != header.Records)
        {
            throw new AmqpFormatException(AmqpFormatError.Value, position, $"A chunk states {header.Records} messages, and has {count}");
        }
    }

    // Reads messages until there have been so many, or something else comes: how many it were.
    private int ReadMessages(scoped in Region region, ref int at, int first, int most)
    {
        ReadOnlySpan<byte> bytes = region.Bytes;
        Span<StreamMessage> found = _messages.Array.AsSpan(first, most);
        MessageSource source = region.Source;
        uint generation = source.Generation;
        int next = at;
        for (int i = 0; i < found.Length; i++)
        {
            if (bytes.Length - next < LengthBytes)
            {
                region.ThrowLength(next, LengthBytes, "the length of an entry");
            }

            uint length = BinaryPrimitives.ReadUInt32BigEndian(bytes[next..]);

            // Of something else the first bit is set, and there are never so many bytes.
            if (length > (uint)(bytes.Length - next - LengthBytes))
            {
                if ((length & BatchBit) == 0)
                {
                    region.ThrowLength(next + LengthBytes, length, "a message");
                }

                at = next;
                return i;
            }

            next += LengthBytes;
            found[i] = new StreamMessage(source, generation, region.Start + next, (int)length, (uint)(first + i));
            next += (int)length;
        }

        at = next;
        return found.Length;
    }

    private int ReadBatch(ArraySegment<byte> data, long position, ref int at, int first, uint allRecords)
    {
        var entry = new Region(received, data.Offset, data, position, isReceived: true);
        if (data.Count - at < BatchHead)
        {
            entry.ThrowLength(at, BatchHead, "the head of a batch");
        }

        ReadOnlySpan<byte> head = entry.Bytes[at..];
        var compression = (StreamCompression)((head[0] >> 4) & 7);
        int records = BinaryPrimitives.ReadUInt16BigEndian(head[1..]);
        uint plainLength = BinaryPrimitives.ReadUInt32BigEndian(head[3..]);
        uint length = BinaryPrimitives.ReadUInt32BigEndian(head[7..]);
        long where = position + at;
        if ((head[0] & 0xF) != 0)
        {
            throw new AmqpFormatException(AmqpFormatError.Value, where, $"A batch begins with 0x{head[0]:x2}, of which the low bits have no meaning");
        }

        if (length > (uint)(data.Count - at - BatchHead))
        {
            entry.ThrowLength(at + BatchHead, length, "a batch");
        }

        // Before there is memory for them.
        if (records > allRecords - (long)first || (long)records * LengthBytes > plainLength)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Value, where, $"A batch states {records} messages in {plainLength} bytes, of {allRecords} of the chunk, {first} of which are before it");
        }

        at += BatchHead;
        ArraySegment<byte> bytes = data.Slice(at, (int)length);
        at += (int)length;
        _messages.MakeRoom(first, first + records);
        Region region;
        if (compression == StreamCompression.None)
        {
            if (length != plainLength)
            {
                throw new AmqpFormatException(AmqpFormatError.Length, where, $"A batch that is not compressed states {plainLength} bytes, and has {length}");
            }

            region = new Region(received, bytes.Offset, bytes, where + BatchHead, isReceived: true);
        }
        else
        {
            int start = decompressed.Add(compression, bytes, plainLength, where);
            region = new Region(decompressed.Source, start, decompressed.Source.Array.AsSpan(start, (int)plainLength), where, isReceived: false);
        }

        int end = 0;
        if (ReadMessages(region, ref end, first, records) < records)
        {
            region.ThrowLength(end + LengthBytes, BinaryPrimitives.ReadUInt32BigEndian(region.Bytes[end..]), "a message");
        }

        region.CheckEnd(end);
        return records;
    }

    // Bytes that have messages one behind the other, and where they are.
    private readonly ref struct Region(MessageSource source, int start, ReadOnlySpan<byte> bytes, long position, bool isReceived)
    {
        public MessageSource Source { get; } = source;

        public int Start { get; } = start;

        public ReadOnlySpan<byte> Bytes { get; } = bytes;

        public void CheckEnd(int at)
        {
            if (at != Bytes.Length)
            {
                throw NewException(at, $"Expected the last message to end, found {Bytes.Length - at} more bytes");
            }
        }

        [DoesNotReturn]
        public void ThrowLength(int at, long length, string expected) => throw NewException(at, $"Expected {expected} of {length} bytes, and there are {Bytes.Length - at} left");

        // What was decompressed has no place of its own in what was received: that of its batch is named.
        private AmqpFormatException NewException(int at, string reason) => isReceived
            ? new AmqpFormatException(AmqpFormatError.Length, position + at, $"{reason} of the chunk's data")
            : new AmqpFormatException(AmqpFormatError.Length, position, $"{reason} at byte {at} of the decompressed batch");
    }
}
