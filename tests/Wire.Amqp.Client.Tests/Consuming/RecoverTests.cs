using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>Messages that are given back all at once, and a prefetch count for all consumers of a channel.</summary>
public sealed class RecoverTests
{
    // RabbitMQ 4.3 reads a count for all consumers as one for each.
    private static bool HasShared => Broker.Node.Version < new Version(4, 3);

    [Fact]
    public async Task What_is_not_settled_comes_again_and_what_is_does_not()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "kept", "acknowledged", "kept too");
        var seen = new ConcurrentQueue<(string Text, bool Redelivered)>();
        var kept = new ConcurrentQueue<AmqpDelivery>();
        var all = new Countdown(6);
        await tested.Channel.ConsumeAsync(
            queue,
            delivery =>
            {
                string text = TestChannel.TextOf(delivery);
                seen.Enqueue((text, delivery.Redelivered));
                if (text == "acknowledged" || delivery.Redelivered)
                {
                    delivery.Ack();
                }
                else
                {
                    delivery.Keep();
                    kept.Enqueue(delivery);
                }

                all.Signal();
                return default;
            }).InTime();
        await all.ReachedAsync(3);
        await tested.Channel.RecoverAsync().InTime();
        await all.ReachedAsync(5);
        Assert.Equal(
            [("kept", false), ("acknowledged", false), ("kept too", false), ("kept", true), ("kept too", true)], seen.ToArray());

        // They mean nothing any more, to the broker neither.
        foreach (AmqpDelivery delivery in kept)
        {
            tested.Channel.Ack(delivery.DeliveryTag);
            delivery.Ack();
            delivery.Dispose();
        }

        await tested.PublishAsync(queue, "acknowledged");
        await all.Task.InTime();
        Assert.Null(await tested.TakeAsync(queue));
    }

    [Fact]
    public async Task What_comes_before_the_answer_is_given_back_and_acknowledgements_go_before_and_not_behind()
    {
        var sent = new TaskCompletionSource();
        var methods = new List<string>();
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            await peer.ExpectAsync<BasicConsume>();
            await peer.SendAsync(
                AmqpPeer.FrameOf(channel, new BasicConsumeOk { ConsumerTag = "tag" }), Message(channel, 1), Message(channel, 2));
            for (int i = 0; i < 2; i++)
            {
                methods.Add($"{(await peer.NextMethodAsync()).Method}");
            }

            await peer.SendAsync(Message(channel, 3), AmqpPeer.FrameOf(channel, default(BasicRecoverOk)), Message(channel, 4));
            methods.Add($"{(await peer.ReadAsync<BasicAck>()).DeliveryTag}");
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { AckDelay = TimeSpan.FromHours(1) }).InTime();
        var tags = new ConcurrentQueue<ulong>();
        var come = new Countdown(3);
        await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                tags.Enqueue(delivery.DeliveryTag);
                come.Signal();
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = "tag", AcknowledgeWhenHandled = false }).InTime();
        await come.ReachedAsync(2);
        channel.Ack(1);
        Task recovered = channel.RecoverAsync();
        channel.Ack(2);
        await recovered.InTime();
        await come.Task.InTime();
        channel.Ack(3);
        channel.Ack(4);
        await connection.DisposeAsync().AsTask().InTime();
        Assert.Equal([1UL, 2, 4], tags.ToArray());
        Assert.Equal(["BasicAck", "BasicRecover", "4"], methods);

        static byte[] Message(ushort channel, ulong tag) =>
        [
            .. AmqpPeer.FrameOf(channel, new BasicDeliver { ConsumerTag = "tag", DeliveryTag = tag }), .. AmqpPeer.HeaderOf(channel, 0),
        ];
    }

    [Fact]
    public async Task Streams_take_nothing_back_which_is_said_before_the_broker_closes_the_connection()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = (await tested.Channel.Topology.DeclareQueueAsync(
            Broker.UniqueName("stream"),
            new AmqpQueueOptions { Arguments = new Dictionary<string, object?> { ["x-queue-type"] = "stream" } }).InTime()).Name;
        var come = new Countdown(3);
        var tags = new ConcurrentQueue<ulong>();
        await tested.Channel.ConsumeAsync(
            queue,
            delivery =>
            {
                tags.Enqueue(delivery.DeliveryTag);
                come.Signal();
                return default;
            },
            new AmqpConsumeOptions
            {
                AcknowledgeWhenHandled = false,
                Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = "first" },
            }).InTime();
        await tested.PublishAsync(queue, "one");
        await come.ReachedAsync(1);
        bool isLost = false;
        tested.Connection.Lost += _ => isLost = true;
        InvalidOperationException e =
            await Assert.ThrowsAsync<InvalidOperationException>(() => tested.Channel.RecoverAsync().InTime());
        Assert.Equal(
            "The channel has had messages of a stream, which takes none back: the broker would close the connection. Settle messages of "
            + "queues one by one, or consume the stream on a channel of its own.",
            e.Message);
        await tested.PublishAsync(queue, "two");
        await come.ReachedAsync(2);
        Assert.False(isLost);

        // What is settled is not taken back either.
        tested.Channel.Ack(tags.Max(), multiple: true);
        await tested.Channel.RecoverAsync().InTime();
        await tested.PublishAsync(queue, "three");
        await come.ReachedAsync(3);
        Assert.False(isLost);
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }

    [Fact]
    public async Task A_quorum_queue_has_no_shared_prefetch_count()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(new AmqpChannelOptions { SharesPrefetch = true });
        string queue = Broker.UniqueName("quorum");
        await tested.Channel.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Quorum).InTime();
        Task<AmqpConsumer> starting = tested.Channel.ConsumeAsync(queue, _ => default);
        if (HasShared)
        {
            Assert.Equal(540, (await Assert.ThrowsAsync<AmqpConnectionException>(() => starting.InTime())).Reason!.ReplyCode);
        }
        else
        {
            Assert.False((await starting.InTime()).HasEnded);
        }

        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }

    [Fact]
    public async Task A_shared_prefetch_count_holds_for_all_consumers_together_and_can_be_changed()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(new AmqpChannelOptions { Prefetch = 3, SharesPrefetch = true });
        string queue = (await tested.Channel.Topology.DeclareQueueAsync(Broker.UniqueName("shared")).InTime()).Name;
        var come = new Countdown(int.MaxValue);
        (int first, int changed, int again) = HasShared ? (3, 5, 5) : (6, 6, 6);
        var kept = new ConcurrentQueue<AmqpDelivery>();
        for (int i = 0; i < 2; i++)
        {
            await tested.Channel.ConsumeAsync(queue, Keep, new AmqpConsumeOptions { AcknowledgeWhenHandled = false }).InTime();
        }

        await tested.PublishAsync(queue, [.. Enumerable.Range(0, 8).Select(i => $"{i}")]);
        await come.ReachedAsync(first);
        Assert.Equal((first, 8 - first), (kept.Count, (int)await tested.CountAsync(queue)));
        await tested.Channel.SetPrefetchAsync(5).InTime();
        await come.ReachedAsync(changed);
        Assert.Equal((changed, 8 - changed), (kept.Count, (int)await tested.CountAsync(queue)));

        // And on the next connection.
        await tested.LoseAsync();
        await come.ReachedAsync(changed + again);
        Assert.Equal((changed + again, 8 - again), (kept.Count, (int)await tested.CountAsync(queue)));
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();

        ValueTask Keep(AmqpDelivery delivery)
        {
            kept.Enqueue(delivery);
            come.Signal();
            return default;
        }
    }
}
