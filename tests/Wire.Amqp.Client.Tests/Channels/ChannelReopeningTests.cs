using System.Diagnostics;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Channels;

/// <summary>Channels that are opened again when the broker has closed them, and channels that end with their connection.</summary>
public sealed class ChannelReopeningTests
{
    private static readonly AmqpChannelOptions Reopens = new() { Reopens = true };

    [Fact]
    public async Task What_is_unconfirmed_fails_and_what_waits_goes_out_in_order_on_the_same_link()
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link = await TestLink.ConnectAsync(
            options => options with { Recovery = TestLink.Soon with { ResendUnconfirmed = true } });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens with { MaxInFlight = 3 }).InTime();
        link.Proxy.ToBroker.Pause();
        string missing = Broker.UniqueName();
        Task[] failing = [.. Enumerable.Range(0, 3).Select(i => Publish(channel, missing, $"key{i}"))];
        Task[] waiting = [.. Enumerable.Range(1, 100).Select(number => arrivals.PublishAsync(channel, number))];
        link.Proxy.ToBroker.Resume();

        for (int i = 0; i < failing.Length; i++)
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => failing[i].InTime());
            Assert.Equal((AmqpPublishFailure.Refused, 404), (error.Failure, (int)error.ReplyCode));
            Assert.Equal((missing, $"key{i}", "id"), (error.Exchange, error.RoutingKey, error.MessageId));
            Assert.Contains("was refused by the broker: 404 NOT_FOUND", error.Message, StringComparison.Ordinal);
            Assert.Contains(missing, error.ReplyText, StringComparison.Ordinal);
        }

        await Task.WhenAll(waiting).InTime();
        await arrivals.ReachedAsync(100);
        Assert.Equal(Enumerable.Range(1, 100), arrivals.Numbers);
        Assert.True(channel.IsOpen);
        Assert.False(channel.Completion.IsCompleted);
        Assert.Equal(1, link.Proxy.Accepted);
        await channel.DisposeAsync().AsTask().InTime();
        await channel.Completion.InTime();
    }

    [Fact]
    public async Task One_that_is_closed_over_and_over_is_opened_after_pauses_that_grow()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        string missing = Broker.UniqueName();
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < 8; i++)
        {
            await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, missing, "key").InTime());
        }

        // At least half of 20 + 40 + 80 + 160 + 3 x 200 ms.
        Assert.InRange(Stopwatch.GetElapsedTime(begin), TimeSpan.FromMilliseconds(400), Patience.Limit);
    }

    [Fact]
    public async Task It_needs_no_number_but_its_own()
    {
        await using TestLink link = await TestLink.ConnectAsync(options => options with { RequestedChannelMax = 1 });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        for (int i = 0; i < 10; i++)
        {
            await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, Broker.UniqueName(), "key").InTime());
        }

        await Publish(channel, "", "nobody").InTime();
    }

    [Fact]
    public async Task A_connection_that_is_lost_meanwhile_takes_over()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        for (int i = 0; i < 5; i++)
        {
            await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, Broker.UniqueName(), "key").InTime());
            Task waiting = Publish(channel, "", "nobody");
            await link.LoseAsync();
            try
            {
                await waiting.InTime();
            }
            catch (AmqpPublishException e) when (e.Failure == AmqpPublishFailure.Unconfirmed)
            {
                // It had been written before.
            }

            await Publish(channel, "", "nobody").InTime();
        }
    }

    [Fact]
    public async Task Closing_it_meanwhile_ends_it_and_what_waits()
    {
        await using TestLink link = await TestLink.ConnectAsync(
            options => options with { Recovery = new() { FirstPause = TimeSpan.FromMinutes(1), LongestPause = TimeSpan.FromMinutes(1) } });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, Broker.UniqueName(), "key").InTime());
        Task waiting = Publish(channel, "", "nobody");
        Assert.False(channel.HasRoom);
        Assert.Equal(1, channel.InFlight);
        await channel.DisposeAsync().AsTask().InTime();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.InTime());
        await channel.Completion.InTime();
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(2, false)]
    [InlineData(0, true)]
    public async Task Consumers_come_back_with_what_they_had_not_acknowledged(int concurrency, bool exclusive)
    {
        const int Closes = 5;
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens with { Prefetch = 2 }).InTime();
        AmqpChannel beside = await link.Connection.OpenChannelAsync().InTime();
        string queue = (await channel.Topology.DeclareQueueAsync().InTime()).Name;
        Countdown come = new(1);
        bool acknowledges = false;
        AmqpConsumer consumer = await channel.ConsumeAsync(
            queue,
            async delivery =>
            {
                CancellationToken lost = delivery.Lost;
                come.Signal();
                if (!acknowledges)
                {
                    await Task.Delay(Timeout.Infinite, lost).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                }
            },
            new AmqpConsumeOptions { ConsumerTag = "mine", Concurrency = concurrency, Exclusive = exclusive }).InTime();
        await Publish(beside, "", queue).InTime();
        for (int i = 0; i < Closes; i++)
        {
            await come.Task.InTime();
            come = new Countdown(1);
            acknowledges = i == Closes - 1;
            await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, Broker.UniqueName(), "key").InTime());
        }

        await come.Task.InTime();
        come = new Countdown(1);
        await Publish(channel, "", queue).InTime();
        await come.Task.InTime();
        Assert.False(consumer.Completion.IsCompleted);
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.Equal(new AmqpQueueInfo(queue, 0, 0), await beside.Topology.FindQueueAsync(queue).InTime());
        Assert.Equal(1, link.Proxy.Accepted);
    }

    // As often as the channel is closed, each time with all of its queues.
    [Fact]
    public async Task Queues_that_delete_themselves_with_it_come_back_with_their_bindings_and_consumers()
    {
        const int Queues = 3;
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        AmqpChannel beside = await link.Connection.OpenChannelAsync().InTime();
        var options = new AmqpQueueOptions { Durable = false, AutoDelete = true };
        string key = Broker.UniqueName();
        var come = new Countdown(int.MaxValue);
        var consumers = new AmqpConsumer[Queues];
        for (int i = 0; i < Queues; i++)
        {
            string queue = (await channel.Topology.DeclareQueueAsync(Broker.UniqueName(), options).InTime()).Name;
            await channel.Topology.BindQueueAsync(queue, "amq.topic", key).InTime();
            consumers[i] = await channel.ConsumeAsync(queue, _ =>
            {
                come.Signal();
                return default;
            }).InTime();
        }

        for (int i = 1; i <= 4; i++)
        {
            await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, Broker.UniqueName(), "key").InTime());

            // On the next session, where all consume again.
            await Publish(channel, "", "nobody").InTime();
            await Publish(beside, "amq.topic", key).InTime();
            await come.ReachedAsync(Queues * i);
            Assert.All(consumers, consumer => Assert.False(consumer.Ended.IsCompleted));
        }

        Assert.Equal(1, link.Proxy.Accepted);
    }

    [Fact]
    public async Task A_consumer_whose_queue_is_gone_then_ends_and_the_others_come_back()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        AmqpChannel beside = await link.Connection.OpenChannelAsync().InTime();
        string kept = (await beside.Topology.DeclareQueueAsync(Broker.UniqueName()).InTime()).Name;
        string taken = (await beside.Topology.DeclareQueueAsync(Broker.UniqueName()).InTime()).Name;
        var come = new Countdown(1);
        AmqpConsumer refused = await channel.ConsumeAsync(taken, _ => default).InTime();
        AmqpConsumer other = await channel.ConsumeAsync(kept, _ =>
        {
            come.Signal();
            return default;
        }).InTime();

        // Before or after the broker has closed the channel.
        Task deleted = beside.Topology.DeleteQueueAsync(taken).InTime();
        await Assert.ThrowsAsync<AmqpPublishException>(() => Publish(channel, Broker.UniqueName(), "key").InTime());
        await deleted;
        await Assert.ThrowsAnyAsync<Exception>(() => refused.Completion.InTime());
        await Publish(beside, "", kept).InTime();
        await come.Task.InTime();
        Assert.False(other.Completion.IsCompleted);
        await beside.Topology.DeleteQueueAsync(kept).InTime();
    }

    [Fact]
    public async Task One_that_ends_with_its_connection_does_not_come_back_and_the_connection_does()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel bound = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { EndsWithConnection = true }).InTime();
        AmqpChannel other = await link.Connection.OpenChannelAsync().InTime();
        Assert.Null(link.Connection.Error);
        await link.BringDownAsync();
        await Assert.ThrowsAsync<AmqpConnectionException>(() => bound.Completion.InTime());
        await Assert.ThrowsAsync<AmqpConnectionException>(() => Publish(bound, "", "nobody").InTime());
        Assert.False(bound.IsOpen);
        Assert.NotNull(link.Connection.Error);
        await link.BringUpAsync();
        Assert.Null(link.Connection.Error);
        Assert.Equal(link.Proxy.Port, link.Connection.Endpoint.Port);
        Assert.InRange(link.Connection.FrameMax, 4096, 131_072);
        await Publish(other, "", "nobody").InTime();
        Assert.False(link.Connection.Completion.IsCompleted);
        await link.Connection.DisposeAsync().AsTask().InTime();
        await link.Connection.Completion.InTime();
        Assert.Null(link.Connection.Error);
    }

    [Fact]
    public async Task Without_recovery_the_connection_ends_with_the_reason()
    {
        await using TestLink link = await TestLink.ConnectAsync(options => options with { Recovery = Transport.RecoveryOptions.Off });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(Reopens).InTime();
        link.Proxy.CutAll(Cut.Reset);
        await Assert.ThrowsAsync<AmqpConnectionException>(() => channel.Completion.InTime());
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => link.Connection.Completion.InTime());
        Assert.Equal(error.Message, link.Connection.Error!.Message);
    }

    private static Task Publish(AmqpChannel channel, string exchange, string routingKey) =>
        channel.PublishAsync(exchange, routingKey, "body", new BasicProperties { MessageId = "id" }).AsTask();
}
