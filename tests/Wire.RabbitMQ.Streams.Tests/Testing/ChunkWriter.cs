using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>
/// Writes a chunk as a broker does. Each number in it can be another one than the right one, for chunks that are damaged.
/// </summary>
internal sealed class ChunkWriter
{
    private readonly ArrayBufferWriter<byte> _data = new();

    public ulong FirstOffset { get; init; }

    public long Milliseconds { get; init; }

    public ulong Epoch { get; init; } = 1;

    public byte Type { get; init; }

    public byte[] Trailer { get; init; } = [];

    /// <summary>Whether the trailer is sent: it is in the header in any case.</summary>
    public bool SendsTrailer { get; init; } = true;

    public int Entries { get; set; }

    public uint Records { get; set; }

    public ChunkWriter Add(ReadOnlySpan<byte> message)
    {
        Write(_data, (uint)message.Length);
        _data.Write(message);
        Entries++;
        Records++;
        return this;
    }

    /// <summary>Adds messages, each in an entry of its own.</summary>
    public ChunkWriter AddAll(IEnumerable<byte[]> messages)
    {
        foreach (byte[] message in messages)
        {
            Add(message);
        }

        return this;
    }

    /// <summary>Adds messages in one entry.</summary>
    public ChunkWriter AddBatch(StreamCompression compression, params byte[][] messages)
    {
        byte[] plain = Plain(messages);
        return AddBatch(compression, messages.Length, plain.Length, Compress(compression, plain));
    }

    /// <summary>Adds an entry that says anything of its messages.</summary>
    public ChunkWriter AddBatch(StreamCompression compression, int records, long plainLength, byte[] bytes)
    {
        _data.Write([(byte)(0x80 | ((int)compression << 4)), (byte)(records >> 8), (byte)records]);
        Write(_data, (uint)plainLength);
        Write(_data, (uint)bytes.Length);
        _data.Write(bytes);
        Entries++;
        Records += (uint)records;
        return this;
    }

    /// <summary>Adds bytes that are no entry.</summary>
    public ChunkWriter AddRaw(ReadOnlySpan<byte> bytes)
    {
        _data.Write(bytes);
        return this;
    }

    public byte[] ToArray()
    {
        byte[] data = _data.WrittenSpan.ToArray();
        byte[] header = new byte[ChunkHeader.Size];
        header[0] = 0x50;
        header[1] = Type;
        BinaryPrimitives.WriteUInt16BigEndian(header.AsSpan(2), (ushort)Entries);
        BinaryPrimitives.WriteUInt32BigEndian(header.AsSpan(4), Records);
        BinaryPrimitives.WriteInt64BigEndian(header.AsSpan(8), Milliseconds);
        BinaryPrimitives.WriteUInt64BigEndian(header.AsSpan(16), Epoch);
        BinaryPrimitives.WriteUInt64BigEndian(header.AsSpan(24), FirstOffset);
        BinaryPrimitives.WriteUInt32BigEndian(header.AsSpan(32), Crc32.Compute(data));
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(36), data.Length);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(40), Trailer.Length);
        return [.. header, .. data, .. SendsTrailer ? Trailer : []];
    }

    /// <summary>Messages as they are in a batch that is not compressed.</summary>
    public static byte[] Plain(params byte[][] messages)
    {
        var plain = new ArrayBufferWriter<byte>();
        foreach (byte[] message in messages)
        {
            Write(plain, (uint)message.Length);
            plain.Write(message);
        }

        return plain.WrittenSpan.ToArray();
    }

    /// <summary>Compresses: what .NET does not have, as <see cref="BrotliCodec"/> reads it.</summary>
    public static byte[] Compress(StreamCompression compression, byte[] plain)
    {
        if (compression == StreamCompression.None)
        {
            return plain;
        }

        var compressed = new MemoryStream();
        using (Stream compressor = compression == StreamCompression.GZip
            ? new GZipStream(compressed, CompressionLevel.Fastest)
            : new BrotliStream(compressed, CompressionLevel.Fastest))
        {
            compressor.Write(plain);
        }

        return compressed.ToArray();
    }

    private static void Write(ArrayBufferWriter<byte> output, uint value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
        output.Write(bytes);
    }
}
