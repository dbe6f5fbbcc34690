using System.Diagnostics;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Channels;

/// <summary>
/// Callers that give up before the broker has answered, at any moment of the way: their call ends, and nothing else does, neither here nor
/// at the broker.
/// </summary>
public sealed class GivenUpTests
{
    private const string Exchange = "amq.topic";

    private static readonly Dictionary<string, Func<Given, CancellationToken, Task>> Calls = new()
    {
        ["open"] = async (given, over) => await (await given.Connection.OpenChannelAsync(null, over)).DisposeAsync(),
        ["close"] = async (given, over) =>
        {
            AmqpChannel channel = await given.Connection.OpenChannelAsync(null, CancellationToken.None);
            given.Began();
            await channel.CloseAsync(over);
        },
        ["consume"] = async (given, over) => await (await given.Channel.ConsumeAsync(given.Queue, Requeue, null, over)).DisposeAsync(),
        ["consume, with handlers on threads"] = async (given, over) =>
            await (await given.Channel.ConsumeAsync(given.Queue, Requeue, new() { Concurrency = 2 }, over)).DisposeAsync(),
        ["end of a consumer"] = async (given, over) =>
        {
            AmqpConsumer consumer = await given.Channel.ConsumeAsync(given.Queue, Requeue, null, CancellationToken.None);
            given.Began();
            await consumer.CloseAsync(over);
        },
        ["get"] = async (given, over) =>
        {
            using AmqpDelivery? delivery = await given.Channel.GetAsync(given.Queue, noAck: false, over);
            delivery?.Nack(requeue: true);
        },
        ["prefetch"] = (given, over) => given.Channel.SetPrefetchAsync(250, over),
        ["declare"] = (given, over) => given.Channel.Topology.DeclareQueueAsync(given.Queue, AmqpQueueOptions.Temporary, over),
        ["find"] = (given, over) => given.Channel.Topology.FindQueueAsync(given.Queue, over),
        ["bind"] = (given, over) => given.Channel.Topology.BindQueueAsync(given.Queue, Exchange, "key", null, over),
        ["unbind"] = (given, over) => given.Channel.Topology.UnbindQueueAsync(given.Queue, Exchange, "key", null, over),
        ["declare an exchange"] = (given, over) => given.Channel.Topology.DeclareExchangeAsync(Exchange, "topic", null, over),
        ["publish"] = (given, over) => given.Channel.PublishBytesAsync(
            new BasicPublish { Exchange = Exchange, RoutingKey = "nobody" }, default, "body"u8.ToArray(), cancellationToken: over).AsTask(),
    };

    public static TheoryData<string> All => [.. Calls.Keys];

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task A_consumer_whose_start_was_given_up_handles_nothing_more(int concurrency)
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        for (int i = 0; i < 5; i++)
        {
            await tested.PublishAsync(queue, "body");
        }

