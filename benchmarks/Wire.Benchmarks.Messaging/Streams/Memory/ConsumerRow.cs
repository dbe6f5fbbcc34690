using Wire.Benchmarks.Messaging.Tables;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Tests.Testing;

namespace Wire.Benchmarks.Messaging.Streams.Memory;

/// <summary>
/// A whole consumer, from the receive loop to the handler, with chunks that are received from memory: what it costs beside a broker and a socket. What is received
/// is copied from the feed, as the system copies from a socket.
/// </summary>
/// <param name="lane">What the lane is called.</param>
/// <param name="handling">The handler.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="feed">The chunks.</param>
internal sealed class ConsumerRow(string lane, StreamHandling handling, int messages, ChunkFeed feed)
    : MessageRow($"whole consumer, {lane}, CRC", messages / ChunkFeed.PerChunk * ChunkFeed.PerChunk)
{
    public override async Task RunAsync()
    {
        Task all = handling.MoreAsync(Messages);
        var source = new RecordedFeed(feed.All, Messages / ChunkFeed.PerChunk);
        var consumer = new StreamConsumer(
            source, new StreamClientOptions { Serializer = StreamLoad.Serializer }, "memory", handling.Lane, new StreamConsumerOptions { Offset = StreamOffset.First });
        await consumer.StartAsync(CancellationToken.None);
        await await Task.WhenAny(all, consumer.Completion);
        await consumer.CloseAsync();
    }
}
