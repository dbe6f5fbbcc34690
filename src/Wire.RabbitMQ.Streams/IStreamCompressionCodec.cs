using System.Buffers;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Compresses and decompresses entries of several messages in one way, as other clients of streams do. GZIP is built in; the package
/// WireSerializer.RabbitMQ.Streams.Compression has the others. It is called by one thread at a time for each producer or consumer that has
/// it: one shared by several must be thread-safe.
/// </summary>
public interface IStreamCompressionCodec
{
    /// <summary>
    /// Gets the compression that it writes and reads. One for <see cref="StreamCompression.GZip"/> replaces the built-in one.
    /// </summary>
    StreamCompression Compression { get; }

    /// <summary>
    /// Compresses an entry. It is called under the lock of the producer, so it must not send or wait. An exception ends the producer; the
    /// entry is sent as it is.
    /// </summary>
    /// <param name="plain">The messages of the entry. Not to be kept.</param>
    /// <param name="destination">
    /// The output, not to be kept. What is no smaller than <paramref name="plain"/> is dropped, and the entry sent uncompressed.
    /// </param>
    void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination);

    /// <summary>Decompresses an entry.</summary>
    /// <param name="compressed">The compressed messages, all of them. Not to be kept. They may be damaged, or made to do harm.</param>
    /// <param name="destination">
    /// The output, as long as the entry's stated size; it must be filled completely, and must not be kept.
    /// </param>
    /// <returns>
    /// The decompressed size. Any other than the length of the destination means that the entry is damaged, and so does any exception: the
    /// consumer reports it with its position.
    /// </returns>
    int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination);
}

/// <summary>The compression of several messages in one entry of a stream: the values are those of the protocol.</summary>
public enum StreamCompression
{
    /// <summary>No compression.</summary>
    None = 0,

    /// <summary>GZIP (RFC 1952): <see cref="GZipCodec"/>, which is built in.</summary>
    GZip = 1,

    /// <summary>Snappy in its framing format: needs an <see cref="IStreamCompressionCodec"/>.</summary>
    Snappy = 2,

    /// <summary>LZ4 in its frame format: needs an <see cref="IStreamCompressionCodec"/>.</summary>
    Lz4 = 3,

    /// <summary>Zstandard (RFC 8878): needs an <see cref="IStreamCompressionCodec"/>.</summary>
    Zstd = 4,
}
