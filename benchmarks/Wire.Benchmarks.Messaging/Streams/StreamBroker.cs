using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Links;
using Wire.Transport;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>The brokers that are measured with: their ports of streams on this machine.</summary>
internal sealed class StreamBroker : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, StreamClient> _streams = new();
    private readonly Dictionary<MeasuredBroker, StreamClient> _clients = [];
    private readonly PosixSignalRegistration[] _signals;

    private StreamBroker() =>
        _signals = [PosixSignalRegistration.Create(PosixSignal.SIGINT, End), PosixSignalRegistration.Create(PosixSignal.SIGTERM, End)];

    /// <summary>A client for all rows.</summary>
    public StreamClient Client => _clients[MeasuredBroker.Current];

    public static async Task<StreamBroker> ConnectAsync(string mode)
    {
        MeasuredBroker.Require(mode);
        var all = new StreamBroker();
        foreach (MeasuredBroker broker in MeasuredBroker.All)
        {
            int port = broker.StreamPort ?? throw new UsageException(
                $"{mode} needs a broker with streams: eval \"$(eng/rabbitmq.sh start)\"; ./bench.sh {mode} starts one.");
            all._clients[broker] = await StreamClient.ConnectAsync(
                new StreamClientOptions { Endpoints = [new BrokerEndpoint("127.0.0.1", port)], Serializer = StreamLoad.Serializer });
        }

        return all;
    }

    /// <summary>A link of its own, for what is done by hand.</summary>
    public Task<StreamLink> OpenAsync() => StreamLink.ConnectAsync(Client.Options, Client.Options.Endpoints[0], CancellationToken.None);

    /// <summary>Makes a stream of this run.</summary>
    /// <returns>Its name.</returns>
    public async Task<string> CreateAsync()
    {
        string name = $"wire-bench-{Guid.NewGuid():N}";
        _streams[name] = Client;
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

        foreach (StreamClient client in _clients.Values)
        {
            await client.DisposeAsync();
        }
    }

    // What is ended from outside leaves no stream behind, which may have gigabytes.
    private void End(PosixSignalContext context)
    {
        context.Cancel = true;
        Task.WaitAll([.. _streams.Select(stream => stream.Value.DeleteStreamAsync(stream.Key))], TimeSpan.FromSeconds(10));
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
