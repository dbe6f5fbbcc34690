using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.Amqp.Client.Tests.Diagnostics;

/// <summary>The numbers of connections and channels.</summary>
[Collection(nameof(RunAlone))]
public sealed class ConnectionTelemetryTests
{
    private const string Wire = "Wire.Amqp.Client";
    private const string Open = "wire.amqp.client.connections.open";
    private const string BlockedTime = "wire.amqp.client.connections.blocked_time";
    private const string Channels = "wire.amqp.client.channels.open";

    [Fact]
    public async Task What_is_open_and_in_flight_is_told_when_asked_also_to_one_who_came_late()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        (string, object?)[] server = [("server.address", "127.0.0.1"), ("server.port", link.Proxy.Port)];
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        string queue = (await channel.Topology.DeclareQueueAsync("", AmqpQueueOptions.Temporary).InTime()).Name;
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await channel.ConsumeAsync(queue, async _ => await release.Task).InTime();
        for (int i = 0; i < 3; i++)
        {
            await channel.PublishAsync("", queue, i).AsTask().InTime();
        }

        link.Proxy.ToClient.Pause();
        Task[] unconfirmed = [.. Enumerable.Range(0, 4).Select(i => channel.PublishAsync("", "nowhere", i).AsTask())];

        using var numbers = new NumberListener(Wire);
        Assert.Equal((1, 1), (numbers.Now(Open, server), numbers.Now(Channels, server)));
        Assert.Equal(0, numbers.Now("wire.amqp.client.connections.blocked", server));
        Assert.Equal(4, numbers.Now("wire.amqp.client.publish.in_flight", server));
        await NumberListener.UntilAsync(() => numbers.Now("wire.amqp.client.process.in_flight", server) == 3);
        link.Proxy.ToClient.Resume();
        release.SetResult();
        await Task.WhenAll(unconfirmed).InTime();
        await NumberListener.UntilAsync(() => numbers.Now("wire.amqp.client.process.in_flight", server) == 0);
        Assert.Equal(0, numbers.Now("wire.amqp.client.publish.in_flight", server));

        await link.Connection.DisposeAsync().AsTask().InTime();
        Assert.Equal((0, 0), (numbers.Now(Open, server), numbers.Now(Channels, server)));
    }

    [Fact]
    public async Task Losses_and_attempts_to_come_back_are_counted()
    {
        using var numbers = new NumberListener(Wire);
        await using TestLink link = await TestLink.ConnectAsync();
        await using AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        await link.BringDownAsync();
        await NumberListener.UntilAsync(() => numbers.Sum("wire.amqp.client.connections.recoveries") >= 2);
        Assert.Equal(0, numbers.Now(Open, ("server.port", link.Proxy.Port)));
        Assert.Equal(0, numbers.Sum("wire.amqp.client.connections.recoveries", ("error.type", null)));
        await link.BringUpAsync();

        Assert.Equal(1, numbers.Sum("wire.amqp.client.connections.recoveries", ("error.type", null)));
        Number lost = Assert.Single(numbers.Of("wire.amqp.client.connections.lost"), number => number.Value > 0);
        Assert.Equal(
            ("rabbitmq", "127.0.0.1", link.Proxy.Port, typeof(AmqpConnectionException).FullName),
            (lost.Tags["messaging.system"], lost.Tags["server.address"], lost.Tags["server.port"], lost.Tags["error.type"]));
        Assert.Equal(1, numbers.Sum("wire.amqp.client.channels.lost"));
        Assert.Equal(1, numbers.Now(Open, ("server.port", link.Proxy.Port)));
    }

    [Fact]
    public async Task A_channel_that_the_broker_closes_is_counted_with_its_code_and_one_that_the_program_closes_is_not()
    {
        using var numbers = new NumberListener(Wire);
        await using TestChannel test = await TestChannel.OpenAsync();
        await Assert.ThrowsAsync<AmqpPublishException>(
            () => test.Channel.PublishAsync(Broker.UniqueName(), "key", 1).AsTask().InTime());
        await Assert.ThrowsAsync<AmqpChannelException>(() => test.Channel.Completion.InTime());
        AmqpChannel closed = await test.Connection.OpenChannelAsync().InTime();
        await closed.DisposeAsync().AsTask().InTime();
        await test.Connection.DisposeAsync().AsTask().InTime();

        Number lost = Assert.Single(numbers.Of("wire.amqp.client.channels.lost"), number => number.Value > 0);
        Assert.Equal("404", lost.Tags["error.type"]);
        Assert.Equal(0, numbers.Sum("wire.amqp.client.connections.lost"));
    }

    [Fact]
    public async Task What_has_not_happened_yet_is_told_as_none_so_that_the_first_is_an_increase()
    {
        using var numbers = new NumberListener(Wire);
        await using TestLink link = await TestLink.ConnectAsync();
        foreach (string counter in (string[])["connections.lost", "connections.recoveries", "channels.lost"])
        {
            Number none = Assert.Single(numbers.Of($"wire.amqp.client.{counter}"));
            Assert.Equal(
                (0, "rabbitmq", "127.0.0.1", link.Proxy.Port, 3),
                (none.Value, none.Tags["messaging.system"], none.Tags["server.address"], none.Tags["server.port"], none.Tags.Count));
        }

        Assert.Equal(0, Assert.Single(numbers.Ask(BlockedTime, ("server.port", link.Proxy.Port))).Value);
    }

    [Fact]
    public async Task A_broker_that_takes_nothing_is_shown_and_its_time_is_counted_as_it_passes()
    {
        var unblock = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LoopbackServer broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
            await unblock.Task;
            await peer.SendAsync(0, default(ConnectionUnblocked));
            await peer.CloseAsync();
        });
        using var numbers = new NumberListener(Wire);
        var time = new ToldTime();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options() with { Time = time }).InTime();
        (string, object?) server = ("server.port", broker.Port);
        await NumberListener.UntilAsync(() => numbers.Now("wire.amqp.client.connections.blocked", server) == 1);
        time.Pass(TimeSpan.FromSeconds(7));
        Assert.Equal(7, numbers.Now(BlockedTime, server));
        time.Pass(TimeSpan.FromSeconds(2));
        unblock.SetResult();
        await NumberListener.UntilAsync(() => numbers.Now("wire.amqp.client.connections.blocked", server) == 0);

        // It stays.
        time.Pass(TimeSpan.FromSeconds(5));
        Assert.Equal(9, numbers.Now(BlockedTime, server));
        await connection.DisposeAsync().AsTask().InTime();
        Assert.Equal(9, numbers.Now(BlockedTime, server));
    }
}
