using System.Buffers;
using System.IO.Compression;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A codec of a user: what it stands for is not in .NET, so it writes and reads something else under that name.</summary>
internal sealed class BrotliCodec(StreamCompression compression) : IStreamCompressionCodec
{
    public StreamCompression Compression => compression;

    public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination)
    {
        Span<byte> output = destination.GetSpan(BrotliEncoder.GetMaxCompressedLength(plain.Length));
        Assert.True(BrotliEncoder.TryCompress(plain.Span, output, out int written));
        destination.Advance(written);
    }

    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination) =>
        BrotliDecoder.TryDecompress(compressed.Span, destination.Span, out int written)
            ? written
            : throw new InvalidDataException("These bytes are no Brotli.");
}
