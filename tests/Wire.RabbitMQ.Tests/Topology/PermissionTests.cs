using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Topology;

/// <summary>A user that may publish and consume, and not declare: what has been declared by somebody else is enough.</summary>
public abstract class PermissionTests(WireTransport transport, PrivateNode node) : IAsyncLifetime
{
    private readonly string _user = $"limited-{Guid.NewGuid():N}";
    private readonly string _queue = Broker.UniqueName("permissions");
    private TestConnection _owner = null!;
    private TestConnection _limited = null!;

    public async Task InitializeAsync()
    {
        await node.ControlAsync("add_user", _user, "secret");
        await node.ControlAsync("set_permissions", _user, "^$", ".*", ".*");
        _owner = await TestConnection.ConnectAsync(transport, node.Node.Factory());
        ConnectionFactory factory = node.Node.Factory();
        (factory.UserName, factory.Password) = (_user, "secret");
        _limited = await TestConnection.ConnectAsync(transport, factory);
    }

    public async Task DisposeAsync()
    {
        await _limited.DisposeAsync();
        foreach (string queue in (string[])[_queue, _queue + ".error"])
        {
            await _owner.Connection.Topology.DeleteQueueAsync(queue).InTime();
        }

        await _owner.Connection.Topology.DeleteExchangeAsync(WireConventions.Default.ExchangeOf(typeof(OrderPlaced))).InTime();
        await _owner.DisposeAsync();
        await node.ControlAsync("delete_user", _user);
    }

    [Fact]
    public async Task What_is_there_need_not_be_declared_and_what_is_not_is_named()
    {
        var options = new WireConsumerOptions { Queue = _queue, Conventions = WireConventions.Default };
        await using WireConsumer early = Consumer(options, _ => { });
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => early.StartAsync().InTime());
        Assert.Contains("'exchange Wire.RabbitMQ.Tests.OrderPlaced, fanout, durable'", error.Message, StringComparison.Ordinal);
        Assert.Contains("have it declared by somebody who may", error.Message, StringComparison.Ordinal);
        await using WirePublisher publisher = _limited.Publisher(Shop.Serializer);
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime());

        IAmqpTopology owner = _owner.Connection.Topology;
        WireTopology topology = WireConventions.Default.TopologyOf(_queue, null, [typeof(OrderPlaced)]);
        await topology.AddQueue(_queue + ".error").DeclareAsync(owner).InTime();
        var handled = new TaskCompletionSource<OrderPlaced>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WireConsumer consumer = Consumer(options, handled.SetResult);
        await consumer.StartAsync().InTime();
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 2);
        await publisher.PublishAsync(order).AsTask().InTime();
        Assert.Equal(order, await handled.Task.InTime());
    }

    [Fact]
    public async Task A_message_that_may_not_wait_is_a_failure_after_one_call()
    {
        await new WireTopology().AddQueue(_queue).AddQueue(_queue + ".error").DeclareAsync(_owner.Connection.Topology).InTime();
        int calls = 0;
        await using WireConsumer consumer = _limited.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = _queue })
            .Handle<OrderPlaced>((_, _) =>
            {
                Interlocked.Increment(ref calls);
                return Task.FromResult(MessageOutcome.Defer(TimeSpan.FromSeconds(1)));
            });
        await consumer.StartAsync().InTime();
        await using WirePublisher publisher = _limited.Publisher(Shop.Serializer);
        await publisher.PublishAsync("", _queue, new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime();
        await ConsumerBench.Until(async () => (await _owner.Connection.Topology.FindQueueAsync(_queue + ".error"))!.MessageCount == 1);
        Assert.Equal(1, calls);
    }

    private WireConsumer Consumer(WireConsumerOptions options, Action<OrderPlaced> handle) =>
        _limited.Consumer(Shop.Serializer, options).Handle<OrderPlaced>((order, _) =>
        {
            handle(order);
            return Task.CompletedTask;
        });
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class PermissionTestsOnClient(PrivateNode node) : PermissionTests(WireTransport.Client, node);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class PermissionTestsOnLane(PrivateNode node) : PermissionTests(WireTransport.DirectLane, node);
