using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Channels;

/// <summary>
/// A channel that the broker closes while more is on its way to it: it ends alone, and its number belongs to no other meanwhile.
/// </summary>
public sealed class LateFramesTests
{
    [Fact]
    public async Task What_follows_the_close_is_dropped_and_counted_and_the_next_channel_has_another_number()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.PublishedAsync();
            await peer.SendAsync([Closing(1), .. Late(1)]);
            await peer.ExpectAsync<ChannelCloseOk>();
            Assert.Equal(2, await peer.OpenChannelAsync(behind: _ => [.. Late(1).SelectMany(frame => frame)]));
            await peer.PublishedAsync();
            await peer.SendAsync(2, new BasicAck { DeliveryTag = 1 });
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel first = await connection.OpenChannelAsync().InTime();
        int returned = 0;
        first.Returned += _ => returned++;
        await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(first, "missing").InTime());
        Assert.Equal(404, (await Assert.ThrowsAsync<AmqpChannelException>(() => first.Completion.InTime())).Reason.ReplyCode);
        AmqpChannel second = await connection.OpenChannelAsync().InTime();
        await Publish(second, "").InTime();
        Assert.Equal(0, returned);
        Assert.Equal(2 * Late(1).Length, connection.LateFrames);
        Assert.True(connection.IsOpen);
    }

    [Fact]
    public async Task A_number_that_has_to_be_used_again_has_what_follows_only_when_the_broker_has_opened_it()
    {
        var opening = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.PublishedAsync();
            await peer.SendAsync(Closing(1));
            await peer.ExpectAsync<ChannelCloseOk>();
            await peer.ExpectAsync<ChannelOpen>();
            await peer.SendAsync([.. Late(1), Closing(1), AmqpPeer.FrameOf(1, new ChannelOpenOk())]);
            await peer.AnswerAsync<BasicQos, BasicQosOk>();
            await peer.AnswerAsync<ConfirmSelect, ConfirmSelectOk>();
            await peer.PublishedAsync();
            await opening.Task;
            await peer.SendAsync(1, new BasicAck { DeliveryTag = 1 });
            await peer.CloseAsync();
        });
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(broker.Options() with { RequestedChannelMax = 1 }).InTime();
        AmqpChannel first = await connection.OpenChannelAsync().InTime();
        await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(first, "missing").InTime());
        AmqpChannel second = await connection.OpenChannelAsync().InTime();
        Task published = Publish(second, "");
        Assert.Equal(Late(1).Length + 1, connection.LateFrames);
        Assert.Equal(1, second.InFlight);
        opening.SetResult();
        await published.InTime();
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.OpenChannelAsync().InTime());
    }

    [Fact]
    public async Task Numbers_that_were_used_come_last_and_the_first_of_them_first()
    {
        await using TestLink link = await TestLink.ConnectAsync(options => options with { RequestedChannelMax = 4 });
        AmqpChannel[] channels = new AmqpChannel[4];
        for (int i = 0; i < channels.Length; i++)
        {
            channels[i] = await link.Connection.OpenChannelAsync().InTime();
        }

        foreach (int i in (int[])[2, 0, 1])
        {
            await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channels[i], Broker.UniqueName()).InTime());
        }

        await channels[3].DisposeAsync().AsTask().InTime();
        ushort[] numbers = new ushort[4];
        for (int i = 0; i < numbers.Length; i++)
        {
            numbers[i] = (await link.Connection.Link!.OpenChannelAsync(CancellationToken.None).InTime()).Number;
        }

        Assert.Equal([3, 1, 2, 4], numbers);
    }

    // The broker sends the close from elsewhere than the deliveries, of which some follow it nearly always.
    [Theory]
    [InlineData(2047)]
    [InlineData(2)]
    public async Task Channels_that_consume_and_are_closed_leave_their_connection_as_it_is(int channelMax)
    {
        const int Rounds = 15;
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = (await tested.Channel.Topology.DeclareQueueAsync(Broker.UniqueName()).InTime()).Name;
        byte[] body = new byte[500];
        await Task.WhenAll(Enumerable.Range(0, 5000).Select(_ =>
            tested.Channel.PublishBytesAsync(new BasicPublish { RoutingKey = queue }, default, body).AsTask())).InTime();

        AmqpConnectionOptions options = TestChannel.Options with { Recovery = RecoveryOptions.Off, RequestedChannelMax = channelMax };
        var lost = new ConcurrentQueue<Exception>();
        long late = 0;
        for (int i = 0; i < Rounds; i++)
        {
            await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options).InTime();
            connection.Lost += lost.Enqueue;
            AmqpChannel beside = await connection.OpenChannelAsync().InTime();
            AmqpChannel channel = await connection.OpenChannelAsync(new() { Prefetch = 0, Confirms = false }).InTime();
            AmqpConsumer consumer = await channel.ConsumeAsync(
                queue, delivery => new(Task.Delay(1)), new AmqpConsumeOptions { Concurrency = 1 }).InTime();
            await Publish(channel, Broker.UniqueName()).InTime();
            await Assert.ThrowsAsync<AmqpChannelException>(() => consumer.Completion.InTime());

            // With the same number, where there is no other.
            AmqpChannel next = await connection.OpenChannelAsync().InTime();
            await Publish(next, "").InTime();
            await Publish(beside, "").InTime();
            late += connection.LateFrames;
            Assert.True(connection.IsOpen);
        }

        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        Assert.Empty(lost);
        Assert.NotEqual(0, late);
    }

    private static byte[] Closing(ushort channel) =>
        AmqpPeer.FrameOf(channel, new ChannelClose { ReplyCode = 404, ReplyText = "NOT_FOUND - no exchange 'missing' in vhost '/'" });

    // A message with a body, one that was cut from its beginning, a confirm, a return, an answer and an end of a consumer.
    private static byte[][] Late(ushort channel) =>
    [
        AmqpPeer.HeaderOf(channel, 5),
        AmqpPeer.FrameOf(channel, new BasicDeliver { ConsumerTag = "tag", DeliveryTag = 1 }),
        AmqpPeer.HeaderOf(channel, 0),
        AmqpPeer.FrameOf(channel, new BasicAck { DeliveryTag = 1, Multiple = true }),
        AmqpPeer.FrameOf(channel, new BasicReturn { ReplyCode = 312, ReplyText = "NO_ROUTE" }),
        AmqpPeer.HeaderOf(channel, 0),
        AmqpPeer.FrameOf(channel, new QueueDeclareOk { Queue = "queue" }),
        AmqpPeer.FrameOf(channel, new BasicCancel { ConsumerTag = "tag" }),
        AmqpPeer.FrameOf(channel, new ChannelCloseOk()),
    ];

    private static Task Publish(AmqpChannel channel, string exchange) =>
        channel.PublishBytesAsync(new BasicPublish { Exchange = exchange, RoutingKey = "nobody" }, default, "body"u8.ToArray()).AsTask();
}
