using System.Collections.Concurrent;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>
/// A broker closes the channel of a consumer that keeps a message for longer than <c>consumer_timeout</c>, while it sends it others: that
/// channel ends alone, and everything else on its connection goes on. From 4.3 on it is the queue that looks, if it is a quorum queue, and
/// the consumer alone is cancelled.
/// </summary>
[Collection(nameof(PrivateNode))]
public sealed class ConsumerTimeoutTests(PrivateNode node)
{
    private const int Rounds = 3;

    [Fact]
    public async Task A_handler_that_takes_too_long_costs_its_channel_and_nothing_else()
    {
        await SetAsync(timeout: 1000, interval: 200);
        try
        {
            await RunAsync();
        }
        finally
        {
            // As a node has them by itself.
            await SetAsync(timeout: 1_800_000, interval: 60_000);
        }
    }

    // In milliseconds, for the channels that are opened from now on: how long a message may be kept, and how often that is looked at.
    private Task SetAsync(int timeout, int interval) => node.ControlAsync(
        "eval",
        $"[application:set_env(rabbit, K, V) || {{K, V}} <- [{{consumer_timeout, {timeout}}}, {{channel_tick_interval, {interval}}}]].");

    private async Task RunAsync()
    {
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(node.Node.Factory().ForDirectLane()).InTime();
        var lost = new ConcurrentQueue<Exception>();
        connection.Lost += lost.Enqueue;
        await using AmqpConnection elsewhere = await AmqpConnection.ConnectAsync(node.Node.Factory().ForDirectLane()).InTime();
        AmqpChannel beside = await connection.OpenChannelAsync().InTime();
        AmqpChannel publishing = await elsewhere.OpenChannelAsync(new() { Body = Shop.Serializer.Body }).InTime();
        Dictionary<string, object?>? ofQueue = node.Node.Version >= new Version(4, 3)
            ? new() { ["x-queue-type"] = "quorum", ["x-consumer-timeout"] = 1000 }
            : null;
        string queue =
            (await beside.Topology.DeclareQueueAsync(Broker.UniqueName("timeout"), new AmqpQueueOptions { Arguments = ofQueue }).InTime())
                .Name;
        var handled = new ConcurrentDictionary<Guid, int>();
        var slow = new ConcurrentDictionary<Guid, bool>();
        var closed = new SemaphoreSlim(0);
        var options = new WireConsumerOptions { Queue = queue, MaxConcurrency = 4, PrefetchCount = 250 };
        WireConsumer consumer = new WireConsumer(connection, Shop.Serializer, options).Handle<OrderPlaced>(async (order, context) =>
        {
            if (order.Total == 0 && slow.TryAdd(order.Id, true))
            {
                await Task.Delay(Timeout.Infinite, context.CancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                closed.Release();
                return;
            }

            handled.AddOrUpdate(order.Id, 1, (_, times) => times + 1);
        });
        await consumer.StartAsync().InTime();
        List<Guid> sent = [];
        for (int round = 0; round < Rounds; round++)
        {
            sent.Add(await PublishAsync(0));
            while (!await closed.WaitAsync(0))
            {
                // Confirmed beside it all the time, on the connection whose channel is closed.
                await beside.PublishBytesAsync(new() { RoutingKey = "nobody" }, default, new byte[100]).AsTask().InTime();
                sent.AddRange(await Task.WhenAll(Enumerable.Range(1, 200).Select(PublishAsync)));
            }
        }

        await ConsumerBench.Until(() => Task.FromResult(sent.TrueForAll(handled.ContainsKey)));
        await consumer.StopAsync().InTime();
        Assert.Empty(lost);
        Assert.Equal(sent.Count, handled.Count);

        // What was handled when its channel was closed comes again, and may not have begun for the second time.
        while (await publishing.GetAsync(queue, noAck: true).InTime() is { } left)
        {
            using (left)
            {
                Assert.True(left.Redelivered);
                Assert.Contains(left.Read<OrderPlaced>()!.Id, handled.Keys);
            }
        }

        Assert.Equal(0u, (await beside.Topology.FindQueueAsync($"{queue}.error").InTime())!.MessageCount);
        await beside.Topology.DeleteQueueAsync(queue).InTime();
        await beside.Topology.DeleteQueueAsync($"{queue}.error").InTime();

        async Task<Guid> PublishAsync(int total)
        {
            var order = new OrderPlaced(Guid.NewGuid(), "c", total);
            await publishing.PublishAsync("", queue, order).AsTask().InTime();
            return order.Id;
        }
    }
}
