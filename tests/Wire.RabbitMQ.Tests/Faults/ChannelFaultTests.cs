using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>What harms a channel and not its connection.</summary>
public abstract class ChannelFaultTests(WireTransport transport, ITestOutputHelper output)
{
    [Fact]
    public async Task A_consumer_whose_channel_the_broker_closes_goes_on_and_nothing_is_lost() =>
        output.WriteLine(await FaultCheck.RunAsync(
        new Fault("the consumer's channel closed by the broker", CloseConsumerAsync),
        new FaultSettings { Transport = transport, Factory = Broker.Node.Factory }));

    [Fact]
    public async Task Where_a_connection_has_no_channel_left_the_message_and_the_start_fail_and_say_why()
    {
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedChannelMax = 2;
        await using IConnection looking = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await looking.CreateChannelAsync().InTime();
        string queue = await channel.DeclareQueueAsync();
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, factory);
        await using IMessageChannel first = await OpenAsync();
        await using IMessageChannel last = await OpenAsync();
        Task<IMessageChannel> OpenAsync() => connection.Connection.OpenChannelAsync(
            new AmqpChannelOptions { Confirms = false }, new ChannelEvents(), Patience.Limit, CancellationToken.None).InTime();

        await using var publisher = connection.Publisher(Shop.Serializer);
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(
            () => publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "c", 1)).AsTask().InTime());
        Assert.Contains("RequestedChannelMax", refused.Message, StringComparison.Ordinal);

        await using WireConsumer consumer =
            connection.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter })
            .Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        refused = await Assert.ThrowsAsync<InvalidOperationException>(() => consumer.StartAsync().InTime());
        Assert.Contains("RequestedChannelMax", refused.Message, StringComparison.Ordinal);

        // With room again, the same publisher goes on.
        await last.DisposeAsync().AsTask().InTime();
        await publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "c", 2)).AsTask().InTime();
        Assert.Equal(1u, await channel.MessageCountAsync(queue).InTime());
    }

    // An acknowledgement of what was never delivered is a precondition failure.
    private static async Task CloseConsumerAsync(FaultRun run, Random random)
    {
        Subscription subscription = run.Consumer.Subscription!;
        Assert.Contains("406", await subscription.CloseAsync(run.Queue), StringComparison.Ordinal);
        await run.UntilAsync(() => run.Consumer.Subscription != subscription, "another subscription");
    }
}

/// <inheritdoc/>
public sealed class ChannelFaultTestsOnClient(ITestOutputHelper output) : ChannelFaultTests(WireTransport.Client, output);

/// <inheritdoc/>
public sealed class ChannelFaultTestsOnLane(ITestOutputHelper output) : ChannelFaultTests(WireTransport.DirectLane, output);
