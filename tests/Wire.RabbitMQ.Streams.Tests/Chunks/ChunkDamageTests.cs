using System.Buffers.Binary;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Tests.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Chunks;

/// <summary>Chunks that are none, or damaged, give one kind of exception, with the place.</summary>
public sealed class ChunkDamageTests
{
    private const long Position = 1_000_000;
    private const StreamCompression GZip = StreamCompression.GZip;

    private static readonly Serializer Serializer = new();

    private static readonly IStreamCompressionCodec Lz4 = new BrotliCodec(StreamCompression.Lz4);

    private static ChunkWriter Mixed => new ChunkWriter { FirstOffset = 17, Milliseconds = 1_700_000_000_000, Trailer = [1, 2, 3] }
        .Add("one"u8)
        .AddBatch(StreamCompression.None, [1, 2], [], [3])
        .Add([])
        .AddBatch(GZip, new byte[300], [1])
        .AddBatch(StreamCompression.Lz4, new byte[200], [4, 5, 6])
        .AddAll(Enumerable.Repeat(new byte[6], 14))
        .Add(new byte[70])
        .AddAll(Enumerable.Repeat(new byte[3], 12));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Every_cut_is_found(bool checkCrc)
    {
        byte[] whole = Mixed.ToArray();
        for (int length = 0; length < whole.Length; length++)
        {
            // Without its trailer it is whole.
            if (length != whole.Length - 3)
            {
                Fails(whole[..length], new ChunkReading { CheckCrc = checkCrc, Codecs = [Lz4] }, AmqpFormatError.Length);
            }
        }
    }

    [Fact]
    public void Every_flipped_bit_of_the_data_is_found_by_the_checksum()
    {
        byte[] whole = Mixed.ToArray();
        for (int bit = ChunkHeader.Size * 8; bit < (whole.Length - 3) * 8; bit++)
        {
            Fails(Flip(whole, bit), new ChunkReading { Codecs = [Lz4] }, AmqpFormatError.Checksum);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Every_flipped_bit_gives_messages_or_one_kind_of_exception(bool checkCrc)
    {
        using var chunk = new ChunkMessages("letters", Serializer, new ChunkReading { CheckCrc = checkCrc, Codecs = [Lz4] });
        byte[] whole = Mixed.ToArray();
        int damaged = 0;
        for (int bit = 0; bit < whole.Length * 8; bit++)
        {
            try
            {
                foreach (StreamMessage message in chunk.Read(Flip(whole, bit), Position, 0).Span)
                {
                    // All of them lie within what they are in.
                    damaged -= message.Body.ToArray().Length >= 0 ? 0 : 1;
                }
            }
            catch (AmqpFormatException e)
            {
                Assert.InRange(e.Offset, Position, Position + whole.Length);
                damaged++;
            }
        }

        // Magic, entries and records, lengths and their like are found in any case.
        Assert.InRange(damaged, 200, whole.Length * 8);

        // Nothing of that is left behind.
        Assert.Equal(36, chunk.Read(whole, Position, 0).Length);
    }

    [Fact]
    public void Random_data_gives_messages_or_one_kind_of_exception()
    {
        using var chunk = new ChunkMessages("letters", Serializer, new ChunkReading { Codecs = [Lz4] });
        var random = new Random(3);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] data = new byte[random.Next(60)];
            random.NextBytes(data);

            // Small numbers are what goes furthest.
            for (int i = 0; i < data.Length; i++)
            {
                data[i] = (byte)(random.Next(3) == 0 ? data[i] : random.Next(6) == 0 ? 0x80 | (data[i] & 0x70) : data[i] & 3);
            }

            byte[] bytes = new ChunkWriter { Entries = random.Next(5), Records = (uint)random.Next(8) }.AddRaw(data).ToArray();
            Assert.True(Record.Exception(() => chunk.Read(bytes, 0, 0)) is null or AmqpFormatException);
        }
    }

    [Fact]
    public void A_wrong_checksum_names_the_chunk_and_both() => Assert.Equal(
        "The chunk with offset 17 is damaged: the CRC-32 of its 9 bytes is 0xcbf43926, and it states 0xcbf43927 (at byte 1000000)",
        Fails(
            Flip(new ChunkWriter { FirstOffset = 17 }.AddRaw("123456789"u8).ToArray(), (35 * 8) + 0),
            new ChunkReading(),
            AmqpFormatError.Checksum).Message);

