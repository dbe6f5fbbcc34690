using System.Collections.Concurrent;
using System.Globalization;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Gathering;

/// <summary>Objects that were gathered in one message are handled like messages of their own.</summary>
public abstract class GatheredConsumingTests(WireTransport transport)
{
    [Fact]
    public async Task Each_object_comes_in_order_with_its_own_id_and_headers()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 100, i => new PublishOptions
        {
            Headers = new Dictionary<string, object?> { ["number"] = i },
            CorrelationId = $"{i}",
            MessageId = i % 2 == 0 ? $"own {i}" : null,
        });
        var came = new ConcurrentQueue<(decimal Total, object? Header, string? Correlation, string? Id)>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            came.Enqueue((order.Total, context.Headers["number"], context.CorrelationId, context.MessageId));
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => came.Count == 100);
        (decimal Total, object? Header, string? Correlation, string? Id)[] all = [.. came];
        Assert.Equal(Enumerable.Range(0, 100).Select(i => ((decimal)i, (object?)i, (string?)$"{i}")), all.Select(
            each => (each.Total, each.Header, each.Correlation)));
        Assert.Equal(100, all.Select(each => each.Id).Distinct().Count());
        Assert.All(all, each => Assert.False(string.IsNullOrEmpty(each.Id)));
        Assert.All(all.Where(each => each.Total % 2 == 0), each => Assert.Equal($"own {each.Total}", each.Id));
    }

    [Fact]
    public async Task One_that_fails_goes_alone_to_the_error_queue()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 50, i => new PublishOptions { Headers = new Dictionary<string, object?> { ["number"] = i } });
        int handled = 0;
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None });
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            Interlocked.Increment(ref handled);
            return order.Total == 33 ? throw new InvalidOperationException("33") : Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => Volatile.Read(ref handled) == 50);
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(33, Shop.Serializer.Read<OrderPlaced>(failed)!.Total);
        Assert.Equal(
            (AmqpBody.ContentType, "33", 33),
            (failed.BasicProperties.ContentType, failed.ErrorHeader("message"), failed.BasicProperties.Headers!["number"]));
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
        Assert.Equal(50, handled);
    }

    [Fact]
    public async Task One_that_is_returned_to_the_queue_comes_again_alone_and_the_others_do_not()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 50);
        var came = new ConcurrentQueue<(decimal Total, string? Id, string Exchange, string RoutingKey)>();
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            bool isFirst = came.All(each => each.Total != order.Total);
            came.Enqueue((order.Total, context.MessageId, context.Exchange, context.RoutingKey));
            context.Outcome = isFirst && order.Total == 33 ? MessageOutcome.Requeue : MessageOutcome.Ack;
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => came.Count == 51);
        Assert.Equal(Enumerable.Range(0, 50).Select(i => (decimal)i).Append(33).Order(), came.Select(each => each.Total).Order());
        Assert.Single(came.Where(each => each.Total == 33).Select(each => each with { Total = 0 }).Distinct());
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task One_that_is_rejected_goes_alone_where_the_broker_sends_what_is_rejected()
    {
        string dead = Broker.UniqueName("dead");
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new()
        {
            ["x-dead-letter-exchange"] = "",
            ["x-dead-letter-routing-key"] = dead,
        });
        bench.OtherQueues.Add(dead);
        await bench.Channel.QueueDeclareAsync(dead, durable: false, exclusive: false, autoDelete: false).InTime();
        await PublishAsync(bench, 50);
        int handled = 0;
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            Interlocked.Increment(ref handled);
            context.Outcome = order.Total == 33 ? MessageOutcome.Reject : MessageOutcome.Ack;
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        BasicGetResult rejected = await bench.TakeAsync(dead);
        await consumer.StopAsync().InTime();
        Assert.Equal((33m, 51), (Shop.Serializer.Read<OrderPlaced>(rejected)!.Total, handled));
        Assert.Equal((0u, 0u), ((await bench.LookAsync(bench.Queue)).MessageCount, (await bench.LookAsync(dead)).MessageCount));
    }

    [Fact]
    public async Task One_that_is_retried_later_waits_alone()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 20);
        var came = new ConcurrentQueue<(decimal Total, int Retries)>();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Retry = RetryPolicy.None with
            {
                Delayed = new DelayedRetryPolicy { MaxRetries = 1, Delay = TimeSpan.FromMilliseconds(100) },
            },
        });
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            came.Enqueue((order.Total, context.DelayedRetries));
            return order.Total == 7 && context.DelayedRetries == 0 ? throw new InvalidOperationException("7") : Task.CompletedTask;
        });
        bench.OtherQueues.Add($"{bench.Queue}.delay.100ms");
        await HandleAllAsync(bench, consumer, () => came.Count == 21);
        Assert.Equal(Enumerable.Range(0, 20).Select(i => ((decimal)i, 0)).Append((7, 1)).Order(), came.Order());
    }

    [Fact]
    public async Task A_batch_has_objects_of_several_messages()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 90);
        var batches = new ConcurrentQueue<decimal[]>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 60 });
        consumer.HandleBatch<OrderPlaced>(
            (batch, _) =>
            {
                batches.Enqueue([.. batch.Select(each => each.Message.Total)]);
                return Task.CompletedTask;
            },
            new BatchOptions { MaxCount = 30, MaxDelay = TimeSpan.FromMilliseconds(20) });
        await HandleAllAsync(bench, consumer, () => batches.Sum(batch => batch.Length) == 90);
        Assert.Equal(Enumerable.Range(0, 90).Select(i => (decimal)i), batches.SelectMany(batch => batch).Order());
        Assert.Contains(batches, batch => batch.Length == 30);
    }

    [Fact]
    public async Task Objects_of_one_key_keep_their_order_and_keys_run_side_by_side()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 200, i => new PublishOptions { CorrelationId = $"{i % 5}" });
        var came = new ConcurrentDictionary<string, ConcurrentQueue<decimal>>();
        int now = 0;
        int most = 0;
        WireConsumer consumer = bench.Consumer(options => options with { OrderingKey = context => context.CorrelationId });
        consumer.Handle<OrderPlaced>(async (order, context) =>
        {
            int other = Interlocked.Increment(ref now);
            most = Math.Max(most, other);
            await Task.Delay(1);
            Interlocked.Decrement(ref now);
            came.GetOrAdd(context.CorrelationId!, _ => new ConcurrentQueue<decimal>()).Enqueue(order.Total);
        });
        await HandleAllAsync(bench, consumer, () => came.Values.Sum(each => each.Count) == 200);
        Assert.Equal(5, came.Count);
        Assert.InRange(most, 2, 4);
        Assert.All(came, each => Assert.Equal(each.Value.Order(), each.Value));
    }

    [Fact]
    public async Task After_a_stop_in_between_each_object_has_been_handled_once()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 60);
        var came = new ConcurrentQueue<decimal>();
        var half = new TaskCompletionSource();
        WireConsumer first = bench.Consumer(options => options with { MaxConcurrency = 2 });
        first.Handle<OrderPlaced>(async (order, _) =>
        {
            came.Enqueue(order.Total);
            if (came.Count >= 30)
            {
                half.TrySetResult();
            }

            await Task.Delay(5);
        });
        await first.StartAsync().InTime();
        await half.Task.InTime();
        await first.StopAsync().InTime();
        Assert.InRange(came.Count, 30, 59);
        WireConsumer second = bench.Consumer();
        second.Handle<OrderPlaced>((order, _) =>
        {
            came.Enqueue(order.Total);
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, second, () => came.Count >= 60);
        Assert.Equal(Enumerable.Range(0, 60).Select(i => (decimal)i), came.Order());
    }

    [Fact]
    public async Task With_one_at_a_time_a_stop_in_between_returns_all_of_them_to_their_place()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 20);
        var came = new ConcurrentQueue<decimal>();
        WireConsumer first = bench.Consumer(options => options with { MaxConcurrency = 1 });
        var begun = new TaskCompletionSource();
        var goes = new TaskCompletionSource();
        first.Handle<OrderPlaced>(async (order, _) =>
        {
            if (order.Total == 5)
            {
                begun.SetResult();
                await goes.Task;
            }
        });
        await first.StartAsync().InTime();
        await begun.Task.InTime();
        Task stopped = first.StopAsync();
        goes.SetResult();
        await stopped.InTime();
        WireConsumer second = bench.Consumer(options => options with { MaxConcurrency = 1 });
        second.Handle<OrderPlaced>((order, _) =>
        {
            came.Enqueue(order.Total);
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, second, () => came.Count >= 19);

        // That of the first message was acknowledged.
        Assert.Equal(Enumerable.Range(1, 19).Select(i => (decimal)i), came);
    }

    [Fact]
    public async Task When_the_channel_is_lost_the_rest_is_not_handled_before_it_comes_again()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        await PublishAsync(bench, 20);
        var came = new ConcurrentQueue<decimal>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.Handle<OrderPlaced>(async (order, context) =>
        {
            bool isFirst = !came.Contains(order.Total);
            came.Enqueue(order.Total);
            if (isFirst && order.Total == 5)
            {
                proxy.CutAll(Cut.Reset);
                await Task.Delay(Timeout.Infinite, context.CancellationToken);
            }
        });
        await HandleAllAsync(bench, consumer, () => came.Contains(19));
        decimal[] all = [.. came.Where(each => each > 0)];
        Assert.Equal([.. Enumerable.Range(1, 5).Select(i => (decimal)i), .. Enumerable.Range(1, 19).Select(i => (decimal)i)], all);
    }

    [Fact]
    public async Task Handlers_that_keep_their_threads_run_side_by_side()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await PublishAsync(bench, 9);
        using var all = new Barrier(4);
        int handled = 0;
        int met = 0;
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 4 });
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            // The first came alone.
            if (order.Total > 0 && all.SignalAndWait(Patience.Limit))
            {
                Interlocked.Increment(ref met);
            }

            Interlocked.Increment(ref handled);
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => Volatile.Read(ref handled) == 9);
        Assert.Equal(8, met);
    }

    [Fact]
    public async Task What_the_handler_rejects_as_failed_goes_alone_where_failures_of_the_queue_go()
    {
        string dead = Broker.UniqueName("dead");
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new()
        {
            ["x-dead-letter-exchange"] = "",
            ["x-dead-letter-routing-key"] = dead,
        });
        bench.OtherQueues.Add(dead);
        await bench.Channel.QueueDeclareAsync(dead, durable: false, exclusive: false, autoDelete: false).InTime();
        await PublishAsync(bench, 20);
        WireConsumer consumer = bench.Consumer(
            options => options with { OnFailure = FailureAction.DeadLetter, Retry = RetryPolicy.None });
        var came = new ConcurrentQueue<decimal>();
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            came.Enqueue(order.Total);
            return order.Total is 7 or 9 ? throw new InvalidOperationException("No.") : Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        decimal[] totals =
        [
            Shop.Serializer.Read<OrderPlaced>(await bench.TakeAsync(dead))!.Total,
            Shop.Serializer.Read<OrderPlaced>(await bench.TakeAsync(dead))!.Total,
        ];
        await consumer.StopAsync().InTime();
        Assert.Equal([7m, 9m], totals.Order());
        Assert.Equal(Enumerable.Range(0, 20).Select(i => (decimal)i).Concat([7m, 9m]).Order(), came.Order());
    }

    [Fact]
    public async Task One_with_headers_that_leave_no_room_for_where_it_came_from_goes_back_without_that()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int size = bench.Connection.FrameMax - 300;
        await PublishAsync(bench, 3, i => new PublishOptions
        {
            Headers = i == 1 ? new Dictionary<string, object?> { ["large"] = new string('a', size) } : null,
        });
        var came = new ConcurrentQueue<(decimal Total, int Size)>();
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            bool isFirst = came.All(each => each.Total != order.Total);
            came.Enqueue((order.Total, ((string?)context.Headers.GetValueOrDefault("large") ?? "").Length));
            context.Outcome = isFirst && order.Total == 1 ? MessageOutcome.Requeue : MessageOutcome.Ack;
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => came.Count == 4);
        Assert.Equal([(0m, 0), (1m, size), (1m, size), (2m, 0)], came.Order());
    }

    [Fact]
    public async Task What_has_come_too_often_is_taken_apart_so_that_one_cannot_take_the_others_along()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        using var writer = new GatheredBodyWriter();
        for (int i = 0; i < 10; i++)
        {
            AddTo(writer, new OrderPlaced(Guid.NewGuid(), "Ada", i));
        }

        // As a quorum queue counts.
        await bench.PublishRawAsync(writer.Written, new BasicProperties
        {
            ContentType = GatheredBody.ContentType,
            Headers = new Dictionary<string, object?> { ["x-delivery-count"] = 2 },
        });
        var came = new ConcurrentQueue<(decimal Total, int? Count)>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxDeliveries = 4 });
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            came.Enqueue((order.Total, (int?)context.DeliveryCount));
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => came.Count == 10);
        Assert.Equal(Enumerable.Range(0, 10).Select(i => ((decimal)i, (int?)null)), came.Order());
    }

    [Fact]
    public async Task What_is_damaged_goes_to_the_error_queue_as_it_came()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await bench.PublishRawAsync(new byte[] { 1, 0, 0, 0, 5, 0 }, new BasicProperties { ContentType = GatheredBody.ContentType });
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(new byte[] { 1, 0, 0, 0, 5, 0 }, failed.Body.ToArray());
        Assert.Equal("undecodable", failed.ErrorHeader("reason"));
        Assert.Contains("found 5", failed.ErrorHeader("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_that_cannot_be_read_takes_no_other_with_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        using var writer = new GatheredBodyWriter();
        AddTo(writer, new OrderPlaced(Guid.NewGuid(), "Ada", 1));
        writer.Add(new Amqp.V091.BasicProperties { ContentType = AmqpBody.ContentType }, [1, 2, 3]);
        writer.Add(new Amqp.V091.BasicProperties { ContentType = GatheredBody.ContentType }, writer.Written.ToArray());
        AddTo(writer, new OrderPlaced(Guid.NewGuid(), "Ada", 4));
        await bench.PublishRawAsync(
            writer.Written, new BasicProperties { ContentType = GatheredBody.ContentType, MessageId = "whole" });
        var came = new ConcurrentQueue<decimal>();
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            came.Enqueue(order.Total);
            return Task.CompletedTask;
        });
        await HandleAllAsync(bench, consumer, () => came.Count == 2);
        string?[] ids = [(await bench.TakeAsync(bench.ErrorQueue)).BasicProperties.MessageId,
            (await bench.TakeAsync(bench.ErrorQueue)).BasicProperties.MessageId];
        Assert.Equal(["whole/1", "whole/2"], ids.Order());
        Assert.Equal([1m, 4m], came.Order());
    }

    private static void AddTo(GatheredBodyWriter writer, OrderPlaced order)
    {
        using WireBody body = Shop.Serializer.Write<Message>(order);
        writer.Add(new Amqp.V091.BasicProperties { ContentType = AmqpBody.ContentType }, body.Memory.Span);
    }

    // All at once: the first waits for the connection, and the others, which find its channel busy, are one message.
    private static async Task PublishAsync(ConsumerBench bench, int count, Func<int, PublishOptions>? options = null)
    {
        var gathering = new GatheringOptions { MaxCount = count - 1, MaxBytes = 1 << 20, MaxDelay = TimeSpan.FromMinutes(1) };
        var connects = new TaskCompletionSource();
        await using var publisher = new WirePublisher(
            async _ =>
            {
                await connects.Task;
                return bench.Connection.Connection;
            },
            Shop.Serializer,
            new WirePublisherOptions { MaxChannels = 1 }.Gathering<Message>(gathering),
            null);
        Task[] all =
        [
            .. Enumerable.Range(0, count).Select(i => publisher.PublishAsync(
                "",
                bench.Queue,
                new OrderPlaced(Guid.NewGuid(), i.ToString(CultureInfo.InvariantCulture), i),
                options?.Invoke(i)).AsTask()),
        ];
        connects.SetResult();
        await Task.WhenAll(all).InTime();
        Assert.Equal(2u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    private static async Task HandleAllAsync(ConsumerBench bench, WireConsumer consumer, Func<bool> isDone)
    {
        await consumer.StartAsync().InTime();
        await ConsumerBench.Until(() => Task.FromResult(isDone()));
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }
}

/// <inheritdoc/>
public sealed class GatheredConsumingTestsOnLane() : GatheredConsumingTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class GatheredConsumingTestsOnClient() : GatheredConsumingTests(WireTransport.Client);
