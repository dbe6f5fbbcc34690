using FsCheck;
using FsCheck.Fluent;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Chunks;

/// <summary>Chunks as the broker writes them.</summary>
public sealed class ChunkMessagesTests
{
    private static readonly Serializer Serializer = new();

    // What an entry can be: a message by itself, or any number of them compressed in any way.
    private static readonly Gen<(StreamCompression? Batch, byte[][] Messages)> Entries = Gen.OneOf(
        ArbMap.Default.GeneratorFor<byte[]>().Select(message => ((StreamCompression?)null, new[] { message })),
        from compression in Gen.Elements(Enum.GetValues<StreamCompression>())
        from messages in ArbMap.Default.GeneratorFor<byte[]>().ArrayOf()
        select ((StreamCompression?)compression, messages));

    // Many of one size follow each other often.
    private static readonly Gen<(StreamCompression? Batch, byte[][] Messages)[]> Runs = (
        from entry in Entries
        from times in Gen.Frequency((4, Gen.Constant(1)), (1, Gen.Choose(2, 30)))
        select Enumerable.Repeat(entry, times)).ArrayOf().Select(runs => runs.SelectMany(run => run).ToArray());

    [Fact]
    public void Gives_the_messages_in_their_order_with_what_the_chunk_says()
    {
        using ChunkMessages chunk = New();
        byte[] bytes = new ChunkWriter { FirstOffset = 1000, Milliseconds = 1_700_000_000_123, Epoch = 7 }.Add("one"u8).Add([]).Add(
            "three"u8).ToArray();

        ReadOnlyMemory<StreamMessage> messages = chunk.Read(bytes, 0, 0);

        Assert.Equal(3, messages.Length);
        Assert.Equal("one"u8, messages.Span[0].Span);
        Assert.Equal(0, messages.Span[1].Body.Length);
        Assert.Equal("three"u8, messages.Span[2].Sequence.FirstSpan);
        Assert.Equal([1000, 1001, 1002], messages.ToArray().Select(message => message.Offset));
        Assert.All(
            messages.ToArray(), message => Assert.Equal(DateTimeOffset.FromUnixTimeMilliseconds(1_700_000_000_123), message.Timestamp));
        Assert.All(messages.ToArray(), message => Assert.Equal("letters", message.Stream));
        Assert.Equal("message 1002 of 'letters', 5 bytes", messages.Span[2].ToString());
        Assert.Equal((7ul, 1000ul, 3u, 3), (chunk.Header.Epoch, chunk.Header.FirstOffset, chunk.Header.Records, chunk.Header.Entries));
    }

