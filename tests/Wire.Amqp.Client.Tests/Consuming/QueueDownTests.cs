using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>What a broker says of a queue that is there and does not answer: 404, as of one that is missing.</summary>
public sealed class QueueDownTests
{
    private const string Down = "NOT_FOUND - home node 'rabbit@one' of durable queue 'queue' in vhost '/' is down or inaccessible";

    // Each as RabbitMQ says it, from 3.10 to 4.3.
    public static TheoryData<string> Texts =>
    [
        Down,
        "NOT_FOUND - failed to perform operation on queue 'queue' in vhost '/' due to timeout",
        "NOT_FOUND - queue 'queue' in vhost '/' process is stopped by supervisor",
        "NOT_FOUND - queue 'queue' in vhost '/' has crashed and failed to restart",
    ];

    [Theory]
    [MemberData(nameof(Texts))]
    public async Task A_consumer_waits_for_it_and_tells_of_it(string text)
    {
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await BeginAsync(peer, number);
            if (number == 0)
            {
                return;
            }

            for (int i = 0; i < 3; i++)
            {
                ushort refused = await peer.OpenChannelAsync();
                await peer.ExpectAsync<BasicConsume>();
                await RefuseAsync(peer, refused, text);
            }

            ushort channel = await peer.OpenChannelAsync();
            await peer.ExpectAsync<BasicConsume>();
            await peer.SendAsync(
                AmqpPeer.FrameOf(channel, new BasicConsumeOk { ConsumerTag = "tag" }),
                AmqpPeer.FrameOf(channel, new BasicDeliver { ConsumerTag = "tag", DeliveryTag = 1, RoutingKey = "queue" }),
                AmqpPeer.HeaderOf(channel, 0));
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime();
        ConcurrentQueue<Exception> told = [];
        var all = new Countdown(3);
        connection.RecoveryFailed += error =>
        {
            told.Enqueue(error);
            all.Signal();
        };
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        var come = new Countdown(1);
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", _ =>
        {
            come.Signal();
            return default;
        }, new AmqpConsumeOptions { ConsumerTag = "tag", NoAck = true }).InTime();
        await come.Task.InTime();
        Assert.False(consumer.Ended.IsCompleted);
        await all.Task.InTime();
        Assert.All(told, error => Assert.Contains(text, Assert.IsType<AmqpConsumerException>(error).Message, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_consumer_does_not_keep_its_channel_waiting_for_longer_than_a_call_may_take()
    {
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await BeginAsync(peer, number);
            if (number == 0)
            {
                return;
            }

            // At last it is opened without the consumer, for the call that waits.
            while (true)
            {
                await peer.OpenChannelAsync();
                (ushort channel, MethodId? method) = await peer.NextMethodAsync();
                if (method != BasicConsume.Id)
                {
                    Assert.Equal(BasicQos.Id, method);
                    await peer.SendAsync(channel, new BasicQosOk());
                    await peer.CloseAsync();
                    return;
                }

                await RefuseAsync(peer, channel, Down);
            }
        });
        AmqpConnectionOptions options = broker.Recovering() with { CallTimeout = TimeSpan.FromSeconds(1) };
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        AmqpConsumer consumer =
            await channel.ConsumeAsync("queue", static _ => default, new AmqpConsumeOptions { ConsumerTag = "tag" }).InTime();
        AmqpConsumerException error = await Assert.ThrowsAsync<AmqpConsumerException>(() => consumer.Ended.InTime());
        Assert.Contains("is down or inaccessible", error.Message, StringComparison.Ordinal);
        await channel.SetPrefetchAsync(1).InTime();
    }

