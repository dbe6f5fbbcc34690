using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Links;
using Wire.Transport;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>The broker that is measured with: the one at <c>WIRE_RABBITMQ_STREAM_PORT</c> of this machine.</summary>
internal sealed class StreamBroker : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, string> _streams = new();
    private readonly PosixSignalRegistration[] _signals;

    private StreamBroker(StreamClient client, string name)
    {
        Client = client;
        Name = name;
        _signals = [PosixSignalRegistration.Create(PosixSignal.SIGINT, End), PosixSignalRegistration.Create(PosixSignal.SIGTERM, End)];
    }

    /// <summary>A client for all rows.</summary>
    public StreamClient Client { get; }

    /// <summary>What it is, and its version.</summary>
    public string Name { get; }

    public static async Task<StreamBroker> ConnectAsync(string mode)
    {
        if (!int.TryParse(Environment.GetEnvironmentVariable("WIRE_RABBITMQ_STREAM_PORT"), out int port))
        {
            throw new UsageException(
                $"{mode} needs a broker with streams: eval \"$(eng/rabbitmq.sh start)\"; ./bench.sh {mode} starts one.");
        }

        StreamClient client = await StreamClient.ConnectAsync(
            new StreamClientOptions { Endpoints = [new BrokerEndpoint("127.0.0.1", port)], Serializer = StreamLoad.Serializer });
        IReadOnlyDictionary<string, string> properties = (await client.Links.Locator.LinkAsync(CancellationToken.None)).ServerProperties;
        return new StreamBroker(client, $"{properties["product"]} {properties["version"]}");
    }

    /// <summary>A link of its own, for what is done by hand.</summary>
    public Task<StreamLink> OpenAsync() => StreamLink.ConnectAsync(Client.Options, Client.Options.Endpoints[0], CancellationToken.None);

    /// <summary>Makes a stream of this run.</summary>
    /// <returns>Its name.</returns>
    public async Task<string> CreateAsync()
    {
        string name = $"wire-bench-{Guid.NewGuid():N}";
        _streams[name] = name;
        await Client.CreateStreamAsync(name);
        return name;
    }

    public async Task DeleteAsync(string name)
    {
        await Client.DeleteStreamAsync(name);
        _streams.TryRemove(name, out _);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (PosixSignalRegistration signal in _signals)
        {
            signal.Dispose();
        }

        await Client.DisposeAsync();
    }

    // What is ended from outside leaves no stream behind, which may have gigabytes.
    private void End(PosixSignalContext context)
    {
        context.Cancel = true;
        Task.WaitAll([.. _streams.Keys.Select(name => Client.DeleteStreamAsync(name))], TimeSpan.FromSeconds(10));
        Environment.Exit(128 + (context.Signal == PosixSignal.SIGINT ? 2 : 15));
    }
}

/// <summary>A stream with messages, which the rows of a table share: the first fills it, and the last deletes it.</summary>
/// <param name="broker">Where it is.</param>
/// <param name="load">A message.</param>
/// <param name="perEntry">How many go together in one entry; 1 for an entry each.</param>
internal sealed class FilledStream(StreamBroker broker, StreamLoad load, int perEntry)
{
    private int _users;

    public string Name { get; private set; } = "";

    public StreamBroker Broker => broker;

    public async Task OpenAsync(int messages)
    {
        if (_users++ == 0)
        {
            Name = await broker.CreateAsync();
            StreamLink link = await broker.OpenAsync();
            await HandStreamPublisher.PublishAsync(link, Name, load.Message, messages, perEntry);
            await link.CloseAsync();
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (--_users == 0)
        {
            await broker.DeleteAsync(Name);
        }
    }
}
