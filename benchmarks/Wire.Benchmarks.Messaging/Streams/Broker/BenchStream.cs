using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>A stream of this run.</summary>
internal sealed class BenchStream(StreamBroker broker)
{
    public string Name { get; } = $"wire-bench-{Guid.NewGuid():N}";

    public Task CreateAsync() => broker.Client.CreateStreamAsync(Name);

    public Task DeleteAsync() => broker.Client.DeleteStreamAsync(Name);

    /// <summary>Puts so many messages in, by hand, and waits until the broker has them.</summary>
    /// <param name="message">A message.</param>
    /// <param name="messages">How many.</param>
    /// <param name="perEntry">How many go together in one entry; 1 for an entry each.</param>
    public async Task FillAsync(byte[] message, int messages, int perEntry)
    {
        StreamLink link = await broker.OpenAsync();
        await HandStreamPublisher.PublishAsync(link, Name, message, messages, perEntry);
        await link.CloseAsync();
    }
}
