using System.Collections.Concurrent;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Topology;

/// <summary>Messages find their consumers by their types: exchanges, queues and bindings are declared by conventions.</summary>
public abstract class ConventionTests(WireTransport transport) : IAsyncLifetime
{
    private readonly string _prefix = Broker.UniqueName("conventions") + ".";
    private readonly ConcurrentBag<string> _exchanges = [];
    private readonly ConcurrentBag<string> _queues = [];
    private TestConnection _connection = null!;

    public async Task InitializeAsync() => _connection = await TestConnection.ConnectAsync(transport);

    public async Task DisposeAsync()
    {
        foreach (string queue in _queues)
        {
            await _connection.Connection.Topology.DeleteQueueAsync(queue).InTime();
            await _connection.Connection.Topology.DeleteQueueAsync(queue + ".error").InTime();
        }

        foreach (string exchange in _exchanges.Distinct())
        {
            await _connection.Connection.Topology.DeleteExchangeAsync(exchange).InTime();
        }

        await _connection.DisposeAsync();
    }

    [Fact]
    public async Task A_message_goes_to_each_queue_whose_consumer_handles_its_type_and_to_no_other()
    {
        WireConventions conventions = Conventions();
        (WireConsumer first, ConcurrentQueue<object> toFirst) = await ConsumeAsync(conventions, "first", typeof(OrderPlaced));
        (WireConsumer second, ConcurrentQueue<object> toSecond) =
            await ConsumeAsync(conventions, "second", typeof(OrderPlaced), typeof(Parcels));
        await using WirePublisher publisher = Publisher(conventions);
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 1);
        var parcels = new Parcels(Guid.NewGuid(), [1]);
        await publisher.PublishAsync(order).AsTask().InTime();
        await publisher.PublishAsync(parcels).AsTask().InTime();
        await ConsumerBench.Until(() => Task.FromResult(toFirst.Count == 1 && toSecond.Count == 2));
        await first.StopAsync().InTime();
        await second.StopAsync().InTime();
        Assert.Equal<object>([order], toFirst);
        Assert.Equal(new HashSet<object> { order, parcels }, toSecond.ToHashSet());

