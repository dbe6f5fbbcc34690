using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>What the broker has deleted by itself is not declared anew, and leaves nothing behind here.</summary>
public sealed class AutoDeleteTests
{
    private static readonly AmqpQueueOptions AutoDelete = new() { Durable = false, AutoDelete = true };
    private static readonly AmqpExchangeOptions AutoDeleteExchange = new() { Durable = false, AutoDelete = true };

    [Fact]
    public async Task Queues_whose_consumers_have_gone_do_not_come_back()
    {
        const int Count = 50;
        await using TestChannel tested = await TestChannel.OpenAsync();
        string exchange = Broker.UniqueName();
        await tested.Channel.Topology.DeclareExchangeAsync(exchange, "topic", AutoDeleteExchange).InTime();
        string[] queues = [.. Enumerable.Range(0, Count).Select(_ => Broker.UniqueName())];
        List<AmqpConsumer> consumers = [];
        foreach (string queue in queues)
        {
            await tested.Channel.Topology.DeclareQueueAsync(queue, AutoDelete).InTime();
            await tested.Channel.Topology.BindQueueAsync(queue, exchange, "#").InTime();
            consumers.Add(await tested.Channel.ConsumeAsync(queue, static _ => default).InTime());
        }

        foreach (AmqpConsumer consumer in consumers)
        {
            await consumer.DisposeAsync().AsTask().InTime();
        }

        await tested.LoseAsync();

        Assert.False(await tested.Channel.Topology.FindExchangeAsync(exchange).InTime());
        foreach (string queue in queues)
        {
            await GoneAsync(tested.Channel, queue);
        }

        AssertEmpty(tested);
    }

    [Fact]
    public async Task A_queue_stays_as_long_as_it_has_a_consumer_and_goes_with_the_channel_of_the_last()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        AmqpChannel second = await tested.Connection.OpenChannelAsync().InTime();
        string queue = Broker.UniqueName();
        await tested.Channel.Topology.DeclareQueueAsync(queue, AutoDelete).InTime();
        AmqpConsumer first = await tested.Channel.ConsumeAsync(queue, static _ => default).InTime();
        await second.ConsumeAsync(queue, static _ => default).InTime();
        await first.DisposeAsync().AsTask().InTime();

        await tested.LoseAsync();
        Assert.Equal(1u, (await tested.Channel.Topology.FindQueueAsync(queue).InTime())!.ConsumerCount);

