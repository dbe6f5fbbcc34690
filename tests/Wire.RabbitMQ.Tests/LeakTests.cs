using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Tests.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests;

/// <summary>What is made and disposed of on a connection leaves nothing behind on it.</summary>
public abstract class LeakTests(WireTransport transport)
{
    private const int Rounds = 40;

    [Fact]
    public async Task Publishers_consumers_and_requesters_come_and_go_on_a_connection_with_few_channels()
    {
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedChannelMax = 12;
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, factory);
        await using IConnection looking = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await looking.CreateChannelAsync().InTime();
        string queue = Broker.UniqueName();
        await channel.QueueDeclareAsync(queue, durable: false, exclusive: false, autoDelete: false).InTime();
        try
        {
            for (int i = 0; i < Rounds; i++)
            {
                await using var publisher = connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 2 });
                await using var requester = connection.Requester(Shop.Serializer);
                await using WireConsumer consumer =
                    connection.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = queue, Retry = RetryPolicy.None })
                    .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("to the error queue"))
                    .Reply<int, int>((number, _) => Task.FromResult(number + 1));
                await consumer.StartAsync().InTime();
                await publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime();
                Assert.Equal(i + 1, await requester.RequestAsync<int, int>("", queue, i).InTime());
            }
        }
        finally
        {
            await channel.QueueDeleteAsync(queue).InTime();
            await channel.QueueDeleteAsync(queue + ".error").InTime();
        }
    }

    [Fact]
    public async Task A_consumer_that_is_never_started_leaves_no_handler_of_events_on_the_connection()
    {
        var fake = new FakeChannel();
        WireConnection connection = fake.Connection.ToWireConnection();
        int before = fake.Waiting;
        WireConsumer consumer = new WireConsumer(
            connection, Shop.Serializer, new WireConsumerOptions { Queue = "queue" }).Handle<int>((_, _) => Task.CompletedTask);
        await consumer.DisposeAsync().AsTask().InTime();
        Assert.Equal(before, fake.Waiting);
    }

    [Fact]
    public async Task A_consumer_that_cannot_be_started_leaves_no_handler_of_events_on_the_connection()
    {
        var fake = new FakeChannel { Create = () => throw new NotSupportedException() };
        WireConnection connection = fake.Connection.ToWireConnection();
        int before = fake.Waiting;
        WireConsumer consumer = new WireConsumer(
            connection, Shop.Serializer, new WireConsumerOptions { Queue = "queue" }).Handle<int>((_, _) => Task.CompletedTask);
        await Assert.ThrowsAsync<NotSupportedException>(() => consumer.StartAsync().InTime());
        Assert.Equal(before, fake.Waiting);
    }

    [Fact]
    public async Task A_consumer_that_its_own_handler_has_stopped_closes_all_its_channels()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedChannelMax = 3;
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, factory);
        WireConsumer consumer =
            connection.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = bench.Queue, Retry = RetryPolicy.None });
        consumer.Handle<OrderPlaced>(async (_, _) =>
        {
            await consumer.StopAsync();
            throw new InvalidOperationException("to the error queue");
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 1));

        // The error queue's channel and the subscription's are both free again, though nobody disposes of the consumer.
        await ConsumerBench.Until(async () =>
        {
            var opened = new List<IMessageChannel>();
            try
            {
                for (int i = 0; i < 3; i++)
                {
                    opened.Add(await connection.Connection.OpenChannelAsync(
                        new AmqpChannelOptions { Confirms = false }, new ChannelEvents(), Patience.Limit, CancellationToken.None));
                }

                return (await bench.LookAsync(bench.Queue)).ConsumerCount == 0;
            }
            catch (InvalidOperationException)
            {
                return false;
            }
            finally
            {
                foreach (IMessageChannel each in opened)
                {
                    await each.DisposeAsync();
                }
            }
        });
    }
}

/// <inheritdoc/>
public sealed class LeakTestsOnClient() : LeakTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class LeakTestsOnLane() : LeakTests(WireTransport.DirectLane);
