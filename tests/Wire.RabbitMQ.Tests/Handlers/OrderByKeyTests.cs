using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>Messages of one key one after the other, those of different keys side by side.</summary>
public abstract class OrderByKeyTests(WireTransport transport)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Each_key_has_its_order_and_keys_run_side_by_side_also_when_the_connection_is_lost(bool cuts)
    {
        const int Keys = 7;
        const int Count = 700;
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var seen = new ConcurrentDictionary<string, ConcurrentQueue<int>>();
        var running = new ConcurrentDictionary<string, int>();
        var wrong = new ConcurrentQueue<string>();
        var done = new TaskCompletionSource();
        int most = 0;
        int now = 0;
        WireConsumer consumer = bench.Consumer(options => options with
        {
            MaxConcurrency = 4,
            PrefetchCount = 60,
            OrderingKey = context => (string?)context.Headers["key"],
        });
        consumer.Handle<OrderPlaced>(async (order, context) =>
        {
            string key = order.Customer;
            if (!running.TryAdd(key, 0))
            {
                wrong.Enqueue($"{order.Total} of {key} began beside another.");
            }

            int other = Interlocked.Increment(ref now);
            InterlockedMax(ref most, other);
            await Task.Yield();
            if (((int)order.Total % 5) == 0)
            {
                await Task.Delay(1);
            }

            Interlocked.Decrement(ref now);
            running.TryRemove(key, out _);
            ConcurrentQueue<int> own = seen.GetOrAdd(key, _ => new ConcurrentQueue<int>());
            own.Enqueue((int)order.Total);
            if (seen.Values.Sum(each => each.Distinct().Count()) == Count)
            {
                done.TrySetResult();
            }
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < Count; i++)
        {
            string key = $"customer {i % Keys}";
            await bench.PublishAsync(
                new OrderPlaced(Guid.NewGuid(), key, i),
                properties => properties.Headers = new Dictionary<string, object?> { ["key"] = key });
            if (cuts && i is 200 or 450)
            {
                proxy.CutAll(Cut.Reset);
            }
        }

        await Task.WhenAny(done.Task, Task.Delay(Patience.Limit));
        Assert.True(
            done.Task.IsCompleted,
            $"{seen.Values.Sum(each => each.Distinct().Count())} of {Count} came, {now} are handled, " +
            $"{(await bench.LookAsync(bench.Queue)).MessageCount} wait. {string.Join(Environment.NewLine, bench.Log)}");
        await consumer.StopAsync().InTime();
        Assert.Empty(wrong);
        Assert.Equal(Keys, seen.Count);
        foreach (ConcurrentQueue<int> own in seen.Values)
        {
            // One that came again after the connection was lost begins no new order: what it repeats is in order as well.
            int[] first = [.. own.Distinct()];
            Assert.Equal(first.Order(), first);
            Assert.True(cuts || own.Count == Count / Keys);
        }

        Assert.InRange(most, 2, 4);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task One_key_that_stands_still_holds_up_no_other()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var go = new TaskCompletionSource();
        var others = new TaskCompletionSource();
        var all = new TaskCompletionSource();
        int left = 20;
        int slow = 0;
        WireConsumer consumer = bench.Consumer(options => options with
        {
            MaxConcurrency = 2,
            PrefetchCount = 100,
            OrderingKey = context => context.CorrelationId,
        });
        consumer.Handle<OrderPlaced>(async (order, context) =>
        {
            if (order.Customer == "slow")
            {
                await go.Task;
                if (Interlocked.Increment(ref slow) == 20)
                {
                    all.SetResult();
                }
            }
            else if (Interlocked.Decrement(ref left) == 0)
            {
                others.SetResult();
            }
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 20; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "slow", i), properties => properties.CorrelationId = "slow");
        }

        for (int i = 0; i < 20; i++)
        {
            // Half of them without a key.
            await bench.PublishAsync(
                new OrderPlaced(Guid.NewGuid(), "quick", i), properties => properties.CorrelationId = i % 2 == 0 ? null : "quick");
        }

        await others.Task.InTime();
        Assert.Equal(0, slow);
        go.SetResult();
        await all.Task.InTime();
    }

    [Fact]
    public async Task Stopping_keeps_what_waits_for_its_key_until_the_one_before_it_has_ended_and_another_consumer_gets_it_in_order()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(
            transport, arguments: new() { ["x-single-active-consumer"] = true });
        var begun = new TaskCompletionSource();
        var go = new TaskCompletionSource();
        var seen = new ConcurrentQueue<(string Who, decimal Total)>();
        var done = new TaskCompletionSource();
        WireConsumer first = bench.Consumer(options => options with { PrefetchCount = 10, OrderingKey = _ => "one" });
        first.Handle<OrderPlaced>(async (order, _) =>
        {
            begun.TrySetResult();
            await go.Task;
            seen.Enqueue(("first", order.Total));
        });
        await first.StartAsync().InTime();
        for (int i = 0; i < 5; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", i));
        }

        await begun.Task.InTime();
        WireConsumer second = bench.Consumer(options => options with { PrefetchCount = 10, OrderingKey = _ => "one" });
        second.Handle<OrderPlaced>((order, _) =>
        {
            seen.Enqueue(("second", order.Total));
            if (order.Total == 4)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await second.StartAsync().InTime();
        Task stopped = first.StopAsync();
        await Task.Delay(200);
        Assert.Empty(seen);
        Assert.False(stopped.IsCompleted);
        go.SetResult();
        await stopped.InTime();
        await done.Task.InTime();
        Assert.Equal([("first", 0m), ("second", 1m), ("second", 2m), ("second", 3m), ("second", 4m)], seen);
    }

    [Fact]
    public async Task A_key_that_cannot_be_made_is_a_failure_of_its_message()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var handled = new TaskCompletionSource<decimal>();
        WireConsumer consumer = bench.Consumer(options => options with { OrderingKey = context => context.Headers["key"]!.ToString() });
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            handled.SetResult(order.Total);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 1));
        await bench.PublishAsync(
            new OrderPlaced(Guid.NewGuid(), "Ada", 2),
            properties => properties.Headers = new Dictionary<string, object?> { ["key"] = "a" });
        Assert.Equal(2, await handled.Task.InTime());
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(1, Shop.Serializer.Read<OrderPlaced>(failed)!.Total);
        Assert.Equal(FailureReason.HandlerFailed, failed.ErrorHeader("reason"));
        Assert.Contains("OrderingKey", failed.ErrorHeader("message"), StringComparison.Ordinal);
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (int seen = Volatile.Read(ref most); value > seen; seen = Volatile.Read(ref most))
        {
            if (Interlocked.CompareExchange(ref most, value, seen) == seen)
            {
                return;
            }
        }
    }
}

/// <inheritdoc/>
public sealed class OrderByKeyTestsOnLane() : OrderByKeyTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class OrderByKeyTestsOnClient() : OrderByKeyTests(WireTransport.Client);
