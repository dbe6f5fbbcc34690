using System.Buffers;
using Wire.RabbitMQ.Streams.Producing;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Codecs;

/// <summary>Entries go through a broker, which does not look into them.</summary>
public sealed class CodecOverBrokerTests
{
    private const int Many = 5_000;

    public static TheoryData<StreamCompression> All => TestCodecs.All;

    [Theory]
    [MemberData(nameof(All))]
    public async Task What_is_compressed_arrives_and_is_smaller_at_the_broker(StreamCompression compression)
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        var counted = new Counted(TestCodecs.Of(compression));
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(
            stream.Name, new StreamProducerOptions { SubEntries = new StreamSubEntryOptions { Codec = counted } }))
        {
            Task[] sends = [.. Enumerable.Range(0, Many).Select(i => producer.SendBytesAsync(TestCodecs.Words(100, i)).AsTask())];
            await Task.WhenAll(sends).WaitAsync(Patience.Limit);
        }

        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int read = 0;
        await using StreamConsumer consumer = await stream.Client.ConsumeAsync(
            stream.Name,
            message =>
            {
                Assert.Equal(TestCodecs.Words(100, read), message.Body.ToArray());
                if (++read == Many)
                {
                    all.SetResult();
                }

                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Codecs = [counted] });
        await (await Task.WhenAny(all.Task, consumer.Completion).WaitAsync(Patience.Limit));

        // A message on its way alone may be an entry of one, which does not become smaller: most are together.
        Assert.InRange(counted.Plain, Many * 100L, Many * 104L);
        Assert.InRange(counted.Compressed, 1, counted.Plain * 3 / 4);
        Assert.InRange(counted.Read, 1, counted.Compressed);
    }

    [Fact]
    public async Task A_codec_that_throws_ends_the_producer()
    {
        const string Reason = "StreamSubEntryOptions.Codec has thrown: out of order";
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        StreamProducer producer = await stream.Client.CreateProducerAsync(
            stream.Name,
            new StreamProducerOptions
            {
                SubEntries = new StreamSubEntryOptions { MaxMessages = 2, Codec = new Broken() },
                Linger = TimeSpan.FromMinutes(1),
            });
        Task[] sends = [.. Enumerable.Range(0, 2).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];

        for (int i = 0; i < sends.Length; i++)
        {
            StreamPublishException lost = await Assert.ThrowsAsync<StreamPublishException>(() => sends[i].WaitAsync(Patience.Limit));
            Assert.Equal($"Message {i + 1} was not sent to '{stream.Name}': {Reason}", lost.Message);
        }

        Assert.Equal(Reason, producer.Interruption!.Message);
        StreamPublishException e =
            await Assert.ThrowsAsync<StreamPublishException>(() => producer.SendBytesAsync(ProducerStream.Body(2)).AsTask());
        Assert.Equal($"A message was not sent to '{stream.Name}': {Reason}", e.Message);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public void An_entry_that_cannot_be_compressed_goes_as_it_is()
    {
        Exception? failure = null;
        using var log = new PublishLog(10_000, new StreamSubEntryOptions { Codec = new Broken() }, e => failure = e);
        log.BeginMessage(1, null);
        log.Write("plain"u8);
        log.EndMessage();

        Assert.True(log.TryTake(out ReadOnlyMemory<byte> frame));
        Assert.Equal("out of order", failure!.Message);
        Assert.Equal([0x80, 0, 1, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 5, .. "plain"u8], frame[21..].ToArray());
    }

    [Fact]
    public void A_codec_for_what_needs_none_is_refused() => Assert.Contains(
        "is for the compression None, which needs no codec or does not exist",
        Assert.Throws<ArgumentException>(() => new StreamProducerOptions
        {
            SubEntries = new StreamSubEntryOptions { Codec = new BrotliCodec(StreamCompression.None) },
        }.Validate()).Message,
        StringComparison.Ordinal);

    private sealed class Counted(IStreamCompressionCodec codec) : IStreamCompressionCodec
    {
        public StreamCompression Compression => codec.Compression;

        public long Plain { get; private set; }

        public long Compressed { get; private set; }

        public long Read { get; private set; }

        public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination)
        {
            byte[] compressed = codec.Compress(plain.ToArray());
            destination.Write(compressed);
            Plain += plain.Length;
            Compressed += Math.Min(plain.Length, compressed.Length);
        }

        public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
        {
            Read += compressed.Length;
            return codec.Decompress(compressed, destination);
        }
    }

    private sealed class Broken : IStreamCompressionCodec
    {
        public StreamCompression Compression => StreamCompression.Zstd;

        public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination) =>
            throw new InvalidOperationException("out of order");

        public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination) => throw new NotSupportedException();
    }
}
