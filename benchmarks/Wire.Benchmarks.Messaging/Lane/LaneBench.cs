using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.RabbitMQ;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>What the direct lane does beside RabbitMQ.Client and beside frames by hand.</summary>
internal static class LaneBench
{
    /// <summary>The figures of the tables of rows.</summary>
    public static readonly IReadOnlyList<Column> Columns =
    [
        new("CPU µs/message", "#,0.00", figures => figures.Nanoseconds / 1e3),
        new("x", "0.00", figures => figures.Nanoseconds, IsRatio: true),
        new("B/message", "#,0.0", figures => figures.Bytes),
    ];

    /// <summary>Measures, prints the tables, and writes them into docs/performance/client.md.</summary>
    public static async Task RunAsync(Options options)
    {
        MeasuredBroker.Require(options.Mode);
        await using SinkProcess sink = await SinkProcess.StartAsync();
        MessageTable[] rows =
        [
            .. PublishTables.All(sink),
            .. WithBroker([.. ConfirmTables.All(), .. ConsumeTables.All()]),
            .. ConsumeTables.FromSource(sink),
            .. MeasuredBroker.Current.Tls is null ? [] : WithBroker([.. ConfirmTables.OverTls(), .. ConsumeTables.OverTls()]),
        ];
        await new PageSection(Page.Client, "lane", $"{PageSection.Medians} The processor time is the client's alone.").WriteAsync(
            options,
            [
                .. rows.Select(table => (table.Name, (Func<Task<string>>)table.MeasureAsync)),
                (ContentionTable.Name, () => ContentionTable.MeasureAsync(sink)),
                (MixedTable.Name, () => MixedTable.MeasureAsync(sink)),
                (MemoryTables.Name, () => MemoryTables.MeasureAsync(sink)),
                (MemoryTables.LargeName, () => MemoryTables.MeasureLargeAsync(sink)),
            ]);
    }

    private static IEnumerable<MessageTable> WithBroker(IEnumerable<MessageTable> tables) =>
        tables.Select(table => table with { UsesBroker = true });
}

/// <summary>What a message holds: an object, and its bytes, made beforehand.</summary>
/// <param name="Name">How large it is.</param>
/// <param name="Parcel">The object.</param>
/// <param name="Body">The same as bytes.</param>
internal sealed record Load(string Name, Parcel Parcel, byte[] Body)
{
    public static Load Small => field ??= Of("512 B", 512);

    public static Load Medium => field ??= Of("16 KB", 16 * 1024);

    public static Load Large => field ??= Of("1 MB", 1 << 20);

    private static Load Of(string name, int size) => new(name, Parcel.Create(size), Parcels.Body(size));
}

/// <summary>What is published and consumed: objects, and what they are as bytes.</summary>
internal static class Parcels
{
    /// <summary>Not persistent: the broker's disk would be the measure of all.</summary>
    public const byte DeliveryMode = 1;

    /// <summary>Writes and reads the objects, as it does for RabbitMQ.Client.</summary>
    public static AmqpBody Serializer { get; } = new(BrokerBench.Serializer.Serializer);

    public static string TypeName { get; } = typeof(Parcel).FullName!;

    /// <summary>The bytes of an object with so much content.</summary>
    public static byte[] Body(int size)
    {
        using var buffer = new BodyBuffer();
        Serializer.Write(buffer, Parcel.Create(size));
        return buffer.Written.ToArray();
    }
}

/// <summary>A durable queue of this run at a broker, which any connection may use, and what is done with it between measurements.</summary>
/// <param name="load">What messages hold.</param>
/// <param name="overTls">Whether what is measured goes over TLS.</param>
internal sealed class BrokerQueue(Load load, bool overTls = false) : IConsumeSource
{
    private IConnection? _connection;
    private IChannel? _channel;

    public Uri Uri => overTls ? MeasuredBroker.Current.Tls! : MeasuredBroker.Current.Uri;

    public string Queue { get; } = $"wire-lane-{Guid.NewGuid():N}";

    public async Task OpenAsync()
    {
        _connection = await ClientSender.ConnectAsync(MeasuredBroker.Current.Uri);
        _channel = await _connection.CreateChannelAsync();
        await _channel.QueueDeclareAsync(Queue, durable: true, exclusive: false, autoDelete: false);
    }

    public async Task EmptyAsync() => await _channel!.QueuePurgeAsync(Queue);

    public async Task FillAsync(int messages)
    {
        await EmptyAsync();
        using var connection = new HandConnection(MeasuredBroker.Current.Uri);
        connection.Call(default(ConfirmSelect), MethodId.ConfirmSelectOk);
        new ConfirmedByHand(connection, Queue).Publish(load.Body, messages);
    }

    public async ValueTask DisposeAsync()
    {
        await _channel!.QueueDeleteAsync(Queue);
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
    }
}
