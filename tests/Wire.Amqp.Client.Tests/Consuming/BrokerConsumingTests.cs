using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>Consuming from the broker, and what it is told of messages.</summary>
public sealed class BrokerConsumingTests
{
    [Fact]
    public async Task Objects_are_read_and_acknowledged_when_they_are_handled()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        var done = new Countdown(2);
        ConcurrentQueue<Message?> read = [];
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync<Message>(queue, (message, delivery) =>
        {
            Assert.Equal(queue, delivery.RoutingKey.ToString());
            read.Enqueue(message);
            done.Signal();
            return default;
        }).InTime();
        Message[] sent = [new OrderPlaced(Guid.NewGuid(), "Ada", 12.5m), new GiftPlaced(Guid.NewGuid(), "Eve", 1m, "for you")];
        foreach (Message message in sent)
        {
            await tested.Channel.PublishAsync("", queue, message).AsTask().InTime();
        }

        await done.Task.InTime();
        Assert.Equal(sent, read);
        await AssertEmptyAsync(tested, queue, consumer);
    }

    [Fact]
    public async Task What_the_handler_says_of_a_message_holds()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string queue, string dead) = await DeadLetteringAsync(tested);
        await tested.PublishAsync(queue, "ack", "nack", "reject", "again");
        ConcurrentQueue<(string, bool)> seen = [];
        var done = new Countdown(5);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, delivery =>
        {
            string text = TestChannel.TextOf(delivery);
            seen.Enqueue((text, delivery.Redelivered));
            if (text == "ack")
            {
                delivery.Ack();
            }
            else if (text == "nack")
            {
                delivery.Nack(requeue: false);
            }
            else if (text == "reject" || delivery.Redelivered)
            {
                delivery.Reject(requeue: false);
            }
            else
            {
                delivery.Nack(requeue: true);
            }

            done.Signal();
            return default;
        }).InTime();
        await done.Task.InTime();
        await AssertEmptyAsync(tested, queue, consumer);
        Assert.Equal([("ack", false), ("nack", false), ("reject", false), ("again", false), ("again", true)], seen);
        Assert.Equal(["again", "nack", "reject"], await TakeAllAsync(tested, dead, 3));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handler_that_throws_and_a_body_that_cannot_be_read_are_told_and_rejected(bool isAsynchronous)
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string queue, string dead) = await DeadLetteringAsync(tested);
        ConcurrentQueue<string> errors = [];
        var done = new Countdown(3);
        var options = new AmqpConsumeOptions
        {
            OnError = (delivery, error) =>
            {
                errors.Enqueue($"{delivery.Body.Length > 0} {error.GetType().Name}");
                done.Signal();
                throw new InvalidOperationException("The listener fails as well, which changes nothing.");
            },
        };
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync<OrderPlaced>(queue, async (order, _) =>
        {
            if (isAsynchronous)
            {
                await Task.Yield();
            }

            if (order!.Total == 0)
            {
                throw new TimeoutException();
            }

            done.Signal();
        }, options).InTime();
        await tested.PublishAsync(queue, "no object");
        await tested.Channel.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 0)).AsTask().InTime();
        await tested.Channel.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Eve", 1)).AsTask().InTime();
        await done.Task.InTime();
        await AssertEmptyAsync(tested, queue, consumer);
        Assert.Equal(["True TimeoutException", "True WireFormatException"], errors.Order());
        Assert.Equal(2, (await TakeAllAsync(tested, dead, 2)).Length);
    }

    [Fact]
    public async Task Failures_go_back_to_the_queue_where_that_was_asked()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "one");
        var done = new Countdown(1);
        var options = new AmqpConsumeOptions { OnFailure = AmqpFailedDelivery.Requeue, OnError = static (_, _) => { } };
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, delivery =>
        {
            if (!delivery.Redelivered)
            {
                throw new TimeoutException();
            }

            done.Signal();
            return default;
        }, options).InTime();
        await done.Task.InTime();
        await AssertEmptyAsync(tested, queue, consumer);
    }

    [Fact]
    public async Task Asynchronous_handlers_that_end_in_any_order_leave_the_queue_empty()
    {
        const int Count = 20_000;
        await using TestChannel tested = await TestChannel.OpenAsync(new AmqpChannelOptions { Prefetch = 100 });
        string queue = await tested.QueueAsync();
        int[] seen = new int[Count];
        int redelivered = 0;
        var done = new Countdown(Count);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, async delivery =>
        {
            int number = BitConverter.ToInt32(delivery.Body.FirstSpan);
            Interlocked.Add(ref redelivered, delivery.Redelivered ? 1 : 0);
            for (int i = number * 7919 % 5; i > 0; i--)
            {
                await Task.Yield();
            }

            // The body is still the same.
            Assert.Equal(number, BitConverter.ToInt32(delivery.Body.FirstSpan));
            Interlocked.Increment(ref seen[number]);
            done.Signal();
        }).InTime();
        var sent = new Task[Count];
        for (int i = 0; i < Count; i++)
        {
            sent[i] = tested.Channel.PublishBytesAsync(
                new BasicPublish { Exchange = "", RoutingKey = queue }, default, BitConverter.GetBytes(i)).AsTask();
        }

        await Task.WhenAll(sent).InTime();
        await done.Task.InTime();
        await AssertEmptyAsync(tested, queue, consumer);
        Assert.Equal(0, redelivered);
        Assert.All(seen, times => Assert.Equal(1, times));
    }

    [Fact]
    public async Task Large_bodies_come_whole_and_can_be_kept()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        byte[][] bodies = [.. new[] { 3_000_000, 0, 131_072, 131_064, 700_001 }.Select((size, seed) =>
        {
            byte[] body = new byte[size];
            new Random(seed).NextBytes(body);
            return body;
        })];
        ConcurrentQueue<AmqpDelivery> kept = [];
        var done = new Countdown(bodies.Length);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, delivery =>
        {
            delivery.Keep();
            kept.Enqueue(delivery);
            done.Signal();
            return default;
        }).InTime();
        foreach (byte[] body in bodies)
        {
            await tested.Channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = queue }, default, body).AsTask().InTime();
        }

        await done.Task.InTime();
        Assert.Equal(bodies, kept.Select(delivery => System.Buffers.BuffersExtensions.ToArray(delivery.Body)));
        foreach (AmqpDelivery delivery in kept)
        {
            delivery.Ack();
            delivery.Dispose();
        }

        await AssertEmptyAsync(tested, queue, consumer);
    }

    [Fact]
    public async Task A_message_that_is_kept_is_not_acknowledged_when_its_handler_has_ended_and_one_that_is_given_back_in_it_is()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string queue, string dead) = await DeadLetteringAsync(tested);
        await tested.PublishAsync(queue, "kept", "given back");
        AmqpDelivery kept = default;
        var done = new Countdown(2);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, delivery =>
        {
            if (kept == default)
            {
                kept = delivery;
                delivery.Keep();
            }
            else
            {
                delivery.Dispose();
            }

            done.Signal();
            return default;
        }).InTime();
        await done.Task.InTime();
        Assert.NotNull(await tested.Channel.Topology.FindQueueAsync(queue).InTime());
        kept.Reject(requeue: false);
        kept.Dispose();
        await AssertEmptyAsync(tested, queue, consumer);
        Assert.Equal(["kept"], await TakeAllAsync(tested, dead, 1));
    }

    [Fact]
    public async Task Without_acknowledgements_messages_are_gone_as_they_are_sent_and_other_consumers_of_the_channel_are_not_confused()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string free, string owed) = (await tested.QueueAsync(), await tested.QueueAsync());
        var done = new Countdown(200);
        ValueTask Handle(AmqpDelivery delivery)
        {
            done.Signal();
            return default;
        }

        AmqpConsumer first = await tested.Channel.ConsumeAsync(free, Handle, new AmqpConsumeOptions { NoAck = true }).InTime();
        AmqpConsumer second = await tested.Channel.ConsumeAsync(owed, Handle).InTime();
        for (int i = 0; i < 100; i++)
        {
            await tested.PublishAsync(free, "free");
            await tested.PublishAsync(owed, "owed");
        }

        await done.Task.InTime();
        await first.DisposeAsync().AsTask().InTime();
        Assert.Equal(0u, await tested.CountAsync(free));
        await AssertEmptyAsync(tested, owed, second);
    }

    [Fact]
    public async Task Many_consumers_of_a_channel_get_their_own_messages()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        var done = new Countdown(40 * 5);
        ConcurrentQueue<string> wrong = [];
        for (int i = 0; i < 40; i++)
        {
            string queue = await tested.QueueAsync();
            await tested.PublishAsync(queue, queue, queue, queue, queue, queue);
            await tested.Channel.ConsumeAsync(queue, delivery =>
            {
                if (TestChannel.TextOf(delivery) != queue)
                {
                    wrong.Enqueue(queue);
                }

                done.Signal();
                return default;
            }).InTime();
        }

        await done.Task.InTime();
        Assert.Empty(wrong);
    }

    [Fact]
    public async Task A_consumer_ends_with_a_reason_when_its_queue_is_deleted()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, static _ => default).InTime();
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        AmqpConsumerException error = await Assert.ThrowsAsync<AmqpConsumerException>(() => consumer.Completion.InTime());
        Assert.Contains(queue, error.Message, StringComparison.Ordinal);
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.True(tested.Channel.IsOpen);
    }

    [Fact]
    public async Task A_consumer_ends_with_its_channel()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        AmqpConsumer well = await tested.Channel.ConsumeAsync(queue, static _ => default).InTime();
        await tested.Channel.DisposeAsync().AsTask().InTime();
        await well.Completion.InTime();

        AmqpChannel channel = await tested.Connection.OpenChannelAsync().InTime();
        AmqpConsumer badly = await channel.ConsumeAsync(queue, static _ => default).InTime();
        await Assert.ThrowsAsync<AmqpChannelException>(() => channel.Topology.PurgeQueueAsync(Broker.UniqueName()).InTime());
        Assert.Equal(404, (await Assert.ThrowsAsync<AmqpChannelException>(() => badly.Completion.InTime())).Reason.ReplyCode);
    }

    [Fact]
    public async Task Disposing_of_a_consumer_waits_for_its_handlers()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        var entered = new Countdown(1);
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, async _ =>
        {
            entered.Signal();
            await leave.Task;
        }).InTime();
        await tested.PublishAsync(queue, "one");
        await entered.Task.InTime();
        Task disposal = consumer.DisposeAsync().AsTask();

        // The broker has heard of it, and there is no consumer any more.
        while ((await tested.Channel.Topology.FindQueueAsync(queue).InTime())!.ConsumerCount != 0)
        {
        }

        Assert.False(disposal.IsCompleted);
        leave.SetResult();
        await disposal.InTime();
        await AssertEmptyAsync(tested, queue, consumer);
    }

    [Fact]
    public async Task An_exclusive_consumer_has_the_queue_for_itself_and_tags_are_unique()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(
            queue, static _ => default, new AmqpConsumeOptions { Exclusive = true, ConsumerTag = "mine" }).InTime();
        Assert.Equal(("mine", queue), (consumer.ConsumerTag, consumer.Queue));
        await Assert.ThrowsAsync<ArgumentException>(
            () => tested.Channel.ConsumeAsync(queue, static _ => default, new AmqpConsumeOptions { ConsumerTag = "mine" }).InTime());
        AmqpChannel other = await tested.Connection.OpenChannelAsync().InTime();
        Assert.Equal(403, (await Assert.ThrowsAsync<AmqpChannelException>(
            () => other.ConsumeAsync(queue, static _ => default).InTime())).Reason.ReplyCode);
    }

    [Fact]
    public async Task Messages_are_fetched_one_by_one()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        Assert.Null(await tested.Channel.GetAsync(queue).InTime());
        await tested.PublishAsync(queue, "one", "two", "three");
        AmqpDelivery one = (await tested.Channel.GetAsync(queue).InTime())!.Value;
        AmqpDelivery two = (await tested.Channel.GetAsync(queue, noAck: true).InTime())!.Value;
        Assert.Equal(("one", 1ul, 2u), (TestChannel.TextOf(one), one.DeliveryTag, one.MessageCount));
        Assert.Equal(("two", 2ul, 1u), (TestChannel.TextOf(two), two.DeliveryTag, two.MessageCount));
        one.Reject(requeue: true);
        one.Dispose();
        two.Dispose();
        AmqpDelivery again = (await tested.Channel.GetAsync(queue).InTime())!.Value;
        Assert.Equal(("one", true), (TestChannel.TextOf(again), again.Redelivered));
        again.Ack();
        again.Dispose();
        Assert.Equal("three", await tested.TakeAsync(queue));
        Assert.Null(await tested.TakeAsync(queue));
    }

    [Fact]
    public async Task Tags_are_settled_as_those_want_it_who_count_themselves()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string queue, string dead) = await DeadLetteringAsync(tested);
        await tested.PublishAsync(queue, "1", "2", "3", "4", "5", "6");
        var done = new Countdown(6);
        ConcurrentQueue<AmqpDelivery> kept = [];
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, delivery =>
        {
            delivery.Keep();
            kept.Enqueue(delivery);
            done.Signal();
            return default;
        }, new AmqpConsumeOptions { AcknowledgeWhenHandled = false }).InTime();
        await done.Task.InTime();
        tested.Channel.Reject(2, requeue: false);
        tested.Channel.Ack(3, multiple: true);
        tested.Channel.Nack(5, multiple: true, requeue: false);

        // Of the second and the sixth the broker is told once, whoever says something of them.
        foreach (AmqpDelivery delivery in kept)
        {
            delivery.Ack();
            delivery.Dispose();
        }

        Assert.Throws<InvalidOperationException>(() => tested.Channel.Ack(6));
        Assert.Throws<InvalidOperationException>(() => tested.Channel.Ack(7, multiple: true));
        tested.Channel.Ack(0, multiple: true);
        await AssertEmptyAsync(tested, queue, consumer);
        Assert.Equal(["2", "4", "5"], await TakeAllAsync(tested, dead, 3));
    }

    [Fact]
    public async Task The_prefetch_of_a_consumer_is_that_of_its_start()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(new AmqpChannelOptions { Prefetch = 3 });
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, [.. Enumerable.Range(0, 20).Select(i => $"{i}")]);
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var done = new Countdown(20);
        async ValueTask HandleAsync(AmqpDelivery delivery)
        {
            done.Signal();
            await leave.Task;
        }

        AmqpConsumer first = await tested.Channel.ConsumeAsync(queue, HandleAsync).InTime();
        await done.ReachedAsync(3);
        Assert.Equal(17u, await tested.CountAsync(queue));
        await tested.Channel.SetPrefetchAsync(5).InTime();
        AmqpConsumer second = await tested.Channel.ConsumeAsync(queue, HandleAsync).InTime();
        await done.ReachedAsync(8);
        Assert.Equal(12u, await tested.CountAsync(queue));
        leave.SetResult();
        await done.Task.InTime();
        await first.DisposeAsync().AsTask().InTime();
        await AssertEmptyAsync(tested, queue, second);
    }

    [Fact]
    public async Task Messages_that_come_back_are_told()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(new AmqpChannelOptions { Confirms = false });
        var returned = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        tested.Channel.Returned +=
            message => returned.TrySetResult($"{message.ReplyCode} {message.RoutingKey} {TestChannel.TextOf(message)}");
        tested.Channel.Returned += static _ => throw new InvalidOperationException("A listener that fails does not end the connection.");
        await tested.Channel.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = "nowhere", Mandatory = true }, default, "body"u8.ToArray()).AsTask().InTime();
        Assert.Equal("312 nowhere body", await returned.Task.InTime());
        Assert.NotNull(await tested.QueueAsync());
    }

    [Fact]
    public async Task Acknowledgements_go_before_the_channel_closes()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "one", "two");
        AmqpChannel other = await tested.Connection.OpenChannelAsync().InTime();
        using AmqpDelivery one = (await other.GetAsync(queue).InTime())!.Value;
        using AmqpDelivery two = (await other.GetAsync(queue).InTime())!.Value;
        one.Ack();
        two.Ack();
        await other.DisposeAsync().AsTask().InTime();
        Assert.Null(await tested.TakeAsync(queue));
    }

    // Once the consumer has ended, what was not acknowledged by then goes back when its channel does: it has to be looked at by another.
    private static async Task AssertEmptyAsync(TestChannel tested, string queue, AmqpConsumer consumer)
    {
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.True(tested.Channel.IsOpen);
        await tested.Channel.DisposeAsync().AsTask().InTime();
        AmqpChannel other = await tested.Connection.OpenChannelAsync().InTime();
        Assert.Null(await other.GetAsync(queue).InTime());
    }

    private static async Task<(string Queue, string Dead)> DeadLetteringAsync(TestChannel tested)
    {
        string dead = await tested.QueueAsync();
        return (await tested.QueueAsync(
            new Dictionary<string, object?> { ["x-dead-letter-exchange"] = "", ["x-dead-letter-routing-key"] = dead }), dead);
    }

    // In the order of their texts: a queue's dead letters come when it has got to them.
    private static async Task<string[]> TakeAllAsync(TestChannel tested, string queue, int count)
    {
        AmqpChannel channel = await tested.Connection.OpenChannelAsync().InTime();
        ConcurrentQueue<string> taken = [];
        var done = new Countdown(count);
        AmqpConsumer consumer = await channel.ConsumeAsync(queue, delivery =>
        {
            taken.Enqueue(TestChannel.TextOf(delivery));
            done.Signal();
            return default;
        }).InTime();
        await done.Task.InTime();
        await consumer.DisposeAsync().AsTask().InTime();
        return [.. taken.Order()];
    }
}
