using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Compression;
using Wire.RabbitMQ.Streams.Tests.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Codecs;

/// <summary>Compressed entries that are cut, damaged or hostile give one kind of exception, and take no memory.</summary>
public sealed class CodecDamageTests
{
    private static readonly Serializer Serializer = new();

    public static TheoryData<StreamCompression> All => TestCodecs.All;

    [Theory]
    [MemberData(nameof(All))]
    public void Every_cut_is_found(StreamCompression compression)
    {
        byte[] plain = ChunkWriter.Plain(TestCodecs.Words(300), TestCodecs.Noise(100));
        byte[] whole = TestCodecs.Of(compression).Compress(plain);
        for (int length = 0; length < whole.Length; length++)
        {
            Fails(compression, 2, plain.Length, whole[..length]);
        }

        Assert.Equal(2, Read(compression, 2, plain.Length, whole));
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Every_flipped_bit_gives_the_same_messages_or_one_kind_of_exception(StreamCompression compression)
    {
        byte[] plain = ChunkWriter.Plain(TestCodecs.Words(500), TestCodecs.Noise(70), new byte[300]);
        IStreamCompressionCodec codec = TestCodecs.Of(compression);
        byte[] whole = codec.Compress(plain);
        int failures = 0;
        for (int bit = 0; bit < whole.Length * 8; bit++)
        {
            byte[] flipped = [.. whole];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                Assert.Equal(3, Read(compression, 3, plain.Length, flipped));
                Assert.Equal(plain, codec.Decompress(flipped, plain.Length));
            }
            catch (AmqpFormatException e)
            {
                Assert.Equal(48, e.Offset);
                failures++;
            }
        }

        // All but some in heads, which mean nothing.
        Assert.InRange(failures, whole.Length * 7, whole.Length * 8);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Random_bytes_behind_a_right_beginning_give_one_kind_of_exception(StreamCompression compression)
    {
        byte[] whole = TestCodecs.Of(compression).Compress(ChunkWriter.Plain(TestCodecs.Words(2_000)));
        Prop.ForAll(
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            seed =>
            {
                var random = new Random(seed);
                byte[] bytes = [.. whole.AsSpan(0, random.Next(whole.Length)), .. TestCodecs.Noise(random.Next(200), random.Next())];
                try
                {
                    Read(compression, 1, random.Next(4, 5_000), bytes);
                }
                catch (AmqpFormatException)
                {
                    // How damage is found.
                }
            }).Check(Config.QuickThrowOnFailure.WithMaxTest(2_000));
    }

    [Theory]
    [MemberData(nameof(All))]
    public void What_states_or_grows_to_more_than_it_may_takes_no_memory(StreamCompression compression)
    {
        byte[] bomb = TestCodecs.Of(compression).Compress(new byte[100_000_000]);
        byte[] full = [.. Enumerable.Repeat(byte.MaxValue, sizeof(ulong))];
        byte[][] hostile = compression switch
        {
            // A chunk of 2 GiB less a byte, one of 4 GiB, and one of a byte more than the format allows.
            StreamCompression.Snappy =>
            [
                bomb, Snappy([0xff, 0xff, 0xff, 0xff, 7, 0]), Snappy([0xff, 0xff, 0xff, 0xff, 15, 0]), Snappy([0x81, 0x80, 4, 0]),
            ],

            // A block of 2 GiB, compressed and not; a frame that states 2^64 bytes less one; one that passes over 4 GiB.
            StreamCompression.Lz4 =>
            [
                bomb, Lz4([0x60, 0x40, 0x82], 0x7fffffff), Lz4([0x60, 0x40, 0x82], uint.MaxValue), Lz4([0x68, 0x40, .. full, 0], 5),
                [0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff, 0],
            ],

            // A window of 2^41 bytes, and a content of 2^64 bytes less one.
            StreamCompression.Zstd =>
            [
                bomb, [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 1, 0, 0], [0x28, 0xb5, 0x2f, 0xfd, 0xe0, .. full, 1, 0, 0],
            ],
            _ => [bomb],
        };
        foreach (byte[] bytes in hostile)
        {
            byte[] entry = new ChunkWriter().AddBatch(compression, 1, 1_000, bytes).ToArray();
            using var chunk = new ChunkMessages("hostile", Serializer, new ChunkReading { Codecs = [TestCodecs.Of(compression)] });
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Throws<AmqpFormatException>(() => chunk.Read(entry, 0, 0));
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 300_000);
        }

        static byte[] Snappy(byte[] block) =>
            [0xff, 6, 0, 0, .. "sNaPpY"u8, 0, (byte)(4 + block.Length), 0, 0, 0, 0, 0, 0, .. block];

        static byte[] Lz4(byte[] head, uint length)
        {
            byte[] bytes = [0x04, 0x22, 0x4d, 0x18, .. head, 0, 0, 0, 0, 1, 2, 3];
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4 + head.Length), length);
            return bytes;
        }
    }

    [Fact]
    public void An_error_says_what_is_wrong_and_where()
    {
        var codec = new Lz4Codec();
        byte[] whole = codec.Compress(TestCodecs.Words(1_000));
        Assert.StartsWith(
            "A batch cannot be decompressed by Lz4: At byte 4 of 4, an LZ4 frame begins with 0x184d2204, and this one with 0x67452301.",
            Fails(StreamCompression.Lz4, 1, 1_000, [1, 0x23, 0x45, 0x67]).Message,
            StringComparison.Ordinal);
        Assert.Contains("a block has ", Fails(StreamCompression.Lz4, 1, 1_000, whole[..30]).Message, StringComparison.Ordinal);
        Assert.Contains(
            "a frame needs a dictionary, and there is none",
            Fails(StreamCompression.Lz4, 1, 1_000, [0x04, 0x22, 0x4d, 0x18, 0x61, 0x40, 1, 2, 3, 4, 5]).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "It grows to more than the 999 bytes that the entry states.",
            Fails(StreamCompression.Snappy, 1, 999, new SnappyCodec().Compress(TestCodecs.Words(1_000))).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "a chunk has the kind 0x02, which is not defined",
            Fails(StreamCompression.Snappy, 1, 9, [0xff, 6, 0, 0, .. "sNaPpY"u8, 2, 0, 0, 0]).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "states 1001 bytes, and grows to 1000",
            Fails(StreamCompression.Lz4, 1, 1_001, whole).Message,
            StringComparison.Ordinal);
    }

    private static AmqpFormatException Fails(StreamCompression compression, int records, int length, byte[] bytes)
    {
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Read(compression, records, length, bytes));
        Assert.Equal(48, e.Offset);
        return e;
    }

    private static int Read(StreamCompression compression, int records, int length, byte[] bytes)
    {
        using var chunk = new ChunkMessages("damaged", Serializer, new ChunkReading { Codecs = [TestCodecs.Of(compression)] });
        return chunk.Read(new ChunkWriter().AddBatch(compression, records, length, bytes).ToArray(), 0, 0).Length;
    }
}
