using System.Buffers;
using ZstdSharp;
using ZstdSharp.Unsafe;

namespace Wire.RabbitMQ.Streams.Compression;

/// <summary>
/// The compression of entries by Zstandard (RFC 8878): frames, as zstd-jni writes them for the Java client, with a checksum of their
/// content. Thread-safe.
/// </summary>
/// <remarks>
/// An entry is decompressed in one go into the memory that it was given, so that what a frame says of its window allocates nothing.
/// </remarks>
public sealed class ZstdCodec : IStreamCompressionCodec
{
    private readonly int _level;

    // One of each is kept for the next entry: they have the tables, of some hundred KiB.
    private Compressor? _compressor;
    private Decompressor? _decompressor;

    /// <summary>Creates a codec.</summary>
    /// <param name="level">
    /// How much time it may take to compress: 3 by default, 1 (least) to 22. Higher levels take more memory too.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The level is out of range.</exception>
    public ZstdCodec(int level = Compressor.DefaultCompressionLevel)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(level, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(level, Compressor.MaxCompressionLevel);
        _level = level;
    }

    /// <inheritdoc/>
    public StreamCompression Compression => StreamCompression.Zstd;

    /// <inheritdoc/>
    public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        Compressor compressor = Interlocked.Exchange(ref _compressor, null) ?? NewCompressor();
        destination.Advance(compressor.Wrap(plain.Span, destination.GetSpan(Compressor.GetCompressBound(plain.Length))));
        Interlocked.Exchange(ref _compressor, compressor)?.Dispose();
    }

    /// <inheritdoc/>
    /// <exception cref="ZstdException">It is damaged, or has more bytes than the destination.</exception>
    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
    {
        Decompressor decompressor = Interlocked.Exchange(ref _decompressor, null) ?? new Decompressor();
        try
        {
            return decompressor.Unwrap(compressed.Span, destination.Span);
        }
        finally
        {
            // It begins anew with each entry, also after a damaged one.
            Interlocked.Exchange(ref _decompressor, decompressor)?.Dispose();
        }
    }

    private Compressor NewCompressor()
    {
        var compressor = new Compressor(_level);
        compressor.SetParameter(ZSTD_cParameter.ZSTD_c_checksumFlag, 1);
        return compressor;
    }
}
