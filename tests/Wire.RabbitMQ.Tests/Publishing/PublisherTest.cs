using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>A connection for publishers behind a proxy, and another one that looks at what has arrived.</summary>
public abstract class PublisherTest(WireTransport transport) : IAsyncLifetime
{
    internal FaultProxy Proxy { get; private set; } = null!;

    protected TestConnection Connection { get; private set; } = null!;

    protected IChannel Watching { get; private set; } = null!;

    /// <summary>A queue of this test, which the default exchange routes to by its name.</summary>
    protected string Queue { get; private set; } = "";

    private IConnection Direct { get; set; } = null!;

    public async Task InitializeAsync()
    {
        Proxy = new FaultProxy(Broker.Node.Uri);
        Direct = await Broker.Node.ConnectAsync().InTime();
        Watching = await Direct.CreateChannelAsync().InTime();
        Connection = await TestConnection.ConnectAsync(transport, Proxy.Route(Broker.Node.Factory()));
        Queue = await Watching.DeclareQueueAsync(GetType().Name).InTime();
    }

    public async Task DisposeAsync()
    {
        await Connection.DisposeAsync();
        await Proxy.DisposeAsync();
        await Direct.DisposeAsync();
    }

    protected static WirePublisherOptions Small { get; } = new() { MaxChannels = 1, MaxInFlight = 8 };

    protected static Task OrderAsync(
        WirePublisher publisher, string queue, PublishOptions? options = null, CancellationToken cancellationToken = default) =>
        publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 1), options, cancellationToken).AsTask();

    /// <summary>A publisher, with its first channel open.</summary>
    protected async Task<WirePublisher> WarmAsync(WirePublisherOptions? options = null)
    {
        var publisher = Connection.Publisher(Shop.Serializer, options);
        await OrderAsync(publisher, Queue).InTime();
        await Watching.QueuePurgeAsync(Queue).InTime();
        return publisher;
    }

    /// <summary>Waits until so many messages are in the queue, and makes sure that they do not become more.</summary>
    protected async Task AssertCountAsync(uint count)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        uint there;
        while ((there = await Watching.MessageCountAsync(Queue, limit.Token)) < count)
        {
            await Task.Delay(10, limit.Token);
        }

        Assert.Equal(count, there);
        Assert.Equal(count, await Watching.MessageCountAsync(Queue, limit.Token));
    }

    /// <summary>Takes so many messages out of the queue, in their order.</summary>
    protected async Task<IReadOnlyList<T>> TakeAsync<T>(int count, Func<BasicDeliverEventArgs, T> read)
    {
        var messages = new List<T>(count);
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumer = new AsyncEventingBasicConsumer(Watching);
        consumer.ReceivedAsync += (_, delivery) =>
        {
            messages.Add(read(delivery));
            if (messages.Count == count)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        };
        string tag = await Watching.BasicConsumeAsync(Queue, autoAck: true, consumer).InTime();
        await done.Task.InTime();
        await Watching.BasicCancelAsync(tag).InTime();
        return messages;
    }

    protected static string? Customer(BasicDeliverEventArgs delivery) => Shop.Serializer.Read<OrderPlaced>(delivery)?.Customer;
}
