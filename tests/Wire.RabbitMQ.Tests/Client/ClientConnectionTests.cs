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
        var watch = ClientConnection.From(connection);
        Assert.Same(watch, ClientConnection.From(connection));
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
        var made = ClientConnection.From(connection);
        Assert.False(made.IsOpen);
        Assert.True(made.IsClosed);
        Assert.Null(made.Error);
        Assert.Null(made.Endpoint);
        ObjectDisposedException closed = await Assert.ThrowsAsync<ObjectDisposedException>(
            () => made.OpenChannelAsync(
                new AmqpChannelOptions { Confirms = false }, new ChannelEvents(), Patience.Limit, CancellationToken.None).InTime());
        Assert.Contains("closed by the program", closed.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("wrong", "/", 403, "ACCESS_REFUSED")]
    [InlineData("guest", "elsewhere", 530, "NOT_ALLOWED")]
    public async Task A_refused_connection_says_by_whom_why_and_what_to_look_at(string password, string virtualHost, int code, string text)
    {
        ConnectionFactory factory = Broker.Node.Factory();
        (factory.Password, factory.VirtualHost) = (password, virtualHost);

        var refused = await Assert.ThrowsAsync<AmqpConnectionException>(() => factory.ConnectWireAsync().InTime());

        Assert.StartsWith(
            $"The broker at 127.0.0.1:{factory.Port} refuses the connection: {code} {text}", refused.Message, StringComparison.Ordinal);
        Assert.EndsWith(
            $"check the password and the permissions of the user 'guest', and the virtual host '{virtualHost}'.",
            refused.Message,
            StringComparison.Ordinal);
        Assert.Equal(code, refused.Reason!.ReplyCode);
        Assert.NotNull(refused.InnerException);
    }

    [Fact]
    public async Task What_cannot_be_reached_is_named_with_the_cause()
    {
        await using var down = new FaultProxy(Broker.Node.Uri) { Refusing = true };
        ConnectionFactory factory = Broker.Node.Factory();
        AmqpTcpEndpoint[] endpoints = [new("127.0.0.1", down.Port), new("no-such-host.invalid", 5672)];

        var unreached = await Assert.ThrowsAsync<AmqpConnectionException>(() => factory.ConnectWireAsync(endpoints: endpoints).InTime());

        Assert.Matches(
            $"^No connection to (127.0.0.1:{down.Port}|no-such-host.invalid:5672) or .*: .+\\. Check that the broker is running",
            unreached.Message);
        Assert.DoesNotContain("endpoints were reachable", unreached.Message, StringComparison.Ordinal);
        Assert.Null(unreached.Reason);
        Assert.NotNull(unreached.InnerException);
    }

    [Fact]
    public async Task What_waits_for_a_connection_that_does_not_come_back_is_told_why()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        ConnectionFactory factory = proxy.Route(Broker.Node.Factory());
        factory.NetworkRecoveryInterval = TimeSpan.FromMilliseconds(100);
        await using IConnection connection = await factory.CreateConnectionAsync().InTime();
        WireConnection tested = connection.ToWireConnection();
        Assert.Null(tested.Error);
        proxy.Refusing = true;
        proxy.CutAll(Cut.Reset);
        await UntilDownAsync(connection);

        var options = new AmqpChannelOptions { Confirms = false };
        var error = await Assert.ThrowsAsync<AmqpConnectionException>(
            () => tested.OpenChannelAsync(options, new ChannelEvents(), TimeSpan.FromSeconds(1), CancellationToken.None).InTime());

        Assert.NotNull(error.InnerException);
        Assert.StartsWith(
            $"The connection has not come back within 1 s. {error.InnerException.Message}", error.Message, StringComparison.Ordinal);
        proxy.Refusing = false;
        await UntilAsync(() => tested.IsOpen);
        Assert.Null(tested.Error);
    }

    private static Task UntilDownAsync(IConnection connection) => UntilAsync(() => !connection.IsOpen);

    private static async Task UntilAsync(Func<bool> holds)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (!holds())
        {
            await Task.Delay(1, limit.Token);
        }
    }
}
