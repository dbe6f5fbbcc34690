using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>Rows that receive what was put into their queue before.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="work">How long a message takes to handle.</param>
internal abstract class ReceiveRow(string name, int messages, TimeSpan work) : MessageRow(name, messages)
{
    private IConnection? _connection;
    private TaskCompletionSource _all = new();
    private int _received;

    protected IConnection Connection => _connection!;

    protected string Queue { get; private set; } = "";

    public override async Task OpenAsync()
    {
        _connection = await BrokerBench.ConnectAsync();
        Queue = await BrokerBench.DeclareQueueAsync(_connection);
    }

    public override async Task PrepareAsync()
    {
        await PublishAsync();
        _all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _received = 0;
    }

    public override async Task RunAsync()
    {
        IAsyncDisposable consumer = await ConsumeAsync();
        await _all.Task;
        await consumer.DisposeAsync();
    }

    public override async ValueTask CloseAsync()
    {
        await using (IChannel channel = await Connection.CreateChannelAsync())
        {
            await channel.QueueDeleteAsync(Queue);
        }

        await Connection.DisposeAsync();
    }

    /// <summary>Puts the messages into the queue.</summary>
    protected virtual async Task PublishAsync()
    {
        await using var publisher = new WirePublisher(Connection.ToWireConnection(), BrokerBench.Serializer);
        Parcel message = Parcel.Create(BrokerBench.Payload);
        await Task.WhenAll(Enumerable.Range(0, Messages).Select(_ => publisher.PublishAsync("", Queue, message).AsTask()));
    }

    /// <summary>Begins to receive.</summary>
    protected abstract Task<IAsyncDisposable> ConsumeAsync();

    /// <summary>What the program does with a message.</summary>
    protected async Task HandleAsync(int size, int expected = BrokerBench.Payload)
    {
        if (work > TimeSpan.Zero)
        {
            await Task.Delay(work);
        }

        if (size < expected)
        {
            throw new InvalidOperationException("What came is not what was sent.");
        }

        if (Interlocked.Increment(ref _received) == Messages)
        {
            _all.SetResult();
        }
    }

    /// <summary>Begins to receive with the client alone.</summary>
    protected async Task<IAsyncDisposable> ConsumeAsync(ushort prefetch, Func<IChannel, BasicDeliverEventArgs, Task> receive)
    {
        IChannel channel = await Connection.CreateChannelAsync();
        await channel.BasicQosAsync(0, prefetch, false);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, delivery) => receive(channel, delivery);
        await channel.BasicConsumeAsync(Queue, autoAck: false, consumer);
        return channel;
    }
}

/// <summary>A message is fetched, handled and acknowledged before the next.</summary>
internal sealed class OneAtATime(TimeSpan work, int messages) : ReceiveRow("one at a time", messages, work)
{
    protected override Task<IAsyncDisposable> ConsumeAsync() => ConsumeAsync(1, async (channel, delivery) =>
    {
        await HandleAsync(delivery.Read<Parcel>(BrokerBench.Serializer)!.Content.Length);
        await channel.BasicAckAsync(delivery.DeliveryTag, multiple: false);
    });
}

/// <summary>What programs do with the client: objects, several at a time, each acknowledged by itself.</summary>
internal sealed class Objects() : ReceiveRow("client, objects, each acknowledged", 50_000, TimeSpan.Zero)
{
    protected override Task<IAsyncDisposable> ConsumeAsync() => ConsumeAsync(WithWireConsumer.Prefetch, async (channel, delivery) =>
    {
        await HandleAsync(delivery.Read<Parcel>(BrokerBench.Serializer)!.Content.Length);
        await channel.BasicAckAsync(delivery.DeliveryTag, multiple: false);
    });
}

/// <summary>
/// The least that receiving can be with the client: bytes as they are, and as many messages under way as Wire's consumer has, acknowledged
/// together.
/// </summary>
internal sealed class ByteArrays() : ReceiveRow("client, byte[], acknowledged by 16", 50_000, TimeSpan.Zero)
{
    private const int Together = 16;

    protected override Task<IAsyncDisposable> ConsumeAsync() => ConsumeAsync(WithWireConsumer.Prefetch, async (channel, delivery) =>
    {
        await HandleAsync(delivery.Body.ToArray().Length);
        if (delivery.DeliveryTag % Together == 0 || delivery.DeliveryTag == (ulong)Messages)
        {
            await channel.BasicAckAsync(delivery.DeliveryTag, multiple: true);
        }
    });
}

/// <summary>Wire: objects in typed handlers.</summary>
internal sealed class WithWireConsumer(WireTransport transport, TimeSpan work, int messages, int concurrency)
    : ReceiveRow(
        $"WireConsumer over {(transport == WireTransport.Client ? "RabbitMQ.Client" : "Wire.Amqp.Client")}, objects", messages, work)
{
    public const ushort Prefetch = 96;

    private WireConnection? _own;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _own = await BrokerBench.ConnectAsync(transport);
    }

    public override async ValueTask CloseAsync()
    {
        await _own!.DisposeAsync();
        await base.CloseAsync();
    }

    protected override async Task<IAsyncDisposable> ConsumeAsync()
    {
        var consumer = new WireConsumer(_own!, BrokerBench.Serializer,
            new WireConsumerOptions { Queue = Queue, MaxConcurrency = concurrency, PrefetchCount = Prefetch });
        consumer.Handle<Parcel>((parcel, _) => HandleAsync(parcel.Content.Length));
        await consumer.StartAsync();
        return consumer;
    }
}
