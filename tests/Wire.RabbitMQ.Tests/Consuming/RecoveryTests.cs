using System.Collections.Concurrent;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>A consumer goes on whatever happens to its channel, its connection or its queue.</summary>
public abstract class RecoveryTests(WireTransport transport)
{
    [Fact]
    public async Task Connections_that_are_cut_again_and_again_while_handlers_run_lose_nothing()
    {
        const int Count = 2000;
        const int Cuts = 5;
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var seen = new ConcurrentDictionary<Guid, (int Times, bool Told)>();
        int running = 0, most = 0;
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 8, PrefetchCount = 50 }).Handle<OrderPlaced>(async (order, context) =>
        {
            int now = Interlocked.Increment(ref running);
            for (int before = most; now > before && Interlocked.CompareExchange(ref most, now, before) != before; before = most)
            {
            }

            await Task.Yield();
            bool told = context.Redelivered || context.Duplicate;
            seen.AddOrUpdate(order.Id, (1, true), (_, earlier) => (earlier.Times + 1, earlier.Told && told));
            Interlocked.Decrement(ref running);
        });
        await consumer.StartAsync().InTime();
        OrderPlaced[] orders = [.. Enumerable.Range(0, Count).Select(i => new OrderPlaced(Guid.NewGuid(), "c", i))];
        foreach (OrderPlaced[] part in orders.Chunk(Count / Cuts))
        {
            // Cut in the middle of a delivery, wherever that is.
            Task cut = proxy.ToClient.CutAfter(10_000 + (part[0].Id.GetHashCode() & 8191), Cut.Reset);
            foreach (OrderPlaced order in part)
            {
                await bench.PublishAsync(order);
            }

            await cut.InTime();
        }

        await ConsumerBench.Until(() => Task.FromResult(seen.Count == Count));
        await consumer.StopAsync().InTime();
        Assert.All(orders, order => Assert.True(seen[order.Id].Told));
        Assert.InRange(most, 1, 8);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
        Assert.True(proxy.Accepted > Cuts);
    }

    [Fact]
    public async Task What_was_handled_but_could_not_be_acknowledged_comes_again_and_is_flagged()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var contexts = new BlockingCollection<MessageContext>();
        var go = new SemaphoreSlim(0);
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>(async (_, context) =>
        {
            contexts.Add(context);
            await go.WaitAsync();
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        MessageContext first = await Task.Run(contexts.Take).InTime();
        Assert.False(first.Redelivered || first.Duplicate);

        // It ends while the broker does not hear of it.
        proxy.ToBroker.Pause();
        go.Release();
        await ConsumerBench.Until(() => Task.FromResult(Ended(first)));
        proxy.CutAll(Cut.Reset);
        proxy.ToBroker.Resume();
        MessageContext second = await Task.Run(contexts.Take).InTime();
        Assert.True(second.Redelivered);
        Assert.True(second.Duplicate);
        Assert.Equal(first.MessageId, second.MessageId);
        go.Release();
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    // It could only do in vain what the next one does, perhaps at the same time: it is not tried again, and does not fail.
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task The_token_of_a_handler_fires_when_its_message_is_lost(int concurrency)
    {
        const int Cuts = 3;
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var contexts = new BlockingCollection<MessageContext>();
        int fired = 0;
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = concurrency })
            .Handle<OrderPlaced>(async (_, context) =>
            {
                contexts.Add(context);
                if (contexts.Count <= Cuts)
                {
                    using CancellationTokenRegistration told =
                        context.CancellationToken.Register(() => Interlocked.Increment(ref fired));
                    await Task.Delay(Timeout.Infinite, context.CancellationToken);
                }
            });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        for (int i = 1; i <= Cuts; i++)
        {
            await ConsumerBench.Until(() => Task.FromResult(contexts.Count == i));
            proxy.CutAll(Cut.Reset);
            await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref fired) == i));
        }

        await ConsumerBench.Until(() => Task.FromResult(contexts.Count == Cuts + 1));
        await consumer.StopAsync().InTime();
        Assert.Equal(Cuts + 1, contexts.Count);
        Assert.All(contexts, context => Assert.Equal(1, context.Attempt));
        Assert.Equal([false, true, true, true], contexts.Select(context => context.Redelivered));
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task What_has_ended_is_acknowledged_soon_although_an_older_one_still_runs()
    {
        const int Count = 9;
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var seen = new ConcurrentQueue<(decimal Total, bool Redelivered)>();
        WireConsumer consumer = bench.Consumer(options => options with { PrefetchCount = 100 }).Handle<OrderPlaced>((order, context) =>
        {
            seen.Enqueue((order.Total, context.Redelivered));
            return order.Total == 0 ? go.Task : Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        long before = proxy.ToBroker.Bytes;
        for (int i = 0; i < Count; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        // An acknowledgement takes 21 bytes; the first message has none yet, and so each of the others its own.
        await ConsumerBench.Until(() => Task.FromResult(proxy.ToBroker.Bytes >= before + (21 * (Count - 1))));
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", Count));
        await ConsumerBench.Until(() => Task.FromResult(proxy.ToBroker.Bytes >= before + (21 * Count)));

        // Then the broker has done what it was told, and gives back only the first: it answers on the same channel.
        await consumer.Subscription!.AnswerAsync().InTime();
        proxy.CutAll(Cut.Reset);
        await ConsumerBench.Until(() => Task.FromResult(seen.Any(each => each.Redelivered)));
        go.SetResult();
        await consumer.StopAsync().InTime();
        Assert.Equal([(0m, true)], seen.Where(each => each.Redelivered));
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task Messages_that_end_in_order_are_acknowledged_many_at_once()
    {
        const int Count = 2000;
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        for (int i = 0; i < Count; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        int handled = 0;
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 1, PrefetchCount = 400 }).Handle<OrderPlaced>((_, _) =>
        {
            if (++handled == Count)
            {
                all.SetResult();
            }

            return Task.CompletedTask;
        });
        long before = proxy.ToBroker.Bytes;
        await consumer.StartAsync().InTime();
        await all.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.InRange(proxy.ToBroker.Bytes - before, 21 * 5, 21 * Count / 2);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task A_queue_that_was_deleted_and_is_declared_again_is_consumed_again()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new BlockingCollection<decimal>();
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((order, _) =>
        {
            seen.Add(order.Total);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 3; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
            Assert.Equal(i, await Task.Run(seen.Take).InTime());
            await bench.Channel.QueueDeleteAsync(bench.Queue).InTime();
            int failures = Failures();
            await ConsumerBench.Until(() => Task.FromResult(Failures() > failures));
            await bench.DeclareAsync().InTime();
        }

        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 9));
        Assert.Equal(9, await Task.Run(seen.Take).InTime());

        int Failures() => bench.Log.Count(line => line.StartsWith("2004 ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_channel_that_the_broker_closes_is_replaced_and_what_it_delivered_comes_again()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new BlockingCollection<(decimal Total, bool Redelivered)>();
        var go = new SemaphoreSlim(0);
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 1, PrefetchCount = 10 }).Handle<OrderPlaced>(async (order, context) =>
        {
            seen.Add((order.Total, context.Redelivered));
            await go.WaitAsync();
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 3; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", i));
        }

        Assert.Equal((0, false), await Task.Run(seen.Take).InTime());
        Assert.Contains("406", await consumer.Subscription!.CloseAsync(bench.Queue), StringComparison.Ordinal);
        go.Release(10);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal((i, true), await Task.Run(seen.Take).InTime());
        }

        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task A_queue_that_another_consumer_has_for_itself_is_refused_at_the_start_and_waited_for_later()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await using IConnection other = await Broker.Node.ConnectAsync().InTime();
        await using TestConnection another = await TestConnection.ConnectAsync(transport);
        var seen = new BlockingCollection<string>();
        WireConsumer first = bench.Consumer(options => options with { Exclusive = true }).Handle<OrderPlaced>((_, _) =>
        {
            seen.Add("first");
            return Task.CompletedTask;
        });
        await first.StartAsync().InTime();
        WireConsumer second = bench.Consumer(connection: another).Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => second.StartAsync().InTime());
        Assert.Contains($"'{bench.Queue}' cannot be started; the broker says: 403 ", refused.Message, StringComparison.Ordinal);
        Assert.IsType<AmqpChannelException>(refused.InnerException);

        // The first one loses its channel, and a third takes the queue before it is back.
        await first.Subscription!.CloseAsync(bench.Queue);
        await using IChannel third = await other.CreateChannelAsync().InTime();
        string? tag = null;
        try
        {
            tag = await third.BasicConsumeAsync(
                bench.Queue,
                autoAck: false,
                "third",
                noLocal: false,
                exclusive: true,
                arguments: null,
                new AsyncDefaultBasicConsumer(third)).InTime();
        }
        catch (OperationInterruptedException e) when (e.ShutdownReason!.ReplyCode == 403)
        {
            // The first one was back before: that is what it is about, too.
        }

        if (tag is not null)
        {
            await ConsumerBench.Until(() => Task.FromResult(bench.Log.Any(line => line.StartsWith("2004 ", StringComparison.Ordinal))));
            await third.BasicCancelAsync(tag).InTime();
        }

        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "c", 1));
        Assert.Equal("first", await Task.Run(seen.Take).InTime());
    }

    [Fact]
    public async Task A_queue_that_is_exclusive_to_another_connection_is_an_error_at_the_start_which_says_so_and_leaves_no_error_queue()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await using TestConnection another = await TestConnection.ConnectAsync(transport);
        string queue = bench.Queue + ".exclusive";
        await another.Connection.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary).InTime();
        WireConsumer consumer = bench.Consumer(options => options with { Queue = queue, ErrorQueue = bench.ErrorQueue })
            .Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => consumer.StartAsync().InTime());
        Assert.Contains($"'{queue}' cannot be started; the broker says: 405 ", refused.Message, StringComparison.Ordinal);
        Assert.Contains("exclusive to the connection that declared it", refused.Message, StringComparison.Ordinal);
        Assert.Equal(405, Assert.IsType<AmqpChannelException>(refused.InnerException).Reason.ReplyCode);
        OperationInterruptedException none = await Assert.ThrowsAsync<OperationInterruptedException>(
            () => bench.LookAsync(bench.ErrorQueue));
        Assert.Equal(404, none.ShutdownReason!.ReplyCode);
    }

    [Fact]
    public async Task A_queue_that_does_not_exist_is_an_error_at_the_start_which_names_it_and_leaves_no_error_queue()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with { Queue = bench.Queue + ".none", ErrorQueue = bench.ErrorQueue })
            .Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => consumer.StartAsync().InTime());
        Assert.Contains($"'{bench.Queue}.none' cannot be started; the broker says: 404 ", refused.Message, StringComparison.Ordinal);
        await consumer.Completion.InTime();
        OperationInterruptedException none =
            await Assert.ThrowsAsync<OperationInterruptedException>(() => bench.LookAsync(bench.ErrorQueue));
        Assert.Equal(404, none.ShutdownReason!.ReplyCode);
    }

    [Fact]
    public async Task A_connection_that_the_program_closes_ends_the_consumption_which_is_logged_and_told()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        await bench.Connection.CloseAsync().InTime();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => consumer.Completion.InTime());
        Assert.Single(bench.Log, line => line.StartsWith("2005 ", StringComparison.Ordinal));
        await consumer.StopAsync().InTime();
        WireConsumer another = bench.Consumer().Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => another.StartAsync().InTime());
    }

    private static bool Ended(MessageContext context)
    {
        try
        {
            return context.Body.Length < 0;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }
}

/// <inheritdoc/>
public sealed class RecoveryTestsOnClient() : RecoveryTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class RecoveryTestsOnLane() : RecoveryTests(WireTransport.DirectLane);
