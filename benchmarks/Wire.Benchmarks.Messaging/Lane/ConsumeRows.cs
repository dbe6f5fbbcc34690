using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp.Client;
using Wire.Benchmarks.Messaging.RabbitMQ;
using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>Consuming from a broker, and from a process that delivers as fast as it is acknowledged.</summary>
internal static class ConsumeTables
{
    public static IEnumerable<MessageTable> All() =>
    [
        Of("Consuming from RabbitMQ, 512 B", () => new BrokerQueue(Load.Small), Load.Small, 20_000, 40_000),
        Of("Consuming from RabbitMQ, 16 KB", () => new BrokerQueue(Load.Medium), Load.Medium, 8_000, 12_000),
    ];

    public static IEnumerable<MessageTable> FromSource(SinkProcess sink) =>
    [
        Of("Consuming from a source, 512 B", () => new SinkSource(sink, Load.Small), Load.Small, 20_000, 150_000),
        Of("Consuming from a source, 16 KB", () => new SinkSource(sink, Load.Medium), Load.Medium, 4_000, 15_000),
    ];

    /// <summary>From the broker over TLS, beside RabbitMQ.Client alone: nothing by hand speaks it.</summary>
    public static IEnumerable<MessageTable> OverTls() =>
        [OverTls(Load.Small, 10_000, 20_000), OverTls(Load.Medium, 4_000, 6_000)];

    private static MessageTable OverTls(Load load, int client, int own) => new(
        $"Over TLS: consuming from RabbitMQ, {load.Name}",
        LaneBench.Columns,
        [
            new ClientConsumer(objects: false, 1, client, new BrokerQueue(load, overTls: true), load),
            new ClientConsumer(objects: false, ConsumeRow.Together, client, new BrokerQueue(load, overTls: true), load),
            new LaneConsumer(objects: false, own, new BrokerQueue(load, overTls: true), load),
            new LaneConsumer(objects: true, own, new BrokerQueue(load, overTls: true), load),
        ],
        0);

    private static MessageTable Of(string name, Func<IConsumeSource> source, Load load, int client, int own) => new(
        name,
        LaneBench.Columns,
        [
            new ClientConsumer(objects: false, 1, client, source(), load),
            new ClientConsumer(objects: false, ConsumeRow.Together, client, source(), load),
            new ClientConsumer(objects: true, 1, client, source(), load),
            new HandConsumer(objects: false, own, source(), load),
            new HandConsumer(objects: true, own, source(), load),
            new LaneConsumer(objects: false, own, source(), load),
            new LaneConsumer(objects: true, own, source(), load),
        ],
        0,
        3);
}

/// <summary>Where messages to be consumed come from.</summary>
internal interface IConsumeSource : IAsyncDisposable
{
    Uri Uri { get; }

    /// <summary>The queue that is consumed from.</summary>
    string Queue { get; }

    Task OpenAsync();

    /// <summary>Has so many messages in the queue.</summary>
    Task FillAsync(int messages);
}

/// <summary>A sink that delivers as fast as it is acknowledged.</summary>
internal sealed class SinkSource(SinkProcess sink, Load load) : IConsumeSource
{
    public Uri Uri => sink.Uri;

    public string Queue { get; private set; } = "";

    public Task OpenAsync() => Task.CompletedTask;

    public Task FillAsync(int messages)
    {
        Queue = Source.Named(load.Parcel.Content.Length, messages);
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>
/// Consumes what is in a queue, on a connection that is open and a channel of its own each time, with so many messages under way.
/// </summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="source">Where they come from.</param>
/// <param name="load">What they hold.</param>
internal abstract class ConsumeRow(string name, int messages, IConsumeSource source, Load load) : MessageRow(name, messages)
{
    /// <summary>How many messages may be under way.</summary>
    public const ushort Prefetch = 1_000;

    /// <summary>How many are acknowledged together by those that count.</summary>
    public const int Together = 100;

    private TaskCompletionSource _all = new();
    private int _received;

    protected IConsumeSource Source => source;

    public override Task OpenAsync() => source.OpenAsync();

    public override async Task PrepareAsync()
    {
        await source.FillAsync(Messages);
        _received = 0;
        _all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public override ValueTask CloseAsync() => source.DisposeAsync();

    /// <summary>When all have been received.</summary>
    protected Task All => _all.Task;

    /// <summary>What a handler does with an object.</summary>
    /// <returns>How many have been received.</returns>
    protected int Take(Parcel? parcel) => Check(parcel?.Content.Length == load.Parcel.Content.Length);

    /// <summary>What a handler does with bytes.</summary>
    /// <returns>How many have been received.</returns>
    protected int Take(long length) => Check(length == load.Body.Length);

    // Deliveries come one after the other.
    private int Check(bool isExpected)
    {
        if (!isExpected)
        {
            _all.TrySetException(new InvalidOperationException("What came is not what was sent."));
        }

        if (++_received == Messages)
        {
            _all.TrySetResult();
        }

        return _received;
    }
}

/// <summary>RabbitMQ.Client's consumer with events.</summary>
/// <param name="objects">Whether the bodies are read as objects.</param>
/// <param name="together">How many messages are acknowledged together.</param>
internal sealed class ClientConsumer(bool objects, int together, int messages, IConsumeSource source, Load load) : ConsumeRow(
    $"RabbitMQ.Client, {(objects ? "objects" : "byte[]")}, " +
    $"acknowledged {(together == 1 ? "each" : $"by {together}")}", messages, source, load)
{
    private IConnection? _connection;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = await ClientSender.ConnectAsync(Source.Uri);
    }

    public override async Task RunAsync()
    {
        IChannel channel = await _connection!.CreateChannelAsync();
        await channel.BasicQosAsync(0, Prefetch, global: false);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += async (_, delivery) =>
        {
            int received = objects ? Take(BrokerBench.Serializer.Read<Parcel>(delivery)) : Take(delivery.Body.Length);
            if (received % together == 0 || received == Messages)
            {
                await channel.BasicAckAsync(delivery.DeliveryTag, multiple: together > 1);
            }
        };
        await channel.BasicConsumeAsync(Source.Queue, autoAck: false, consumer);
        await All;
        await channel.CloseAsync();
        await channel.DisposeAsync();
    }

    public override async ValueTask CloseAsync()
    {
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
        await base.CloseAsync();
    }
}

/// <summary>The direct lane's consumer, which acknowledges each message when its handler has ended.</summary>
/// <param name="objects">Whether the bodies are read as objects.</param>
internal sealed class LaneConsumer(bool objects, int messages, IConsumeSource source, Load load) : ConsumeRow(
    $"lane, {(objects ? "objects" : "bodies where they lie")}", messages, source, load)
{
    private AmqpConnection? _connection;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = await AmqpConnection.ConnectAsync(LaneSender.Options(Source.Uri));
    }

    public override async Task RunAsync()
    {
        await using AmqpChannel channel =
            await _connection!.OpenChannelAsync(new AmqpChannelOptions { Confirms = false, Prefetch = Prefetch });
        AmqpConsumer consumer = objects
            ? await channel.ConsumeAsync<Parcel>(Source.Queue, (parcel, _) =>
            {
                Take(parcel);
                return ValueTask.CompletedTask;
            })
            : await channel.ConsumeAsync(Source.Queue, delivery =>
            {
                Take(delivery.Body.Length);
                return ValueTask.CompletedTask;
            });
        await using (consumer)
        {
            await All;
        }
    }

    public override async ValueTask CloseAsync()
    {
        await _connection!.DisposeAsync();
        await base.CloseAsync();
    }
}
