using Wire.Benchmarks.Measuring;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Links;
using Wire.Transport;

namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>The broker that is measured with: the one at <c>WIRE_RABBITMQ_STREAM_PORT</c> of this machine.</summary>
internal sealed class StreamBroker : IAsyncDisposable
{
    private StreamBroker(StreamClient client, string name)
    {
        Client = client;
        Name = name;
    }

    /// <summary>A client for all rows.</summary>
    public StreamClient Client { get; }

    /// <summary>What it is, and its version.</summary>
    public string Name { get; }

    public static async Task<StreamBroker> ConnectAsync(string mode)
    {
        if (!int.TryParse(Environment.GetEnvironmentVariable("WIRE_RABBITMQ_STREAM_PORT"), out int port))
        {
            throw new UsageException($"{mode} needs a broker with streams: eval \"$(eng/rabbitmq.sh start)\"; ./bench.sh {mode} starts one.");
        }

        StreamClient client = await StreamClient.ConnectAsync(new StreamClientOptions { Endpoints = [new BrokerEndpoint("127.0.0.1", port)], Serializer = StreamLoad.Serializer });
        IReadOnlyDictionary<string, string> properties = (await client.Links.Locator.LinkAsync(CancellationToken.None)).ServerProperties;
        return new StreamBroker(client, $"{properties["product"]} {properties["version"]}");
    }

    /// <summary>A link of its own, for what is done by hand.</summary>
    public Task<StreamLink> OpenAsync() => StreamLink.ConnectAsync(Client.Options, Client.Options.Endpoints[0], CancellationToken.None);

    public ValueTask DisposeAsync() => Client.DisposeAsync();
}
