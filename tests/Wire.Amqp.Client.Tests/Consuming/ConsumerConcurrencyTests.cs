using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>Handlers on the thread pool, consuming from the broker.</summary>
public sealed class ConsumerConcurrencyTests
{
    private static readonly AmqpConsumeOptions One = new() { Concurrency = 1 };

    [Theory]
    [InlineData(1, 0)]
    [InlineData(1, 20)]
    [InlineData(8, 0)]
    [InlineData(8, 20)]
    public async Task Every_message_is_handled_once_and_acknowledged(int concurrency, int delay)
    {
        const int Count = 20_000;
        var options = new AmqpChannelOptions { Prefetch = 100, AckDelay = TimeSpan.FromMilliseconds(delay) };
        await using TestChannel tested = await TestChannel.OpenAsync(options);
        string queue = await tested.QueueAsync();
        int running = 0;
        int most = 0;
        ConcurrentQueue<int> seen = [];
        var done = new Countdown(Count);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(
            queue,
            async delivery =>
            {
                int number = BitConverter.ToInt32(delivery.Body.FirstSpan);
                seen.Enqueue(number);
                int now = Interlocked.Increment(ref running);
                most = Math.Max(most, now);
                for (int i = number * 7919 % 3; i > 0; i--)
                {
                    await Task.Yield();
                }

                Interlocked.Decrement(ref running);

                // The body is still the same.
                Assert.Equal(number, BitConverter.ToInt32(delivery.Body.FirstSpan));
                done.Signal();
            },
            new AmqpConsumeOptions { Concurrency = concurrency }).InTime();
        var sent = new Task[Count];
        for (int i = 0; i < Count; i++)
        {
            var method = new BasicPublish { Exchange = "", RoutingKey = queue };
            sent[i] = tested.Channel.PublishBytesAsync(in method, default, BitConverter.GetBytes(i)).AsTask();
        }

        await Task.WhenAll(sent).InTime();
        await done.Task.InTime();
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.InRange(most, 1, concurrency);
        Assert.Equal(Enumerable.Range(0, Count), concurrency == 1 ? seen : seen.Order());
        await tested.Channel.DisposeAsync().AsTask().InTime();
        AmqpChannel other = await tested.Connection.OpenChannelAsync().InTime();
        Assert.Null(await other.GetAsync(queue).InTime());
    }

    [Fact]
    public async Task What_has_not_begun_is_in_the_queue_again_while_a_handler_goes_on()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "1", "2", "3");
        var leave = new TaskCompletionSource();
        Task? disposal = null;
        AmqpConsumer? consumer = null;
        var known = new TaskCompletionSource();
        var begun = new Countdown(1);
        consumer = await tested.Channel.ConsumeAsync(
            queue,
            async _ =>
            {
                await known.Task;

                // Its own, which it does not wait for.
                disposal = consumer!.DisposeAsync().AsTask();
                begun.Signal();
                await leave.Task;
            },
            One).InTime();
        known.SetResult();
        await begun.Task.InTime();
        AmqpChannel other = await tested.Connection.OpenChannelAsync().InTime();
        foreach (string text in (string[])["2", "3"])
        {
            AmqpDelivery? delivery;
            while ((delivery = await other.GetAsync(queue).InTime()) is null)
            {
            }

            Assert.Equal((text, true), (TestChannel.TextOf(delivery.Value), delivery.Value.Redelivered));
            delivery.Value.Ack();
            delivery.Value.Dispose();
        }

        Assert.False(disposal!.IsCompleted);
        leave.SetResult();
        await disposal.InTime();
        await tested.Channel.DisposeAsync().AsTask().InTime();
        Assert.Null(await other.GetAsync(queue).InTime());
    }

    [Fact]
    public async Task What_has_not_begun_when_the_connection_is_lost_is_handled_once_and_what_runs_goes_on()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        var options = new AmqpChannelOptions { AckDelay = TimeSpan.FromMilliseconds(20) };
        AmqpChannel channel = await link.Connection.OpenChannelAsync(options).InTime();
        string queue = (await channel.Topology.DeclareQueueAsync(Broker.UniqueName()).InTime()).Name;
        for (int i = 0; i < 5; i++)
        {
            var method = new BasicPublish { Exchange = "", RoutingKey = queue };
            await channel.PublishBytesAsync(in method, default, new[] { (byte)i }).AsTask().InTime();
        }

        ConcurrentQueue<int> seen = [];
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var done = new Countdown(6);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            queue,
            async delivery =>
            {
                seen.Enqueue(delivery.Body.FirstSpan[0]);
                done.Signal();
                await leave.Task;
            },
            One).InTime();
        await done.ReachedAsync(1);
        while ((await channel.Topology.FindQueueAsync(queue).InTime())!.MessageCount != 0)
        {
        }

        await link.LoseAsync();
        leave.SetResult();
        await done.Task.InTime();
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.Equal([0, 0, 1, 2, 3, 4], seen);
        await channel.DisposeAsync().AsTask().InTime();
        AmqpChannel other = await link.Connection.OpenChannelAsync().InTime();
        Assert.Equal(0u, await other.Topology.DeleteQueueAsync(queue).InTime());
    }

    [Fact]
    public async Task When_its_channel_ends_what_has_not_begun_is_let_go()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "1", "2", "3");
        AmqpChannel channel = await tested.Connection.OpenChannelAsync().InTime();
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        var begun = new Countdown(1);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            queue,
            async _ =>
            {
                handled++;
                begun.Signal();
                await leave.Task;
            },
            One).InTime();
        await begun.Task.InTime();
        await Assert.ThrowsAsync<AmqpChannelException>(() => channel.Topology.PurgeQueueAsync(Broker.UniqueName()).InTime());
        Assert.False(consumer.Completion.IsCompleted);
        leave.SetResult();
        await Assert.ThrowsAsync<AmqpChannelException>(() => consumer.Completion.InTime());
        Assert.Equal(1, handled);
        Assert.Equal(3u, await tested.CountAsync(queue));
    }

    [Fact]
    public async Task Handlers_that_fail_and_bodies_that_cannot_be_read_are_told_as_on_the_loop()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        ConcurrentQueue<string> errors = [];
        var done = new Countdown(2);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync<OrderPlaced>(
            queue,
            (_, _) => throw new TimeoutException(),
            One with
            {
                OnError = (_, error) =>
                {
                    errors.Enqueue(error.GetType().Name);
                    done.Signal();
                },
            }).InTime();
        await tested.PublishAsync(queue, "no object");
        await tested.Channel.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 0)).AsTask().InTime();
        await done.Task.InTime();
        Assert.Equal(["WireFormatException", "TimeoutException"], errors);
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.Equal(0u, await tested.CountAsync(queue));
    }
}
