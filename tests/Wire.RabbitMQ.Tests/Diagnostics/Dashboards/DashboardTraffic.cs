using System.Net;
using Depot;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using Wire.Amqp.Client;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Tests.Diagnostics.Dashboards;

/// <summary>
/// A program that has all that the dashboard shows: the traffic of the sample, beside it a connection that is lost now and then and one
/// that the broker blocks, and an exporter that tells Prometheus of them.
/// </summary>
internal sealed class DashboardTraffic : IAsyncDisposable
{
    private readonly MeterProvider _meters;
    private readonly HttpClient _client = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly int _port = FreePort();
    private readonly Task[] _parts;

    public DashboardTraffic()
    {
        _meters = Sdk.CreateMeterProviderBuilder()
            .AddMeter("Wire.RabbitMQ", "Wire.RabbitMQ.Streams", "Wire.Amqp.Client")
            .AddPrometheusHttpListener(options => options.Port = _port)
            .Build();
        _parts =
        [
            new Traffic(Broker.Node.Uri.ToString(), Broker.Node.StreamUri.ToString(), _stop.Token).RunAsync(), LoseAsync(), BlockAsync(),
        ];
    }

    /// <summary>Where it tells of itself.</summary>
    public string Address => $"localhost:{_port}";

    /// <summary>What it tells now. Where a part of it has failed, this fails as that did.</summary>
    public async Task<IReadOnlyList<ToldSeries>> ReadAsync()
    {
        foreach (Task failed in _parts.Where(part => part.IsFaulted))
        {
            await failed;
        }

        return ToldSeries.Read(await _client.GetStringAsync(new Uri($"http://{Address}/metrics")));
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll(_parts).InTime();
        _meters.Dispose();
        _client.Dispose();
        _stop.Dispose();
    }

    /// <summary>A port that nobody listens at.</summary>
    public static int FreePort()
    {
        using var listener = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    // Down for a while each few seconds, in which more is published than may wait.
    private async Task LoseAsync()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(
            AmqpConnectionOptions.Parse(Broker.Node.Uri) with
            {
                Endpoints = [new BrokerEndpoint("127.0.0.1", proxy.Port)],
                VirtualHost = "/",
                Recovery = RecoveryOptions.Default with { LongestPause = TimeSpan.FromMilliseconds(200) },
            });
        await using AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { MaxWaiting = 1 });
        while (await PauseAsync(1))
        {
            proxy.Refusing = true;
            proxy.CutAll();
            while (connection.IsOpen && !_stop.IsCancellationRequested)
            {
                await Task.Delay(5);
            }

            Task[] sends = [.. Enumerable.Range(0, 5).Select(number => channel.PublishAsync("", "depot-nowhere", number).AsTask())];
            await PauseAsync(1);
            proxy.Refusing = false;
            await Task.WhenAll(sends).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await PauseAsync(4);
        }
    }

    // No broker of a test may be low on memory, so that this one only says it.
    private async Task BlockAsync()
    {
        await using var server = new LoopbackServer(async connection =>
        {
            var peer = new AmqpPeer(connection);
            await peer.GreetAsync();
            while (await PauseAsync(1))
            {
                await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
                await PauseAsync(2);
                await peer.SendAsync(0, default(ConnectionUnblocked));
                await PauseAsync(5);
            }

            await peer.CloseAsync();
        });
        await using AmqpConnection blocked = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions { Endpoints = [new BrokerEndpoint("127.0.0.1", server.Port)], Recovery = RecoveryOptions.Off });
        while (await PauseAsync(1))
        {
        }
    }

    private async Task<bool> PauseAsync(int seconds)
    {
        await Task.Delay(TimeSpan.FromSeconds(seconds), _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !_stop.IsCancellationRequested;
    }
}
