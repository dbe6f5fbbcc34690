using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>Heartbeats, both ways.</summary>
public sealed class HeartbeatTests
{
    private static AmqpConnectionOptions OfOneSecond(AmqpConnectionOptions options) =>
        options with { RequestedHeartbeat = TimeSpan.FromSeconds(1) };

    [Fact]
    public async Task An_idle_connection_stays_alive()
    {
        await using TestLink tested = await TestLink.ConnectAsync(OfOneSecond);
        Link link = tested.Connection.Link!;
        Assert.Equal(TimeSpan.FromSeconds(1), link.Agreement.Heartbeat);
        long before = tested.Proxy.ToBroker.Bytes;

        // The broker gives up a connection that is silent for three intervals. Eight bytes each.
        while (tested.Proxy.ToBroker.Bytes < before + (8 * 12))
        {
            await Task.Delay(50);
        }

        Assert.Same(link, tested.Connection.Link);
        Assert.Null(link.End);
        await using AmqpChannel channel = await tested.Connection.OpenChannelAsync().InTime();
    }

    [Fact]
    public async Task A_silent_broker_is_given_up_and_connected_to_again()
    {
        await using TestLink tested = await TestLink.ConnectAsync(OfOneSecond);
        Task<Exception> lost = tested.NextLoss();
        Task recovered = tested.NextRecovery();
        tested.Proxy.ToClient.Pause();
        Assert.Contains("Nothing has come from the broker", (await lost.InTime()).Message, StringComparison.Ordinal);
        tested.Proxy.ToClient.Resume();
        await recovered.InTime();
    }

    [Fact]
    public async Task A_broker_that_hears_nothing_gives_the_connection_up_and_it_comes_back()
    {
        await using TestLink tested = await TestLink.ConnectAsync(OfOneSecond);
        Task<Exception> lost = tested.NextLoss();
        Task recovered = tested.NextRecovery();
        tested.Proxy.ToBroker.Pause();
        await lost.InTime();
        tested.Proxy.ToBroker.Resume();
        await recovered.InTime();
    }
}
