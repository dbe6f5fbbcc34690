using Wire.Benchmarks.Messaging.Tables;
using Wire.RabbitMQ.Streams;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>A consumer, from the first message of a stream on.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="handling">The handler.</param>
/// <param name="crc">Whether the CRC of chunks is compared.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="source">Where they are.</param>
internal sealed class StreamConsumerRow(string name, StreamHandling handling, bool crc, int messages, FilledStream source) : MessageRow($"{name}{(crc ? ", CRC" : "")}", messages)
{
    public override Task OpenAsync() => source.OpenAsync(Messages);

    public override async Task RunAsync()
    {
        Task all = handling.MoreAsync(Messages);
        var options = new StreamConsumerOptions { Offset = StreamOffset.First, CheckCrc = crc };
        await using StreamConsumer consumer = await source.Broker.Client.ConsumeAsync(source.Name, handling.Lane, options, CancellationToken.None);
        await await Task.WhenAny(all, consumer.Completion);
    }

    public override ValueTask CloseAsync() => source.DisposeAsync();
}
