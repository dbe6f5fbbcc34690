using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Chunks;

/// <summary>Compressions that are not built in are given to a consumer.</summary>
public sealed class ConsumerCodecTests
{
    [Fact]
    public async Task A_consumer_reads_batches_by_the_codecs_that_it_is_given()
    {
        await using var server = new StrictStreamServer();
        server.Create("batches");
        server.AppendEntries("batches",
        [
            ServerChunk.Entry([1]),
            Entry(StreamCompression.Zstd, [2], [3]),
            Entry(StreamCompression.GZip, [4]),
            Entry(StreamCompression.None, [5]),
        ]);
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var read = new List<(ulong, byte)>();

        await using StreamConsumer consumer = await client.ConsumeAsync(
            "batches",
            message =>
            {
                read.Add((message.Offset, message.Span[0]));
                if (read.Count == 5)
                {
                    all.SetResult();
                }

                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Codecs = [new BrotliCodec(StreamCompression.Zstd)] });

        await all.Task.WaitAsync(Patience.Limit);
        Assert.Equal([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], read);
    }

    [Fact]
    public async Task A_consumer_without_one_says_which_it_needs()
    {
        await using var server = new StrictStreamServer();
        server.Create("batches");
        server.AppendEntries("batches", [Entry(StreamCompression.Zstd, [2], [3])]);
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);

        await using StreamConsumer consumer =
            await client.ConsumeAsync("batches", _ => default, new StreamConsumerOptions { Offset = StreamOffset.First });

        StreamConsumerException e = await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal((0ul, 2u), (e.Offset!.Value, e.Count));
        Assert.Contains("compressed by Zstd, which is not built in", e.InnerException!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_consumer_ends_where_messages_would_take_more_memory_than_it_allows()
    {
        // 262,140 bytes when they are decompressed, and 24 for each message.
        byte[][] empty = [.. Enumerable.Repeat(Array.Empty<byte>(), ushort.MaxValue)];
        await using var server = new StrictStreamServer();
        server.Create("batches");
        server.AppendEntries("batches", [Entry(StreamCompression.GZip, empty)]);
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        var options = new StreamConsumerOptions { Offset = StreamOffset.First, MaxDecompressedBytes = 1 << 20 };

        await using StreamConsumer consumer = await client.ConsumeAsync("batches", _ => default, options);

        StreamConsumerException e = await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal((0ul, (uint)ushort.MaxValue), (e.Offset!.Value, e.Count));
        Assert.Contains(
            "exceeds MaxDecompressedBytes = 1048576: raise the limit if they are meant to be that large",
            e.Message,
            StringComparison.Ordinal);

        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        await using StreamConsumer wider = await client.ConsumeAsync(
            "batches",
            message =>
            {
                Assert.Equal((ulong)handled, message.Offset);
                if (++handled == ushort.MaxValue)
                {
                    all.SetResult();
                }

                return default;
            },
            options with { MaxDecompressedBytes = 1 << 21 });
        await Task.WhenAny(all.Task, wider.Completion).WaitAsync(Patience.Limit);
        Assert.Equal(ushort.MaxValue, handled);
    }

    [Theory]
    [InlineData(StreamCompression.None)]
    [InlineData((StreamCompression)5)]
    [InlineData((StreamCompression)(-1))]
    public void One_for_what_needs_none_is_refused(StreamCompression compression)
    {
        var options = new StreamConsumerOptions { Codecs = [new BrotliCodec(compression)] };

        Assert.Contains(
            "which needs no codec or does not exist",
            Assert.Throws<ArgumentException>(() => options.Validate()).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_out_of_range_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new StreamConsumerOptions { MaxDecompressedBytes = 0 }.Validate());
        Assert.Throws<ArgumentNullException>(() => new StreamConsumerOptions { Codecs = null! }.Validate());
        Assert.Throws<ArgumentNullException>(() => new StreamConsumerOptions { Codecs = [null!] }.Validate());
    }

    // As it is published: the data of a chunk of this entry alone.
    private static byte[] Entry(StreamCompression compression, params byte[][] messages) =>
        new ChunkWriter().AddBatch(compression, messages).ToArray()[48..];
}
