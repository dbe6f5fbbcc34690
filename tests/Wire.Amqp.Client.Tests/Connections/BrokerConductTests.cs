using System.Collections.Concurrent;
using System.Diagnostics;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;
using Wire.Transport.Recovery;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>What a connection does with a broker that is odd, slow or worse: one clear error, and nothing hangs.</summary>
public sealed class BrokerConductTests
{
    public static TheoryData<string, byte[], string> Nonsense => new()
    {
        { "no frames", [.. "HTTP/1.1 400 Bad Request\r\n\r\n"u8], "not AMQP 0-9-1" },
        { "no such channel", AmqpPeer.FrameOf(7, new BasicCancelOk { ConsumerTag = "tag" }), "channel 7, which is not open" },
        { "an answer to nothing", AmqpPeer.FrameOf(1, new QueueDeclareOk { Queue = "queue" }), "Expected no method on channel 1" },
        {
            "a message that nobody has asked for",
            [.. AmqpPeer.FrameOf(1, new BasicGetOk { DeliveryTag = 1 }), .. AmqpPeer.HeaderOf(1, 0)],
            "has no consumer for it"
        },
        { "a header of nothing", AmqpPeer.HeaderOf(1, 5), "not AMQP 0-9-1" },
        { "a method within a message",
        [
            .. AmqpPeer.FrameOf(1, new BasicDeliver { ConsumerTag = "nobody", DeliveryTag = 1 }),
            .. AmqpPeer.FrameOf(1, new BasicAck { DeliveryTag = 1 }),
        ], "not AMQP 0-9-1" },
        { "a method of a channel on none", AmqpPeer.FrameOf(0, new BasicAck { DeliveryTag = 1 }), "Expected a method of the connection" },
    };

