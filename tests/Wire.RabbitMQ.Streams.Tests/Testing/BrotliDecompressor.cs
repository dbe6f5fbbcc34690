using System.IO.Compression;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A decompressor of a user: what it stands for is not in .NET, so it reads something else under that name.</summary>
internal sealed class BrotliDecompressor(StreamCompression compression) : IStreamDecompressor
{
    public StreamCompression Compression => compression;

    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination) =>
        BrotliDecoder.TryDecompress(compressed.Span, destination.Span, out int written)
            ? written
            : throw new InvalidDataException("These bytes are no Brotli.");
}
