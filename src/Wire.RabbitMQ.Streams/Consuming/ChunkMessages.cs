using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// Takes chunks apart, one after the other: the messages of one are valid until they are cleared, or the next is read. Not thread-safe: one thread at a
/// time. Nothing is allocated in steady state.
/// </summary>
/// <remarks>
/// <code>
/// a message: 0 | length 31 bits | bytes
/// a batch:   1 | compression 3 bits | 0 4 bits | records uint16 | uncompressed length uint32 | length uint32 | bytes
/// </code>
/// The bytes of a batch are, when they are decompressed, so many times a length of 32 bits and the bytes of a message.
/// </remarks>
internal sealed class ChunkMessages : IDisposable
{
    private const uint BatchBit = 1u << 31;

    // How many messages there is room for from one chunk to the next, at most: a chunk of more than the broker usually writes together is rare.
    private const int MostKept = 1 << 16;

    private readonly ChunkReading _reading;
    private readonly MessageSource _received;
    private StreamMessage[] _messages = [];

    /// <param name="stream">What the messages say that they are from.</param>
    /// <param name="serializer">What reads their objects.</param>
    /// <param name="reading">How they are read.</param>
    public ChunkMessages(string stream, Serializer serializer, ChunkReading reading)
    {
        Stream = stream;
        Body = new AmqpBody(serializer);
        Serializer = serializer;
        _reading = reading;
        _received = new MessageSource(this);
    }

    /// <summary>What the messages say that they are from.</summary>
    public string Stream { get; }

    /// <summary>What reads their objects.</summary>
    public Serializer Serializer { get; }

    /// <summary>What reads the objects of AMQP 1.0 messages.</summary>
    public AmqpBody Body { get; }

    /// <summary>What the chunk says of itself that was read last.</summary>
    public ChunkHeader Header { get; private set; }

    /// <summary>Takes a chunk apart.</summary>
    /// <param name="chunk">The chunk, all of it, in an array that stays as it is until the messages are cleared.</param>
    /// <param name="position">Where it begins in the bytes of the connection, for the offsets in errors.</param>
    /// <param name="from">The first offset that is wanted: what is before is left out.</param>
    /// <returns>The messages in their order; none of a chunk that is for the broker itself.</returns>
    /// <exception cref="AmqpFormatException">It is no chunk, or it is damaged. There are no messages then, not even those before the damage.</exception>
    public ReadOnlyMemory<StreamMessage> Read(ReadOnlyMemory<byte> chunk, long position, ulong from)
    {
        Clear();
        ReadOnlySpan<byte> bytes = chunk.Span;
        Header = ChunkHeader.Read(bytes, position);
        ReadOnlySpan<byte> data = bytes.Slice(ChunkHeader.Size, Header.DataLength);
        if (_reading.CheckCrc && Crc32.Compute(data) is var crc && crc != Header.Crc)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Checksum, position, $"The chunk with offset {Header.FirstOffset} is damaged: the CRC-32 of its {data.Length} bytes is 0x{crc:x8}, and it states 0x{Header.Crc:x8}");
        }

        if (Header.Type != ChunkType.User)
        {
            return default;
        }

        if (!MemoryMarshal.TryGetArray(chunk, out ArraySegment<byte> segment))
        {
            throw new ArgumentException("The chunk does not lie in an array.", nameof(chunk));
        }

        _received.Array = segment.Array!;
        int count = ReadEntries(data, segment.Offset + ChunkHeader.Size, position + ChunkHeader.Size);
        int before = from > Header.FirstOffset ? (int)Math.Min(from - Header.FirstOffset, (ulong)count) : 0;
        return _messages.AsMemory(before, count - before);
    }

    /// <summary>The messages are not valid any more. Gives back what was decompressed.</summary>
    public void Clear()
    {
        _received.Clear();
        if (_messages.Length > MostKept)
        {
            _messages = [];
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Clear();

    private int ReadEntries(ReadOnlySpan<byte> data, int start, long position)
    {
        uint entries = Header.Entries;
        if ((long)entries * sizeof(uint) > data.Length)
        {
            throw new AmqpFormatException(AmqpFormatError.Length, position, $"A chunk of {entries} entries has {data.Length} bytes of data, and their lengths alone take {entries * sizeof(uint)}");
        }

        if (_messages.Length < entries)
        {
            _messages = new StreamMessage[entries];
        }

        StreamMessage[] messages = _messages;
        uint generation = _received.Generation;
        int at = 0;
        for (uint index = 0; index < entries; index++)
        {
            if (data.Length - at < sizeof(uint))
            {
                ThrowLength(position + at, sizeof(uint), data.Length - at);
            }

            uint length = BinaryPrimitives.ReadUInt32BigEndian(data[at..]);
            at += sizeof(uint);
            if ((length & BatchBit) != 0)
            {
                throw new AmqpFormatException(AmqpFormatError.UnknownCode, position + at, "The chunk has a batch of messages in one entry, which is not read");
            }

            if (length > (uint)(data.Length - at))
            {
                ThrowLength(position + at, length, data.Length - at);
            }

            messages[index] = new StreamMessage(_received, generation, start + at, (int)length, index);
            at += (int)length;
        }

        return (int)entries;
    }

    [DoesNotReturn]
    private static void ThrowLength(long position, long expected, long left) =>
        throw new AmqpFormatException(AmqpFormatError.Length, position, $"Expected {expected} bytes of an entry, and the chunk has {left} left");
}
