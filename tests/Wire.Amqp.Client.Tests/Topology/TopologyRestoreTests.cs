using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>What comes back with a connection that was lost.</summary>
public sealed class TopologyRestoreTests
{
    private static readonly AmqpExchangeOptions Transient = new() { Durable = false, AutoDelete = true };

    [Theory]
    [InlineData(Cut.Finish)]
    [InlineData(Cut.Reset)]
    public async Task Exchanges_queues_bindings_and_consumers_are_there_again(Cut how)
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        AmqpChannel other = await link.Connection.OpenChannelAsync().InTime();
        string exchange = Broker.UniqueName();
        string durable = Broker.UniqueName();
        await channel.Topology.DeclareExchangeAsync(exchange, "fanout", Transient).InTime();
        string named = (await channel.Topology.DeclareQueueAsync().InTime()).Name;
        await channel.Topology.DeclareQueueAsync(durable).InTime();
        await channel.Topology.BindQueueAsync(named, exchange).InTime();
        await channel.Topology.BindQueueAsync(durable, exchange).InTime();

        // Without acknowledgements, those that are lost with the connection have nothing delivered again.
        ConcurrentQueue<string> seen = [];
        var done = new Countdown(6);
        Func<AmqpDelivery, ValueTask> Handle(string who) => delivery =>
        {
            seen.Enqueue($"{TestChannel.TextOf(delivery)} to {who}");
            done.Signal();
            return default;
        };
        AmqpConsumer first = await channel.ConsumeAsync(named, Handle("named"), new AmqpConsumeOptions { NoAck = true }).InTime();
        AmqpConsumer second =
            await other.ConsumeAsync(durable, Handle("durable"), new AmqpConsumeOptions { ConsumerTag = "mine", NoAck = true }).InTime();
        for (int i = 0; i < 3; i++)
        {
            await channel.PublishBytesAsync(new BasicPublish { Exchange = exchange }, default, System.Text.Encoding.UTF8.GetBytes($"{i}"))
                .AsTask().InTime();
            await done.ReachedAsync((i + 1) * 2);
            if (i < 2)
            {
                await link.LoseAsync(how);
            }
        }