        // Nobody handles it: its exchange has no queue.
        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(
            () => publisher.PublishAsync(new GiftPlaced(Guid.NewGuid(), "Bob", 1, "!")).AsTask().InTime());
        Assert.Equal(AmqpPublishFailure.Returned, error.Failure);
        var optional = new PublishOptions { Mandatory = false };
        await publisher.PublishAsync(new GiftPlaced(Guid.NewGuid(), "Bob", 1, "!"), optional).AsTask().InTime();
    }

    [Fact]
    public async Task With_bases_a_consumer_of_a_base_type_gets_each_kind_of_it_once()
    {
        WireConventions conventions = Conventions(bindsBases: true);
        (WireConsumer all, ConcurrentQueue<object> toAll) = await ConsumeAsync(conventions, "all", typeof(Message), typeof(OrderPlaced));
        (WireConsumer gifts, ConcurrentQueue<object> toGifts) = await ConsumeAsync(conventions, "gifts", typeof(GiftPlaced));
        await using WirePublisher publisher = Publisher(conventions);
        Message[] messages =
            [new OrderPlaced(Guid.NewGuid(), "Ada", 1), new GiftPlaced(Guid.NewGuid(), "Bob", 2, "!"), new Parcels(Guid.NewGuid(), [3])];
        foreach (Message message in messages)
        {
            await publisher.PublishAsync(message).AsTask().InTime(); // by the class of the object, and not of the variable
        }

        await ConsumerBench.Until(() => Task.FromResult(toAll.Count >= 3 && !toGifts.IsEmpty));
        await all.StopAsync().InTime();
        await gifts.StopAsync().InTime();
        Assert.Equal(messages.ToHashSet<object>(), toAll.ToHashSet());
        Assert.Equal(3, toAll.Count);
        Assert.Equal<object>([messages[1]], toGifts);
    }

    [Fact]
    public async Task What_was_deleted_at_run_time_is_declared_again()
    {
        WireConventions conventions = Conventions();
        (WireConsumer consumer, ConcurrentQueue<object> received) = await ConsumeAsync(conventions, "again", typeof(OrderPlaced));
        await using WirePublisher publisher = Publisher(conventions);
        await publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime();
        await ConsumerBench.Until(() => Task.FromResult(received.Count == 1));

        IAmqpTopology topology = _connection.Connection.Topology;
        string queue = _prefix + "again";
        await topology.DeleteQueueAsync(queue).InTime();
        await ConsumerBench.Until(async () => await topology.FindQueueAsync(queue) is { ConsumerCount: 1 });
        await publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 2)).AsTask().InTime();
        await ConsumerBench.Until(() => Task.FromResult(received.Count == 2));

        // The exchange is made again by who publishes; the queue is bound to it when the consumer begins anew.
        await topology.DeleteExchangeAsync(conventions.ExchangeOf(typeof(OrderPlaced))).InTime();
        var optional = new PublishOptions { Mandatory = false };
        await publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 3), optional).AsTask().InTime();
        Assert.True(await topology.FindExchangeAsync(conventions.ExchangeOf(typeof(OrderPlaced))).InTime());
        await consumer.StopAsync().InTime();
    }

    [Fact]
    public async Task A_queue_that_is_there_otherwise_keeps_the_consumer_from_starting()
    {
        WireConventions conventions = Conventions();
        string queue = _prefix + "other";
        _queues.Add(queue);
        await _connection.Connection.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions { MaxLength = 5 }).InTime();
        await using WireConsumer consumer = _connection.Consumer(
            Shop.Serializer, new WireConsumerOptions { Queue = queue, Conventions = conventions })
            .Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => consumer.StartAsync().InTime());
        Assert.Contains($"'queue {queue}, durable'", error.Message, StringComparison.Ordinal);
        Assert.Contains("x-max-length", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_would_be_declared_can_be_printed()
    {
        Assert.Equal(
            """
            exchange Wire.RabbitMQ.Tests.OrderPlaced, fanout, durable
            exchange Wire.RabbitMQ.Tests.Parcels, fanout, durable
            queue billing, durable, x-queue-type=quorum
            binding of queue billing to exchange Wire.RabbitMQ.Tests.OrderPlaced
            binding of queue billing to exchange Wire.RabbitMQ.Tests.Parcels
            """,
            WireConventions.Default.TopologyOf("billing", AmqpQueueOptions.Quorum, [typeof(OrderPlaced), typeof(Parcels)]).ToString());
        Assert.Equal(
            """
            exchange Wire.RabbitMQ.Tests.GiftPlaced, fanout, durable
            exchange Wire.RabbitMQ.Tests.OrderPlaced, fanout, durable
            exchange Wire.RabbitMQ.Tests.Message, fanout, durable
            binding of exchange Wire.RabbitMQ.Tests.OrderPlaced to exchange Wire.RabbitMQ.Tests.GiftPlaced
            binding of exchange Wire.RabbitMQ.Tests.Message to exchange Wire.RabbitMQ.Tests.GiftPlaced
            """,
            WireConventions.WithBases.TopologyOf(typeof(GiftPlaced)).ToString());
    }

    [Fact]
    public void Types_for_which_nothing_would_come_are_refused()
    {
        ArgumentException error = Assert.Throws<ArgumentException>(() => WireConventions.Default.TopologyOf("q", null, [typeof(Message)]));
        Assert.Contains("which is abstract", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(WireConventions.WithBases), error.Message, StringComparison.Ordinal);
        Assert.Contains(
            "exchange Wire.RabbitMQ.Tests.Message", $"{WireConventions.WithBases.TopologyOf("q", null, [typeof(Message)])}",
            StringComparison.Ordinal);
        Assert.All(
            new[] { typeof(object), typeof(IDisposable) },
            type => Assert.Throws<ArgumentException>(() => WireConventions.WithBases.TopologyOf("q", null, [type])));
        Assert.Throws<ArgumentException>(() => WireConventions.Default.TopologyOf(typeof(BrokersOwn)));
    }

    [Fact]
    public async Task Without_conventions_there_are_no_exchanges_and_options_of_a_queue_are_for_none()
    {
        await using WirePublisher publisher = Publisher(WireConventions.None);
        await Assert.ThrowsAsync<InvalidOperationException>(() => publisher.PublishAsync(1).AsTask().InTime());
        var options = new WireConsumerOptions { Queue = "q", QueueOptions = AmqpQueueOptions.Quorum };
        Assert.Throws<ArgumentException>(() => options.TopologyFor([typeof(int)]));
        Assert.Throws<ArgumentException>(() => (options with { Conventions = WireConventions.None }).TopologyFor([typeof(int)]));
        Assert.Null(new WireConsumerOptions { Queue = "q", Conventions = WireConventions.None }.TopologyFor([typeof(int)]));
    }

    [Fact]
    public void Exchanges_are_named_as_types_are()
    {
        WireConventions conventions = WireConventions.Default;
        Assert.Equal("shop.order", conventions.ExchangeOf(typeof(Named)));
        Assert.Equal(
            "System.Collections.Generic.KeyValuePair<System.Int32,Wire.RabbitMQ.Tests.OrderPlaced>",
            conventions.ExchangeOf(typeof(KeyValuePair<int, OrderPlaced>)));
        Type longest = typeof(Dictionary<(Parcels, Parcels, Parcels), (Parcels, Parcels, Parcels, Parcels, Parcels, Parcels, Parcels)>);
        Assert.Contains(
            "override ExchangeOf",
            Assert.Throws<ArgumentException>(() => conventions.ExchangeOf(longest)).Message,
            StringComparison.Ordinal);
        Assert.Equal([typeof(IKind), typeof(Named)], conventions.BasesOf(typeof(Special)));
    }

    private Prefixed Conventions(bool bindsBases = false) => new(_prefix, _exchanges) { BindsBases = bindsBases };

    private WirePublisher Publisher(WireConventions conventions) =>
        _connection.Publisher(Shop.Serializer, new WirePublisherOptions { Conventions = conventions });

    private async Task<(WireConsumer Consumer, ConcurrentQueue<object> Received)> ConsumeAsync(
        WireConventions conventions, string queue, params Type[] types)
    {
        _queues.Add(_prefix + queue);
        var received = new ConcurrentQueue<object>();
        WireConsumer consumer = _connection.Consumer(
            Shop.Serializer, new WireConsumerOptions { Queue = _prefix + queue, Conventions = conventions });
        foreach (Type type in types)
        {
            consumer.Handle(type, (message, _) =>
            {
                received.Enqueue(message);
                return Task.CompletedTask;
            });
        }

        await consumer.StartAsync().InTime();
        return (consumer, received);
    }

    [WireName("amq.own")]
    private sealed class BrokersOwn;

    [WireName("shop.order")]
    private class Named : IComparable<Named>
    {
        public int CompareTo(Named? other) => 0;
    }

    private interface IKind;

    private sealed class Special : Named, IKind, IDisposable
    {
        public void Dispose()
        {
        }
    }

    // So that tests on one broker do not meet.
    private sealed class Prefixed(string prefix, ConcurrentBag<string> made) : WireConventions
    {
        public override string ExchangeOf(Type type)
        {
            string name = prefix + base.ExchangeOf(type);
            made.Add(name);
            return name;
        }
    }
}

/// <inheritdoc/>
public sealed class ConventionTestsOnClient() : ConventionTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class ConventionTestsOnLane() : ConventionTests(WireTransport.DirectLane);
