using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>Messages come to their handlers, so many at a time, and are acknowledged.</summary>
public abstract class WireConsumerTests(WireTransport transport)
{
    [Fact]
    public async Task All_of_ten_thousand_are_handled_once_and_as_many_at_a_time_as_may_be()
    {
        const int Count = 10_000;
        const int Most = 8;
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new ConcurrentDictionary<Guid, int>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int running = 0, peak = 0, handled = 0;
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = Most }).Handle<OrderPlaced>(async (order, context) =>
        {
            InterlockedMax(ref peak, Interlocked.Increment(ref running));
            await Task.Yield();
            seen.AddOrUpdate(order.Id, 1, (_, times) => times + 1);
            Assert.False(context.Redelivered || context.Duplicate);
            Interlocked.Decrement(ref running);
            if (Interlocked.Increment(ref handled) == Count)
            {
                all.SetResult();
            }
        });

        OrderPlaced[] orders = [.. Enumerable.Range(0, Count).Select(number => new OrderPlaced(Guid.NewGuid(), "c", number))];
        await Task.WhenAll(orders.Chunk(500).Select(async chunk =>
        {
            foreach (OrderPlaced order in chunk)
            {
                await bench.PublishAsync(order);
            }
        }));
        await consumer.StartAsync().InTime();
        await all.Task.InTime();
        await consumer.StopAsync().InTime();

        Assert.Equal(Count, seen.Count);
        Assert.All(orders, order => Assert.Equal(1, seen[order.Id]));
        Assert.InRange(peak, 2, Most);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task So_many_run_at_the_same_time_and_no_more()
    {
        const int Most = 5;
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var arrived = new SemaphoreSlim(0);
        int running = 0, peak = 0;
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = Most }).Handle<OrderPlaced>(async (_, _) =>
        {
            InterlockedMax(ref peak, Interlocked.Increment(ref running));
            arrived.Release();
            await go.Task;
            Interlocked.Decrement(ref running);
        });
        for (int i = 0; i < 3 * Most; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        await consumer.StartAsync().InTime();
        for (int i = 0; i < Most; i++)
        {
            Assert.True(await arrived.WaitAsync(Patience.Limit));
        }

        // All the others are with the consumer, and wait.
        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.Queue)).MessageCount == 0);
        Assert.Equal(Most, Volatile.Read(ref running));
        go.SetResult();
        for (int i = Most; i < 3 * Most; i++)
        {
            Assert.True(await arrived.WaitAsync(Patience.Limit));
        }

        Assert.Equal(Most, peak);
    }

    [Fact]
    public async Task One_at_a_time_keeps_the_order_of_the_queue()
    {
        const int Count = 500;
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new List<decimal>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 1, PrefetchCount = 50 }).Handle<OrderPlaced>(async (order, _) =>
        {
            if (order.Total % 3 == 0)
            {
                await Task.Yield();
            }

            seen.Add(order.Total);
            if (seen.Count == Count)
            {
                all.SetResult();
            }
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < Count; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        await all.Task.InTime();
        Assert.Equal(Enumerable.Range(0, Count).Select(number => (decimal)number), seen);
    }

    [Theory]
    [InlineData(1, 3, null, 3)]
    [InlineData(4, 3, null, 12)]
    [InlineData(2, 10, null, 20)]
    [InlineData(4, 3, 1, 1)]
    [InlineData(2, 3, 100, 100)]
    public async Task The_broker_sends_ahead_what_the_options_say(int concurrency, int multiplier, int? prefetch, int expected)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        for (int i = 0; i < 120; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench
            .Consumer(options =>
                options with { MaxConcurrency = concurrency, PrefetchMultiplier = multiplier, PrefetchCount = (ushort?)prefetch })
            .Handle<OrderPlaced>((_, _) => go.Task);
        await consumer.StartAsync().InTime();

        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.Queue)).MessageCount == 120 - expected);
        go.SetResult();
        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.Queue)).MessageCount == 0);
    }

    private static void InterlockedMax(ref int target, int value)
    {
        for (int current = Volatile.Read(ref target); value > current;)
        {
            int before = Interlocked.CompareExchange(ref target, value, current);
            if (before == current)
            {
                return;
            }

            current = before;
        }
    }
}

/// <inheritdoc/>
public sealed class WireConsumerTestsOnClient() : WireConsumerTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class WireConsumerTestsOnLane() : WireConsumerTests(WireTransport.DirectLane);
