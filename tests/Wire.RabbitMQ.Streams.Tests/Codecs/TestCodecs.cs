using System.Buffers;
using Wire.RabbitMQ.Streams.Compression;

namespace Wire.RabbitMQ.Streams.Tests.Codecs;

/// <summary>All codecs, and what they are tried with.</summary>
internal static class TestCodecs
{
    /// <summary>The compressions.</summary>
    public static TheoryData<StreamCompression> All =>
        [StreamCompression.GZip, StreamCompression.Snappy, StreamCompression.Lz4, StreamCompression.Zstd];

    /// <summary>The codec of a compression.</summary>
    public static IStreamCompressionCodec Of(StreamCompression compression) => compression switch
    {
        StreamCompression.GZip => new GZipCodec(),
        StreamCompression.Snappy => new SnappyCodec(),
        StreamCompression.Lz4 => new Lz4Codec(),
        StreamCompression.Zstd => new ZstdCodec(),
        _ => throw new ArgumentOutOfRangeException(nameof(compression), compression, null),
    };

    /// <summary>Compresses bytes.</summary>
    public static byte[] Compress(this IStreamCompressionCodec codec, byte[] plain)
    {
        var output = new ArrayBufferWriter<byte>();
        codec.Compress(plain, output);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Decompresses bytes that state their size.</summary>
    public static byte[] Decompress(this IStreamCompressionCodec codec, byte[] compressed, int length)
    {
        byte[] plain = new byte[length];
        int count = codec.Decompress(compressed, plain);
        Assert.InRange(count, 0, length);
        return plain[..count];
    }

    /// <summary>Bytes that are compressed to less: words, as those of messages.</summary>
    public static byte[] Words(int length, int seed = 1)
    {
        string[] words = ["temperature", "sensor", "cellar", "reading", "alarm", "door", "open", "at", "7", "21.5"];
        var random = new Random(seed);
        byte[] bytes = new byte[length];
        for (int at = 0; at < length;)
        {
            foreach (char letter in words[random.Next(words.Length)].Take(length - at))
            {
                bytes[at++] = (byte)letter;
            }
        }

        return bytes;
    }

    /// <summary>Bytes that are not.</summary>
    public static byte[] Noise(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
