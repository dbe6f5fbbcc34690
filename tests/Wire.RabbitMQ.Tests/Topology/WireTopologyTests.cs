using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Topology;

/// <summary>A topology says what it is, is declared as often as one likes, and changes nothing that is there.</summary>
public abstract class WireTopologyTests(WireTransport transport)
{
    [Fact]
    public async Task It_is_declared_in_the_order_that_is_possible_and_again_without_effect()
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport);
        string name = Broker.UniqueName();
        WireTopology topology = new WireTopology()
            .BindQueue($"{name}-q", $"{name}-b", "order.*")
            .BindExchange($"{name}-b", $"{name}-a", "#")
            .AddQueue($"{name}-q", new AmqpQueueOptions { Expires = TimeSpan.FromMinutes(1) })
            .AddExchange($"{name}-a", "topic", new AmqpExchangeOptions { AutoDelete = true })
            .AddExchange($"{name}-b", "topic", new AmqpExchangeOptions { AutoDelete = true })
            .AddExchange($"{name}-b", "topic", new AmqpExchangeOptions { AutoDelete = true });
        Assert.Equal(
            $"""
            exchange {name}-a, topic, durable, auto-delete
            exchange {name}-b, topic, durable, auto-delete
            queue {name}-q, durable, x-expires=60000
            binding of queue {name}-q to exchange {name}-b by 'order.*'
            binding of exchange {name}-b to exchange {name}-a by '#'
            """,
            topology.ToString());
        await topology.DeclareAsync(connection.Connection.Topology).InTime();
        await topology.DeclareAsync(connection.Connection.Topology).InTime();

        await using WirePublisher publisher = connection.Publisher(Shop.Serializer);
        await publisher.PublishAsync($"{name}-a", "order.placed", 1).AsTask().InTime();
        AmqpPublishException unroutable = await Assert.ThrowsAsync<AmqpPublishException>(
            () => publisher.PublishAsync($"{name}-a", "gift.placed", 2).AsTask().InTime());
        Assert.Equal(AmqpPublishFailure.Returned, unroutable.Failure);
        Assert.Equal(1u, await connection.Connection.Topology.DeleteQueueAsync($"{name}-q").InTime());
    }

    [Fact]
    public async Task A_difference_to_what_is_at_the_broker_is_told_and_nothing_is_changed()
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport);
        string name = Broker.UniqueName();
        IAmqpTopology broker = connection.Connection.Topology;
        await broker.DeclareQueueAsync(name, new AmqpQueueOptions { MaxLength = 7 }).InTime();
        try
        {
            WireTopology other = new WireTopology().AddQueue(name, new AmqpQueueOptions { MaxLength = 8 });
            InvalidOperationException error =
                await Assert.ThrowsAsync<InvalidOperationException>(() => other.DeclareAsync(broker).InTime());
            Assert.Contains(
                $"This could not be declared: 'queue {name}, durable, x-max-length=8'.", error.Message, StringComparison.Ordinal);
            Assert.Contains("inequivalent arg 'x-max-length'", error.Message, StringComparison.Ordinal);
            Assert.Contains("Nothing was changed", error.Message, StringComparison.Ordinal);
            await new WireTopology().AddQueue(name, new AmqpQueueOptions { MaxLength = 7 }).DeclareAsync(broker).InTime();

            error = await Assert.ThrowsAsync<InvalidOperationException>(
                () => new WireTopology().BindQueue(name, name + "-none").DeclareAsync(broker).InTime());
            Assert.Contains("404", error.Message, StringComparison.Ordinal);
            Assert.Contains("Add it to the topology", error.Message, StringComparison.Ordinal);
        }
        finally
        {
            await broker.DeleteQueueAsync(name).InTime();
        }
    }

    [Fact]
    public void What_contradicts_itself_is_refused()
    {
        WireTopology topology = new WireTopology().AddQueue("q").AddExchange("e", "topic");
        ArgumentException error = Assert.Throws<ArgumentException>(() => topology.AddQueue("q", AmqpQueueOptions.Quorum));
        Assert.Contains("'queue q, durable' and not 'queue q, durable, x-queue-type=quorum'", error.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => topology.AddExchange("e", "fanout"));
        Assert.Throws<ArgumentException>(() => topology.Add(new WireTopology().AddExchange("e", "direct")));
        Assert.Throws<ArgumentException>(() => topology.AddQueue(""));
        Assert.Equal("exchange e, topic, durable\nqueue q, durable", topology.ToString());
    }
}

/// <inheritdoc/>
public sealed class WireTopologyTestsOnClient() : WireTopologyTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class WireTopologyTestsOnLane() : WireTopologyTests(WireTransport.DirectLane);