    [Theory]
    [MemberData(nameof(Nonsense))]
    public async Task Nonsense_ends_the_connection_with_one_error_that_says_what_was_wrong(string what, byte[] bytes, string error)
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.PublishedAsync();
            await peer.SendAsync(bytes);
            await peer.DrainAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options() with { MaxBodySize = 1000 }).InTime();
        Task<Exception> lost = Lost(connection);
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        Task published = Publish(channel);
        AmqpConnectionException reason = Assert.IsType<AmqpConnectionException>(await lost.InTime());
        Assert.True(reason.Message.Contains(error, StringComparison.Ordinal), $"{what}: {reason.Message}");
        Assert.Contains(
            reason.Message, (await Assert.ThrowsAsync<AmqpPublishException>(() => published.InTime())).Message, StringComparison.Ordinal);
        Assert.Equal(reason.Message, (await Assert.ThrowsAsync<AmqpConnectionException>(() => Publish(channel).InTime())).Message);
    }

    [Fact]
    public async Task The_words_of_a_broker_that_closes_within_a_delivery_are_the_error()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.ExpectAsync<QueueDeclare>();
            await peer.SendAsync(
                AmqpPeer.FrameOf(1, new BasicDeliver { ConsumerTag = "tag", DeliveryTag = 1 }),
                AmqpPeer.HeaderOf(1, 100),
                AmqpPeer.FrameOf(0, new ConnectionClose { ReplyCode = 320, ReplyText = "CONNECTION_FORCED - shutdown" }));
            await peer.DrainAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        Task<Exception> lost = Lost(connection);
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        await Assert.ThrowsAsync<AmqpConnectionException>(() => channel.Topology.DeclareQueueAsync().InTime());
        AmqpConnectionException reason = Assert.IsType<AmqpConnectionException>(await lost.InTime());
        Assert.Equal((320, "CONNECTION_FORCED - shutdown"), (reason.Reason!.ReplyCode, reason.Reason.ReplyText));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_broker_that_never_answers_a_close_is_not_waited_for_longer_than_for_a_connection(bool closesTwice)
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.ExpectAsync<ChannelClose>();
            await peer.ExpectAsync<ConnectionClose>();
            await peer.DrainAsync();
        });
        AmqpConnection connection =
            await AmqpConnection.ConnectAsync(broker.Options() with { ConnectTimeout = TimeSpan.FromSeconds(2) }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        Task first = channel.DisposeAsync().AsTask();
        if (closesTwice)
        {
            await channel.DisposeAsync().AsTask().InTime();
        }

        await first.InTime();
        await connection.DisposeAsync().AsTask().InTime();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connection.OpenChannelAsync().InTime());
    }

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task While_the_broker_blocks_publishes_wait_also_on_a_connection_that_is_blocked_from_its_beginning(FrameWriting writing)
    {
        static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource block = New();
        TaskCompletionSource[] unblock = [New(), New()];
        TaskCompletionSource[] done = [New(), New()];
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync(number == 0 ? [] : AmqpPeer.FrameOf(0, new ConnectionBlocked { Reason = "low on disk" }));
            await peer.OpenChannelAsync();
            if (number == 0)
            {
                await block.Task;
                await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
            }

            await unblock[number].Task;
            await peer.SendAsync(0, new ConnectionUnblocked());
            Assert.Equal([1], await peer.PublishedAsync());
            Assert.Equal([2], await peer.PublishedAsync());
            await peer.SendAsync(1, new BasicAck { DeliveryTag = 2, Multiple = true });
            await done[number].Task;
            peer.Reset();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(
            broker.Recovering() with { Writing = writing, ConnectTimeout = TimeSpan.FromSeconds(3) }).InTime();
        var told = System.Threading.Channels.Channel.CreateUnbounded<string?>();
        connection.Blocked += reason => told.Writer.TryWrite(reason);
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        block.SetResult();
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(i == 0 ? "low on memory" : "low on disk", await told.Reader.ReadAsync().AsTask().InTime());
            Task[] tasks = [Publish(channel, 1), Publish(channel, 2)];
            Assert.DoesNotContain(tasks, task => task.IsCompleted);
            unblock[i].SetResult();
            Assert.Null(await told.Reader.ReadAsync().AsTask().InTime());
            await Task.WhenAll(tasks).InTime();
            if (i == 1)
            {
                await connection.DisposeAsync().AsTask().InTime();
            }

            done[i].SetResult();
        }
    }

    [Fact]
    public async Task A_password_that_is_wrong_after_a_restart_is_told_until_it_is_right()
    {
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            if (number is 1 or 2)
            {
                await peer.StartAsync();
                await peer.SendAsync(0, new ConnectionClose { ReplyCode = 403, ReplyText = "ACCESS_REFUSED - Login was refused" });
                await peer.DrainAsync();
                return;
            }

            await peer.GreetAsync();
            if (number == 0)
            {
                peer.Reset();
                return;
            }

            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime();
        ConcurrentQueue<string> failures = [];
        connection.RecoveryFailed += error => failures.Enqueue(error.Message);
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Recovered += recovered.SetResult;
        await recovered.Task.InTime();
        Assert.Equal(2, failures.Count);
        Assert.All(failures, failure => Assert.Contains("ACCESS_REFUSED", failure, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_channel_that_the_broker_closes_as_it_comes_back_has_ended_and_nothing_waits_for_it()
    {
        for (int i = 0; i < 20; i++)
        {
            var opened = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await using var broker = AmqpServers.Scripted(async (peer, number) =>
            {
                await peer.GreetAsync();
                if (number == 0)
                {
                    await peer.OpenChannelAsync(confirms: false);

                    // A reset takes what the client has not received with it: then its channel is opened by the second connection.
                    await opened.Task.InTime();
                    peer.Reset();
                    return;
                }

                await peer.OpenChannelAsync(
                    confirms: false,
                    behind: channel => AmqpPeer.FrameOf(channel, new ChannelClose { ReplyCode = 406, ReplyText = "PRECONDITION_FAILED" }));
                await peer.DrainAsync();
            });
            await using AmqpConnection connection =
                await AmqpConnection.ConnectAsync(broker.Recovering() with { ConnectTimeout = TimeSpan.FromSeconds(3) }).InTime();
            var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            connection.Recovered += () => recovered.TrySetResult();
            AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false }).InTime();
            opened.SetResult();
            await recovered.Task.InTime();
            Assert.Equal(
                406,
                (await Assert.ThrowsAsync<AmqpChannelException>(() => channel.Topology.PurgeQueueAsync("queue").InTime()))
                    .Reason.ReplyCode);
            Assert.False(channel.IsOpen);
            connection.Link!.Abort(new AmqpConnectionException("The test is over."));
        }
    }

    [Fact]
    public async Task Whoever_writes_inline_may_wait_on_a_thread_whose_context_runs_nothing()
    {
        const int Size = 8 << 20;
        var publishing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();

            // So that the socket takes no more for a while.
            await publishing.Task;
            Assert.Equal(Size, (await peer.PublishedAsync()).Length);
            await peer.SendAsync(1, new BasicAck { DeliveryTag = 1 });
            await peer.CloseAsync();
        });
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(broker.Options() with { Writing = FrameWriting.Inline }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        Task published = Task.CompletedTask;
        var thread = new Thread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new Idle());
            published = channel.PublishBytesAsync(default, default, new byte[Size]).AsTask();
        });
        thread.Start();
        thread.Join();
        publishing.SetResult();
        await published.InTime();
    }

    [Fact]
    public async Task A_connection_with_TLS_that_is_cut_is_made_again()
    {
        using var certificates = new Certificates();
        await using var broker = AmqpServers.Scripted(
            async (peer, number) =>
            {
                await peer.GreetAsync();
                await peer.OpenChannelAsync();
                if (number == 0)
                {
                    await peer.PublishedAsync();
                    peer.Reset();
                    return;
                }

                await peer.PublishedAsync();
                await peer.SendAsync(1, new BasicAck { DeliveryTag = 1 });
                await peer.CloseAsync();
            },
            certificates.Serving());
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(broker.Recovering() with { Tls = certificates.Trusting() }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        Assert.Equal(
            AmqpPublishFailure.Unconfirmed, (await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel).InTime())).Failure);
        await Publish(channel).InTime();
    }

    [Fact]
    public async Task A_pause_before_another_attempt_on_a_link_ends_with_the_link()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            peer.Reset();
        });
        var never = new RecoveryOptions { FirstPause = TimeSpan.FromDays(1), LongestPause = TimeSpan.FromDays(1) };
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        Link link = await Link.ConnectAsync(broker.Options(), broker.Options().Endpoints[0], CancellationToken.None).InTime();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => new Reconnector(never).PauseAsync(link.Gone).InTime());
        Assert.NotNull(link.End);
    }

    private static Task Publish(AmqpChannel channel, params byte[] body) => channel.PublishBytesAsync(default, default, body).AsTask();

    private static Task<Exception> Lost(AmqpConnection connection)
    {
        var lost = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Lost += lost.SetResult;
        return lost.Task;
    }

    private sealed class Idle : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state)
        {
        }
    }
}
