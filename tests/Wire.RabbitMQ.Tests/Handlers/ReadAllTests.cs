using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>Messages in a loop, and limits that change while they come.</summary>
public abstract class ReadAllTests(WireTransport transport)
{
    [Fact]
    public async Task A_message_is_acknowledged_when_the_next_one_is_asked_for_and_returns_when_the_loop_is_left_at_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 10);
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        var seen = new List<decimal>();
        await foreach (Delivery<OrderPlaced> delivery in consumer.ReadAllAsync<OrderPlaced>())
        {
            seen.Add(delivery.Message.Total);
            if (seen.Count == 4)
            {
                break;
            }
        }

        Assert.Equal([0m, 1m, 2m, 3m], seen);
        Assert.True(consumer.Completion.IsCompletedSuccessfully);
        Assert.Equal([3m, 4m, 5m, 6m, 7m, 8m, 9m], await RestAsync(bench));
    }

    [Fact]
    public async Task What_the_loop_decides_counts_and_its_exception_comes_out()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 4);
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        InvalidOperationException thrown = await Assert.ThrowsAsync<InvalidOperationException>(async () =>
        {
            await foreach ((OrderPlaced order, MessageContext context) in consumer.ReadAllAsync<OrderPlaced>())
            {
                if (order.Total == 0)
                {
                    context.Outcome = MessageOutcome.Fail("zero");
                }

                if (order.Total == 2)
                {
                    context.Outcome = MessageOutcome.Ack;
                    throw new InvalidOperationException("two");
                }
            }
        });
        Assert.Equal("two", thrown.Message);
        Assert.Equal("zero", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        Assert.Equal([3m], await RestAsync(bench));
    }

    [Fact]
    public async Task A_token_ends_the_loop_and_the_message_returns()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 2);
        using var enough = new CancellationTokenSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        int seen = 0;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (Delivery<OrderPlaced> _ in consumer.ReadAllAsync<OrderPlaced>(enough.Token))
            {
                if (++seen == 2)
                {
                    await enough.CancelAsync();
                }
            }
        });
        Assert.Equal(2, seen);

        // It was asked for the next one, and so the last is acknowledged.
        Assert.Empty(await RestAsync(bench));
    }

    [Fact]
    public async Task A_stop_ends_the_loop_and_a_connection_that_is_closed_is_an_error_of_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 1);
        WireConsumer consumer = bench.Consumer();
        await foreach (Delivery<OrderPlaced> delivery in consumer.ReadAllAsync<OrderPlaced>())
        {
            _ = consumer.StopAsync();
        }

        Assert.Empty(await RestAsync(bench));
        await PublishAsync(bench, 1);
        WireConsumer other = bench.Consumer();
        await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            await foreach (Delivery<OrderPlaced> delivery in other.ReadAllAsync<OrderPlaced>())
            {
                await bench.Connection.Connection.DisposeAsync();
            }
        }).InTime();
        Assert.True(other.Completion.IsFaulted);
    }

    [Fact]
    public async Task The_limit_of_handlers_follows_while_messages_come()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int now = 0;
        var ends = new Queue<TaskCompletionSource>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1, PrefetchCount = 20 });
        consumer.Handle<OrderPlaced>(async (_, _) =>
        {
            var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (ends)
            {
                ends.Enqueue(end);
            }

            Interlocked.Increment(ref now);
            await end.Task;
            Interlocked.Decrement(ref now);
        });
        await consumer.StartAsync().InTime();
        await PublishAsync(bench, 40);
        await UntilRunning(1);

        consumer.MaxConcurrency = 8;
        Assert.Equal(8, consumer.MaxConcurrency);
        await UntilRunning(8);

        consumer.MaxConcurrency = 3;
        End(5);
        await UntilRunning(3);
        End(2);
        await UntilRunning(3);

        consumer.MaxConcurrency = 5;
        await UntilRunning(5);
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.MaxConcurrency = 0);
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.MaxConcurrency = 21);
        Task stopped = consumer.StopAsync();
        End(5);
        await stopped.InTime();
        Assert.Equal(0, Volatile.Read(ref now));
        Assert.Equal(40u - 12, (await bench.LookAsync(bench.Queue)).MessageCount);

        void End(int count)
        {
            for (int i = 0; i < count; i++)
            {
                lock (ends)
                {
                    ends.Dequeue().SetResult();
                }
            }
        }

        // As many as that, and no more a moment later.
        async Task UntilRunning(int count)
        {
            await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref now) == count));
            await Task.Delay(30);
            Assert.Equal(count, Volatile.Read(ref now));
        }
    }

    private static async Task PublishAsync(ConsumerBench bench, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", i));
        }
    }

    private static async Task<List<decimal>> RestAsync(ConsumerBench bench)
    {
        var rest = new List<decimal>();
        while (await bench.Channel.BasicGetAsync(bench.Queue, autoAck: true).InTime() is { } got)
        {
            rest.Add(Shop.Serializer.Read<OrderPlaced>(got)!.Total);
        }

        return rest;
    }
}

/// <inheritdoc/>
public sealed class ReadAllTestsOnLane() : ReadAllTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class ReadAllTestsOnClient() : ReadAllTests(WireTransport.Client);