        await second.DisposeAsync().AsTask().InTime();
        await tested.LoseAsync();
        await GoneAsync(tested.Channel, queue);
        AssertEmpty(tested);
    }

    [Fact]
    public async Task A_queue_that_no_consumer_has_had_yet_comes_back()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName();
        await tested.Channel.Topology.DeclareQueueAsync(queue, AutoDelete).InTime();

        // One that is refused was none.
        AmqpChannel second = await tested.Connection.OpenChannelAsync().InTime();
        await Assert.ThrowsAsync<AmqpChannelException>(() => second.ConsumeAsync(
            queue, static _ => default, new AmqpConsumeOptions { Arguments = new Dictionary<string, object?> { ["x-priority"] = "high" } })
                .InTime());
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        await tested.Channel.Topology.DeclareQueueAsync(queue, AutoDelete).InTime();

        await tested.LoseAsync();
        Assert.NotNull(await tested.Channel.Topology.FindQueueAsync(queue).InTime());
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        AssertEmpty(tested);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_queue_that_was_deleted_elsewhere_does_not_come_back(bool hasConsumer)
    {
        await using TestChannel tested = await TestChannel.OpenAsync(new AmqpChannelOptions { Confirms = false });
        await using TestChannel other = await TestChannel.OpenAsync();
        (string queue, string exchange) = (Broker.UniqueName(), Broker.UniqueName());
        await tested.Channel.Topology.DeclareQueueAsync(queue).InTime();
        await tested.Channel.Topology.DeclareExchangeAsync(exchange, "fanout", AutoDeleteExchange).InTime();
        await tested.Channel.Topology.BindQueueAsync(queue, exchange).InTime();
        if (hasConsumer)
        {
            AmqpConsumer consumer = await tested.Channel.ConsumeAsync(queue, static _ => default).InTime();
            await other.Channel.Topology.DeleteQueueAsync(queue).InTime();
            await Assert.ThrowsAsync<AmqpConsumerException>(() => consumer.Completion.InTime());
        }
        else
        {
            await other.Channel.Topology.DeleteQueueAsync(queue).InTime();
            AmqpChannel second = await tested.Connection.OpenChannelAsync().InTime();
            var missing = await Assert.ThrowsAsync<AmqpChannelException>(() => second.ConsumeAsync(queue, static _ => default).InTime());
            Assert.Equal(404, missing.Reason.ReplyCode);
        }

        await tested.LoseAsync();
        await GoneAsync(other.Channel, queue);
        Assert.False(await other.Channel.Topology.FindExchangeAsync(exchange).InTime());
        AssertEmpty(tested);
    }

    // Some before what was declared is declared anew, and some behind that.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(10)]
    public async Task A_queue_whose_consumer_ends_while_the_connection_comes_back_does_not_stay(int milliseconds)
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using TestChannel tested = await TestChannel.OpenAsync(port: proxy.Port);
        await using TestChannel other = await TestChannel.OpenAsync();
        string[] queues = [.. Enumerable.Range(0, 10).Select(_ => Broker.UniqueName())];
        List<AmqpConsumer> consumers = [];
        foreach (string queue in queues)
        {
            await tested.Channel.Topology.DeclareQueueAsync(queue, AutoDelete).InTime();
            consumers.Add(await tested.Channel.ConsumeAsync(queue, static _ => default).InTime());
        }

        Task[] ended = [];
        await tested.BackAsync(async () =>
        {
            proxy.CutAll(Cut.Reset);
            await Task.Delay(milliseconds);
            ended = [.. consumers.Select(consumer => consumer.DisposeAsync().AsTask())];
        });
        await Task.WhenAll(ended).InTime();

        foreach (string queue in queues)
        {
            await GoneAsync(other.Channel, queue);
        }

        AssertEmpty(tested);
    }

    [Fact]
    public async Task Exchanges_go_with_their_last_binding_and_their_sources_too()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string first, string second, string kept) = (Broker.UniqueName(), Broker.UniqueName(), Broker.UniqueName());
        string queue = await tested.QueueAsync();
        foreach (string exchange in (string[])[first, second, kept])
        {
            await tested.Channel.Topology.DeclareExchangeAsync(exchange, "fanout", AutoDeleteExchange).InTime();
        }

        await tested.Channel.Topology.BindExchangeAsync(second, first).InTime();
        await tested.Channel.Topology.BindQueueAsync(queue, second).InTime();
        await tested.Channel.Topology.BindQueueAsync(queue, kept).InTime();
        await tested.Channel.Topology.UnbindQueueAsync(queue, second).InTime();

        await tested.LoseAsync();
        Assert.False(await tested.Channel.Topology.FindExchangeAsync(first).InTime());
        Assert.False(await tested.Channel.Topology.FindExchangeAsync(second).InTime());
        Assert.True(await tested.Channel.Topology.FindExchangeAsync(kept).InTime());
    }

    [Fact]
    public async Task A_queue_that_the_broker_names_is_known_by_its_first_name_and_the_last_two()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        List<string> names = [(await tested.Channel.Topology.DeclareQueueAsync().InTime()).Name];
        AmqpConsumer consumer = await tested.Channel.ConsumeAsync(names[0], static _ => default).InTime();
        for (int i = 0; i < 5; i++)
        {
            await tested.LoseAsync();
            names.Add(consumer.Queue);
        }

        Assert.Equal(6, names.Distinct().Count());
        foreach (string known in (string[])[names[0], names[^2], names[^1]])
        {
            Assert.Equal(names[^1], (await tested.Channel.Topology.FindQueueAsync(known).InTime())!.Name);
        }

        Assert.Equal(names[2], tested.Connection.Topology.NameOf(names[2]));
    }

    // The broker deletes a queue behind the answer to what deleted its last consumer.
    private static async Task GoneAsync(AmqpChannel channel, string queue)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (await channel.Topology.FindQueueAsync(queue, patience.Token) is not null)
        {
            await Task.Delay(20, patience.Token);
        }
    }

    private static void AssertEmpty(TestChannel tested) => Assert.Equal(0, tested.Connection.Topology.Count);
}
