using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>A connection that does not come back: when it is given up, and what those hear who wait for it.</summary>
public sealed class GivingUpTests
{
    [Theory]
    [InlineData(403)]
    [InlineData(530)]
    public async Task After_so_many_refusals_it_is_closed_and_everyone_hears_of_the_refusal(int code)
    {
        int attempts = 0;
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            if (number == 0)
            {
                await peer.GreetAsync();
                await peer.OpenChannelAsync();
                await peer.PublishedAsync();
                peer.Reset();
                return;
            }

            Interlocked.Increment(ref attempts);
            await peer.StartAsync();
            await peer.SendAsync(0, new ConnectionClose { ReplyCode = (ushort)code, ReplyText = "REFUSED - not this user" });
            await peer.DrainAsync();
        });
        AmqpConnectionOptions options = broker.Recovering();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(
            options with { Recovery = options.Recovery with { MaxRefusals = 3, ResendUnconfirmed = true } }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        Task published = channel.PublishBytesAsync(new BasicPublish { RoutingKey = "queue" }, default, new byte[3]).AsTask();
        await Assert.ThrowsAnyAsync<Exception>(() => connection.Completion.InTime());

        Assert.Equal(3, attempts);
        Assert.True(connection.IsClosed);
        Assert.Equal(code, Assert.IsType<AmqpConnectionException>(connection.Error).Reason!.ReplyCode);
        Assert.Contains("RecoveryOptions.MaxRefusals, 3", connection.Error.Message, StringComparison.Ordinal);
        Assert.Contains("not this user", connection.Error.Message, StringComparison.Ordinal);
        Exception pending = await Assert.ThrowsAnyAsync<Exception>(() => published.InTime());
        Assert.Contains("not this user", pending.Message, StringComparison.Ordinal);
        AmqpConnectionException later = await Assert.ThrowsAsync<AmqpConnectionException>(() => connection.OpenChannelAsync().InTime());
        Assert.Equal(code, later.Reason!.ReplyCode);
    }

    [Fact]
    public async Task Other_failures_between_refusals_begin_the_count_anew_and_a_time_ends_them_all()
    {
        int attempts = 0;
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            if (number == 0)
            {
                await peer.GreetAsync();
                peer.Reset();
                return;
            }

            Interlocked.Increment(ref attempts);
            try
            {
                await peer.StartAsync();
                if (number % 2 == 0)
                {
                    peer.Reset();
                    return;
                }

                await peer.SendAsync(0, new ConnectionClose { ReplyCode = 403, ReplyText = "REFUSED - for now" });
                await peer.DrainAsync();
            }
            catch (IOException) when (attempts >= 4)
            {
                // The end of GiveUpAfter ends an attempt wherever it is.
            }
        });
        AmqpConnectionOptions options = broker.Recovering();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options with
        {
            Recovery = options.Recovery with { MaxRefusals = 2, GiveUpAfter = TimeSpan.FromSeconds(1) },
        }).InTime();
        await Assert.ThrowsAnyAsync<Exception>(() => connection.Completion.InTime());
        Assert.InRange(attempts, 4, int.MaxValue);
        Assert.Contains("RecoveryOptions.GiveUpAfter, 1 s", connection.Error!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task That_there_are_as_many_connections_as_may_be_is_no_refusal_for_good()
    {
        // The one that was lost is among them, until the broker notices its end.
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            if (number is 0 or 6)
            {
                await peer.GreetAsync();
                if (number == 0)
                {
                    peer.Reset();
                    return;
                }

                await peer.CloseAsync();
                return;
            }

            await peer.StartAsync();
            await peer.SendAsync(0, new ConnectionClose
            {
                ReplyCode = 530,
                ReplyText = "NOT_ALLOWED - access to vhost '/' refused for user 'guest': connection limit (1) is reached",
            });
            await peer.DrainAsync();
        });
        AmqpConnectionOptions options = broker.Recovering();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(
            options with { Recovery = options.Recovery with { MaxRefusals = 3 } }).InTime();
        var ended = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Recovered += () => ended.TrySetResult(true);
        connection.Closed += _ => ended.TrySetResult(false);
        Assert.True(await ended.Task.InTime());
    }

    [Fact]
    public async Task What_waits_is_bounded_and_one_that_is_cancelled_makes_room()
    {
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            if (number == 0)
            {
                await peer.GreetAsync();
                await peer.OpenChannelAsync();
            }

            await peer.DrainAsync();
        });
        AmqpConnectionOptions options = broker.Recovering() with { ConnectTimeout = TimeSpan.FromMilliseconds(500) };
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { MaxWaiting = 100 }).InTime();
        connection.Link!.Lose(new IOException("Cut by the test."));
        await UntilDownAsync(connection);
        using var enough = new CancellationTokenSource();
        Task[] cancelled = await FillAsync(channel, enough.Token);
        await enough.CancelAsync();
        foreach (Task task in cancelled)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.InTime());
        }

        Assert.Equal(0, channel.InFlight);
        Task[] waiting = await FillAsync(channel, default);
        await channel.DisposeAsync().AsTask().InTime();
        foreach (Task task in waiting)
        {
            await Assert.ThrowsAsync<ObjectDisposedException>(() => task.InTime());
        }
    }

    // As many as may wait, and one more.
    private static async Task<Task[]> FillAsync(AmqpChannel channel, CancellationToken cancellationToken)
    {
        Task[] waiting = [.. Enumerable.Range(0, 100).Select(_ => PublishAsync(channel, cancellationToken))];
        Assert.DoesNotContain(waiting, task => task.IsCompleted);
        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => PublishAsync(channel, default).InTime());
        Assert.Equal((AmqpPublishFailure.Overflow, "key"), (error.Failure, error.RoutingKey));
        Assert.Contains("100 messages already wait", error.Message, StringComparison.Ordinal);
        return waiting;
    }

    private static Task PublishAsync(AmqpChannel channel, CancellationToken cancellationToken) =>
        channel.PublishAsync("", "key", "message", cancellationToken).AsTask();

    private static async Task UntilDownAsync(AmqpConnection connection)
    {
        while (connection.IsOpen)
        {
            await Task.Delay(1);
        }
    }
}
