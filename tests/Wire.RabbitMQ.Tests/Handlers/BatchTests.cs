using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>Handlers of many messages at a time.</summary>
public abstract class BatchTests(WireTransport transport)
{
    private static readonly BatchOptions ByCount = new() { MaxCount = 5, MaxDelay = TimeSpan.FromDays(1) };

    [Fact]
    public async Task A_batch_is_full_by_its_count_and_in_the_order_of_the_queue()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 15);
        var batches = new ConcurrentQueue<decimal[]>();
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 5, PrefetchCount = 5 });
        consumer.HandleBatch<OrderPlaced>(
            (batch, _) =>
            {
                batches.Enqueue([.. batch.Select(each => each.Message.Total)]);
                if (batches.Count == 3)
                {
                    done.SetResult();
                }

                return Task.CompletedTask;
            },
            ByCount);
        await consumer.StartAsync().InTime();
        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.All(batches, batch => Assert.Equal(5, batch.Length));
        Assert.Equal(Enumerable.Range(0, 15).Select(i => (decimal)i), batches.SelectMany(batch => batch).Order());
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task A_batch_that_is_not_full_is_handled_after_a_time()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 3);
        var handled = new ConcurrentQueue<decimal>();
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 100 });
        consumer.HandleBatch<OrderPlaced>(
            (batch, _) =>
            {
                foreach (Delivery<OrderPlaced> each in batch)
                {
                    handled.Enqueue(each.Message.Total);
                }

                if (handled.Count == 3)
                {
                    done.SetResult();
                }

                return Task.CompletedTask;
            },
            new BatchOptions { MaxDelay = TimeSpan.FromMilliseconds(50) });
        await consumer.StartAsync().InTime();
        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal([0m, 1m, 2m], handled.Order());
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task Each_message_of_a_batch_has_its_own_outcome()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 5);
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 5 });
        consumer.HandleBatch<Message>(
            (batch, _) =>
            {
                foreach (Delivery<Message> each in batch)
                {
                    if (((OrderPlaced)each.Message).Total == 3)
                    {
                        each.Context.Outcome = MessageOutcome.Fail("three");
                    }
                }

                return Task.CompletedTask;
            },
            ByCount);
        await consumer.StartAsync().InTime();
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(3, ((OrderPlaced)Shop.Serializer.Read<Message>(failed)!).Total);
        Assert.Equal("three", failed.ErrorHeader("message"));
        await consumer.StopAsync().InTime();
        Assert.Equal((0u, 0u), (
            (await bench.LookAsync(bench.Queue)).MessageCount, (await bench.LookAsync(bench.ErrorQueue)).MessageCount));
    }

    [Fact]
    public async Task When_a_batch_fails_each_message_is_tried_again_by_itself_and_then_a_failure()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 5);
        var attempts = new ConcurrentQueue<(decimal, int)>();
        WireConsumer consumer = bench.Consumer(
            options => options with { MaxConcurrency = 5, Retry = new RetryPolicy { MaxAttempts = 2 } });
        consumer.HandleBatch<OrderPlaced>(
            (batch, _) =>
            {
                foreach (Delivery<OrderPlaced> each in batch)
                {
                    attempts.Enqueue((each.Message.Total, each.Context.Attempt));
                }

                throw new InvalidOperationException("No batch.");
            },
            ByCount with { MaxDelay = TimeSpan.FromMilliseconds(20) });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal("No batch.", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        }

        await consumer.StopAsync().InTime();
        Assert.Equal(
            Enumerable.Range(0, 5).SelectMany(i => new[] { ((decimal)i, 1), (i, 2) }).Order(), attempts.Order());
    }

    [Fact]
    public async Task One_bad_message_takes_no_other_of_its_batch_with_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 5);
        var good = new ConcurrentQueue<decimal>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 5 });
        consumer.HandleBatch<OrderPlaced>(
            (batch, _) =>
            {
                if (batch.Any(each => each.Message.Total == 3))
                {
                    throw new InvalidOperationException("three");
                }

                foreach (Delivery<OrderPlaced> each in batch)
                {
                    good.Enqueue(each.Message.Total);
                }

                return Task.CompletedTask;
            },
            ByCount);
        await consumer.StartAsync().InTime();
        Assert.Equal("three", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        await ConsumerBench.Until(() => Task.FromResult(good.Count == 4));
        await consumer.StopAsync().InTime();
        Assert.Equal([0m, 1m, 2m, 4m], good.Order());
        Assert.Equal((0u, 0u), (
            (await bench.LookAsync(bench.Queue)).MessageCount, (await bench.LookAsync(bench.ErrorQueue)).MessageCount));
    }

    [Fact]
    public async Task Stopping_waits_for_the_batch_that_runs_and_cancels_it_when_its_time_is_over()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 5);
        var begun = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 5, StopTimeout = TimeSpan.Zero });
        consumer.HandleBatch<OrderPlaced>(
            async (_, token) =>
            {
                begun.SetResult();
                await Task.Delay(Timeout.Infinite, token);
            },
            ByCount);
        await consumer.StartAsync().InTime();
        await begun.Task.InTime();
        await consumer.StopAsync().InTime();
        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.Queue)).MessageCount == 5);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task Stopping_has_a_batch_handled_that_is_not_full()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 3);
        var came = new CountdownEvent(3);
        var batches = new ConcurrentQueue<int>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 5 });
        consumer.Use((message, context, next) =>
        {
            Task handled = next(message, context);
            came.Signal();
            return handled;
        });
        consumer.HandleBatch<OrderPlaced>(
            (batch, _) =>
            {
                batches.Enqueue(batch.Count);
                return Task.CompletedTask;
            },
            ByCount);
        await consumer.StartAsync().InTime();
        await ConsumerBench.Until(() => Task.FromResult(came.IsSet));
        Assert.Empty(batches);
        await consumer.StopAsync().InTime();
        Assert.Equal([3], batches);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task A_batch_that_the_consumer_could_never_fill_is_refused()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 4 });
        ArgumentException few = Assert.Throws<ArgumentException>(
            () => consumer.HandleBatch<OrderPlaced>((_, _) => Task.CompletedTask, ByCount));
        Assert.Contains("handles 4 at a time", few.Message, StringComparison.Ordinal);
        WireConsumer keyed = bench.Consumer(options => options with { MaxConcurrency = 10, OrderingKey = _ => "" });
        Assert.Contains("OrderingKey", Assert.Throws<ArgumentException>(
            () => keyed.HandleBatch<OrderPlaced>((_, _) => Task.CompletedTask, ByCount)).Message, StringComparison.Ordinal);
        Assert.ThrowsAny<ArgumentException>(
            () => consumer.HandleBatch<OrderPlaced>((_, _) => Task.CompletedTask, new BatchOptions { MaxCount = 0 }));
        Assert.ThrowsAny<ArgumentException>(() => consumer.HandleBatch<OrderPlaced>(
            (_, _) => Task.CompletedTask, new BatchOptions { MaxCount = 1, MaxDelay = TimeSpan.FromTicks(-1) }));
        Assert.ThrowsAny<ArgumentException>(() => consumer.HandleBatch<OrderPlaced>(
            (_, _) => Task.CompletedTask, new BatchOptions { MaxCount = 1, MaxConcurrent = 0 }));
    }

    private static async Task PublishAsync(ConsumerBench bench, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", i));
        }
    }
}

/// <inheritdoc/>
public sealed class BatchTestsOnLane() : BatchTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class BatchTestsOnClient() : BatchTests(WireTransport.Client);
