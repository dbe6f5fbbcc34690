using System.Buffers.Binary;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A chunk of a stream of a <see cref="StrictStreamServer"/>, laid out as a broker does.</summary>
internal sealed record ServerChunk(ulong First, uint Records, long Timestamp, IReadOnlyList<string?> Filters, byte[] Bytes)
{
    private const int HeaderSize = 48;

    /// <summary>The first offset behind it.</summary>
    public ulong End => First + Records;

    /// <summary>Lays a chunk out.</summary>
    /// <param name="first">The offset of its first message.</param>
    /// <param name="timestamp">In milliseconds.</param>
    /// <param name="epoch">How many leaders the stream has had.</param>
    /// <param name="entries">The entries, as they are published.</param>
    /// <param name="filters">A filter value for each entry.</param>
    public static ServerChunk Of(ulong first, long timestamp, ulong epoch, IReadOnlyList<byte[]> entries, IReadOnlyList<string?> filters)
    {
        byte[] data = [.. entries.SelectMany(entry => entry)];
        uint records = (uint)entries.Sum(entry => IsBatch(entry) ? BinaryPrimitives.ReadUInt16BigEndian(entry.AsSpan(1)) : 1);
        byte[] chunk = new byte[HeaderSize + data.Length];
        chunk[0] = 0x50;
        chunk[1] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(chunk.AsSpan(2), checked((ushort)entries.Count));
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(4), records);
        BinaryPrimitives.WriteInt64BigEndian(chunk.AsSpan(8), timestamp);
        BinaryPrimitives.WriteUInt64BigEndian(chunk.AsSpan(16), epoch);
        BinaryPrimitives.WriteUInt64BigEndian(chunk.AsSpan(24), first);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(32), Crc(data));
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(36), (uint)data.Length);

        // A broker leaves the trailer and the filter out when it sends a chunk, and their lengths in.
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(40), 24);
        chunk[44] = filters.Any(filter => filter is not null) ? (byte)16 : (byte)0;
        data.CopyTo(chunk, HeaderSize);
        return new ServerChunk(first, records, timestamp, filters, chunk);
    }

    /// <summary>An entry of one message.</summary>
    public static byte[] Entry(byte[] message)
    {
        byte[] entry = new byte[sizeof(int) + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(entry, message.Length);
        message.CopyTo(entry, sizeof(int));
        return entry;
    }

    /// <summary>Whether an entry is a batch of several messages.</summary>
    public static bool IsBatch(ReadOnlySpan<byte> entry) => (entry[0] & 0x80) != 0;

    // A bit at a time, as it is defined: what the library has is compared with this.
    private static uint Crc(byte[] data)
    {
        uint crc = uint.MaxValue;
        foreach (byte value in data)
        {
            crc ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) == 0 ? 0 : 0xedb88320);
            }
        }

        return ~crc;
    }
}
