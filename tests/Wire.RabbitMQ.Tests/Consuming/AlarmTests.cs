using System.Diagnostics;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>A broker that is low on memory reads nothing more from connections that publish: what consumers do meanwhile.</summary>
public abstract class AlarmTests(WireTransport transport, PrivateNode node)
{
    private const int Count = 500;

    [Fact]
    public async Task Messages_that_fail_do_not_stop_the_others_and_what_stops_stops_in_time()
    {
        await using WireConnection connection = await ConnectAsync();
        string queue = Broker.UniqueName("alarm");
        await connection.Topology.DeclareQueueAsync(queue).InTime();
        await using (WireConnection other = await ConnectAsync())
        {
            await using var publisher = new WirePublisher(other, Shop.Serializer);
            await Task.WhenAll(Enumerable.Range(0, Count).Select(i => publisher.PublishAsync(
                "", queue, new OrderPlaced(Guid.NewGuid(), $"{i}", i)).AsTask())).InTime();
        }

        int handled = 0;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumer = new WireConsumer(connection, Shop.Serializer, new WireConsumerOptions
        {
            Queue = queue,
            MaxConcurrency = 4,
            Retry = RetryPolicy.None,
            StopTimeout = TimeSpan.FromSeconds(3),
        });
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            if (order.Customer == "100")
            {
                throw new InvalidOperationException("This one fails.");
            }

            if (Interlocked.Increment(ref handled) == Count - 1)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await node.RaiseAlarmAsync();
        try
        {
            await consumer.StartAsync().InTime();
            await done.Task.InTime();
            Assert.Null(connection.BlockedReason);

            // 3 s for handlers, of which one waits for the error queue; 5 s more for all the rest; and 2 s to close what the broker does
            // not read.
            long start = Stopwatch.GetTimestamp();
            await consumer.StopAsync().InTime();
            await connection.DisposeAsync().AsTask().InTime();
            Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.Zero, TimeSpan.FromSeconds(15));
        }
        finally
        {
            await node.EndAlarmAsync();
        }

        // What failed is in its queue still, or in the error queue: where the broker had it when it was low on memory, in both.
        await using WireConnection after = await ConnectAsync();
        uint left = (await after.Topology.FindQueueAsync(queue).InTime())!.MessageCount;
        uint dead = (await after.Topology.FindQueueAsync($"{queue}.error").InTime())!.MessageCount;
        Assert.InRange((left, dead), (0u, 1u), (1u, 1u));
        await after.Topology.DeleteQueueAsync(queue).InTime();
        await after.Topology.DeleteQueueAsync($"{queue}.error").InTime();
    }

    [Fact]
    public async Task Publishing_waits_says_why_and_goes_on_and_a_connection_that_is_blocked_closes_soon()
    {
        await using WireConnection connection = await ConnectAsync();
        string queue = Broker.UniqueName("alarm");
        await connection.Topology.DeclareQueueAsync(queue).InTime();
        await using var publisher = new WirePublisher(connection, Shop.Serializer);
        WireConnection blocked = await ConnectAsync();
        var idle = new WirePublisher(blocked, Shop.Serializer);
        await node.RaiseAlarmAsync();
        Task[] published;
        try
        {
            var order = new OrderPlaced(Guid.NewGuid(), new string('x', 1000), 1);
            Task first = publisher.PublishAsync("", queue, order).AsTask();
            Task never = idle.PublishAsync("", queue, order).AsTask();
            await ConsumerBench.Until(() => Task.FromResult(connection.BlockedReason is not null && blocked.BlockedReason is not null));
            published = [first, .. Enumerable.Range(0, 2000).Select(_ => publisher.PublishAsync("", queue, order).AsTask())];
            await Task.Delay(200);
            Assert.DoesNotContain(published, task => task.IsCompleted);

            long start = Stopwatch.GetTimestamp();
            await idle.CloseAsync(new CancellationToken(canceled: true)).InTime();
            await blocked.DisposeAsync().AsTask().InTime();
            Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.Zero, TimeSpan.FromSeconds(10));
            await Assert.ThrowsAnyAsync<Exception>(() => never.InTime());
        }
        finally
        {
            await node.EndAlarmAsync();
        }

        await Task.WhenAll(published).InTime();
        Assert.Null(connection.BlockedReason);
        Assert.InRange((await connection.Topology.FindQueueAsync(queue).InTime())!.MessageCount, 2001u, 2002u);
        await connection.Topology.DeleteQueueAsync(queue).InTime();
    }

    private async Task<WireConnection> ConnectAsync()
    {
        ConnectionFactory factory = node.Node.Factory();
        return transport == WireTransport.Client
            ? await factory.ConnectWireAsync().InTime()
            : await WireConnection.ConnectAsync(factory.ForDirectLane()).InTime();
    }
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class AlarmTestsOnClient(PrivateNode node) : AlarmTests(WireTransport.Client, node);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class AlarmTestsOnLane(PrivateNode node) : AlarmTests(WireTransport.DirectLane, node);
