using System.Collections.Concurrent;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>What was declared and consumed is there again when the connection was lost and has come back.</summary>
public sealed class ChannelRecoveryTests
{
    [Fact]
    public async Task Consumers_go_on_with_their_queues_bindings_and_tags()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string exchange = Broker.UniqueName();
        // RabbitMQ 4.3 may break one that deletes itself: see LeftOutTests.
        await tested.Channel.Topology.DeclareExchangeAsync(exchange, "direct", new AmqpExchangeOptions { Durable = false }).InTime();
        string locked = await tested.QueueAsync();
        string named = (await tested.Channel.Topology.DeclareQueueAsync().InTime()).Name;
        await tested.Channel.Topology.BindQueueAsync(locked, exchange, "locked").InTime();
        await tested.Channel.Topology.BindQueueAsync(named, exchange, "named").InTime();
        ConcurrentQueue<string> seen = [];
        AmqpDelivery old = default;
        var done = new Countdown(4);
        AmqpConsumer first = await tested.Channel.ConsumeAsync(locked, delivery =>
        {
            seen.Enqueue(TestChannel.TextOf(delivery));
            if (old == default)
            {
                delivery.Keep();
                old = delivery;
            }

            done.Signal();
            return default;
        }).InTime();
        AmqpConsumer second = await tested.Channel.ConsumeAsync(named, delivery =>
        {
            seen.Enqueue($"{TestChannel.TextOf(delivery)} {delivery.DeliveryTag}");
            done.Signal();
            return default;
        }, new AmqpConsumeOptions { ConsumerTag = "second" }).InTime();
        Task PublishAsync(string key) => tested.Channel.PublishBytesAsync(
            new BasicPublish { Exchange = exchange, RoutingKey = key }, default, "body"u8.ToArray()).AsTask().InTime();
        await PublishAsync("locked");
        await done.ReachedAsync(1);
        await PublishAsync("named");
        await done.ReachedAsync(2);

        await tested.LoseAsync();
        await PublishAsync("named");
        await done.ReachedAsync(3);
        Assert.NotEqual(named, second.Queue);
        Assert.Equal(second.Queue, (await tested.Channel.Topology.FindQueueAsync(named).InTime())!.Name);

        // Of what came before, the broker is told nothing.
        old.Ack();
        tested.Channel.Ack(old.DeliveryTag);
        old.Dispose();
        await tested.LoseAsync();
        await PublishAsync("locked");
        await done.Task.InTime();
        Assert.Equal(["body", "body 2", "body 3", "body"], seen);
        await first.DisposeAsync().AsTask().InTime();
        await second.DisposeAsync().AsTask().InTime();
        Assert.Equal((0u, 0u), (await tested.CountAsync(locked), await tested.CountAsync(named)));
        await tested.Channel.Topology.DeleteExchangeAsync(exchange).InTime();
    }

    [Fact]
    public async Task A_consumer_that_is_refused_ends_and_the_others_go_on()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using TestChannel tested = await TestChannel.OpenAsync(port: proxy.Port);
        await using TestChannel other = await TestChannel.OpenAsync();
        string gone = Broker.UniqueName();
        await other.Channel.Topology.DeclareQueueAsync(gone).InTime();
        string kept = await tested.QueueAsync();
        AmqpConsumer refused = await tested.Channel.ConsumeAsync(gone, static _ => default).InTime();
        var done = new Countdown(1);
        await tested.Channel.ConsumeAsync(kept, _ =>
        {
            done.Signal();
            return default;
        }).InTime();

        // Deleted while the consumer is not there: it would be cancelled otherwise.
        await tested.BackAsync(async () =>
        {
            proxy.Refusing = true;
            proxy.CutAll(Cut.Reset);
            while (tested.Connection.IsOpen || (await other.Channel.Topology.FindQueueAsync(gone).InTime())!.ConsumerCount != 0)
            {
                await Task.Yield();
            }

            await other.Channel.Topology.DeleteQueueAsync(gone).InTime();
            proxy.Refusing = false;
        });
        AmqpConsumerException error = await Assert.ThrowsAsync<AmqpConsumerException>(() => refused.Completion.InTime());
        Assert.Contains(gone, error.Message, StringComparison.Ordinal);
        await tested.PublishAsync(kept, "one");
        await done.Task.InTime();
        Assert.True(tested.Channel.IsOpen);
    }

    [Fact]
    public async Task A_message_whose_fetching_was_given_up_goes_back()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "one");
        for (int i = 0; i < 50; i++)
        {
            using var cancellation = new CancellationTokenSource();
            Task<AmqpDelivery?> get = tested.Channel.GetAsync(queue, cancellationToken: cancellation.Token);
            await cancellation.CancelAsync();
            try
            {
                if (await get.InTime() is { } delivery)
                {
                    delivery.Reject(requeue: true);
                    delivery.Dispose();
                }
            }
            catch (OperationCanceledException)
            {
                // Given up before it came.
            }
        }

        var done = new Countdown(1);
        await tested.Channel.ConsumeAsync(queue, _ =>
        {
            done.Signal();
            return default;
        }).InTime();
        await done.Task.InTime();
    }
}