    // In all, longer than the connection would be tried to be recovered.
    [Theory]
    [InlineData(404, Down)]
    [InlineData(405, "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'queue' in vhost '/'")]
    public async Task The_connection_and_its_other_channels_do_not_wait_for_it(ushort code, string text)
    {
        // Time enough for the connection to come back on a busy machine.
        var giveUp = TimeSpan.FromSeconds(4);
        var lose = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool isBack = false;
        int connections = 0;
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            Interlocked.Increment(ref connections);
            await peer.GreetAsync();
            while (true)
            {
                (ushort channel, MethodId? method) = await peer.NextMethodAsync();
                await peer.AnswerOpeningAsync(channel, method);
                switch (method)
                {
                    case MethodId.BasicPublish:
                        await peer.SendAsync(channel, new BasicAck { DeliveryTag = 1 });
                        break;
                    case MethodId.BasicConsume when number > 0 && !Volatile.Read(ref isBack):
                        await peer.SendAsync(channel, new ChannelClose { ReplyCode = code, ReplyText = text });
                        break;
                    case MethodId.BasicConsume:
                        await peer.SendAsync(
                            AmqpPeer.FrameOf(channel, new BasicConsumeOk { ConsumerTag = "tag" }),
                            AmqpPeer.FrameOf(channel, new BasicDeliver { ConsumerTag = "tag", DeliveryTag = 1, RoutingKey = "queue" }),
                            AmqpPeer.HeaderOf(channel, 0));
                        if (number == 0)
                        {
                            await lose.Task;
                            peer.Reset();
                            return;
                        }

                        break;
                    case MethodId.ConnectionClose:
                        await peer.SendAsync(0, default(ConnectionCloseOk));
                        return;
                }
            }
        });
        AmqpConnectionOptions options = broker.Recovering();
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(options with { Recovery = options.Recovery with { GiveUpAfter = giveUp } }).InTime();
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Recovered += recovered.SetResult;
        AmqpChannel beside = await connection.OpenChannelAsync().InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        var come = new Countdown(int.MaxValue);
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", _ =>
        {
            come.Signal();
            return default;
        }, new AmqpConsumeOptions { ConsumerTag = "tag", NoAck = true }).InTime();
        await come.ReachedAsync(1);
        lose.SetResult();
        await recovered.Task.InTime();
        await beside.PublishBytesAsync(new BasicPublish { RoutingKey = "queue" }, default, "body"u8.ToArray()).AsTask().InTime();
        await Task.Delay(2 * giveUp);
        Assert.True(connection.IsOpen);
        Assert.False(consumer.Ended.IsCompleted);
        Task waiting = channel.PublishBytesAsync(new BasicPublish { RoutingKey = "queue" }, default, "body"u8.ToArray()).AsTask();
        Assert.False(waiting.IsCompleted);
        Volatile.Write(ref isBack, true);
        await come.ReachedAsync(2);
        await waiting.InTime();
        Assert.Equal(2, connections);
    }

    [Fact]
    public async Task It_is_found_to_be_down_and_not_to_be_missing()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            foreach (string text in (string[])[Down, "NOT_FOUND - no queue 'queue' in vhost '/'"])
            {
                await peer.AnswerAsync<ChannelOpen, ChannelOpenOk>();
                await RefuseAsync(peer, await peer.ExpectAsync<QueueDeclare>(), text);
            }

            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        AmqpChannelException error =
            await Assert.ThrowsAsync<AmqpChannelException>(() => channel.Topology.FindQueueAsync("queue").InTime());
        Assert.Equal(404, error.Reason.ReplyCode);
        Assert.Null(await channel.Topology.FindQueueAsync("queue").InTime());
    }

    // The first connection is lost when its consumer has begun.
    private static async Task BeginAsync(AmqpPeer peer, int number)
    {
        await peer.GreetAsync();
        if (number == 0)
        {
            ushort channel = await peer.OpenChannelAsync();
            await peer.ExpectAsync<BasicConsume>();
            await peer.SendAsync(channel, new BasicConsumeOk { ConsumerTag = "tag" });
            peer.Reset();
        }
    }

    private static async Task RefuseAsync(AmqpPeer peer, ushort channel, string text)
    {
        await peer.SendAsync(channel, new ChannelClose { ReplyCode = 404, ReplyText = text });
        await peer.ExpectAsync<ChannelCloseOk>();
    }
}
