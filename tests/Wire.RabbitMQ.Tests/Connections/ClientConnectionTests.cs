using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Connections;

/// <summary>A connection is used again when it has been recovered, and not while it is.</summary>
public sealed class ClientConnectionTests
{
    [Fact]
    public async Task A_channel_that_is_asked_for_while_the_client_recovers_is_not_recovered_itself()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection connection = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        var source = new ChannelSource(ClientConnection.Of(connection), Patience.Limit);

        // Recovery declares each of them again, while the connection is open.
        await using (IChannel first = await connection.CreateChannelAsync().InTime())
        {
            for (int i = 0; i < 100; i++)
            {
                await first.DeclareQueueAsync();
            }
        }

        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.RecoverySucceededAsync += (_, _) =>
        {
            recovered.SetResult();
            return Task.CompletedTask;
        };
        proxy.CutAll(Cut.Reset);
        await UntilDownAsync(connection);
        await using IBrokerChannel second = await source.OpenAsync(new ChannelUse(), CancellationToken.None).InTime();
        var closed = new Closed();
        second.Listen(closed);
        await recovered.Task.InTime();
        Assert.False(closed.Reason.IsCompleted);
        OperationInterruptedException none = await Assert.ThrowsAsync<OperationInterruptedException>(
            () => second.FindQueueAsync(Broker.UniqueName("none"), CancellationToken.None).InTime());
        Assert.Equal(Constants.NotFound, none.ShutdownReason!.ReplyCode);
        Assert.Equal(Constants.NotFound, (await closed.Reason.InTime()).ReplyCode);
    }

    [Fact]
    public async Task A_connection_that_the_program_has_closed_is_closed_for_good()
    {
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        var watch = ClientConnection.Of(connection);
        Assert.Same(watch, ClientConnection.Of(connection));
        Assert.True(watch.IsReady);
        Assert.False(watch.IsClosedForGood);
        await connection.CloseAsync().InTime();
        Assert.False(watch.IsReady);
        Assert.True(watch.IsClosedForGood);
    }

    [Fact]
    public async Task A_connection_that_was_disposed_of_is_closed_for_good_and_says_so()
    {
        IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await connection.DisposeAsync().AsTask().InTime();
        var made = ClientConnection.Of(connection);
        Assert.False(made.IsReady);
        Assert.True(made.IsClosedForGood);
        Assert.Null(made.Error);
        Assert.Null(made.Server);
        ConnectionLostException lost = await Assert.ThrowsAsync<ConnectionLostException>(
            () => new ChannelSource(made, Patience.Limit).OpenAsync(new ChannelUse(), CancellationToken.None).InTime());
        Assert.Contains("disposed of", lost.Message, StringComparison.Ordinal);
    }

    private static async Task UntilDownAsync(IConnection connection)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (connection.IsOpen)
        {
            await Task.Delay(1, limit.Token);
        }
    }

    private sealed class Closed : IBrokerChannelEvents
    {
        private readonly TaskCompletionSource<ShutdownEventArgs> _reason = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<ShutdownEventArgs> Reason => _reason.Task;

        void IBrokerChannelEvents.Closed(ShutdownEventArgs reason) => _reason.SetResult(reason);
    }
}
