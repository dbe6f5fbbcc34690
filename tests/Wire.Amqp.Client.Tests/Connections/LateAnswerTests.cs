using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>What has been reported of other clients when a broker answers late, or goes while something is on its way.</summary>
public sealed class LateAnswerTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(300);

    private static readonly BasicPublish To = new() { Exchange = "", RoutingKey = "queue" };

    // https://github.com/rabbitmq/rabbitmq-dotnet-client/issues/1993
    [Fact]
    public async Task A_consumer_whose_start_is_answered_late_in_recovery_gets_its_messages_once_and_nothing_else_suffers()
    {
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var answer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var lose = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            await peer.ExpectAsync<BasicConsume>();
            if (number == 0)
            {
                await peer.SendAsync(channel, new BasicConsumeOk { ConsumerTag = "late" });
                await lose.Task;
                peer.Reset();
                return;
            }

            asked.SetResult();
            await answer.Task;

            // A delivery may come right behind the answer.
            await peer.SendAsync(
                AmqpPeer.FrameOf(channel, new BasicConsumeOk { ConsumerTag = "late" }), Delivery(channel, 1), Delivery(channel, 2));
            byte[] waited = await peer.PublishedAsync();
            Assert.Equal([7], waited);
            await peer.SendAsync(channel, new BasicAck { DeliveryTag = 1 });
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime();
        ConcurrentQueue<Exception> failures = [];
        connection.RecoveryFailed += failures.Enqueue;
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        ConcurrentQueue<ulong> handled = [];
        var done = new Countdown(2);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                handled.Enqueue(delivery.DeliveryTag);
                done.Signal();
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = "late", NoAck = true }).InTime();
        lose.SetResult();
        await asked.Task.InTime();
        Task waiting = channel.PublishBytesAsync(in To, default, new byte[] { 7 }).AsTask();
        await Task.Delay(Short);
        Assert.False(waiting.IsCompleted);
        answer.SetResult();
        await done.Task.InTime();
        await waiting.InTime();
        Assert.Equal([1UL, 2UL], handled);
        Assert.Empty(failures);
        Assert.False(consumer.Ended.IsCompleted);
    }

    // https://github.com/rabbitmq/rabbitmq-dotnet-client/issues/2014
    [Fact]
    public async Task A_consumer_whose_start_is_not_answered_in_recovery_is_started_on_another_connection_and_not_left_out()
    {
        var lose = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int starts = 0;
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            await peer.ExpectAsync<BasicConsume>();
            Interlocked.Increment(ref starts);
            switch (number)
            {
                case 0:
                    await peer.SendAsync(channel, new BasicConsumeOk { ConsumerTag = "late" });
                    await lose.Task;
                    peer.Reset();
                    break;
                case 1:
                    // It has heard, and says nothing.
                    await peer.DrainAsync();
                    break;
                default:
                    await peer.SendAsync(
                        AmqpPeer.FrameOf(channel, new BasicConsumeOk { ConsumerTag = "late" }), Delivery(channel, 1));
                    await over.Task;
                    peer.Reset();
                    break;
            }
        });
        AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering() with { CallTimeout = Short }).InTime();
        ConcurrentQueue<Exception> failures = [];
        connection.RecoveryFailed += failures.Enqueue;
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        var done = new Countdown(1);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            "queue",
            _ =>
            {
                done.Signal();
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = "late" }).InTime();
        lose.SetResult();
        await done.Task.InTime();
        Assert.Equal(3, Volatile.Read(ref starts));
        Assert.Contains("has not answered BasicConsume within 0.3 s", Assert.Single(failures).Message, StringComparison.Ordinal);
        Assert.False(consumer.Ended.IsCompleted);
        over.SetResult();
        await connection.DisposeAsync().AsTask().InTime();
    }

    // https://github.com/rabbitmq/rabbitmq-dotnet-client/issues/1930
    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task No_publish_hangs_whose_broker_stops_reading_goes_and_comes_back(FrameWriting writing)
    {
        const int Count = 64;
        var full = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            if (number is 1 or 2)
            {
                // Not up yet.
                peer.Reset();
                return;
            }

            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            if (number == 0)
            {
                await full.Task;
                peer.Reset();
                return;
            }

            try
            {
                for (ulong tag = 1; ; tag++)
                {
                    await peer.PublishedAsync();
                    await peer.SendAsync(channel, new BasicAck { DeliveryTag = tag });
                }
            }
            catch (AmqpFormatException e) when (e.Message.Contains("found ConnectionClose", StringComparison.Ordinal))
            {
                await peer.SendAsync(0, default(ConnectionCloseOk));
            }
        });
        AmqpConnection connection = await AmqpConnection.ConnectAsync(
            broker.Recovering() with { Writing = writing }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        byte[] body = new byte[1 << 20];
        Task[] publishing = [.. Enumerable.Range(0, Count).Select(_ => Task.Run(
            () => channel.PublishBytesAsync(in To, default, body).AsTask()))];
        await Task.Delay(Short);
        Assert.Contains(publishing, task => !task.IsCompleted);
        full.SetResult();
        await Task.WhenAll(publishing.Select(task => task.ContinueWith(
            static ended => _ = ended.Exception, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default))).InTime();
        Assert.All(publishing, task => Assert.True(
            task.IsCompletedSuccessfully
            || task.Exception!.InnerException is AmqpPublishException { Failure: AmqpPublishFailure.Unconfirmed }));
        await channel.PublishBytesAsync(in To, default, body).AsTask().InTime();
        await connection.DisposeAsync().AsTask().InTime();
    }

    // https://github.com/rabbitmq/rabbitmq-dotnet-client/issues/1750
    [Theory]
    [InlineData("declare")]
    [InlineData("exchange")]
    [InlineData("bind")]
    [InlineData("purge")]
    [InlineData("delete")]
    [InlineData("prefetch")]
    [InlineData("publish")]
    public async Task A_call_that_is_cancelled_leaves_the_channel_to_the_others_whose_answers_are_their_own(string what)
    {
        var answer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            byte[] late = await LateAsync(peer, channel, what);
            await peer.ExpectAsync<QueueDeclare>();
            await answer.Task;
            await peer.SendAsync(late, AmqpPeer.FrameOf(channel, new QueueDeclareOk { Queue = "second", MessageCount = 2 }));
            await peer.PublishedAsync();
            await peer.SendAsync(channel, new BasicAck { DeliveryTag = what == "publish" ? 2UL : 1 });
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        using var source = new CancellationTokenSource();
        Task cancelled = CallAsync(channel, what, source.Token);
        Task<AmqpQueueInfo> second = channel.Topology.DeclareQueueAsync("second");
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.InTime());
        Assert.True(connection.IsOpen);
        answer.SetResult();
        Assert.Equal(new AmqpQueueInfo("second", 2, 0), await second.InTime());
        await channel.PublishBytesAsync(in To, default, new byte[] { 1 }).AsTask().InTime();
        Assert.True(channel.IsOpen);
    }

    private static Task CallAsync(AmqpChannel channel, string what, CancellationToken token) => what switch
    {
        "declare" => channel.Topology.DeclareQueueAsync("first", cancellationToken: token),
        "exchange" => channel.Topology.DeclareExchangeAsync("first", "direct", cancellationToken: token),
        "bind" => channel.Topology.BindQueueAsync("first", "exchange", "key", cancellationToken: token),
        "purge" => channel.Topology.PurgeQueueAsync("first", token),
        "delete" => channel.Topology.DeleteQueueAsync("first", cancellationToken: token),
        "prefetch" => channel.SetPrefetchAsync(5, token),
        _ => channel.PublishBytesAsync(in To, default, new byte[] { 9 }, cancellationToken: token).AsTask(),
    };

    // Reads what was asked, and returns the answer to it.
    private static async Task<byte[]> LateAsync(AmqpPeer peer, ushort channel, string what)
    {
        switch (what)
        {
            case "declare":
                await peer.ExpectAsync<QueueDeclare>();
                return AmqpPeer.FrameOf(channel, new QueueDeclareOk { Queue = "first", MessageCount = 1 });
            case "exchange":
                await peer.ExpectAsync<ExchangeDeclare>();
                return AmqpPeer.FrameOf(channel, default(ExchangeDeclareOk));
            case "bind":
                await peer.ExpectAsync<QueueBind>();
                return AmqpPeer.FrameOf(channel, default(QueueBindOk));
            case "purge":
                await peer.ExpectAsync<QueuePurge>();
                return AmqpPeer.FrameOf(channel, new QueuePurgeOk { MessageCount = 1 });
            case "delete":
                await peer.ExpectAsync<QueueDelete>();
                return AmqpPeer.FrameOf(channel, new QueueDeleteOk { MessageCount = 1 });
            case "prefetch":
                await peer.ExpectAsync<BasicQos>();
                return AmqpPeer.FrameOf(channel, default(BasicQosOk));
            default:
                await peer.PublishedAsync();
                return AmqpPeer.FrameOf(channel, new BasicAck { DeliveryTag = 1 });
        }
    }

    private static byte[] Delivery(ushort channel, ulong tag) =>
    [
        .. AmqpPeer.FrameOf(channel, new BasicDeliver { ConsumerTag = "late", DeliveryTag = tag, RoutingKey = "queue" }),
        .. AmqpPeer.HeaderOf(channel, 0),
    ];
}
