using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using Snappier;

namespace Wire.RabbitMQ.Streams.Compression;

/// <summary>
/// The compression of entries by Snappy, in its framing format (framing_format.txt of the snappy project), as snappy-java writes it for the
/// Java client. Thread-safe.
/// </summary>
/// <remarks>
/// <code>
/// chunk: kind uint8 | length uint24 | bytes
/// kinds: 0xff "sNaPpY" | 0 CRC-32C, compressed bytes | 1 CRC-32C, bytes | 0x80 to 0xfe, skipped
/// </code>
/// A chunk has at most 64 KiB when it is decompressed; what it says of that is checked before anything is allocated for it.
/// </remarks>
public sealed class SnappyCodec : IStreamCompressionCodec
{
    private const int MaxChunk = 1 << 16;
    private const int HeadBytes = sizeof(uint);
    private const int CrcBytes = sizeof(uint);

    private const byte Compressed = 0;
    private const byte NotCompressed = 1;
    private const byte FirstSkipped = 0x80;
    private const byte Identifier = 0xff;

    // The chunk that all begins with.
    private static ReadOnlySpan<byte> Start => [Identifier, 6, 0, 0, (byte)'s', (byte)'N', (byte)'a', (byte)'P', (byte)'p', (byte)'Y'];

    /// <inheritdoc/>
    public StreamCompression Compression => StreamCompression.Snappy;

    /// <inheritdoc/>
    public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        destination.Write(Start);
        for (ReadOnlySpan<byte> rest = plain.Span; !rest.IsEmpty;)
        {
            ReadOnlySpan<byte> chunk = rest[..Math.Min(rest.Length, MaxChunk)];
            WriteChunk(chunk, destination);
            rest = rest[chunk.Length..];
        }
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">It is damaged, or has more bytes than the destination.</exception>
    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
    {
        var chunks = new FrameReader(compressed.Span, destination.Span);
        if (!chunks.Take(Start.Length, "the identifier of the format").SequenceEqual(Start))
        {
            throw chunks.Damaged("the bytes are not Snappy's framing format, which begins with sNaPpY");
        }

        while (!chunks.IsAtEnd)
        {
            uint head = chunks.TakeNumber("the head of a chunk");
            ReadOnlySpan<byte> bytes = chunks.Take(head >> 8, "a chunk");
            byte kind = (byte)head;
            if (kind is Compressed or NotCompressed)
            {
                ReadChunk(ref chunks, bytes, kind == Compressed);
            }
            else if (kind < FirstSkipped)
            {
                throw chunks.Damaged($"a chunk has the kind 0x{kind:x2}, which is not defined");
            }
            else if (kind == Identifier && !bytes.SequenceEqual(Start[HeadBytes..]))
            {
                throw chunks.Damaged("the identifier of the format is another one");
            }
        }

        return chunks.Written;
    }

    private static void WriteChunk(ReadOnlySpan<byte> chunk, IBufferWriter<byte> destination)
    {
        const int Heads = HeadBytes + CrcBytes;
        Span<byte> output = destination.GetSpan(Heads + Snappy.GetMaxCompressedLength(chunk.Length));
        int length = Snappy.Compress(chunk, output[Heads..]);
        byte kind = Compressed;
        if (length >= chunk.Length)
        {
            kind = NotCompressed;
            length = chunk.Length;
            chunk.CopyTo(output[Heads..]);
        }

        BinaryPrimitives.WriteUInt32LittleEndian(output, ((uint)(CrcBytes + length) << 8) | kind);
        BinaryPrimitives.WriteUInt32LittleEndian(output[HeadBytes..], Crc(chunk));
        destination.Advance(Heads + length);
    }

    private static void ReadChunk(ref FrameReader chunks, ReadOnlySpan<byte> bytes, bool isCompressed)
    {
        if (bytes.Length < CrcBytes)
        {
            throw chunks.Damaged($"a chunk has {bytes.Length} bytes, and its checksum alone {CrcBytes}");
        }

        uint stated = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        bytes = bytes[CrcBytes..];
        int length = isCompressed ? Snappy.GetUncompressedLength(bytes) : bytes.Length;
        if (length is < 0 or > MaxChunk)
        {
            throw chunks.Damaged($"a chunk grows to {(uint)length} bytes, and the format allows {MaxChunk}");
        }

        chunks.CheckRoom(length);
        Span<byte> output = chunks.Rest[..length];
        if (!isCompressed)
        {
            bytes.CopyTo(output);
        }
        else if (!Snappy.TryDecompress(bytes, output, out int count) || count != length)
        {
            throw chunks.Damaged($"a chunk is damaged: it states {length} bytes, and has {count}");
        }

        if (Crc(output) is var crc && crc != stated)
        {
            throw chunks.Damaged($"the checksum of a chunk is 0x{crc:x8}, and it states 0x{stated:x8}");
        }

        chunks.Advance(length);
    }

    // CRC-32C, rotated and moved, as the format has it: a checksum of data that has checksums.
    private static uint Crc(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            crc = BitOperations.Crc32C(crc, BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word));
        }

        foreach (byte one in bytes[(words.Length * sizeof(ulong))..])
        {
            crc = BitOperations.Crc32C(crc, one);
        }

        crc = ~crc;
        return BitOperations.RotateRight(crc, 15) + 0xa282ead8;
    }
}
