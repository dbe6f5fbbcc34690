using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>A consumer that is stopped finishes what it has begun, and gives back the rest.</summary>
public abstract class StopTests(WireTransport transport)
{
    [Fact]
    public async Task One_that_was_never_started_leaves_nothing_on_the_connection()
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport);
        WeakReference serializer = await ConsumeNothingAsync(connection);
        await ConsumerBench.Until(() =>
        {
            GC.Collect();
            return Task.FromResult(!serializer.IsAlive);
        });
        Assert.True(connection.IsOpen);

        // What publishes to the error queue has the serializer too.
        [MethodImpl(MethodImplOptions.NoInlining)]
        static async Task<WeakReference> ConsumeNothingAsync(TestConnection connection)
        {
            var serializer = new WireBodySerializer(new SerializerOptions());
            await using var consumer = connection.Consumer(serializer, new WireConsumerOptions { Queue = "none" });
            return new WeakReference(serializer);
        }
    }

    [Fact]
    public async Task What_runs_ends_and_is_acknowledged_and_what_has_not_begun_goes_to_the_next_consumer()
    {
        const int Count = 12;
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var begun = new SemaphoreSlim(0);
        var first = new ConcurrentQueue<decimal>();
        WireConsumer stopped =
            bench.Consumer(options => options with { MaxConcurrency = 2, PrefetchCount = 10 }).Handle<OrderPlaced>(async (order, _) =>
        {
            first.Enqueue(order.Total);
            begun.Release();
            await go.Task;
        });
        for (int i = 0; i < Count; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        await stopped.StartAsync().InTime();
        Assert.True(await begun.WaitAsync(Patience.Limit) && await begun.WaitAsync(Patience.Limit));
        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.Queue)).MessageCount == Count - 10);
        Task stop = stopped.StopAsync();

        // The next consumer has the others while the handlers of the first one still run.
        var second = new ConcurrentQueue<(decimal Total, bool Redelivered)>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer next = bench.Consumer(options => options with { MaxConcurrency = 1 }).Handle<OrderPlaced>((order, context) =>
        {
            second.Enqueue((order.Total, context.Redelivered));
            if (second.Count == Count - 2)
            {
                all.SetResult();
            }

            return Task.CompletedTask;
        });
        await next.StartAsync().InTime();
        await all.Task.InTime();
        Assert.False(stop.IsCompleted);
        Assert.Equal([0, 1], first.Order());

        go.SetResult();
        await stop.InTime();
        await next.StopAsync().InTime();
        Assert.Equal(Enumerable.Range(2, Count - 2).Select(i => (decimal)i), second.Select(each => each.Total).Order());
        Assert.Equal(8, second.Count(each => each.Redelivered));
        Assert.Equal(2, first.Count);
        QueueDeclareOk queue = await bench.LookAsync(bench.Queue);
        Assert.Equal((0u, 0u), (queue.MessageCount, queue.ConsumerCount));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_token_fires_after_the_time_out_or_when_the_caller_waits_no_longer_and_the_message_goes_back(bool byCaller)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool fired = false;
        WireConsumer consumer = bench
            .Consumer(options => options with { StopTimeout = byCaller ? Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(50) })
            .Handle<OrderPlaced>(async (_, context) =>
            {
                begun.SetResult();
                try
                {
                    await Task.Delay(Timeout.Infinite, context.CancellationToken);
                }
                finally
                {
                    fired = context.CancellationToken.IsCancellationRequested;
                }
            });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        await begun.Task.InTime();
        using var caller = new CancellationTokenSource();
        Task stop = consumer.StopAsync(caller.Token);
        if (byCaller)
        {
            Assert.False(stop.IsCompleted);
            await caller.CancelAsync();
        }

        await stop.InTime();
        Assert.True(fired);
        Assert.True((await bench.TakeAsync(bench.Queue)).Redelivered);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task A_handler_that_never_ends_is_left_and_its_message_goes_back()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var never = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench.Consumer(options => options with { StopTimeout = TimeSpan.Zero }).Handle<OrderPlaced>((_, _) =>
        {
            begun.SetResult();
            return never.Task;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        await begun.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.True((await bench.TakeAsync(bench.Queue)).Redelivered);
        Assert.Contains(bench.Log, line => line.StartsWith("2013 ", StringComparison.Ordinal));
        never.SetResult();
    }

    [Fact]
    public async Task A_message_that_waits_for_its_next_attempt_goes_back()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int attempts = 0;
        WireConsumer consumer = bench
            .Consumer(options => options with
            {
                Retry = new RetryPolicy { MaxAttempts = 10, Delay = TimeSpan.FromHours(1), MaxDelay = TimeSpan.FromHours(1) },
            })
            .Handle<OrderPlaced>((_, _) =>
            {
                attempts++;
                throw new InvalidOperationException();
            });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        await ConsumerBench.Until(() => Task.FromResult(bench.Log.Count(line => line.StartsWith("2007 ", StringComparison.Ordinal)) == 2));
        await consumer.StopAsync().InTime();
        Assert.Equal(2, attempts);
        Assert.True((await bench.TakeAsync(bench.Queue)).Redelivered);
    }

    [Fact]
    public async Task It_stops_while_the_connection_is_down()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool ended = false;
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>(async (_, _) =>
        {
            begun.SetResult();
            await go.Task;
            ended = true;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        await begun.Task.InTime();
        proxy.Refusing = true;
        proxy.CutAll(Cut.Reset);
        await ConsumerBench.Until(() => Task.FromResult(bench.Log.Any(line => line.StartsWith("2003 ", StringComparison.Ordinal))));
        Task stop = consumer.StopAsync();
        Assert.False(stop.IsCompleted);
        go.SetResult();
        await stop.InTime();
        Assert.True(ended);

        // Nobody could tell the broker: it has the message still, once its side of the connection is gone.
        Assert.True((await bench.TakeAsync(bench.Queue)).Redelivered);
        proxy.Refusing = false;
    }

    [Fact]
    public async Task It_stops_when_the_broker_does_not_answer()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        proxy.ToClient.Pause();
        await consumer.StopAsync().InTime();
        proxy.ToClient.Resume();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Called_by_a_handler_it_does_not_wait_and_the_consumer_stops_after_it(bool later)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int handled = 0;
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.Handle<OrderPlaced>(async (_, _) =>
        {
            if (later)
            {
                await Task.Yield();
            }

            handled++;
            await consumer.StopAsync();
            await consumer.DisposeAsync();
            stopped.SetResult();
        });
        for (int i = 0; i < 5; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        await consumer.StartAsync().InTime();
        await stopped.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal(1, handled);
        QueueDeclareOk queue = await bench.LookAsync(bench.Queue);
        Assert.Equal((4u, 0u), (queue.MessageCount, queue.ConsumerCount));
    }

    [Fact]
    public async Task It_is_started_once_and_stopped_as_often_as_one_likes()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer();
        Assert.Throws<InvalidOperationException>(() => { _ = consumer.StartAsync(); });
        consumer.Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        Assert.Throws<InvalidOperationException>(() => { _ = consumer.StartAsync(); });
        Assert.Throws<InvalidOperationException>(() => consumer.Handle<Parcels>((_, _) => Task.CompletedTask));
        Assert.False(consumer.Completion.IsCompleted);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() => consumer.StopAsync()))).InTime();
        Assert.True(consumer.Completion.IsCompletedSuccessfully);
        await consumer.DisposeAsync();
        Assert.Throws<InvalidOperationException>(() => { _ = consumer.StartAsync(); });

        WireConsumer never = bench.Consumer().Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await never.StopAsync().InTime();
        Assert.True(never.Completion.IsCompletedSuccessfully);
        Assert.Throws<InvalidOperationException>(() => { _ = never.StartAsync(); });
    }
}

/// <inheritdoc/>
public sealed class StopTestsOnClient() : StopTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class StopTestsOnLane() : StopTests(WireTransport.DirectLane);