        Assert.Equal(["0 to durable", "0 to named", "1 to durable", "1 to named", "2 to durable", "2 to named"], seen.Order());
        Assert.NotEqual(named, first.Queue);
        Assert.Equal(1u, (await channel.Topology.FindQueueAsync(named).InTime())!.ConsumerCount);
        Assert.False(first.Completion.IsCompleted || second.Completion.IsCompleted);
        await second.DisposeAsync().AsTask().InTime();
        await channel.Topology.DeleteQueueAsync(durable).InTime();
    }

    [Fact]
    public async Task An_exclusive_queue_that_the_broker_believes_another_connections_is_restored_when_it_has_noticed()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel consuming = await link.Connection.OpenChannelAsync().InTime();
        AmqpChannel publishing = await link.Connection.OpenChannelAsync().InTime();
        string queue = Broker.UniqueName();
        await consuming.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary).InTime();
        var come = new Countdown(1);
        await consuming.ConsumeAsync(queue, _ =>
        {
            come.Signal();
            return default;
        }).InTime();
        var told = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        link.Connection.RecoveryFailed += error =>
        {
            if (error.Message.Contains(queue, StringComparison.Ordinal))
            {
                told.TrySetResult(error.Message);
            }
        };

        await link.BringDownAsync();
        await using (TestChannel other = await TestChannel.OpenAsync())
        {
            await Until(async () => await other.Channel.Topology.FindQueueAsync(queue).InTime() is null);
            await other.Channel.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary).InTime();
            link.Proxy.Refusing = false;
            Assert.Contains("still belong to the connection that was lost", await told.Task.InTime(), StringComparison.Ordinal);

            // Channels without consumers do not wait for it.
            await publishing.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = "nobody" }, default, "one"u8.ToArray())
                .AsTask().InTime();

            // It is cut once more in this state, and does not wait for the queue before it comes back.
            int accepted = link.Proxy.Accepted;
            link.Proxy.CutAll(Cut.Reset);
            await Until(() => Task.FromResult(link.Proxy.Accepted > accepted));
            await publishing.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = "nobody" }, default, "one"u8.ToArray())
                .AsTask().InTime();
        }

        await consuming.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = queue, Mandatory = true }, default, "one"u8.ToArray()).AsTask().InTime();
        await come.Task.InTime();
    }

    [Fact]
    public async Task A_consumer_whose_queue_is_gone_ends_with_the_reason_and_the_others_go_on()
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        (string first, string last) = (Broker.UniqueName(), Broker.UniqueName());
        string gone = Broker.UniqueName();
        foreach (string queue in (string[])[first, gone, last])
        {
            await arrivals.Tested.Channel.Topology.DeclareQueueAsync(queue).InTime();
        }

        ConcurrentQueue<string> seen = [];
        var done = new Countdown(2);
        ValueTask Handle(AmqpDelivery delivery)
        {
            seen.Enqueue(TestChannel.TextOf(delivery));
            done.Signal();
            return default;
        }

        AmqpConsumer[] consumers =
        [
            await channel.ConsumeAsync(first, Handle).InTime(),
            await channel.ConsumeAsync(gone, Handle).InTime(),
            await channel.ConsumeAsync(last, Handle).InTime(),
        ];
        await link.BringDownAsync();
        await arrivals.Tested.Channel.Topology.DeleteQueueAsync(gone).InTime();
        await link.BringUpAsync();
        AmqpConsumerException error = await Assert.ThrowsAsync<AmqpConsumerException>(() => consumers[1].Completion.InTime());
        Assert.Contains(gone, error.Message, StringComparison.Ordinal);
        Assert.Equal(404, Assert.IsType<AmqpChannelException>(error.InnerException).Reason.ReplyCode);
        await arrivals.Tested.PublishAsync(first, first);
        await arrivals.Tested.PublishAsync(last, last);
        await done.Task.InTime();
        Assert.Equal(new[] { first, last }.Order(), seen.Order());
        Assert.False(consumers[0].Completion.IsCompleted || consumers[2].Completion.IsCompleted);
        await arrivals.Tested.Channel.Topology.DeleteQueueAsync(first).InTime();
        await arrivals.Tested.Channel.Topology.DeleteQueueAsync(last).InTime();
    }

    [Fact]
    public async Task While_the_broker_refuses_each_attempt_is_told_and_it_comes_back_afterwards()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        ConcurrentQueue<string> order = [];
        var failures = new Countdown(4);
        link.Connection.Lost += _ => order.Enqueue("lost");
        link.Connection.RecoveryFailed += error =>
        {
            Assert.IsType<AmqpConnectionException>(error);
            order.Enqueue("failed");
            failures.Signal();
        };
        link.Connection.Recovered += () => order.Enqueue("recovered");
        await link.BringDownAsync();
        await failures.Task.InTime();
        await link.BringUpAsync();
        await link.LoseAsync();
        await using AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        await channel.Topology.DeclareQueueAsync().InTime();
        string[] told = [.. order];
        Assert.Equal("lost", told[0]);
        int back = Array.IndexOf(told, "recovered");
        Assert.All(told[1..back], each => Assert.Equal("failed", each));
        Assert.Equal(["lost", "recovered"], told[(back + 1)..]);
    }

    [Fact]
    public async Task Acknowledging_all_while_the_connection_is_down_or_comes_back_does_nothing()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        string queue = (await channel.Topology.DeclareQueueAsync().InTime()).Name;
        await channel.ConsumeAsync(queue, static _ => default, new AmqpConsumeOptions { AcknowledgeWhenHandled = false }).InTime();
        for (int i = 0; i < 5; i++)
        {
            Task recovered = link.NextRecovery();
            link.Proxy.CutAll(Cut.Reset);
            while (!recovered.IsCompleted)
            {
                channel.Ack(0, multiple: true);
                channel.Nack(0, multiple: true, requeue: true);
                await Task.Yield();
            }
        }
    }

    private static async Task Until(Func<Task<bool>> condition)
    {
        while (!await condition())
        {
            await Task.Yield();
        }
    }
}
