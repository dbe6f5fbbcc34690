using System.Net.Sockets;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>
/// Connections whose loss is noticed by what is read and what is not, and not by the client's own timer, which takes minutes.
/// </summary>
public sealed class WatchedTcpClientTests
{
    [Theory]
    [InlineData(Cut.Finish)]
    [InlineData(Cut.Reset)]
    public async Task The_end_within_a_frame_is_noticed(Cut how)
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection connection = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        string queue = await channel.DeclareQueueAsync();
        await channel.BasicPublishAsync("", queue, new byte[100_000]).AsTask().InTime();
        (Task<ShutdownEventArgs> lost, Task recovered) = connection.Watch();

        Task cut = proxy.ToClient.CutAfter(50_000, how);
        Task<BasicGetResult?> got = channel.BasicGetAsync(queue, autoAck: true);

        await cut.InTime();
        Assert.Equal(ShutdownInitiator.Library, (await lost.InTime()).Initiator);
        await Assert.ThrowsAnyAsync<Exception>(() => got.InTime());
        await recovered.InTime();
        Assert.True(connection.IsOpen);
    }

    [Fact]
    public async Task A_connection_on_which_nothing_comes_any_more_is_given_up()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        ConnectionFactory factory = proxy.Route(Broker.Node.Factory());

        // Silence is noticed after twice that, by the client's own timer after more than four times: far apart also where all is slow.
        factory.RequestedHeartbeat = TimeSpan.FromSeconds(5);
        await using IConnection connection = await factory.CreateConnectionAsync().InTime();
        (Task<ShutdownEventArgs> lost, Task recovered) = connection.Watch();

        proxy.ToClient.Pause();
        ShutdownEventArgs reason = await lost.InTime();
        proxy.ToClient.Resume();

        Assert.DoesNotContain("Heartbeat missing", reason.Exception?.Message ?? "", StringComparison.Ordinal); // the client's own timer
        await recovered.InTime();
        Assert.True(connection.IsOpen);
    }

    [Fact]
    public async Task A_connection_on_which_only_heartbeats_come_stays()
    {
        ConnectionFactory factory = Broker.Node.Factory();

        // Silence is noticed after ten seconds at the latest. A busy machine has been silent for two seconds and a half, which was the
        // limit with a heartbeat of one second.
        factory.RequestedHeartbeat = TimeSpan.FromSeconds(4);
        await using IConnection connection = await factory.CreateConnectionAsync().InTime();
        (Task<ShutdownEventArgs> lost, _) = connection.Watch();

        await Assert.ThrowsAsync<TimeoutException>(() => lost.WaitAsync(TimeSpan.FromSeconds(15)));
        Assert.True(connection.IsOpen);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Without_heartbeats_silence_means_nothing_and_the_time_of_the_handshake_is_no_heartbeat(int heartbeat)
    {
        using var listener = new TcpListener(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        ConnectionFactory factory = Watched(new ConnectionFactory { RequestedHeartbeat = TimeSpan.FromSeconds(heartbeat) });
        using ITcpClient socket = factory.SocketFactory(AddressFamily.InterNetwork);
        await socket.ConnectAsync(System.Net.IPAddress.Loopback, ((System.Net.IPEndPoint)listener.LocalEndpoint).Port).InTime();
        using TcpClient silent = await listener.AcceptTcpClientAsync().InTime();

        // What the client sets for its handshake, and leaves when there are no heartbeats to follow.
        socket.ReceiveTimeout = TimeSpan.FromMilliseconds(200);
        Task read = socket.GetStream().ReadAsync(new byte[1]).AsTask();

        if (heartbeat > 0)
        {
            await Assert.ThrowsAnyAsync<Exception>(() => read.InTime());
            return;
        }

        await Assert.ThrowsAsync<TimeoutException>(() => read.WaitAsync(TimeSpan.FromSeconds(2)));
        await silent.Client.SendAsync(new byte[1]);
        await read.InTime();
    }

    [Fact]
    public void Sockets_that_the_program_has_set_stay()
    {
        Func<AddressFamily, ITcpClient> own = _ => throw new NotSupportedException();
        Assert.Same(own, Watched(new ConnectionFactory { SocketFactory = own }).SocketFactory);
    }

    private static ConnectionFactory Watched(ConnectionFactory factory)
    {
        WatchedTcpClient.WatchConnectionsOf(factory);
        return factory;
    }
}
