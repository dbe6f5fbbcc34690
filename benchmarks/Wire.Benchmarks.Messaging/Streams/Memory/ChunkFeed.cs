using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>Chunks in memory, as a broker writes them when many messages come.</summary>
internal sealed class ChunkFeed
{
    /// <summary>How many messages a chunk has.</summary>
    public const int PerChunk = 4_000;

    // Some hundred KiB together: in the caches, as it is with what has just been received.
    private const int Chunks = 8;

    public ChunkFeed(StreamLoad load) => All = [.. Enumerable.Range(0, Chunks).Select(i => Chunk(load.Message, (ulong)i * PerChunk))];

    public IReadOnlyList<byte[]> All { get; }

    private static byte[] Chunk(byte[] message, ulong offset)
    {
        int entry = sizeof(int) + message.Length;
        byte[] chunk = new byte[ChunkHeader.Size + (PerChunk * entry)];
        Span<byte> data = chunk.AsSpan(ChunkHeader.Size);
        for (int i = 0; i < PerChunk; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(data[(i * entry)..], message.Length);
            message.CopyTo(data[((i * entry) + sizeof(int))..]);
        }

        chunk[0] = 0x50;
        BinaryPrimitives.WriteUInt16BigEndian(chunk.AsSpan(2), PerChunk);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(4), PerChunk);
        BinaryPrimitives.WriteInt64BigEndian(chunk.AsSpan(8), 1_700_000_000_000);
        BinaryPrimitives.WriteUInt64BigEndian(chunk.AsSpan(16), 1);
        BinaryPrimitives.WriteUInt64BigEndian(chunk.AsSpan(24), offset);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(32), Crc32.Compute(data));
        BinaryPrimitives.WriteInt32BigEndian(chunk.AsSpan(36), data.Length);
        return chunk;
    }
}
