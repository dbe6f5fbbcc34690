using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>Small objects, each a message, and many of them in one.</summary>
internal static class GatheredTables
{
    // So many objects are under way at once.
    private const int Window = 50_000;

    /// <summary>How much content an object has.</summary>
    public const int Content = 16;

    public static IEnumerable<MessageTable> All(IReadOnlyList<Column> columns) =>
    [
        new(
            "Sending small objects, durable queue, confirmed",
            columns,
            [new SmallSent(gathers: false, 100_000), new SmallSent(gathers: true, 3_000_000)],
            0),
        new(
            "Receiving small objects, durable queue",
            columns,
            [new SmallReceived(gathers: false, 100_000), new SmallReceived(gathers: true, 3_000_000)],
            0),
    ];

    /// <summary>How they are published.</summary>
    public static WirePublisherOptions Options(bool gathers) =>
        gathers ? new WirePublisherOptions().Gathering<Parcel>() : new WirePublisherOptions();

    /// <summary>What a row of them is called.</summary>
    public static string Name(string what, bool gathers) => $"{what} over Wire.Amqp.Client, {(gathers ? "gathered" : "a message each")}";

    /// <summary>Publishes so many.</summary>
    public static async Task PublishAsync(WirePublisher publisher, string queue, int count)
    {
        Parcel message = Parcel.Create(Content);
        var window = new ValueTask[Window];
        for (int i = 0; i < count + Window; i++)
        {
            await window[i % Window];
#pragma warning disable CA2012 // Awaited when it is the window's last, once.
            window[i % Window] = i < count ? publisher.PublishAsync("", queue, message) : default;
#pragma warning restore CA2012
        }
    }
}

/// <summary>Publishes small objects.</summary>
internal sealed class SmallSent(bool gathers, int messages) : SendRow(GatheredTables.Name("WirePublisher", gathers), messages)
{
    private WireConnection? _own;
    private WirePublisher? _publisher;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _own = await BrokerBench.ConnectAsync(WireTransport.DirectLane);
        _publisher = new WirePublisher(_own, BrokerBench.Serializer, GatheredTables.Options(gathers));
    }

    public override Task RunAsync() => GatheredTables.PublishAsync(_publisher!, Queue, Messages);

    public override async ValueTask CloseAsync()
    {
        await _publisher!.DisposeAsync();
        await _own!.DisposeAsync();
        await base.CloseAsync();
    }
}

/// <summary>Handles small objects.</summary>
internal sealed class SmallReceived(bool gathers, int messages)
    : ReceiveRow(GatheredTables.Name("WireConsumer", gathers), messages, TimeSpan.Zero)
{
    // Many small objects are many bytes only together.
    private const ushort GatheredPrefetch = 16;

    private WireConnection? _own;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _own = await BrokerBench.ConnectAsync(WireTransport.DirectLane);
    }

    public override async ValueTask CloseAsync()
    {
        await _own!.DisposeAsync();
        await base.CloseAsync();
    }

    protected override async Task PublishAsync()
    {
        await using var publisher = new WirePublisher(_own!, BrokerBench.Serializer, GatheredTables.Options(gathers));
        await GatheredTables.PublishAsync(publisher, Queue, Messages);
    }

    protected override async Task<IAsyncDisposable> ConsumeAsync()
    {
        var consumer = new WireConsumer(_own!, BrokerBench.Serializer, new WireConsumerOptions
        {
            Queue = Queue,
            MaxConcurrency = 2,
            PrefetchCount = gathers ? GatheredPrefetch : WithWireConsumer.Prefetch,
        });
        consumer.Handle<Parcel>((parcel, _) => HandleAsync(parcel.Content.Length, GatheredTables.Content));
        await consumer.StartAsync();
        return consumer;
    }
}
