using System.Diagnostics;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>Publishing to a broker, with confirms.</summary>
internal static class ConfirmTables
{
    public static IEnumerable<MessageTable> All() =>
    [
        InWindows(Load.Small, 12_800, 40_000),
        new(
            "Publishing to RabbitMQ, 512 B, one at a time, confirmed",
            [
                .. LaneBench.Columns,
                new("p50 µs", "N0", figures => figures.Half),
                new("p99 µs", "N0", figures => figures.Most),
            ],
            [
                new ClientOneAtATime(2_000),
                new LaneOneAtATime(FrameWriting.Background, spins: true, 2_000),
                new LaneOneAtATime(FrameWriting.Inline, spins: true, 2_000),
                new LaneOneAtATime(FrameWriting.Background, spins: false, 2_000),
            ],
            0),
        InWindows(Load.Medium, 6_400, 10_000),
    ];

    /// <summary>The same over TLS, beside RabbitMQ.Client alone: nothing by hand speaks it.</summary>
    public static IEnumerable<MessageTable> OverTls() =>
        [OverTls(Load.Small, 12_800, 40_000), OverTls(Load.Medium, 6_400, 10_000)];

    private static MessageTable OverTls(Load load, int client, int own) => new(
        $"Over TLS: publishing to RabbitMQ, {load.Name}, confirmed",
        LaneBench.Columns,
        [
            new ClientConfirms(128, client, new BrokerQueue(load, overTls: true), load),
            new LaneConfirms(FrameWriting.Background, own, new BrokerQueue(load, overTls: true), load),
            new LaneConfirms(FrameWriting.Inline, own, new BrokerQueue(load, overTls: true), load),
        ],
        0);

    private static MessageTable InWindows(Load load, int client, int own) => new(
        $"Publishing to RabbitMQ, {load.Name}, confirmed",
        LaneBench.Columns,
        [
            new ClientConfirms(128, client, new BrokerQueue(load), load),
            new HandConfirms(own, new BrokerQueue(load), load),
            new LaneConfirms(FrameWriting.Background, own, new BrokerQueue(load), load),
            new LaneConfirms(FrameWriting.Inline, own, new BrokerQueue(load), load),
        ],
        0,
        1);
}

/// <summary>Publishes to a broker with confirms, until all have come; the queue is empty before.</summary>
internal abstract class ConfirmRow(string name, int messages, BrokerQueue queue, Load load) : MessageRow(name, messages)
{
    protected BrokerQueue Broker => queue;

    protected Load Load => load;

    public override Task OpenAsync() => Broker.OpenAsync();

    public override Task PrepareAsync() => Broker.EmptyAsync();

    public override ValueTask CloseAsync() => Broker.DisposeAsync();
}

/// <summary>RabbitMQ.Client, which tracks the confirms: so many messages are begun, then all are awaited.</summary>
internal sealed class ClientConfirms(int batch, int messages, BrokerQueue queue, Load load)
    : ConfirmRow($"RabbitMQ.Client, byte[], tracked, batches of {batch}", messages, queue, load)
{
    private readonly Task[] _batch = new Task[batch];
    private IConnection? _connection;
    private IChannel? _channel;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = await ClientSender.ConnectAsync(Broker.Uri);
        _channel = await _connection.CreateChannelAsync(new CreateChannelOptions(true, true));
    }

    public override async Task RunAsync()
    {
        for (int sent = 0; sent < Messages; sent += batch)
        {
            for (int i = 0; i < batch; i++)
            {
                // New properties each time: the client changes those that it is given.
                _batch[i] = _channel!.BasicPublishAsync("", Broker.Queue, mandatory: false, ClientSender.Properties(), Load.Body).AsTask();
            }

            await Task.WhenAll(_batch);
        }
    }

    public override async ValueTask CloseAsync()
    {
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
        await base.CloseAsync();
    }
}

