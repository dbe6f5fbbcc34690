using System.Buffers;
using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>What a broker may send, and how much of it is kept: bodies above the limit, and what a broken or hostile one sends.</summary>
[Collection(nameof(RunAlone))]
public sealed class ConsumingLimitsTests
{
    private const string Tag = "consumer";

    private static readonly byte[] EmptyBody = [3, 0, 1, 0, 0, 0, 0, 0xCE];
    private static readonly byte[] OneByte = [3, 0, 1, 0, 0, 0, 1, 0x55, 0xCE];

    [Theory]
    [InlineData(AmqpFailedDelivery.Reject)]
    [InlineData(AmqpFailedDelivery.Requeue)]
    public async Task A_message_that_is_too_large_is_rejected_and_the_others_are_handled(AmqpFailedDelivery onFailure)
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string dead = await tested.QueueAsync();
        string queue = Broker.UniqueName("too large");
        await tested.Channel.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions
        {
            Arguments = new Dictionary<string, object?> { ["x-dead-letter-exchange"] = "", ["x-dead-letter-routing-key"] = dead },
        }).InTime();
        await tested.Channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = queue }, default, new byte[200_000]).AsTask()
            .InTime();
        await tested.PublishAsync(queue, [.. Enumerable.Range(0, 100).Select(i => $"{i}")]);

        await using AmqpConnection small = await AmqpConnection.ConnectAsync(TestChannel.Options with { MaxBodySize = 1000 }).InTime();
        int lost = 0;
        small.Lost += _ => Interlocked.Increment(ref lost);
        AmqpChannel channel = await small.OpenChannelAsync().InTime();
        ConcurrentQueue<string> seen = [];
        ConcurrentQueue<Exception> errors = [];
        var done = new Countdown(101);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            queue,
            delivery =>
            {
                Assert.Equal(delivery.BodySize > 1000, delivery.IsTooLarge);
                seen.Enqueue(TestChannel.TextOf(delivery));
                done.Signal();
                return default;
            },
            new AmqpConsumeOptions
            {
                OnFailure = onFailure,
                OnError = (_, error) =>
                {
                    errors.Enqueue(error);
                    done.Signal();
                },
            }).InTime();
        await done.Task.InTime();
        await consumer.DisposeAsync().AsTask().InTime();

        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), seen);
        AmqpFormatException error = Assert.IsType<AmqpFormatException>(Assert.Single(errors));
        Assert.Equal(AmqpFormatError.TooLarge, error.Error);
        Assert.Contains("200,000 bytes", error.Message, StringComparison.Ordinal);
        Assert.Contains("1,000 bytes", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, lost);

        // As it was published: it is the broker that hands it on.
        using AmqpDelivery? rejected = await tested.Channel.GetAsync(dead, noAck: true).InTime();
        Assert.Equal(200_000, rejected!.Value.Body.Length);
        Assert.Equal(0u, await tested.CountAsync(queue));
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }

    [Fact]
    public async Task A_message_that_is_too_large_is_fetched_without_its_body()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName("too large");
        await tested.Channel.Topology.DeclareQueueAsync(queue).InTime();
        await tested.Channel.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = queue }, new BasicProperties { MessageId = "large" }, new byte[5000]).AsTask()
                .InTime();
        await tested.PublishAsync(queue, "small");
        await using AmqpConnection small = await AmqpConnection.ConnectAsync(TestChannel.Options with { MaxBodySize = 4999 }).InTime();
        AmqpChannel channel = await small.OpenChannelAsync().InTime();
        using (AmqpDelivery large = (await channel.GetAsync(queue).InTime())!.Value)
        {
            Assert.Equal((true, 5000, "large"), (large.IsTooLarge, large.BodySize, large.Properties.MessageId.ToString()));
            Assert.Equal(AmqpFormatError.TooLarge, Assert.Throws<AmqpFormatException>(() => large.Body).Error);
            Assert.Equal(AmqpFormatError.TooLarge, Assert.Throws<AmqpFormatException>(() => large.Read<string>()).Error);
            large.Reject(requeue: false);
        }

        using AmqpDelivery? next = await channel.GetAsync(queue, noAck: true).InTime();
        Assert.Equal(("small", false), (TestChannel.TextOf(next!.Value), next.Value.IsTooLarge));
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }

    [Fact]
    public async Task Bodies_that_are_too_large_or_come_in_next_to_nothing_take_no_more_memory_than_they_have_bytes()
    {
        const int Size = 4 << 20;
        long before = 0;
        long after = 0;
        var received = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await ConsumedAsync(peer);
            before = GC.GetTotalMemory(forceFullCollection: true);

            // One that is passed over, among frames of nothing; then one in single bytes.
            byte[] nothing = Times(EmptyBody, 8192);
            byte[] bytes = Times(OneByte, 8192);
            await peer.SendAsync(Message(1, Size + 1));
            for (int i = 0; i < Size / 8192; i++)
            {
                await peer.Stream.WriteAsync(nothing);
                await peer.Stream.WriteAsync(bytes);
            }

            await peer.SendAsync(OneByte, Message(2, Size));
            for (int i = 0; i < Size / 8192; i++)
            {
                await peer.Stream.WriteAsync(nothing);
                if (i == (Size / 8192) - 1)
                {
                    after = GC.GetTotalMemory(forceFullCollection: true);
                }

                await peer.Stream.WriteAsync(bytes);
            }

            await peer.ExpectAsync<BasicReject>();
            await peer.ExpectAsync<BasicAck>();
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options() with { MaxBodySize = Size }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(NoConfirms).InTime();
        await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                received.TrySetResult(delivery.Body.ToArray());
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = Tag, OnError = (_, _) => { } }).InTime();
        byte[] body = await received.Task.InTime();
        Assert.Equal(Size, body.Length);
        Assert.Equal(-1, body.AsSpan().IndexOfAnyExcept((byte)0x55));
        Assert.InRange(after - before, long.MinValue, 5 * Size);
    }

    [Fact]
    public async Task A_broker_that_does_not_read_its_answers_is_left()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await ConsumedAsync(peer);
            byte[] flow = Times(AmqpPeer.FrameOf(1, new ChannelFlow { Active = true }), 4096);
            await FloodAsync(peer, flow);
        });
        Assert.Contains(
            "Expected the broker to read the answers on channel 1", await LostAsync(broker.Options()), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_broker_that_closes_a_channel_again_and_again_is_answered_once()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await ConsumedAsync(peer);
            await peer.ExpectAsync<ChannelClose>();
            byte[] close = Times(AmqpPeer.FrameOf(1, new ChannelClose { ReplyCode = 406, ReplyText = "again" }), 4096);
            for (int i = 0; i < 100; i++)
            {
                await peer.Stream.WriteAsync(close);
            }

            await peer.ExpectAsync<ChannelCloseOk>();
            await peer.OpenChannelAsync(confirms: false);
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(NoConfirms).InTime();
        await channel.ConsumeAsync("queue", _ => default, new AmqpConsumeOptions { ConsumerTag = Tag }).InTime();
        await channel.DisposeAsync().AsTask().InTime();
        await connection.OpenChannelAsync(NoConfirms).InTime();
        Assert.Equal((100 * 4096) - 1, connection.LateFrames);
    }

    [Theory]
    [InlineData(8000)]
    [InlineData(0)]
    public async Task A_broker_that_sends_far_more_than_the_prefetch_is_left(int size)
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await ConsumedAsync(peer);
            ulong tag = 0;
            await FloodAsync(peer, () => [.. Enumerable.Range(0, 16).SelectMany(_ => Message(++tag, size).Concat(Body(size)))]);
        });
        string reason = await LostAsync(broker.Options() with { MaxBodySize = 1 << 20 });
        Assert.Contains("Expected at most 10 unacknowledged messages on channel 1", reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stream_is_consumed_however_small_the_bodies_that_are_taken()
    {
        const int Messages = 500;
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName("small bodies of a stream");
        await tested.Channel.Topology.DeclareQueueAsync(
            queue, new AmqpQueueOptions { Arguments = new Dictionary<string, object?> { ["x-queue-type"] = "stream" } }).InTime();
        await Task.WhenAll(Enumerable.Range(0, Messages).Select(_ => tested.Channel.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = queue }, default, new byte[10]).AsTask())).InTime();

        await using AmqpConnection small = await AmqpConnection.ConnectAsync(TestChannel.Options with { MaxBodySize = 1000 }).InTime();
        var lost = new ConcurrentQueue<Exception>();
        small.Lost += lost.Enqueue;
        AmqpChannel channel = await small.OpenChannelAsync(NoConfirms).InTime();
        var done = new Countdown(Messages);
        await channel.ConsumeAsync(
            queue,
            async _ =>
            {
                await Task.Delay(1);
                done.Signal();
            },
            new AmqpConsumeOptions
            {
                Concurrency = 1,
                Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = "first" },
            }).InTime();
        await Task.WhenAny(done.Task, Task.Delay(TimeSpan.FromSeconds(15)));
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        Assert.Empty(lost);
        Assert.True(done.Task.IsCompleted);
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public async Task Where_nothing_else_bounds_what_waits_the_broker_is_read_slowly(bool noAck, int concurrency)
    {
        const int Size = 8000;
        long sent = 0;
        bool isEnough = false;
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await ConsumedAsync(peer, prefetch: false);
            for (ulong tag = 0; !Volatile.Read(ref isEnough); Volatile.Write(ref sent, (long)tag))
            {
                await peer.Stream.WriteAsync((byte[])[.. Enumerable.Range(0, 16).SelectMany(_ => Message(++tag, Size).Concat(Body(Size)))]);
            }

            await over.Task;
            peer.Reset();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options() with { MaxBodySize = 1 << 20 }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(NoConfirms with { Prefetch = 0 }).InTime();
        var hold = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ulong handled = 0;
        bool isInOrder = true;
        await channel.ConsumeAsync(
            "queue",
            async delivery =>
            {
                await hold.Task;
                isInOrder &= concurrency == 0 || delivery.DeliveryTag == handled + 1;
                Interlocked.Increment(ref handled);
            },
            new AmqpConsumeOptions { ConsumerTag = Tag, NoAck = noAck, Concurrency = concurrency }).InTime();
        await Task.Delay(2000);

        // As much as the limit, what the sockets hold, and a few reads.
        Assert.InRange(Volatile.Read(ref sent) * Size, 1 << 20, 40 << 20);
        Assert.True(connection.IsOpen);
        Volatile.Write(ref isEnough, true);
        hold.SetResult();
        using var patience = new CancellationTokenSource(Patience.Limit);
        while ((long)Volatile.Read(ref handled) < Volatile.Read(ref sent))
        {
            await Task.Delay(10, patience.Token);
        }

        Assert.True(isInOrder);
        over.SetResult();
    }

    [Fact]
    public async Task What_comes_for_a_consumer_that_is_none_any_more_goes_back()
    {
        var settled = new TaskCompletionSource<BasicReject>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await ConsumedAsync(peer);
            await peer.SendAsync(
                [.. AmqpPeer.FrameOf(1, new BasicCancel { ConsumerTag = Tag, NoWait = true }), .. Message(1, 3), .. Body(3)]);
            settled.TrySetResult(await peer.ReadAsync<BasicReject>());
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(NoConfirms).InTime();
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", _ => default, new AmqpConsumeOptions { ConsumerTag = Tag }).InTime();
        BasicReject reject = await settled.Task.InTime();
        Assert.Equal((1ul, true), (reject.DeliveryTag, reject.Requeue));
        await Assert.ThrowsAsync<AmqpConsumerException>(() => consumer.Completion.InTime());
        Assert.True(channel.IsOpen);
    }

    private static AmqpChannelOptions NoConfirms { get; } = new() { Confirms = false, Prefetch = 10 };

    private static async Task ConsumedAsync(AmqpPeer peer, bool prefetch = true)
    {
        await peer.GreetAsync();
        await (prefetch ? peer.OpenChannelAsync(confirms: false) : peer.AnswerAsync<ChannelOpen, ChannelOpenOk>());
        await peer.AnswerAsync<BasicConsume, BasicConsumeOk>(new BasicConsumeOk { ConsumerTag = Tag });
    }

    // Why a connection is lost whose consumer handles nothing.
    private static async Task<string> LostAsync(AmqpConnectionOptions options)
    {
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options).InTime();
        var lost = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Lost += lost.SetResult;
        AmqpChannel channel = await connection.OpenChannelAsync(NoConfirms).InTime();
        var hold = new TaskCompletionSource();
        await channel.ConsumeAsync(
            "queue", _ => new ValueTask(hold.Task), new AmqpConsumeOptions { ConsumerTag = Tag, Concurrency = 1 }).InTime();
        Exception reason = await lost.Task.InTime();
        hold.SetResult();
        return Assert.IsType<AmqpConnectionException>(reason).Message;
    }

    private static Task FloodAsync(AmqpPeer peer, byte[] bytes) => FloodAsync(peer, () => bytes);

    // Until the client has had enough.
    private static async Task FloodAsync(AmqpPeer peer, Func<byte[]> next)
    {
        try
        {
            while (true)
            {
                await peer.Stream.WriteAsync(next());
            }
        }
        catch (IOException)
        {
            // It has left.
        }
    }

    private static byte[] Message(ulong tag, int size) =>
    [
        .. AmqpPeer.FrameOf(1, new BasicDeliver { ConsumerTag = Tag, DeliveryTag = tag, RoutingKey = "queue" }),
        .. AmqpPeer.HeaderOf(1, (ulong)size),
    ];

    private static byte[] Body(int size) =>
        size == 0 ? [] : [3, 0, 1, (byte)(size >> 24), (byte)(size >> 16), (byte)(size >> 8), (byte)size, .. new byte[size], 0xCE];

    private static byte[] Times(byte[] frame, int count)
    {
        byte[] all = new byte[frame.Length * count];
        for (int i = 0; i < count; i++)
        {
            frame.CopyTo(all, i * frame.Length);
        }

        return all;
    }
}
