using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;

namespace Wire.RabbitMQ.Tests.Connections;

/// <summary>A connection is used again when it has been recovered, and not while it is.</summary>
public sealed class ConnectionWatchTests
{
    [Fact]
    public async Task A_channel_that_is_asked_for_while_the_client_recovers_is_not_recovered_itself()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection connection = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        var source = new ChannelSource(connection, Patience.Limit);
        IChannel first = await source.OpenAsync(new CreateChannelOptions(false, false), CancellationToken.None).InTime();

        // Recovery declares each of them again, while the connection is open.
        for (int i = 0; i < 100; i++)
        {
            await first.DeclareQueueAsync();
        }

        await ChannelSource.DropAsync(first).InTime();
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.RecoverySucceededAsync += (_, _) =>
        {
            recovered.SetResult();
            return Task.CompletedTask;
        };
        proxy.CutAll(Cut.Reset);
        await UntilDownAsync(connection);
        IChannel second = await source.OpenAsync(new CreateChannelOptions(false, false), CancellationToken.None).InTime();
        int recoveries = 0;
        ((IRecoverable)second).RecoveryAsync += (_, _) =>
        {
            recoveries++;
            return Task.CompletedTask;
        };
        await recovered.Task.InTime();
        Assert.Equal(0, recoveries);
        Assert.Equal(0u, (await second.QueueDeclareAsync().InTime()).MessageCount);
        await ChannelSource.DropAsync(second).InTime();
    }

    [Fact]
    public async Task A_connection_that_the_program_has_closed_is_closed_for_good()
    {
        await using IConnection connection = await Broker.ConnectAsync().InTime();
        var watch = ConnectionWatch.Of(connection);
        Assert.Same(watch, ConnectionWatch.Of(connection));
        Assert.True(watch.IsReady);
        Assert.False(watch.IsClosedForGood);
        await connection.CloseAsync().InTime();
        Assert.False(watch.IsReady);
        Assert.True(watch.IsClosedForGood);
    }

    private static async Task UntilDownAsync(IConnection connection)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (connection.IsOpen)
        {
            await Task.Delay(1, limit.Token);
        }
    }
}
