using System.Buffers;
using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>Handlers on the thread pool, and what a broker hears of their messages, frame by frame.</summary>
public sealed class ConcurrencyTests
{
    private const string Tag = "tag";
    private static readonly AmqpConsumeOptions Two = new() { ConsumerTag = Tag, Concurrency = 2 };
    private static readonly AmqpConsumeOptions Four = new() { ConsumerTag = Tag, Concurrency = 4 };

    [Fact]
    public async Task Handlers_that_block_hold_nothing_up_but_the_messages_behind_them()
    {
        await using var server = new AmqpServer();
        await using AmqpConnection connection = await server.ConnectAsync();
        AmqpChannel channel = await connection.OpenChannelAsync();
        using var leave = new ManualResetEventSlim();
        using var entered = new CountdownEvent(2);
        var done = new Countdown(10);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                if (delivery.DeliveryTag <= 2)
                {
                    entered.Signal();
                    leave.Wait(Patience.Limit);
                }

                done.Signal();
                return default;
            },
            Two).InTime();
        await server.SendAsync((output, number, _) => output.Write(Deliveries(number, 1, 10)));
        Assert.True(entered.Wait(Patience.Limit));

        // What the broker answers and confirms goes through the loop that receives.
        await channel.Topology.DeclareQueueAsync("other").InTime();
        await channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = "other" }, default, new byte[1]).AsTask().InTime();
        Assert.False(done.Task.IsCompleted);
        leave.Set();
        await done.Task.InTime();
        await consumer.DisposeAsync().AsTask().InTime();
    }

    [Fact]
    public async Task When_it_is_disposed_of_what_has_not_begun_goes_back_before_the_handlers_have_ended()
    {
        var returned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LoopbackServer server = Serve(async (peer, channel) =>
        {
            await peer.SendAsync(Deliveries(channel, 1, 5));
            await peer.AnswerAsync<BasicCancel, BasicCancelOk>(new BasicCancelOk { ConsumerTag = Tag });
            foreach (ulong tag in (ulong[])[3, 4, 5])
            {
                BasicReject reject = await peer.ReadAsync<BasicReject>();
                Assert.Equal((tag, true), (reject.DeliveryTag, reject.Requeue));
            }

            returned.SetResult();
            Assert.Equal((2ul, true), TagOf(await peer.ReadAsync<BasicAck>()));
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(LongDelay(100)).InTime();
        var gate = new Gate(2);
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", gate.HandleAsync, Two).InTime();
        await gate.Entered.InTime();
        Task disposal = consumer.DisposeAsync().AsTask();
        await returned.Task.InTime();
        Assert.False(disposal.IsCompleted);

        // Both are told together, and before the disposal has ended, however long they might be held.
        gate.Leave();
        await disposal.InTime();
        await consumer.Completion.InTime();
        Assert.Equal([1ul, 2ul], gate.Seen.Order());
    }

    [Fact]
    public async Task Without_acknowledgements_what_has_come_is_handled()
    {
        await using LoopbackServer server = Serve(async (peer, channel) =>
        {
            await peer.SendAsync(Deliveries(channel, 1, 5));
            await peer.AnswerAsync<BasicCancel, BasicCancelOk>(new BasicCancelOk { ConsumerTag = Tag });
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(LongDelay(100)).InTime();
        var gate = new Gate(2);
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", gate.HandleAsync, Two with { NoAck = true }).InTime();
        await gate.Entered.InTime();
        Task disposal = consumer.DisposeAsync().AsTask();
        gate.Leave();
        await disposal.InTime();
        Assert.Equal([1ul, 2ul, 3ul, 4ul, 5ul], gate.Seen.Order());
    }

    [Fact]
    public async Task When_the_broker_cancels_it_what_has_not_begun_goes_back_and_it_ends_with_the_last_handler()
    {
        var returned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LoopbackServer server = Serve(async (peer, channel) =>
        {
            await peer.SendAsync(Deliveries(channel, 1, 3));
            await begun.Task.InTime();
            await peer.SendAsync(AmqpPeer.FrameOf(channel, new BasicCancel { ConsumerTag = Tag, NoWait = true }));
            BasicReject reject = await peer.ReadAsync<BasicReject>();
            Assert.Equal((3ul, true), (reject.DeliveryTag, reject.Requeue));
            returned.SetResult();
            Assert.Equal((2ul, true), TagOf(await peer.ReadAsync<BasicAck>()));
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(LongDelay(100)).InTime();
        var gate = new Gate(2);
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", gate.HandleAsync, Two).InTime();
        await gate.Entered.InTime();
        begun.SetResult();
        await returned.Task.InTime();
        Assert.False(consumer.Completion.IsCompleted);
        gate.Leave();
        await Assert.ThrowsAsync<AmqpConsumerException>(() => consumer.Completion.InTime());
        Assert.Equal([1ul, 2ul], gate.Seen.Order());
    }

    [Theory]
    [InlineData(100, 25)]
    [InlineData(8, 2)]
    [InlineData(2, 1)]
    public async Task Acknowledgements_are_held_until_they_are_a_quarter_of_what_the_broker_sends_ahead(ushort prefetch, int quarter)
    {
        var told = new TaskCompletionSource<(ulong, bool)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LoopbackServer server = Serve(async (peer, channel) =>
        {
            await peer.SendAsync(Deliveries(channel, 1, prefetch));
            told.SetResult(TagOf(await peer.ReadAsync<BasicAck>()));
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(LongDelay(prefetch)).InTime();
        var gate = new Gate(prefetch);
        AmqpConsumeOptions options = Two with { Concurrency = prefetch, AcknowledgeWhenHandled = false };
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", gate.HandleAsync, options).InTime();
        await gate.Entered.InTime();
        for (int tag = 1; tag < quarter; tag++)
        {
            channel.Ack((ulong)tag);
        }

        // What is told too early is told by now.
        await Task.Delay(50);
        channel.Ack((ulong)quarter);
        Assert.Equal(((ulong)quarter, quarter > 1), await told.Task.InTime());
        gate.Leave();
        Assert.False(consumer.Completion.IsCompleted);
    }

    [Theory]
    [InlineData(20, 3)]
    [InlineData(20, 2)]
    [InlineData(0, 3)]
    public async Task Acknowledgements_are_held_no_longer_than_they_may(int milliseconds, int count)
    {
        var told = new TaskCompletionSource<(ulong, bool)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LoopbackServer server = Serve(async (peer, channel) =>
        {
            await peer.SendAsync(Deliveries(channel, 1, count));
            told.SetResult(TagOf(await peer.ReadAsync<BasicAck>()));
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannelOptions options = LongDelay(100) with { AckDelay = TimeSpan.FromMilliseconds(milliseconds) };
        AmqpChannel channel = await connection.OpenChannelAsync(options).InTime();
        var gate = new Gate(count);
        await channel.ConsumeAsync("queue", gate.HandleAsync, Four with { AcknowledgeWhenHandled = false }).InTime();
        await gate.Entered.InTime();
        channel.Ack(2, multiple: true);
        Assert.Equal((2ul, true), await told.Task.InTime());
        gate.Leave();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_is_held_goes_before_the_channel_and_the_connection_close(bool isConnection)
    {
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            ushort channel = await ConsumeAsync(peer);
            await peer.SendAsync(Deliveries(channel, 1, 3));
            Assert.Equal((2ul, true), TagOf(await peer.ReadAsync<BasicAck>()));
            if (!isConnection)
            {
                await peer.AnswerAsync<ChannelClose, ChannelCloseOk>();
            }

            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(LongDelay(100)).InTime();
        var gate = new Gate(3);
        await channel.ConsumeAsync("queue", gate.HandleAsync, Four with { AcknowledgeWhenHandled = false }).InTime();
        await gate.Entered.InTime();
        channel.Ack(1);
        channel.Ack(2);
        IAsyncDisposable closed = isConnection ? connection : channel;
        await closed.DisposeAsync().AsTask().InTime();
        gate.Leave();
    }

    [Fact]
    public async Task What_is_out_of_range_is_refused()
    {
        await using var server = new AmqpServer();
        await using AmqpConnection connection = await server.ConnectAsync();
        foreach (TimeSpan delay in (TimeSpan[])[TimeSpan.FromTicks(-1), TimeSpan.FromDays(1) + TimeSpan.FromTicks(1)])
        {
            var options = new AmqpChannelOptions { AckDelay = delay };
            await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => connection.OpenChannelAsync(options));
        }

        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { AckDelay = TimeSpan.FromDays(1) }).InTime();
        var none = new AmqpConsumeOptions { Concurrency = -1 };
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => channel.ConsumeAsync("queue", static _ => default, none));
    }

    private static byte[] Deliveries(ushort channel, ulong first, int count)
    {
        var output = new ArrayBufferWriter<byte>();
        var method = new BasicDeliver { ConsumerTag = Tag, Exchange = "", RoutingKey = "queue" };
        for (ulong tag = first; tag < first + (ulong)count; tag++)
        {
            method.DeliveryTag = tag;
            FrameWriter.Write(output, channel, in method);
            FrameWriter.WriteContentHeader(output, channel, 0, default(BasicProperties));
        }

        return output.WrittenSpan.ToArray();
    }

    private static AmqpChannelOptions LongDelay(ushort prefetch) =>
        new() { Confirms = false, Prefetch = prefetch, AckDelay = TimeSpan.FromDays(1) };

    private static (ulong Tag, bool Multiple) TagOf(BasicAck ack) => (ack.DeliveryTag, ack.Multiple);

    private static async Task<ushort> ConsumeAsync(AmqpPeer peer)
    {
        await peer.OpenChannelAsync(confirms: false);
        return await peer.AnswerAsync<BasicConsume, BasicConsumeOk>(new BasicConsumeOk { ConsumerTag = Tag });
    }

    // What a test says once there is a consumer, and then the end of the connection.
    private static LoopbackServer Serve(Func<AmqpPeer, ushort, Task> serve) => AmqpServers.Scripted(async (peer, _) =>
    {
        await peer.GreetAsync();
        await serve(peer, await ConsumeAsync(peer));
        await peer.CloseAsync();
    });

    /// <summary>Handlers that wait, once so many have begun.</summary>
    private sealed class Gate(int count)
    {
        private readonly TaskCompletionSource _leave = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Countdown _entered = new(count);

        public ConcurrentQueue<ulong> Seen { get; } = [];

        public Task Entered => _entered.Task;

        public void Leave() => _leave.SetResult();

        public async ValueTask HandleAsync(AmqpDelivery delivery)
        {
            Seen.Enqueue(delivery.DeliveryTag);
            _entered.Signal();
            await _leave.Task;
        }
    }
}
