using System.IO.Compression;
using Wire.Amqp.Errors;

namespace Wire.Amqp.Bodies;

/// <summary>The table of content encodings that .NET supports.</summary>
internal sealed record ContentEncoding(
    Compression Compression,
    string Name,
    Func<Stream, CompressionLevel, Stream> Compress,
    Func<Stream, Stream> Decompress)
{
    private static readonly ContentEncoding[] All =
    [
        new(
            Compression.Brotli,
            "br",
            (stream, level) => new BrotliStream(stream, level, leaveOpen: true),
            stream => new BrotliStream(stream, CompressionMode.Decompress, leaveOpen: true)),
        new(
            Compression.GZip,
            "gzip",
            (stream, level) => new GZipStream(stream, level, leaveOpen: true),
            stream => new GZipStream(stream, CompressionMode.Decompress, leaveOpen: true)),
        new(
            Compression.Deflate,
            "deflate",
            (stream, level) => new ZLibStream(stream, level, leaveOpen: true),
            stream => new ZLibStream(stream, CompressionMode.Decompress, leaveOpen: true)),
    ];

    /// <summary>
    /// Gets bytes that are no part of such a stream, to stand behind one: with gzip another one may follow, so its end is no end of the
    /// input. They do not complete one that was cut: their end would be the length of a body of 4 GiB.
    /// </summary>
    public ReadOnlyMemory<byte> Behind { get; } =
        Compression == Compression.GZip ? Enumerable.Repeat(byte.MaxValue, sizeof(uint) + sizeof(uint)).ToArray() : default;

    /// <summary>The encoding of a kind of compression; null for none.</summary>
    public static ContentEncoding? ForCompression(Compression compression)
    {
        if (compression == Compression.None)
        {
            return null;
        }

        return Array.Find(All, encoding => encoding.Compression == compression)
            ?? throw new ArgumentOutOfRangeException(nameof(compression), compression, "Set one of the named compressions.");
    }

    /// <summary>The encoding that a message names, in any case; null for none.</summary>
    /// <exception cref="AmqpFormatException">The name is of no encoding that is known.</exception>
    public static ContentEncoding? Named(AmqpString name)
    {
        if (name.IsEmpty)
        {
            return null;
        }

        string text = name.ToString();
        if (text.Equals("identity", StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        foreach (ContentEncoding encoding in All)
        {
            if (text.Equals(encoding.Name, StringComparison.OrdinalIgnoreCase))
            {
                return encoding;
            }
        }

        throw new AmqpFormatException(
            AmqpFormatError.Body,
            -1,
            $"The content encoding is {ThrowHelper.Quote(name)}; known " +
            $"are {string.Join(", ", All.Select(encoding => $"'{encoding.Name}'"))} and none");
    }
}
