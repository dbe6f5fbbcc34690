using System.Buffers;
using System.Buffers.Binary;
using System.IO.Hashing;
using K4os.Compression.LZ4;

namespace Wire.RabbitMQ.Streams.Compression;

/// <summary>
/// The compression of entries by LZ4, in its frame format (lz4_Frame_format.md of the lz4 project, version 1.6): what is written has
/// independent blocks, which the Java client needs, and a checksum of its content. Thread-safe.
/// </summary>
/// <remarks>
/// <code>
/// frame: magic uint32 | flags | block size | (size uint64) | (dictionary uint32) | header checksum | blocks | 0 uint32 | (checksum uint32)
/// block: 1:not compressed, 31:length | bytes | (block checksum uint32)
/// </code>
/// Blocks are decompressed into the memory that the entry was given: what a frame says of its size allocates nothing.
/// </remarks>
public sealed class Lz4Codec : IStreamCompressionCodec
{
    private const uint Magic = 0x184D2204;

    // Sixteen numbers for frames of the user's own, which are passed over.
    private const uint Skippable = 0x184D2A50;
    private const uint SkippableMask = 0xFFFFFFF0;

    // The bits of the flags.
    private const byte Version = 0b01_000000;
    private const byte VersionMask = 0b11_000000;
    private const byte Independent = 0b100000;
    private const byte BlockChecksum = 0b10000;
    private const byte ContentSize = 0b1000;
    private const byte ContentChecksum = 0b100;
    private const byte Dictionary = 0b1;

    private const uint NotCompressed = 1u << 31;

    // The numbers 4 to 7 are 64 KiB, 256 KiB, 1 MiB and 4 MiB.
    private const int LeastBlockNumber = 4;
    private const int MostBlockNumber = 7;

    // How far back a block that is not independent may refer.
    private const int Window = 1 << 16;

    private readonly LZ4Level _level;

    /// <summary>Creates a codec.</summary>
    /// <param name="level">How much time it may take to compress: 0, the default, for least, or 3 to 12.</param>
    /// <exception cref="ArgumentOutOfRangeException">The level is another one.</exception>
    public Lz4Codec(int level = 0)
    {
        if (level is not (0 or (>= 3 and <= 12)))
        {
            throw new ArgumentOutOfRangeException(nameof(level), level, "The level of LZ4 must be 0, or 3 to 12.");
        }

        _level = (LZ4Level)level;
    }

    /// <inheritdoc/>
    public StreamCompression Compression => StreamCompression.Lz4;

