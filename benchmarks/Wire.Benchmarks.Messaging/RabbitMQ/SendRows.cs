using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>Rows that publish, over a connection and to a queue of their own, which is emptied before each measurement.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="tracked">Whether the client tracks the confirms of the row's channel.</param>
internal abstract class SendRow(string name, int messages, bool tracked = true) : MessageRow(name, messages)
{
    /// <summary>How many messages are under way at once.</summary>
    protected const int Window = 2_000;

    private IConnection? _connection;
    private IChannel? _channel;

    protected IConnection Connection => _connection!;

    protected IChannel Channel => _channel!;

    protected string Queue { get; private set; } = "";

    // A type that others derive from, so that the body has to say which it is.
    protected Parcel Message { get; } = Parcel.Create(BrokerBench.Payload);

    public override async Task OpenAsync()
    {
        _connection = await BrokerBench.ConnectAsync();
        Queue = await BrokerBench.DeclareQueueAsync(_connection);
        _channel = await _connection.CreateChannelAsync(new CreateChannelOptions(true, tracked));
    }

    public override async Task PrepareAsync()
    {
        await using IChannel channel = await Connection.CreateChannelAsync();
        await channel.QueuePurgeAsync(Queue);
    }

    public override async ValueTask CloseAsync()
    {
        await using (IChannel channel = await Connection.CreateChannelAsync())
        {
            await channel.QueueDeleteAsync(Queue);
        }

        await Connection.DisposeAsync();
    }

    protected static BasicProperties Persistent() => new() { Persistent = true };
}

/// <summary>What programs did that opened a channel to send a message with.</summary>
internal sealed class ChannelPerMessage() : SendRow("a channel per message", 400)
{
    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            await using IChannel channel = await Connection.CreateChannelAsync(new CreateChannelOptions(true, true));
            await channel.PublishAsync(BrokerBench.Serializer, "", Queue, Message, Persistent(), mandatory: true);
            await channel.CloseAsync();
        }
    }
}

/// <summary>One channel, and the confirm of each message awaited before the next.</summary>
internal sealed class AwaitEach() : SendRow("each confirm awaited", 1_000)
{
    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            await Channel.PublishAsync(BrokerBench.Serializer, "", Queue, Message, Persistent(), mandatory: true);
        }
    }
}

/// <summary>What the client offers itself: confirms that it tracks, in batches, and bytes as they are.</summary>
internal sealed class TrackedBatches() : SendRow("client, byte[], batches of 128", 12_800)
{
    private const int Batch = 128;

    private readonly byte[] _body = new byte[BrokerBench.Payload];
    private readonly Task[] _batch = new Task[Batch];

    public override async Task RunAsync()
    {
        for (int sent = 0; sent < Messages; sent += Batch)
        {
            for (int i = 0; i < Batch; i++)
            {
                _batch[i] = Channel.BasicPublishAsync("", Queue, mandatory: true, Persistent(), _body).AsTask();
            }

            await Task.WhenAll(_batch);
        }
    }
}

/// <summary>
/// The least that confirmed publishing can be with the client: bytes as they are, the same properties each time, and confirms that are only
/// counted.
/// </summary>
internal sealed class CountedByHand() : SendRow("client, byte[], confirms counted", 20_000, tracked: false)
{
    private readonly byte[] _body = new byte[BrokerBench.Payload];
    private readonly BasicProperties _properties = new() { Persistent = true, Headers = new Dictionary<string, object?>() };
    private readonly SemaphoreSlim _room = new(Window);
    private readonly HashSet<ulong> _single = [];
    private ulong _confirmed;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();

        // Another channel counts anew.
        _confirmed = 0;
        _single.Clear();
        Channel.BasicAcksAsync += Confirm;
    }

    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            await _room.WaitAsync();
            await Channel.BasicPublishAsync("", Queue, mandatory: true, _properties, _body);
        }

        for (int i = 0; i < Window; i++)
        {
            await _room.WaitAsync();
        }

        _room.Release(Window);
    }

    // On the client's one thread that receives.
    private Task Confirm(object sender, BasicAckEventArgs ack)
    {
        if (!ack.Multiple)
        {
            _single.Add(ack.DeliveryTag);
            _room.Release();
            return Task.CompletedTask;
        }

        int count = 0;
        while (_confirmed < ack.DeliveryTag)
        {
            count += _single.Remove(++_confirmed) ? 0 : 1;
        }

        if (count > 0)
        {
            _room.Release(count);
        }

        return Task.CompletedTask;
    }
}

/// <summary>Wire: objects, so many of them under way at once.</summary>
internal sealed class WithWirePublisher(
    WireTransport transport, int payload = BrokerBench.Payload, int messages = 20_000, string? type = null)
    : SendRow(
        $"WirePublisher over {(transport == WireTransport.Client ? "RabbitMQ.Client" : "Wire.Amqp.Client")}, " +
        $"{(type is null ? "objects" : "long type")}",
        messages)
{
    private readonly PublishOptions? _options = type is null ? null : new PublishOptions { Type = type };
    private readonly ValueTask[] _window = new ValueTask[Window];
    private readonly Parcel _message = Parcel.Create(payload);
    private WireConnection? _own;
    private WirePublisher? _publisher;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _own = await BrokerBench.ConnectAsync(transport);
        _publisher = new WirePublisher(_own, BrokerBench.Serializer);
    }

    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages + Window; i++)
        {
            await _window[i % Window];
#pragma warning disable CA2012 // Awaited when it is the window's last, once.
            _window[i % Window] = i < Messages ? _publisher!.PublishAsync("", Queue, _message, _options) : default;
#pragma warning restore CA2012
        }
    }

    public override async ValueTask CloseAsync()
    {
        await _publisher!.DisposeAsync();
        await _own!.DisposeAsync();
        await base.CloseAsync();
    }
}

/// <summary>The same with the client's own channel, which the publisher stands on.</summary>
internal sealed class WithAmqpChannel() : SendRow("AmqpChannel, objects", 20_000)
{
    private readonly ValueTask[] _window = new ValueTask[Window];
    private AmqpConnection? _own;
    private AmqpChannel? _lane;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _own = await AmqpConnection.ConnectAsync(MeasuredBroker.Current.Uri.ToString());
        _lane = await _own.OpenChannelAsync(new AmqpChannelOptions { Body = new AmqpBody(BrokerBench.Serializer.Serializer) });
    }

    public override async Task RunAsync()
    {
        var method = new Amqp.V091.BasicPublish { RoutingKey = Queue, Mandatory = true };
        for (int i = 0; i < Messages + Window; i++)
        {
            await _window[i % Window];
#pragma warning disable CA2012 // Awaited when it is the window's last, once.
            _window[i % Window] = i < Messages
                ? _lane!.PublishAsync(in method, new Amqp.V091.BasicProperties { DeliveryMode = 2 }, Message)
                : default;
#pragma warning restore CA2012
        }
    }

    public override async ValueTask CloseAsync()
    {
        await _own!.DisposeAsync();
        await base.CloseAsync();
    }
}
