using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>A connection is used again when it has been recovered, and not while it is.</summary>
public sealed class ClientConnectionTests
{
    [Fact]
    public async Task A_channel_that_is_asked_for_while_the_client_recovers_is_not_recovered_itself()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection connection = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        WireConnection source = connection.ToWireConnection();

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
        await using var second = (ClientChannel)await source
            .OpenChannelAsync(
                new AmqpChannelOptions { Confirms = false }, new ChannelEvents(), Patience.Limit, CancellationToken.None).InTime();
        await recovered.Task.InTime();
        Assert.False(second.Completion.IsCompleted);
        OperationInterruptedException none = await Assert.ThrowsAsync<OperationInterruptedException>(
            () => second.Raw.Channel.QueueDeclarePassiveAsync(Broker.UniqueName("none")).InTime());
        Assert.Equal(Constants.NotFound, none.ShutdownReason!.ReplyCode);
        AmqpChannelException closed = await Assert.ThrowsAsync<AmqpChannelException>(() => second.Completion.InTime());
        Assert.Equal(Constants.NotFound, closed.Reason.ReplyCode);
    }

    [Fact]
    public async Task A_connection_that_the_program_has_closed_is_closed_for_good()
    {
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        var watch = ClientConnection.Of(connection);
        Assert.Same(watch, ClientConnection.Of(connection));
        Assert.True(watch.IsOpen);
        Assert.False(watch.IsClosed);
        await connection.CloseAsync().InTime();
        Assert.False(watch.IsOpen);
        Assert.True(watch.IsClosed);
    }

    [Fact]
    public async Task A_connection_that_was_disposed_of_is_closed_for_good_and_says_so()
    {
        IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await connection.DisposeAsync().AsTask().InTime();
        var made = ClientConnection.Of(connection);
        Assert.False(made.IsOpen);
        Assert.True(made.IsClosed);
        Assert.Null(made.Error);
        Assert.Null(made.Endpoint);
        ObjectDisposedException closed = await Assert.ThrowsAsync<ObjectDisposedException>(
            () => made.OpenChannelAsync(
                new AmqpChannelOptions { Confirms = false }, new ChannelEvents(), Patience.Limit, CancellationToken.None).InTime());
        Assert.Contains("closed by the program", closed.Message, StringComparison.Ordinal);
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
