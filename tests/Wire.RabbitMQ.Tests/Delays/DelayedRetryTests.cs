using System.Collections.Concurrent;
using System.Diagnostics;
using RabbitMQ.Client;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using BasicProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Tests.Delays;

/// <summary>Messages that wait at the broker for a time, and come back as they were.</summary>
public abstract class DelayedRetryTests(WireTransport transport)
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "customer", 12.5m);

    [Fact]
    public async Task A_failed_message_comes_back_after_its_delay_as_it_was_and_the_last_failure_is_in_the_error_queue()
    {
        await using ConsumerBench bench = await MakeAsync(200, 400);
        string exchange = Broker.UniqueName("exchange");
        await bench.Channel.ExchangeDeclareAsync(exchange, "topic", durable: false, autoDelete: true).InTime();
        await bench.Channel.QueueBindAsync(bench.Queue, exchange, "#").InTime();
        var attempts = new ConcurrentQueue<
            (long Time, int Attempt, int Retries, string Exchange, string Key, object? Own, OrderPlaced Order)>();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Retry = new RetryPolicy { MaxAttempts = 2, Delayed = Policy(retries: 2) },
        }).Handle<OrderPlaced>((order, context) =>
        {
            attempts.Enqueue((
                Stopwatch.GetTimestamp(), context.Attempt, context.DelayedRetries, context.Exchange, context.RoutingKey,
                context.Headers["own"], order));
            throw new InvalidOperationException($"{context.DelayedRetries}.{context.Attempt}");
        });
        await consumer.StartAsync().InTime();
        byte[] body = Shop.Serializer.Write(Order).Memory.ToArray();
        await bench.Channel.BasicPublishAsync(exchange, "order.placed", mandatory: true, new BasicProperties
        {
            ContentType = "application/x-wire",
            MessageId = "m",
            CorrelationId = "c",
            UserId = "guest",
            Expiration = "600000",
            Priority = 2,
            Persistent = true,
            Headers = new Dictionary<string, object?> { ["own"] = 7, ["CC"] = new List<object?> { "elsewhere" } },
        }, body).AsTask().InTime();

        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        await consumer.StopAsync().InTime();
        Assert.Equal([(1, 0), (2, 0), (1, 1), (2, 1), (1, 2), (2, 2)], attempts.Select(each => (each.Attempt, each.Retries)));
        Assert.All(attempts, each => Assert.Equal((exchange, "order.placed", 7, Order), (each.Exchange, each.Key, each.Own, each.Order)));
        long[] times = [.. attempts.Select(each => each.Time)];
        Assert.True(Stopwatch.GetElapsedTime(times[1], times[2]) >= TimeSpan.FromMilliseconds(199), "The first retry came too early.");
        Assert.True(Stopwatch.GetElapsedTime(times[3], times[4]) >= TimeSpan.FromMilliseconds(399), "The second retry came too early.");

        Assert.Equal(body, dead.Body.ToArray());
        IReadOnlyBasicProperties properties = dead.BasicProperties;
        Assert.Equal(
            ("m", "c", (byte)2, true), (properties.MessageId, properties.CorrelationId, properties.Priority, properties.Persistent));
        Assert.Equal(
            ("handler-failed", "2.2", 6),
            (dead.ErrorHeader("reason"), dead.ErrorHeader("message"), properties.Headers!["x-wire-error-attempts"]));
        Assert.Equal(
            (exchange, "order.placed", bench.Queue),
            (dead.ErrorHeader("exchange"), dead.ErrorHeader("routing-key"), dead.ErrorHeader("queue")));
        Assert.Equal(("600000", "guest"), (dead.ErrorHeader("expiration"), dead.ErrorHeader("user-id")));
        Assert.Equal(7, properties.Headers["own"]);
        Assert.True(properties.Headers.ContainsKey("x-wire-error-cc"));
        Assert.DoesNotContain(properties.Headers.Keys, name => name.StartsWith("x-wire-retry-", StringComparison.Ordinal));
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task What_waits_holds_up_no_other_and_succeeds_later()
    {
        await using ConsumerBench bench = await MakeAsync(1000);
        var order = new ConcurrentQueue<decimal>();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            MaxConcurrency = 1,
            Retry = RetryPolicy.None with { Delayed = Policy(retries: 1) with { Delay = TimeSpan.FromSeconds(1) } },
        }).Handle<OrderPlaced>((placed, context) =>
        {
            if (placed.Total == 0 && context.DelayedRetries == 0)
            {
                throw new InvalidOperationException("not yet");
            }

            order.Enqueue(placed.Total);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 20; i++)
        {
            await bench.PublishAsync(Order with { Total = i });
        }

        await ConsumerBench.Until(() => Task.FromResult(order.Count == 20));
        await consumer.StopAsync().InTime();
        Assert.Equal([.. Enumerable.Range(1, 19).Select(i => (decimal)i), 0], order);
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task A_deferred_message_comes_again_which_counts_as_no_attempt()
    {
        await using ConsumerBench bench = await MakeAsync(150);
        var seen = new ConcurrentQueue<(int, int, int)>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None }).Handle<OrderPlaced>((_, context) =>
        {
            seen.Enqueue((context.Attempt, context.DelayedRetries, context.Deferrals));
            if (seen.Count == 4)
            {
                done.SetResult();
            }

            return Task.FromResult(seen.Count < 4 ? MessageOutcome.Defer(TimeSpan.FromMilliseconds(130)) : MessageOutcome.Ack);
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal([(1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 0, 3)], seen);
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task A_delay_queue_that_was_deleted_is_declared_again()
    {
        await using ConsumerBench bench = await MakeAsync(200);
        int calls = 0;
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Retry = RetryPolicy.None with { Delayed = Policy(retries: 1) },
        }).Handle<OrderPlaced>((_, context) =>
        {
            Interlocked.Increment(ref calls);
            return context.DelayedRetries == 0 ? throw new InvalidOperationException("once") : Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref calls) == 2));
        await bench.Channel.QueueDeleteAsync(bench.OtherQueues[0]).InTime();
        await bench.PublishAsync(Order);

        // It goes back once, because the queue is missed when the message is published.
        await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref calls) == 5));
        await consumer.StopAsync().InTime();
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task A_delay_queue_that_was_declared_otherwise_is_refused_and_what_would_wait_there_is_a_failure()
    {
        await using ConsumerBench bench = await MakeAsync(200);
        await bench.Channel.QueueDeclareAsync(bench.OtherQueues[0], durable: true, exclusive: false, autoDelete: false).InTime();
        WireConsumer refused = bench.Consumer(options => options with { Retry = RetryPolicy.None with { Delayed = Policy(retries: 1) } })
            .Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => refused.StartAsync().InTime());
        Assert.Contains($"This could not be declared: 'queue {bench.OtherQueues[0]}, ", error.Message, StringComparison.Ordinal);
        Assert.Contains("declare it as it is there", error.Message, StringComparison.Ordinal);

        // One that is not known before the first message: it will never be taken.
        int calls = 0;
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, context) =>
        {
            Interlocked.Increment(ref calls);
            context.Outcome = MessageOutcome.Defer(TimeSpan.FromMilliseconds(180));
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Contains("could not be declared", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Equal(1, calls);
        await consumer.StopAsync().InTime();
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task Headers_that_leave_no_room_for_the_history_make_it_a_failure()
    {
        await using ConsumerBench bench = await MakeAsync(200);
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Retry = RetryPolicy.None with { Delayed = Policy(retries: 1) },
        }).Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"));
        await consumer.StartAsync().InTime();
        byte[] large = new byte[(int)bench.Connection.FrameMax - 250];
        await bench.PublishAsync(Order, properties => properties.Headers = new Dictionary<string, object?> { ["large"] = large });
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Contains("always", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Contains("bytes", dead.ErrorHeader("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Headers_that_look_like_a_history_and_are_none_do_no_harm()
    {
        await using ConsumerBench bench = await MakeAsync();
        var seen = new ConcurrentQueue<(int, string, string)>();
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, context) =>
        {
            seen.Enqueue((context.DelayedRetries, context.Exchange, context.RoutingKey));
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        Dictionary<string, object?>[] odd =
        [
            new() { ["x-wire-retry-count"] = 3, ["x-wire-retry-exchange"] = "e" },
            new() { ["x-wire-retry-count"] = 3, ["x-wire-retry-exchange"] = "e", ["x-wire-retry-queue"] = "another" },
            new() { ["x-wire-retry-queue"] = bench.Queue, ["x-wire-retry-count"] = -1, ["x-wire-retry-routing-key"] = 5 },
            new() { ["x-wire-retry-queue"] = 1, ["x-wire-retry-count"] = "many" },
        ];
        foreach (Dictionary<string, object?> headers in odd)
        {
            await bench.PublishAsync(Order, properties => properties.Headers = headers);
        }

        await ConsumerBench.Until(() => Task.FromResult(seen.Count == odd.Length));
        await consumer.StopAsync().InTime();
        Assert.Equal(new[] { (0, "", ""), (0, "", bench.Queue), (0, "", bench.Queue), (0, "", bench.Queue) }.Order(), seen.Order());
    }

    [Fact]
    public async Task What_comes_back_is_new_to_its_queue_and_another_queue_counts_its_own_retries()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new() { ["x-queue-type"] = "quorum" });
        bench.OtherQueues.AddRange([$"{bench.Queue}.delay.200ms", $"{bench.ErrorQueue}.delay.200ms"]);
        var first = new ConcurrentQueue<(long?, int)>();
        var second = new ConcurrentQueue<int>();
        RetryPolicy retry = RetryPolicy.None with { Delayed = Policy(retries: 1) };
        WireConsumer consumer = bench.Consumer(options => options with { Retry = retry }).Handle<OrderPlaced>((_, context) =>
        {
            first.Enqueue((context.DeliveryCount ?? 0, context.DelayedRetries));
            return first.Count == 1 ? Task.FromResult(MessageOutcome.Requeue) : throw new InvalidOperationException("always");
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.ErrorQueue)).MessageCount == 1);
        await consumer.StopAsync().InTime();
        Assert.Equal([(0, 0), (1, 0), (0, 1)], first);

        await using WireConsumer errors = bench
            .Consumer(options => options with { Queue = bench.ErrorQueue, OnFailure = FailureAction.DeadLetter, Retry = retry })
            .Handle<OrderPlaced>((_, context) =>
            {
                second.Enqueue(context.DelayedRetries);
                return context.DelayedRetries == 0 ? throw new InvalidOperationException("once") : Task.CompletedTask;
            });
        await errors.StartAsync().InTime();
        await ConsumerBench.Until(() => Task.FromResult(second.Count == 2));
        await errors.StopAsync().InTime();
        Assert.Equal([0, 1], second);
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task A_message_whose_channel_is_lost_while_its_handler_runs_is_not_doubled_by_deferring_it()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        bench.OtherQueues.Add($"{bench.Queue}.delay.100ms");
        int calls = 0, handled = 0;
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>(async (_, context) =>
        {
            if (Interlocked.Increment(ref calls) == 1)
            {
                proxy.CutAll(Cut.Reset);
                await Task.Delay(Timeout.Infinite, context.CancellationToken).ContinueWith(_ => { }, TaskScheduler.Default);
                return MessageOutcome.Defer(TimeSpan.FromMilliseconds(100));
            }

            Interlocked.Increment(ref handled);
            return MessageOutcome.Ack;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref handled) == 1));
        await Task.Delay(500);
        await consumer.StopAsync().InTime();
        Assert.Equal((2, 1), (calls, handled));
    }

    [Fact]
    public async Task A_message_that_would_expire_meanwhile_is_a_failure_and_one_that_has_the_time_waits()
    {
        await using ConsumerBench bench = await MakeAsync(200);
        var seen = new ConcurrentQueue<int>();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Retry = RetryPolicy.None with { Delayed = Policy(retries: 5) with { MaxDelay = TimeSpan.FromMilliseconds(200) } },
        }).Handle<OrderPlaced>((_, context) =>
        {
            seen.Enqueue(context.DelayedRetries);
            throw new InvalidOperationException("always");
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order, properties => properties.Expiration = "500");
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        await consumer.StopAsync().InTime();

        // After 400 ms it has 100 left.
        Assert.Equal([0, 1, 2], seen);
        Assert.Equal(("always", "500"), (dead.ErrorHeader("message"), dead.ErrorHeader("expiration")));
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task Deferred_by_its_exception_a_message_has_attempts_and_no_retries()
    {
        await using ConsumerBench bench = await MakeAsync(100);
        WireConsumer consumer = bench.Consumer(options => options with
        {
            OnException = (_, context) =>
                context.Deferrals < 2 ? MessageOutcome.Defer(TimeSpan.FromMilliseconds(50)) : MessageOutcome.Fail("twice"),
        }).Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(("twice", 3), (dead.ErrorHeader("message"), dead.BasicProperties.Headers!["x-wire-error-attempts"]));
        await consumer.StopAsync().InTime();
        Assert.DoesNotContain(bench.Log, line => line.StartsWith("2018 ", StringComparison.Ordinal));
        await NothingIsLeftAsync(bench);
    }

    [Fact]
    public async Task A_message_of_a_stream_cannot_wait_and_is_a_failure_at_once()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new() { ["x-queue-type"] = "stream" });
        int last = 0;
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = "first" },
            Retry = RetryPolicy.None with { Delayed = Policy(retries: 2) },
        })
        .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"))
        .Handle<Parcels>((_, _) => Task.FromResult(MessageOutcome.Defer(TimeSpan.FromSeconds(1))))
        .Handle<int>((number, _) =>
        {
            Volatile.Write(ref last, number);
            return Task.FromResult(MessageOutcome.Reject);
        });
        bool lost = false;
        bench.Connection.Lost += () => lost = true;
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        Assert.Equal("always", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        await bench.PublishAsync(new Parcels(Guid.NewGuid(), [1]));
        BasicGetResult deferred = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Contains("cannot be deferred", deferred.ErrorHeader("message"), StringComparison.Ordinal);

        // A copy is not of the stream any more.
        Assert.DoesNotContain("x-stream-offset", deferred.BasicProperties.Headers!.Keys);

        // Rejected it is passed over, where the broker would close the connection.
        await bench.PublishAsync(1);
        await bench.PublishAsync(2);
        await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref last) == 2));
        Assert.True(bench.Connection.IsOpen);
        Assert.False(lost, "The connection was lost.");
    }

    private static DelayedRetryPolicy Policy(int retries) => new()
    {
        MaxRetries = retries,
        Delay = TimeSpan.FromMilliseconds(200),
        Jitter = 0,
    };

    private static async Task NothingIsLeftAsync(ConsumerBench bench)
    {
        foreach (string queue in (string[])[bench.Queue, bench.ErrorQueue, .. bench.OtherQueues])
        {
            Assert.Equal((queue, 0u), (queue, (await bench.LookAsync(queue)).MessageCount));
        }
    }

    private async Task<ConsumerBench> MakeAsync(params int[] delays)
    {
        ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        bench.OtherQueues.AddRange(delays.Select(delay => new DelayLevel(delay).QueueFor(bench.Queue)));
        return bench;
    }
}

/// <inheritdoc/>
public sealed class DelayedRetryTestsOnClient() : DelayedRetryTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class DelayedRetryTestsOnLane() : DelayedRetryTests(WireTransport.DirectLane);