    [Fact]
    public void Gives_back_any_mix_of_entries_from_any_offset_on()
    {
        // The same one for all, as a consumer has it.
        using ChunkMessages chunk = New();
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000).WithEndSize(60),
            Prop.ForAll(
                Runs.ToArbitrary(),
                ArbMap.Default.ArbFor<uint>(),
                Gen.Choose(-3, 100).ToArbitrary(),
                (entries, first, skipped) =>
                {
                    ulong begin = first + 3ul;
                    ulong from = begin + (ulong)skipped;
                    byte[] bytes = Write(entries, begin, skipped).ToArray();

                    // Somewhere in an array, as it was received.
                    byte[] received = [.. new byte[first % 50], .. bytes, .. new byte[3]];
                    StreamMessage[] messages = chunk.Read(received.AsMemory((int)(first % 50), bytes.Length), 0, from).ToArray();

                    (ulong, byte[])[] expected = [.. entries.SelectMany(entry => entry.Messages).Select(
                        (message, i) => (begin + (ulong)i, message)).Where(each => each.Item1 >= from)];
                    Assert.Equal(expected, messages.Select(message => (message.Offset, message.Body.ToArray())));
                }));
    }

    [Theory]
    [InlineData(0, 3)]
    [InlineData(10, 3)]
    [InlineData(11, 2)]
    [InlineData(12, 1)]
    [InlineData(13, 0)]
    [InlineData(ulong.MaxValue, 0)]
    public void Leaves_out_what_is_before_the_offset_asked_for(ulong from, int left)
    {
        using ChunkMessages chunk = New();
        byte[] bytes =
            new ChunkWriter { FirstOffset = 10 }.Add("a"u8).AddBatch(StreamCompression.GZip, "b"u8.ToArray(), "c"u8.ToArray()).ToArray();

        Assert.Equal("abc"[(3 - left)..], string.Concat(chunk.Read(bytes, 0, from).ToArray().Select(message => (char)message.Span[0])));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(77)]
    public void Gives_no_messages_of_a_chunk_that_is_for_the_broker(byte type)
    {
        using ChunkMessages chunk = New();

        Assert.True(chunk.Read(new ChunkWriter { Type = type, Records = 5, Entries = 4 }.AddRaw([1, 2, 3]).ToArray(), 0, 0).IsEmpty);
        Assert.Equal((ChunkType)type, chunk.Header.Type);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_trailer_is_passed_over_and_may_be_left_out(bool isSent)
    {
        using ChunkMessages chunk = New();
        byte[] bytes = new ChunkWriter { Trailer = [1, 2, 3, 4, 5], SendsTrailer = isSent }.Add("one"u8).ToArray();

        Assert.Equal("one"u8, Assert.Single(chunk.Read(bytes, 0, 0).ToArray()).Span);
    }

    [Fact]
    public void A_chunk_of_many_messages_in_few_entries_has_them_all()
    {
        using ChunkMessages chunk = New();
        byte[][] many = [.. Enumerable.Range(0, 60_000).Select(BitConverter.GetBytes)];
        byte[] bytes = new ChunkWriter().AddBatch(StreamCompression.GZip, many).AddBatch(StreamCompression.None, many).AddBatch(
            StreamCompression.Lz4, many).ToArray();

        for (int round = 0; round < 3; round++)
        {
            StreamMessage[] messages = chunk.Read(bytes, 0, 0).ToArray();
            Assert.Equal(180_000, messages.Length);
            Assert.Equal(
                Enumerable.Range(0, 180_000).Select(i => ((ulong)i, i % 60_000)),
                messages.Select(message => (message.Offset, BitConverter.ToInt32(message.Span))));
        }
    }

    [Fact]
    public void A_message_that_is_kept_for_too_long_says_so()
    {
        using ChunkMessages chunk = New();
        byte[] bytes = new ChunkWriter().Add("one"u8).AddBatch(StreamCompression.GZip, "two"u8.ToArray()).ToArray();
        StreamMessage[] messages = chunk.Read(bytes, 0, 0).ToArray();
        chunk.Clear();

        foreach (StreamMessage message in (StreamMessage[])[.. messages, default])
        {
            Assert.Contains(
                "not valid any more", Assert.Throws<InvalidOperationException>(() => message.Body).Message, StringComparison.Ordinal);
            Assert.Equal("a message that is not valid any more", message.ToString());
            Assert.Throws<InvalidOperationException>(() => message.Offset);
            Assert.Throws<InvalidOperationException>(() => message.Span.Length);
            Assert.Throws<InvalidOperationException>(() => message.Read<int>());
        }

        // Of the next chunk, those that were kept are none.
        chunk.Read(bytes, 0, 0);
        Assert.Throws<InvalidOperationException>(() => messages[0].Stream);
        Assert.Throws<InvalidOperationException>(() => messages[1].Stream);
    }

    [Fact]
    public void A_message_takes_24_bytes() => Assert.Equal(24, System.Runtime.CompilerServices.Unsafe.SizeOf<StreamMessage>());

    [Fact]
    public void Allocates_nothing()
    {
        using ChunkMessages chunk = New();
        var writer = new ChunkWriter();
        for (int i = 0; i < 4000; i++)
        {
            writer.Add(BitConverter.GetBytes((long)i));
        }

        byte[][] many = [.. Enumerable.Range(0, 20_000).Select(BitConverter.GetBytes)];
        byte[] plain = writer.ToArray();
        byte[] batch = new ChunkWriter().AddBatch(StreamCompression.None, many).AddBatch(StreamCompression.Zstd, many).ToArray();
        long sum = 0;
        var plainGauge = new Gauge(() => sum += Sum(chunk.Read(plain, 0, 1)));
        var batchGauge = new Gauge(() => sum += Sum(chunk.Read(batch, 0, 1)));

        Gauge.Settle(() => plainGauge.BytesOfTenCalls == 0 && batchGauge.BytesOfTenCalls == 0, plainGauge, batchGauge);

        Assert.Equal(0, plainGauge.BytesOfTenCalls);
        Assert.Equal(0, batchGauge.BytesOfTenCalls);
        Assert.NotEqual(0, sum);
    }

    private static long Sum(ReadOnlyMemory<StreamMessage> messages)
    {
        long sum = 0;
        foreach (ref readonly StreamMessage message in messages.Span)
        {
            sum += message.Span[0] + (long)message.Offset;
        }

        return sum;
    }

    private static ChunkWriter Write(IEnumerable<(StreamCompression? Batch, byte[][] Messages)> entries, ulong first, int trailer)
    {
        var writer = new ChunkWriter { FirstOffset = first, Trailer = new byte[Math.Abs(trailer)] };
        foreach ((StreamCompression? batch, byte[][] messages) in entries)
        {
            _ = batch is { } compression ? writer.AddBatch(compression, messages) : writer.Add(messages[0]);
        }

        return writer;
    }

    private static ChunkMessages New(ChunkReading? reading = null) => new("letters", Serializer, reading ?? new ChunkReading
    {
        Codecs =
        [
            new BrotliCodec(StreamCompression.Snappy),
            new BrotliCodec(StreamCompression.Lz4),
            new BrotliCodec(StreamCompression.Zstd),
        ],
    });
}
