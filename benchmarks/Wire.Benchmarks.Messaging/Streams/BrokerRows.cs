using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>A consumer, from the first message of a stream on.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="handling">The handler.</param>
/// <param name="crc">Whether the CRC of chunks is compared.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="source">Where they are.</param>
internal sealed class StreamConsumerRow(string name, StreamHandling handling, bool crc, int messages, FilledStream source)
    : MessageRow($"{name}{(crc ? ", CRC" : "")}", messages)
{
    public override Task OpenAsync() => source.OpenAsync(Messages);

    public override Task RunAsync() => handling.ConsumeAsync(source.Broker.Client, source.Name, Messages, crc);

    public override ValueTask CloseAsync() => source.DisposeAsync();
}

/// <summary>Publishes to a stream that is made anew for each measurement, until all is confirmed.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="broker">Where to.</param>
internal abstract class PublishRow(string name, int messages, StreamBroker broker) : MessageRow(name, messages)
{
    private string? _stream;

    protected StreamBroker Broker => broker;

    protected string Stream => _stream ?? throw new InvalidOperationException("There is no stream yet.");

    public override async Task PrepareAsync()
    {
        await CloseAsync();
        _stream = await broker.CreateAsync();
    }

    public override async ValueTask CloseAsync()
    {
        if (_stream is not null)
        {
            await broker.DeleteAsync(_stream);
        }

        _stream = null;
    }
}

/// <summary>By frames that are there already.</summary>
/// <param name="load">What is published.</param>
/// <param name="perEntry">How many go together in one entry; 1 for an entry each.</param>
internal sealed class HandPublishRow(StreamLoad load, int perEntry, int messages, StreamBroker broker)
    : PublishRow("by hand, frames made beforehand", messages, broker)
{
    public override async Task RunAsync()
    {
        StreamLink link = await Broker.OpenAsync();
        await HandStreamPublisher.PublishAsync(link, Stream, load.Message, Messages, perEntry);
        await link.CloseAsync();
    }
}

/// <summary>A producer that is told of confirms by ranges, or each of whose messages is awaited.</summary>
/// <param name="awaited">Whether each is awaited: with some thousand under way.</param>
/// <param name="load">What is published: its bytes, or the object.</param>
/// <param name="perEntry">How many go together in one entry; 1 for an entry each.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="broker">Where to.</param>
internal sealed class ProducerRow(bool awaited, StreamLoad load, int perEntry, int messages, StreamBroker broker)
    : PublishRow(awaited ? "SendAsync, 20,000 under way" : "EnqueueAsync", messages, broker)
{
    private const int UnderWay = 20_000;
    private const int WarmUp = 200_000;

    private readonly ValueTask[] _sends = new ValueTask[UnderWay];
    private readonly bool _isObject = load == StreamLoad.Object;
    private StreamProducer? _producer;

    public override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        var options =
            new StreamProducerOptions { SubEntries = perEntry == 1 ? null : new StreamSubEntryOptions { MaxMessages = perEntry } };
        _producer = await Broker.Client.CreateProducerAsync(Stream, options);

        // It has the memory then that it works with from then on.
        await RunAsync(_producer, WarmUp);
    }

    public override Task RunAsync() => RunAsync(_producer!, Messages);

    public override async ValueTask CloseAsync()
    {
        if (_producer is not null)
        {
            await _producer.DisposeAsync();
        }

        _producer = null;
        await base.CloseAsync();
    }

    private async Task RunAsync(StreamProducer producer, int messages)
    {
        await (awaited ? SendAsync(producer, messages) : EnqueueAsync(producer, messages));
        await producer.FlushAsync();
    }

    private async Task EnqueueAsync(StreamProducer producer, int messages)
    {
        for (int i = 0; i < messages; i++)
        {
            _ = await (_isObject ? producer.EnqueueAsync(StreamLoad.Poco) : producer.EnqueueBytesAsync(load.Message));
        }
    }

    // As many places as there are sends under way: a place is taken again when its send has ended.
    private async Task SendAsync(StreamProducer producer, int messages)
    {
        for (int i = 0; i < messages + UnderWay; i++)
        {
            if (i >= UnderWay)
            {
                await _sends[i % UnderWay];
            }

            if (i < messages)
            {
#pragma warning disable CA2012 // Kept, and awaited once when its place is taken again: a Task for each would be allocated.
                _sends[i % UnderWay] = Send(producer);
#pragma warning restore CA2012
            }
        }
    }

    private ValueTask Send(StreamProducer producer) =>
        _isObject ? producer.SendAsync(StreamLoad.Poco) : producer.SendBytesAsync(load.Message);
}
