using System.IO.Compression;
using System.Runtime.InteropServices;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>What .NET has for GZIP. Without state.</summary>
internal sealed class GZipDecompressor : IStreamDecompressor
{
    public StreamCompression Compression => StreamCompression.GZip;

    public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
    {
        // Chunks lie in arrays.
        MemoryMarshal.TryGetArray(compressed, out ArraySegment<byte> segment);
        using var stream = new GZipStream(new MemoryStream(segment.Array!, segment.Offset, segment.Count, writable: false), CompressionMode.Decompress);
        int count = stream.ReadAtLeast(destination.Span, destination.Length, throwOnEndOfStream: false);

        // The end has to be seen: the checksum is there, and there may be more than was said.
        return stream.ReadByte() < 0 ? count : throw new InvalidDataException("There is more in it.");
    }
}