/// <summary>Frames by hand.</summary>
internal sealed class HandConfirms(int messages, BrokerQueue queue, Load load)
    : ConfirmRow("by hand, byte[], window of 2,000", messages, queue, load)
{
    private HandConnection? _connection;
    private ConfirmedByHand? _publisher;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = new HandConnection(Broker.Uri);
        _connection.Call(default(ConfirmSelect), MethodId.ConfirmSelectOk);
        _publisher = new ConfirmedByHand(_connection, Broker.Queue);
    }

    public override Task RunAsync()
    {
        _publisher!.Publish(Load.Body, Messages);
        return Task.CompletedTask;
    }

    public override ValueTask CloseAsync()
    {
        _connection!.Dispose();
        return base.CloseAsync();
    }
}

/// <summary>The direct lane, with as many messages in flight as its channel lets through.</summary>
internal sealed class LaneConfirms(FrameWriting writing, int messages, BrokerQueue queue, Load load)
    : ConfirmRow($"{LaneSender.NameOf(writing)}, objects, window of 2,000", messages, queue, load)
{
    // What is awaited, in the order of the messages. One task less than the channel lets through, so that none waits for its turn.
    private readonly ValueTask[] _tasks = new ValueTask[2_000];
    private readonly LaneSender _sender = new(writing, objects: true, confirms: true);

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _sender.Queue = Broker.Queue;
        await _sender.OpenAsync(Broker.Uri, 1);
    }

    public override async Task RunAsync()
    {
        int window = _tasks.Length;
        for (int i = 0; i < Messages + window; i++)
        {
            if (i >= window)
            {
                await _tasks[i % window];
            }

            if (i < Messages)
            {
#pragma warning disable CA2012 // Kept, and awaited once, a window later: a Task for each would be allocated.
                _tasks[i % window] = _sender.SendAsync(Load, 0);
#pragma warning restore CA2012
            }
        }
    }

    public override async ValueTask CloseAsync()
    {
        await _sender.DisposeAsync();
        await base.CloseAsync();
    }
}

/// <summary>Each message is awaited before the next, as a handler of a request does.</summary>
internal abstract class OneAtATime(string name, int messages)
    : ConfirmRow($"{name}, each confirm awaited", messages, new BrokerQueue(Load.Small), Load.Small)
{
    private readonly double[] _microseconds = new double[messages];

    public override IReadOnlyList<double> Microseconds => _microseconds;

    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await PublishAsync().ConfigureAwait(false);
            _microseconds[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }
    }

    protected abstract ValueTask PublishAsync();
}

/// <inheritdoc/>
internal sealed class ClientOneAtATime(int messages) : OneAtATime("RabbitMQ.Client, byte[]", messages)
{
    private IConnection? _connection;
    private IChannel? _channel;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = await ClientSender.ConnectAsync(Broker.Uri);
        _channel = await _connection.CreateChannelAsync(new CreateChannelOptions(true, true));
    }

    // New properties each time: the client changes those that it is given.
    protected override ValueTask PublishAsync() =>
        _channel!.BasicPublishAsync("", Broker.Queue, mandatory: false, ClientSender.Properties(), Load.Body);

    public override async ValueTask CloseAsync()
    {
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
        await base.CloseAsync();
    }
}

/// <inheritdoc/>
internal sealed class LaneOneAtATime(FrameWriting writing, bool spins, int messages)
    : OneAtATime($"{LaneSender.NameOf(writing)}, objects{(spins ? "" : ", SpinTime = 0")}", messages)
{
    private readonly LaneSender _sender = new(writing, objects: true, confirms: true) { SpinsNever = !spins };

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _sender.Queue = Broker.Queue;
        await _sender.OpenAsync(Broker.Uri, 1);
    }

    protected override ValueTask PublishAsync() => _sender.SendAsync(Load, 0);

    public override async ValueTask CloseAsync()
    {
        await _sender.DisposeAsync();
        await base.CloseAsync();
    }
}
