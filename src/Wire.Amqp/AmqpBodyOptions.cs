using System.IO.Compression;

namespace Wire.Amqp;

/// <summary>Options for writing bodies. Every reader reads them all.</summary>
public sealed record AmqpBodyOptions
{
    /// <summary>Bodies as they are, without compression.</summary>
    public static AmqpBodyOptions Default { get; } = new();

    /// <summary>Gets the compression of bodies; none by default. A body that does not become smaller goes as it is.</summary>
    public Compression Compression { get; init; }

    /// <summary>Gets the number of bytes from which on a body is compressed: 1,024 by default.</summary>
    public int CompressAbove { get; init; } = 1024;

    /// <summary>Gets the level of compression: the fastest by default.</summary>
    public CompressionLevel Level { get; init; } = CompressionLevel.Fastest;

    /// <summary>
    /// Gets the number of bytes that a compressed body may grow to on read: 134,217,728 by default, the largest message that RabbitMQ takes
    /// as it is set up. A few bytes of compressed zeros could otherwise fill the memory.
    /// </summary>
    public long MaxDecompressedBytes { get; init; } = 1 << 27;
}
