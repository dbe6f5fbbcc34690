using Wire.Benchmarks.Messaging.Tables;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>Publishes to a stream that is made anew for each measurement, until all is confirmed.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="broker">Where to.</param>
internal abstract class PublishRow(string name, int messages, StreamBroker broker) : MessageRow(name, messages)
{
    private BenchStream? _stream;

    protected StreamBroker Broker => broker;

    protected BenchStream Stream => _stream ?? throw new InvalidOperationException("There is no stream yet.");

    public override async Task PrepareAsync()
    {
        await CloseAsync();
        _stream = new BenchStream(broker);
        await _stream.CreateAsync();
    }

    public override async ValueTask CloseAsync()
    {
        if (_stream is not null)
        {
            await _stream.DeleteAsync();
        }

        _stream = null;
    }
}

/// <summary>By frames that are there already.</summary>
/// <param name="load">What is published.</param>
/// <param name="perEntry">How many go together in one entry; 1 for an entry each.</param>
internal sealed class HandPublishRow(StreamLoad load, int perEntry, int messages, StreamBroker broker) : PublishRow("by hand, frames made beforehand", messages, broker)
{
    public override async Task RunAsync()
    {
        StreamLink link = await Broker.OpenAsync();
        await HandStreamPublisher.PublishAsync(link, Stream.Name, load.Message, Messages, perEntry);
        await link.CloseAsync();
    }
}
