using System.Buffers.Binary;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>The header of a chunk.</summary>
/// <remarks>
/// <code>
/// 0x50 | type int8 | entries uint16 | records uint32 | timestamp int64 | epoch uint64 | first offset uint64 | crc uint32 | data uint32 |
/// trailer uint32 | 4 bytes
/// </code>
/// It is followed by the data, which the CRC covers, and the trailer, which the broker may omit.
/// </remarks>
internal readonly record struct ChunkHeader
{
    /// <summary>The number of bytes that it takes.</summary>
    public const int Size = 48;

    // A number for chunks, 5, and the version of their layout, 0.
    private const byte Magic = 0x50;

    /// <summary>Gets its kind.</summary>
    public ChunkType Type { get; private init; }

    /// <summary>Gets the number of entries: messages, or batches of them.</summary>
    public ushort Entries { get; private init; }

    /// <summary>Gets the number of messages, each of which has an offset.</summary>
    public uint Records { get; private init; }

    /// <summary>Gets the time at which the broker wrote it.</summary>
    public DateTimeOffset Timestamp { get; private init; }

    /// <summary>Gets the epoch of the leader: it counts up with each one.</summary>
    public ulong Epoch { get; private init; }

    /// <summary>The offset of the first message.</summary>
    public ulong FirstOffset { get; private init; }

    /// <summary>The CRC-32 of the data.</summary>
    public uint Crc { get; private init; }

    /// <summary>Gets the number of bytes of data that follow.</summary>
    public int DataLength { get; private init; }

    /// <summary>Reads the header of a chunk, and checks the stated length.</summary>
    /// <param name="chunk">The chunk, all of it.</param>
    /// <param name="position">Its position in a larger input, for the offsets in errors.</param>
    /// <exception cref="AmqpFormatException">It is not a complete chunk.</exception>
    public static ChunkHeader Read(ReadOnlySpan<byte> chunk, long position)
    {
        if (chunk.Length < Size)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Length, position, $"A chunk has {chunk.Length} bytes, and its header alone {Size}");
        }

        if (chunk[0] != Magic)
        {
            throw new AmqpFormatException(
                AmqpFormatError.UnknownCode, position, $"Expected a chunk, which begins with 0x{Magic:x2}, found 0x{chunk[0]:x2}");
        }

        uint data = BinaryPrimitives.ReadUInt32BigEndian(chunk[36..]);
        uint trailer = BinaryPrimitives.ReadUInt32BigEndian(chunk[40..]);
        long behind = chunk.Length - Size - (long)data;
        if (behind != 0 && behind != trailer)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Length, position +
                    36, $"A chunk states {data} bytes of data and {trailer} of a trailer, and behind its header there " +
                        $"are {chunk.Length - Size}");
        }

        long milliseconds = BinaryPrimitives.ReadInt64BigEndian(chunk[8..]);
        if (milliseconds < DateTimeOffset.MinValue.ToUnixTimeMilliseconds()
            || milliseconds > DateTimeOffset.MaxValue.ToUnixTimeMilliseconds())
        {
            throw new AmqpFormatException(
                AmqpFormatError.Value, position + 8, $"A chunk was written {milliseconds} ms after 1970, which is not a valid time");
        }

        var header = new ChunkHeader
        {
            Type = (ChunkType)chunk[1],
            Entries = BinaryPrimitives.ReadUInt16BigEndian(chunk[2..]),
            Records = BinaryPrimitives.ReadUInt32BigEndian(chunk[4..]),
            Timestamp = DateTimeOffset.FromUnixTimeMilliseconds(milliseconds),
            Epoch = BinaryPrimitives.ReadUInt64BigEndian(chunk[16..]),
            FirstOffset = BinaryPrimitives.ReadUInt64BigEndian(chunk[24..]),
            Crc = BinaryPrimitives.ReadUInt32BigEndian(chunk[32..]),
            DataLength = (int)data,
        };
        if (header.FirstOffset > ulong.MaxValue - header.Records)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Value,
                position + 24,
                $"A chunk begins with offset {header.FirstOffset} and has {header.Records} messages: such offsets do not exist");
        }

        return header;
    }
}

/// <summary>The kind of a chunk. All but the first are for the broker itself.</summary>
internal enum ChunkType : byte
{
    /// <summary>Messages.</summary>
    User = 0,

    /// <summary>The state that producers and consumers have stored since the last snapshot.</summary>
    TrackingDelta = 1,

    /// <summary>All that producers and consumers have stored.</summary>
    TrackingSnapshot = 2,
}