    [Fact]
    public void A_checksum_that_is_not_checked_is_passed_over()
    {
        using var chunk = new ChunkMessages("letters", Serializer, new ChunkReading { CheckCrc = false });

        Assert.Equal(1, chunk.Read(Flip(new ChunkWriter().Add("one"u8).ToArray(), 35 * 8), 0, 0).Length);
    }

    [Fact]
    public void Other_bytes_are_no_chunk() => Fails([0x51, .. new byte[47]], new ChunkReading(), AmqpFormatError.UnknownCode, Position);

    [Theory]
    [InlineData(uint.MaxValue)]
    [InlineData(int.MaxValue)]
    [InlineData(uint.MaxValue - 47)]
    public void A_length_of_data_beyond_the_chunk_is_found(uint length)
    {
        byte[] bytes = new ChunkWriter().Add("one"u8).ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(36), length);
        Fails(bytes, new ChunkReading(), AmqpFormatError.Length, Position + 36);
    }

    [Fact]
    public void What_the_header_cannot_say_is_found()
    {
        Fails(
            new ChunkWriter { FirstOffset = ulong.MaxValue }.Add("one"u8).ToArray(),
            new ChunkReading(),
            AmqpFormatError.Value,
            Position + 24);
        Fails(
            new ChunkWriter { Milliseconds = long.MaxValue }.Add("one"u8).ToArray(),
            new ChunkReading(),
            AmqpFormatError.Value,
            Position + 8);
        Fails(
            new ChunkWriter { Milliseconds = long.MinValue }.Add("one"u8).ToArray(),
            new ChunkReading(),
            AmqpFormatError.Value,
            Position + 8);
    }

    [Fact]
    public void Counts_that_do_not_match_are_found()
    {
        Fails(new ChunkWriter { Records = 1 }.Add("one"u8).ToArray(), new ChunkReading(), AmqpFormatError.Value);
        Fails(new ChunkWriter { Records = uint.MaxValue }.Add("one"u8).ToArray(), new ChunkReading(), AmqpFormatError.Value);
        Fails(new ChunkWriter { Entries = 1 }.Add([]).ToArray(), new ChunkReading(), AmqpFormatError.Length);
        Fails(new ChunkWriter { Entries = 65_534 }.Add("one"u8).ToArray(), new ChunkReading(), AmqpFormatError.Length);
        Fails(new ChunkWriter().Add("one"u8).AddRaw([0]).ToArray(), new ChunkReading(), AmqpFormatError.Length, Position + 55);
        Fails(new ChunkWriter { Records = 7 }.ToArray(), new ChunkReading(), AmqpFormatError.Value);
    }

    [Theory]
    [InlineData(StreamCompression.None)]
    [InlineData(GZip)]
    public void A_batch_of_another_number_of_messages_or_of_another_length_is_found(StreamCompression compression)
    {
        byte[] plain = ChunkWriter.Plain([1, 2, 3], [4]);
        byte[] bytes = ChunkWriter.Compress(compression, plain);
        Batch(1, plain.Length, AmqpFormatError.Length);
        Batch(3, plain.Length, AmqpFormatError.Length);
        Batch(65_535, plain.Length, AmqpFormatError.Value);
        Batch(2, 7, AmqpFormatError.Value);
        Batch(2, 8, compression == GZip ? AmqpFormatError.Body : AmqpFormatError.Length);
        Batch(2, plain.Length - 1, compression == GZip ? AmqpFormatError.Body : AmqpFormatError.Length);
        Batch(2, plain.Length + 1, compression == GZip ? AmqpFormatError.Body : AmqpFormatError.Length);
        Batch(0, 0, compression == GZip ? AmqpFormatError.Body : AmqpFormatError.Length);

        void Batch(int records, int length, AmqpFormatError error) =>
            Fails(new ChunkWriter().AddBatch(compression, records, length, bytes).ToArray(), new ChunkReading(), error);
    }

    [Fact]
    public void A_batch_may_not_have_more_messages_than_the_chunk()
    {
        var writer = new ChunkWriter();
        writer.Add("one"u8).AddBatch(StreamCompression.None, [], []);
        writer.Records = 2;
        Fails(writer.ToArray(), new ChunkReading(), AmqpFormatError.Value, Position + ChunkHeader.Size + 7);
    }

    [Fact]
    public void A_batch_within_a_batch_and_a_length_beyond_it_are_found()
    {
        Fails(
            new ChunkWriter().AddBatch(StreamCompression.None, 1, 4, [0x80, 0, 0, 0]).Add(new byte[99]).ToArray(),
            new ChunkReading(),
            AmqpFormatError.Length,
            Position + 48 + 11 + 4);
        Fails(
            new ChunkWriter().AddBatch(StreamCompression.None, 1, 4, [0, 0, 0, 1]).Add(new byte[99]).ToArray(),
            new ChunkReading(),
            AmqpFormatError.Length,
            Position + 48 + 11 + 4);
        AmqpFormatException e = Fails(
            new ChunkWriter().AddBatch(GZip, 1, 4, ChunkWriter.Compress(GZip, [0, 0, 0, 1])).Add(new byte[99]).ToArray(),
            new ChunkReading(),
            AmqpFormatError.Length,
            Position + 48);
        Assert.Equal(
            "Expected a message of 1 bytes, and there are 0 left at byte 4 of the decompressed batch (at byte 1000048)", e.Message);
    }

    [Fact]
    public void A_batch_that_begins_as_none_does_is_found() => Fails(
        new ChunkWriter { Entries = 1, Records = 1 }.AddRaw([0x81, 0, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0])
            .ToArray(), new ChunkReading(), AmqpFormatError.Value, Position + 48);

    [Theory]
    [InlineData(StreamCompression.Snappy, "Snappy")]
    [InlineData(StreamCompression.Lz4, "Lz4")]
    [InlineData(StreamCompression.Zstd, "Zstd")]
    [InlineData((StreamCompression)7, "the method 7")]
    public void A_compression_that_nothing_reads_is_named(StreamCompression compression, string name) => Assert.Equal(
        $"A batch is compressed by {name}, which is not built in: give the consumer an IStreamCompressionCodec for it (at byte 1000048)",
        Fails(new ChunkWriter().AddBatch(compression, [1]).ToArray(), new ChunkReading(), AmqpFormatError.UnknownCode).Message);

    [Fact]
    public void A_batch_that_grows_beyond_what_it_says_is_not_let_to()
    {
        byte[] bomb = ChunkWriter.Compress(GZip, new byte[100_000_000]);
        Assert.Contains(
            "It has more bytes",
            Fails(new ChunkWriter().AddBatch(GZip, 10, 40, bomb).ToArray(), new ChunkReading(), AmqpFormatError.Body).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Batches_that_grow_beyond_the_limit_together_are_refused_before_there_is_memory_for_them()
    {
        byte[][] messages = [new byte[496]];
        var reading = new ChunkReading { MaxDecompressedBytes = 1000 + (2 * 24) };
        using var chunk = new ChunkMessages("letters", Serializer, reading);
        Assert.Equal(2, chunk.Read(new ChunkWriter().AddBatch(GZip, messages).AddBatch(GZip, messages).ToArray(), 0, 0).Length);

        AmqpFormatException e = Fails(
            new ChunkWriter().AddBatch(GZip, messages).AddBatch(GZip, messages).AddBatch(GZip, [[]]).ToArray(),
            reading,
            AmqpFormatError.Body);
        Assert.Contains(
            "exceeds MaxDecompressedBytes = 1048: raise the limit if they are meant to be that large",
            e.Message,
            StringComparison.Ordinal);
        Fails(
            new ChunkWriter().AddBatch(GZip, 1, uint.MaxValue, [1]).ToArray(),
            new ChunkReading { MaxDecompressedBytes = int.MaxValue },
            AmqpFormatError.Body);
    }

    [Theory]
    [InlineData(GZip)]
    [InlineData(StreamCompression.None)]
    public void Messages_in_batches_are_counted_before_there_is_memory_for_them(StreamCompression compression)
    {
        // 153 KB of 33 million empty messages, where they are compressed.
        const int Batches = 512;
        byte[] plain = new byte[ushort.MaxValue * sizeof(uint)];
        byte[] batch = ChunkWriter.Compress(compression, plain);
        var writer = new ChunkWriter();
        for (int i = 0; i < Batches; i++)
        {
            writer.AddBatch(compression, ushort.MaxValue, plain.Length, batch);
        }

        byte[] bytes = writer.ToArray();
        var reading = new ChunkReading { CheckCrc = false };
        using var chunk = new ChunkMessages("letters", Serializer, reading);
        long before = GC.GetAllocatedBytesForCurrentThread();
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => chunk.Read(bytes, Position, 0));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000);
        Assert.Equal(AmqpFormatError.Body, e.Error);
        Assert.Contains(
            $"24 for each of {(compression == GZip ? 147 : 171) * ushort.MaxValue} messages among them",
            e.Message,
            StringComparison.Ordinal);
        Assert.Contains($"exceeds MaxDecompressedBytes = {1 << 28}: raise", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Batches_take_as_much_memory_as_they_state_and_no_more()
    {
        // As many as the limit lets through, within twice of it: what is pooled is as large as the next power of two.
        const int Batches = 40;
        byte[] plain = new byte[ushort.MaxValue * sizeof(uint)];
        byte[] batch = ChunkWriter.Compress(GZip, plain);
        var writer = new ChunkWriter { FirstOffset = 5 };
        for (int i = 0; i < Batches; i++)
        {
            writer.Add([1]).AddBatch(GZip, ushort.MaxValue, plain.Length, batch);
        }

        int limit = Batches * (plain.Length + ((ushort.MaxValue + 1) * 24));
        byte[] bytes = writer.ToArray();
        using var chunk = new ChunkMessages("letters", Serializer, new ChunkReading { MaxDecompressedBytes = limit });
        long before = GC.GetAllocatedBytesForCurrentThread();
        Memory<StreamMessage> messages = chunk.Read(bytes, Position, 0);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2L * limit);
        Assert.Equal(Batches << 16, messages.Length);
        for (int i = 0; i < messages.Length; i++)
        {
            StreamMessage message = messages.Span[i];
            if (message.Offset != 5 + (ulong)i || !message.Span.SequenceEqual(i % (ushort.MaxValue + 1) == 0 ? [1] : []))
            {
                Assert.Fail($"{message} is the {i}. of the chunk.");
            }
        }

        Fails(bytes, new ChunkReading { MaxDecompressedBytes = limit - 24 }, AmqpFormatError.Body);
    }

    [Fact]
    public void Batches_that_are_damaged_are_found()
    {
        byte[] plain = ChunkWriter.Plain(new byte[1000]);
        byte[] zip = ChunkWriter.Compress(GZip, plain);
        byte[] wrongSum = Flip(zip, (zip.Length - 8) * 8);
        foreach (byte[] bad in (byte[][])[wrongSum, zip[..12], zip[..3], [], [1, 2, 3], [.. zip, .. zip]])
        {
            Fails(
                new ChunkWriter().AddBatch(GZip, 1, plain.Length, bad).ToArray(), new ChunkReading(), AmqpFormatError.Body, Position + 48);
        }
    }

    [Fact]
    public void What_a_codec_throws_is_the_reason()
    {
        AmqpFormatException e = Fails(
            new ChunkWriter().AddBatch(StreamCompression.Lz4, 1, 4, [255]).ToArray(),
            new ChunkReading { Codecs = [Lz4] },
            AmqpFormatError.Body);
        Assert.Equal("A batch cannot be decompressed by Lz4: These bytes are no Brotli. (at byte 1000048)", e.Message);
        Assert.IsType<InvalidDataException>(e.InnerException);
    }

    private static AmqpFormatException Fails(byte[] bytes, ChunkReading reading, AmqpFormatError error, long? offset = null)
    {
        using var chunk = new ChunkMessages("letters", Serializer, reading);
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => chunk.Read(bytes, Position, 0));
        Assert.Equal(error, e.Error);
        Assert.InRange(e.Offset, Position, Position + bytes.Length);
        Assert.Equal(offset ?? e.Offset, e.Offset);
        return e;
    }

    private static byte[] Flip(byte[] bytes, int bit)
    {
        byte[] flipped = [.. bytes];
        flipped[bit / 8] ^= (byte)(1 << (bit % 8));
        return flipped;
    }
}