        for (int i = 0; i < (Sweep.IsWhole ? 200 : 40); i++)
        {
            int afterwards = 0;
            bool isGivenUp = false;
            using var over = new CancellationTokenSource();
            Task<AmqpConsumer> consuming = tested.Channel.ConsumeAsync(
                queue,
                delivery =>
                {
                    if (Volatile.Read(ref isGivenUp))
                    {
                        Interlocked.Increment(ref afterwards);
                    }

                    delivery.Nack(requeue: true);
                    return default;
                },
                new AmqpConsumeOptions { Concurrency = concurrency },
                over.Token);
            await over.CancelAsync();
            try
            {
                await (await consuming.InTime()).DisposeAsync();
            }
            catch (OperationCanceledException)
            {
                Volatile.Write(ref isGivenUp, true);
            }

            var waiting = Stopwatch.StartNew();
            while (await tested.CountAsync(queue) != 5
                || (await tested.Channel.Topology.FindQueueAsync(queue).InTime())!.ConsumerCount != 0)
            {
                Assert.True(waiting.Elapsed < Patience.Limit);
            }

            // Those for which the receive loop, or one of the runs beside each other, was about to call the handler.
            Assert.InRange(afterwards, 0, Math.Max(1, concurrency));
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_call_that_is_given_up_ends_alone(string what)
    {
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(TestChannel.Options with { Recovery = RecoveryOptions.Off }).InTime();
        AmqpChannel beside = await connection.OpenChannelAsync().InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        string queue = (await beside.Topology.DeclareQueueAsync(Broker.UniqueName(), AmqpQueueOptions.Temporary).InTime()).Name;
        await PublishAsync(beside, queue);
        int givenUp = 0;

        // As long as an answer takes here, and some more. On a busy machine all may be answered in time: then once more.
        for (int attempt = 0; attempt < 100 || (attempt < 2000 && givenUp == 0 && what is not ("close" or "end of a consumer")); attempt++)
        {
            int microseconds = attempt % 100 * 15;
            using var over = new CancellationTokenSource();
            var given = new Given(connection, channel, queue);
            Task call = Calls[what](given, over.Token);
            if (what is "close" or "end of a consumer")
            {
                await given.Begun.InTime();
            }

            long begin = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(begin) < TimeSpan.FromMicroseconds(microseconds) && !call.IsCompleted)
            {
                Thread.SpinWait(10);
            }

            over.Cancel();
            try
            {
                await call.InTime();
            }
            catch (OperationCanceledException)
            {
                givenUp++;
            }
        }

        // Behind all of it, at the broker as here.
        await channel.CloseAsync().InTime();
        await beside.Topology.FindQueueAsync(queue).InTime();
        Assert.Null(connection.Error);
        await PublishAsync(beside, queue);
        var come = new Countdown(2);
        await using AmqpConsumer consumer = await beside.ConsumeAsync(queue, _ =>
        {
            come.Signal();
            return default;
        }).InTime();
        await come.Task.InTime();
        AmqpQueueInfo found = (await beside.Topology.FindQueueAsync(queue).InTime())!;
        Assert.Equal((0u, 1u), (found.MessageCount, found.ConsumerCount));
        Assert.InRange(givenUp, what is "close" or "end of a consumer" ? 0 : 1, 2000);
    }

    [Fact]
    public async Task A_channel_that_is_given_up_before_its_number_may_be_used_again_is_not_closed_at_the_broker()
    {
        var rest = TimeSpan.FromMilliseconds(250);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.OpenChannelAsync();
            long closed = Stopwatch.GetTimestamp();
            await peer.SendAsync(2, new ChannelClose { ReplyCode = 404, ReplyText = "NOT_FOUND" });
            await peer.ExpectAsync<ChannelCloseOk>();

            // The number rests for as long as without those that were given up; one of them that comes too late is opened and closed.
            bool isOpen = false;
            while (true)
            {
                (ushort channel, MethodId? method) = await peer.NextMethodAsync();
                switch (method)
                {
                    case MethodId.ChannelOpen:
                        Assert.InRange(Stopwatch.GetElapsedTime(closed), rest - TimeSpan.FromMilliseconds(50), Patience.Limit);
                        isOpen = true;
                        break;
                    case MethodId.ChannelClose:
                        Assert.True(isOpen);
                        isOpen = false;
                        await peer.SendAsync(channel, default(ChannelCloseOk));
                        break;
                    case MethodId.ConnectionClose:
                        Assert.True(isOpen);
                        await peer.SendAsync(0, default(ConnectionCloseOk));
                        return;
                }

                await peer.AnswerOpeningAsync(channel, method);
            }
        });
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(broker.Options() with { RequestedChannelMax = 2 }).InTime();
        await connection.OpenChannelAsync().InTime();
        AmqpChannel closed = await connection.OpenChannelAsync().InTime();
        await Assert.ThrowsAsync<AmqpChannelException>(() => closed.Completion.InTime());
        for (int i = 0; i < 3; i++)
        {
            using var over = new CancellationTokenSource();
            Task opening = connection.OpenChannelAsync(null, over.Token);
            await over.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening.InTime());
        }

        await connection.OpenChannelAsync().InTime();
    }

    private static ValueTask Requeue(AmqpDelivery delivery)
    {
        delivery.Nack(requeue: true);
        return default;
    }

    private static Task PublishAsync(AmqpChannel channel, string queue) =>
        channel.PublishBytesAsync(new BasicPublish { RoutingKey = queue }, default, "body"u8.ToArray()).AsTask().InTime();

    private sealed class Given(AmqpConnection connection, AmqpChannel channel, string queue)
    {
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public AmqpConnection Connection => connection;

        public AmqpChannel Channel => channel;

        public string Queue => queue;

        /// <summary>Ends when the call that is given up begins.</summary>
        public Task Begun => _begun.Task;

        public void Began() => _begun.SetResult();
    }
}