    /// <inheritdoc/>
    public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);

        // One block where it is not very large.
        int number = LeastBlockNumber;
        while (number < MostBlockNumber && plain.Length > BlockSize(number))
        {
            number++;
        }

        Span<byte> head = destination.GetSpan(sizeof(uint) + 3);
        BinaryPrimitives.WriteUInt32LittleEndian(head, Magic);
        head[4] = Version | Independent | ContentChecksum;
        head[5] = (byte)(number << 4);
        head[6] = HeaderChecksum(head[4..6]);
        destination.Advance(sizeof(uint) + 3);
        for (ReadOnlySpan<byte> rest = plain.Span; !rest.IsEmpty;)
        {
            ReadOnlySpan<byte> block = rest[..Math.Min(rest.Length, BlockSize(number))];
            WriteBlock(block, destination);
            rest = rest[block.Length..];
        }

        Span<byte> end = destination.GetSpan(2 * sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(end, 0);
        BinaryPrimitives.WriteUInt32LittleEndian(end[sizeof(uint)..], XxHash32.HashToUInt32(plain.Span));
        destination.Advance(2 * sizeof(uint));
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">It is damaged, or has more bytes than the destination.</exception>
    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
    {
        var frames = new FrameReader(compressed.Span, destination.Span);
        do
        {
            uint magic = frames.TakeNumber("the number of a frame");
            if (magic == Magic)
            {
                ReadFrame(ref frames);
            }
            else if ((magic & SkippableMask) == Skippable)
            {
                frames.Take(frames.TakeNumber("the length of a frame to skip"), "a frame to skip");
            }
            else
            {
                throw frames.Damaged($"an LZ4 frame begins with 0x{Magic:x8}, and this one with 0x{magic:x8}");
            }
        }
        while (!frames.IsAtEnd);
        return frames.Written;
    }

    private void WriteBlock(ReadOnlySpan<byte> block, IBufferWriter<byte> destination)
    {
        Span<byte> output = destination.GetSpan(sizeof(uint) + LZ4Codec.MaximumOutputSize(block.Length));
        int length = LZ4Codec.Encode(block, output[sizeof(uint)..], _level);
        if (length > 0 && length < block.Length)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(output, (uint)length);
        }
        else
        {
            length = block.Length;
            BinaryPrimitives.WriteUInt32LittleEndian(output, (uint)length | NotCompressed);
            block.CopyTo(output[sizeof(uint)..]);
        }

        destination.Advance(sizeof(uint) + length);
    }

    private static void ReadFrame(ref FrameReader frames)
    {
        int start = frames.Written;
        byte flags = ReadHead(ref frames, out int blockSize);
        for (uint length; (length = frames.TakeNumber("the length of a block")) != 0;)
        {
            ReadOnlySpan<byte> block = frames.Take(length & ~NotCompressed, "a block");
            if ((flags & BlockChecksum) != 0)
            {
                CheckHash(ref frames, block, "block");
            }

            if ((length & NotCompressed) != 0)
            {
                frames.Write(block);
                continue;
            }

            ReadOnlySpan<byte> window = (flags & Independent) != 0 ? default : frames.WrittenFrom(Math.Max(start, frames.Written - Window));
            Span<byte> output = frames.Rest[..Math.Min(frames.Rest.Length, blockSize)];
            int count = LZ4Codec.Decode(block, output, window);
            frames.Advance(count >= 0 ? count : throw (output.Length < blockSize
                ? frames.Damaged($"a block is damaged, or grows to more than the {output.Length} bytes that the entry has left")
                : frames.Damaged("a block is damaged")));
        }

        if ((flags & ContentChecksum) != 0)
        {
            CheckHash(ref frames, frames.WrittenFrom(start), "frame");
        }
    }

    private static byte ReadHead(ref FrameReader frames, out int blockSize)
    {
        ReadOnlySpan<byte> start = frames.Take(2, "the head of a frame");
        byte flags = start[0];
        int number = start[1] >> 4;
        if ((flags & VersionMask) != Version || (flags & 0b10) != 0 || (start[1] & 0b1000_1111) != 0 || number < LeastBlockNumber)
        {
            throw frames.Damaged($"the head of a frame is 0x{start[0]:x2}{start[1]:x2}, which is not defined");
        }

        if ((flags & Dictionary) != 0)
        {
            throw frames.Damaged("a frame needs a dictionary, and there is none");
        }

        // The head is at most two bytes and a size, which the checksum is of.
        Span<byte> head = stackalloc byte[2 + sizeof(ulong)];
        start.CopyTo(head);
        int length = 2;
        if ((flags & ContentSize) != 0)
        {
            ReadOnlySpan<byte> size = frames.Take(sizeof(ulong), "the size of a frame");
            size.CopyTo(head[2..]);
            length += sizeof(ulong);
        }

        if (frames.Take(1, "the checksum of a head")[0] != HeaderChecksum(head[..length]))
        {
            throw frames.Damaged("the checksum of a head is another one");
        }

        blockSize = BlockSize(number);
        return flags;
    }

    private static void CheckHash(ref FrameReader frames, ReadOnlySpan<byte> bytes, string what)
    {
        uint stated = frames.TakeNumber($"the checksum of a {what}");
        if (XxHash32.HashToUInt32(bytes) is var hash && hash != stated)
        {
            throw frames.Damaged($"the checksum of a {what} is 0x{hash:x8}, and it states 0x{stated:x8}");
        }
    }

    private static byte HeaderChecksum(ReadOnlySpan<byte> head) => (byte)(XxHash32.HashToUInt32(head) >> 8);

    private static int BlockSize(int number) => 1 << (8 + (2 * number));
}
