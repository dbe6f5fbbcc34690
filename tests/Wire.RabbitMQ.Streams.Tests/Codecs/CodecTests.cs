using FsCheck;
using FsCheck.Fluent;
using Wire.RabbitMQ.Streams.Compression;

namespace Wire.RabbitMQ.Streams.Tests.Codecs;

/// <summary>What a codec has compressed, it decompresses to the same bytes.</summary>
public sealed class CodecTests
{
    public static TheoryData<StreamCompression> All => TestCodecs.All;

    [Theory]
    [MemberData(nameof(All))]
    public void Bytes_of_each_size_are_the_same_again(StreamCompression compression)
    {
        // The sizes at which chunks and blocks end, and more than the largest block.
        IStreamCompressionCodec codec = TestCodecs.Of(compression);
        foreach (int size in (int[])[0, 1, 2, 15, 16, 17, 255, 65_535, 65_536, 65_537, 262_145, 1_048_577, (4 << 20) + 1])
        {
            foreach (byte[] plain in (byte[][])[new byte[size], TestCodecs.Words(size), TestCodecs.Noise(size)])
            {
                byte[] compressed = codec.Compress(plain);
                Assert.True(plain.AsSpan().SequenceEqual(codec.Decompress(compressed, size)), $"{size} bytes are others.");
            }
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Words_become_smaller_and_noise_not_much_larger(StreamCompression compression)
    {
        IStreamCompressionCodec codec = TestCodecs.Of(compression);
        Assert.InRange(codec.Compress(TestCodecs.Words(100_000)).Length, 1, 60_000);

        // As .NET's fastest gzip has it; an entry goes uncompressed then.
        int most = compression == StreamCompression.GZip ? 106_000 : 100_100;
        Assert.InRange(codec.Compress(TestCodecs.Noise(100_000)).Length, 100_000, most);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Random_bytes_are_the_same_again(StreamCompression compression)
    {
        IStreamCompressionCodec codec = TestCodecs.Of(compression);
        Prop.ForAll(
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            seed =>
            {
                // Runs of words and of noise.
                var random = new Random(seed);
                byte[] plain = [];
                for (int i = random.Next(6); i > 0; i--)
                {
                    int length = random.Next(40_000);
                    plain = [.. plain, .. random.Next(3) switch
                    {
                        0 => TestCodecs.Noise(length, random.Next()),
                        1 => TestCodecs.Words(length, random.Next()),
                        _ => new byte[length],
                    }];
                }

                Assert.True(plain.AsSpan().SequenceEqual(codec.Decompress(codec.Compress(plain), plain.Length)));
            }).QuickCheckThrowOnFailure();
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Several_threads_use_one_codec(StreamCompression compression)
    {
        IStreamCompressionCodec codec = TestCodecs.Of(compression);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(thread => Task.Run(() =>
        {
            for (int i = 0; i < 50; i++)
            {
                byte[] plain = TestCodecs.Words(2_000 + i, thread);
                Assert.True(plain.AsSpan().SequenceEqual(codec.Decompress(codec.Compress(plain), plain.Length)));
            }
        })));
    }

    [Fact]
    public void Each_level_that_there_is_compresses_and_others_are_refused()
    {
        byte[] plain = TestCodecs.Words(20_000);
        foreach (IStreamCompressionCodec codec in (IStreamCompressionCodec[])
            [new ZstdCodec(1), new ZstdCodec(22), new Lz4Codec(3), new Lz4Codec(12)])
        {
            Assert.Equal(plain, codec.Decompress(codec.Compress(plain), plain.Length));
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => new ZstdCodec(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ZstdCodec(23));
        foreach (int level in (int[])[-1, 1, 2, 13])
        {
            Assert.Contains("must be 0, or 3 to 12", Assert.Throws<ArgumentOutOfRangeException>(() => new Lz4Codec(level)).Message);
        }
    }
}
