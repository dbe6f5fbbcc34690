namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Decompresses batches of messages that other clients have written with a compression which is not built in. It is called by one thread at
/// a time for each consumer that has it: one shared by several consumers must be thread-safe.
/// </summary>
public interface IStreamDecompressor
{
    /// <summary>
    /// Gets the compression that it reads. One for <see cref="StreamCompression.GZip"/> replaces the built-in one.
    /// </summary>
    StreamCompression Compression { get; }

    /// <summary>Decompresses a batch.</summary>
    /// <param name="compressed">The batch, all of it. Not to be kept.</param>
    /// <param name="destination">
    /// The output, as long as the batch's stated size; it must be filled completely, and must not be kept.
    /// </param>
    /// <returns>
    /// The decompressed size. Any other than the length of the destination means that the batch is damaged, and so does any exception: the
    /// consumer reports it with its position.
    /// </returns>
    int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination);
}

/// <summary>The compression of a batch of messages in one entry of a stream: the values are those of the protocol.</summary>
public enum StreamCompression
{
    /// <summary>No compression.</summary>
    None = 0,

    /// <summary>GZIP (RFC 1952), which is built in.</summary>
    GZip = 1,

    /// <summary>Snappy: read by an <see cref="IStreamDecompressor"/> of your own.</summary>
    Snappy = 2,

    /// <summary>LZ4: read by an <see cref="IStreamDecompressor"/> of your own.</summary>
    Lz4 = 3,

    /// <summary>Zstandard (RFC 8878): read by an <see cref="IStreamDecompressor"/> of your own.</summary>
    Zstd = 4,
}
