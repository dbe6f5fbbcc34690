using System.Buffers;
using System.IO.Compression;
using Wire.Amqp.Bodies;

namespace Wire.RabbitMQ.Streams;

/// <summary>The compression of entries that is built in: GZIP (RFC 1952), by .NET. Thread-safe.</summary>
/// <param name="level">How much time it may take to compress: as little as possible by default.</param>
public sealed class GZipCodec(CompressionLevel level = CompressionLevel.Fastest) : IStreamCompressionCodec
{
    private static readonly ContentEncoding Encoding = ContentEncoding.ForCompression(Wire.Amqp.Compression.GZip)!;

    /// <inheritdoc/>
    public StreamCompression Compression => StreamCompression.GZip;

    /// <inheritdoc/>
    public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination)
    {
        using var stream = new GZipStream(new BufferWriterStream(destination), level);
        stream.Write(plain.Span);
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">It is damaged, or has more bytes than the destination.</exception>
    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
    {
        if (compressed.IsEmpty)
        {
            // As .NET writes nothing.
            return 0;
        }

        var input = new SequenceStream(new ReadOnlySequence<byte>(compressed), Encoding.Behind);
        using var stream = new GZipStream(input, CompressionMode.Decompress);
        int count = stream.ReadAtLeast(destination.Span, destination.Length, throwOnEndOfStream: false);

        // The end has to be seen: the checksum is there, and there may be more than was said.
        bool hasMore = stream.ReadByte() >= 0;
        return hasMore || input.WasTooShort
            ? throw new InvalidDataException(hasMore ? "It has more bytes." : "It ends too early.")
            : count;
    }
}
