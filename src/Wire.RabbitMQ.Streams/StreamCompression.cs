namespace Wire.RabbitMQ.Streams;

/// <summary>How a batch of messages in one entry of a stream is compressed: the values are those of the protocol.</summary>
public enum StreamCompression
{
    /// <summary>Not at all.</summary>
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
