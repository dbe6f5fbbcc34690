using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>Connections and channels say once that they have ended for good, and why.</summary>
public sealed class ClosedTests
{
    private readonly ConcurrentQueue<string> _told = new();
    private readonly TaskCompletionSource<Exception?> _connection = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<Exception?> _channel = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task A_connection_that_the_program_closes_has_no_reason_and_neither_have_its_channels()
    {
        await using var broker = new AmqpServer();
        AmqpConnection connection = Watch(await broker.ConnectAsync().InTime());
        Watch(await connection.OpenChannelAsync().InTime());
        await connection.DisposeAsync();
        await connection.DisposeAsync();
        Assert.Null(await _channel.Task.InTime());
        Assert.Null(await _connection.Task.InTime());
        Assert.Equal(["channel", "connection"], _told);
    }

    [Fact]
    public async Task A_channel_that_the_program_closes_says_so_once_and_its_connection_nothing()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = Watch(await broker.ConnectAsync().InTime());
        AmqpChannel channel = Watch(await connection.OpenChannelAsync().InTime());
        await channel.CloseAsync().InTime();
        await channel.DisposeAsync();
        Assert.Null(await _channel.Task.InTime());
        Assert.Equal(["channel"], _told);
    }

    [Fact]
    public async Task What_is_lost_for_good_says_why_after_it_was_lost()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = Watch(await broker.ConnectAsync().InTime());
        Watch(await connection.OpenChannelAsync().InTime());
        connection.Lost += _ => _told.Enqueue("lost");
        broker.Cut();
        Exception? reason = await _connection.Task.InTime();
        Assert.IsType<AmqpConnectionException>(reason);
        Assert.Same(reason, await _channel.Task.InTime());
        Assert.Equal("connection", _told.Last());
        Assert.Equal(["channel", "connection", "lost"], _told.Order());
    }

    [Fact]
    public async Task What_the_broker_closes_a_channel_for_is_told()
    {
        var isWatched = new TaskCompletionSource();
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            await isWatched.Task.InTime();
            await peer.SendAsync(channel, new ChannelClose { ReplyCode = 404, ReplyText = "NOT_FOUND - no exchange" });
            await peer.ExpectAsync<ChannelCloseOk>();
            await peer.AnswerAsync<ConnectionClose, ConnectionCloseOk>();
        });
        await using AmqpConnection connection = Watch(await AmqpConnection.ConnectAsync(server.Options()).InTime());
        Watch(await connection.OpenChannelAsync().InTime());
        isWatched.SetResult();
        Assert.Equal(404, Assert.IsType<AmqpChannelException>(await _channel.Task.InTime()).Reason.ReplyCode);
        Assert.True(connection.IsOpen);
        Assert.DoesNotContain("connection", _told);
    }

    [Fact]
    public async Task What_comes_back_is_not_closed()
    {
        var isWatched = new TaskCompletionSource();
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync();
            await isWatched.Task.InTime();
            if (number > 0)
            {
                await peer.AnswerAsync<ConnectionClose, ConnectionCloseOk>();
            }
        });
        AmqpConnection connection = Watch(await AmqpConnection.ConnectAsync(server.Recovering()).InTime());
        var back = new TaskCompletionSource();
        connection.Recovered += () => back.TrySetResult();
        isWatched.SetResult();
        await back.Task.InTime();
        Assert.Empty(_told);
        await connection.DisposeAsync();
        Assert.Null(await _connection.Task.InTime());
    }

    private AmqpConnection Watch(AmqpConnection connection)
    {
        connection.Closed += reason =>
        {
            _told.Enqueue("connection");
            _connection.TrySetResult(reason);
        };
        return connection;
    }

    private AmqpChannel Watch(AmqpChannel channel)
    {
        channel.Closed += reason =>
        {
            _told.Enqueue("channel");
            _channel.TrySetResult(reason);
        };
        return channel;
    }
}
