using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.RabbitMQ;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>Publishing to a sink, one message after the other.</summary>
internal static class PublishTables
{
    public static IEnumerable<MessageTable> All(SinkProcess sink) =>
    [
        Of(sink, Load.Small, 40_000, 800_000, 400_000),
        Of(sink, Load.Medium, 20_000, 60_000, 60_000),
        Of(sink, Load.Large, 600, 1_000, 1_000),
        new(
            "Who owns a body of 16 KB",
            LaneBench.Columns,
            [
                new SinkRow(new LaneSender(FrameWriting.Inline, objects: false), Load.Medium, 15_000, sink),
                new SinkRow(new OwnedSender(), Load.Medium, 15_000, sink),
                new SinkRow(new LaneSender(FrameWriting.Background, objects: false), Load.Medium, 15_000, sink),
            ],
            0),
    ];

    private static MessageTable Of(SinkProcess sink, Load load, int client, int byHand, int lane) => new(
        $"Publishing to a sink, {load.Name}",
        LaneBench.Columns,
        [
            new SinkRow(new ClientSender(objects: false), load, client, sink),
            new SinkRow(new ClientSender(objects: true), load, client, sink),
            new SinkRow(new HandSender(objects: false), load, byHand, sink),
            new SinkRow(new HandSender(objects: true), load, lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Background), load, lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Background, objects: false), load, lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Inline), load, load == Load.Small ? client : lane, sink),
            new SinkRow(new LaneSender(FrameWriting.Inline, objects: false), load, load == Load.Small ? client : lane, sink),
        ],
        0,
        2,
        3);
}

/// <summary>Publishes to a sink, one message after the other, until all have arrived.</summary>
/// <param name="sender">How.</param>
/// <param name="load">What.</param>
/// <param name="messages">How many.</param>
/// <param name="sink">Where.</param>
internal sealed class SinkRow(Sender sender, Load load, int messages, SinkProcess sink) : MessageRow(sender.Name, messages)
{
    public override Task OpenAsync() => sender.OpenAsync(sink.Uri);

    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            await sender.SendAsync(load);
        }

        await sender.FlushAsync();
        await sink.AwaitAsync(Messages);
    }

    public override ValueTask CloseAsync() => sender.DisposeAsync();
}

/// <summary>One way to publish: what rows and tables have in common.</summary>
/// <param name="name">What it is called.</param>
internal abstract class Sender(string name) : IAsyncDisposable
{
    public const string RoutingKey = "parcels";

    public string Name => name;

    /// <summary>Connects, and opens so many channels.</summary>
    public abstract Task OpenAsync(Uri uri, int channels = 1);

    /// <summary>Publishes on a channel, and waits as a program that publishes one message after the other does.</summary>
    public abstract ValueTask SendAsync(Load load, int channel = 0);

    /// <summary>Sends what may have been kept back.</summary>
    public virtual ValueTask FlushAsync() => ValueTask.CompletedTask;

    public abstract ValueTask DisposeAsync();
}

/// <summary>The direct lane.</summary>
/// <param name="writing">Who sends.</param>
/// <param name="objects">Whether each message is an object that is serialized, and not bytes as they are.</param>
/// <param name="confirms">Whether each task waits for the confirm.</param>
/// <param name="ofLarge">Who sends large messages, where it is said with each publish.</param>
/// <param name="streams">Whether large objects are measured and streamed, and not gathered.</param>
/// <param name="note">What else there is to say of it.</param>
internal class LaneSender(
    FrameWriting writing, bool objects = true, bool confirms = false, FrameWriting? ofLarge = null, bool streams = true, string note = "")
    : Sender(
        $"{NameOf(writing)}, {(objects ? "objects" : "byte[]")}{(streams ? "" : ", gathered")}{note}")
{
    private static readonly BasicProperties ObjectProperties = new() { DeliveryMode = Parcels.DeliveryMode };
    private static readonly BasicProperties BytesProperties =
        new() { DeliveryMode = Parcels.DeliveryMode, ContentType = Amqp.AmqpBody.ContentType, Type = Parcels.TypeName };

    private const int Large = 1 << 20;

    private BasicPublish _method = new() { RoutingKey = RoutingKey };
    private AmqpConnection? _connection;
    private AmqpChannel[] _channels = [];

    /// <summary>Where messages go, where it is not where they all go.</summary>
    public string Queue
    {
        set => _method = new BasicPublish { RoutingKey = value };
    }

    /// <summary>Whether it sleeps until an answer comes, however soon that is.</summary>
    public bool SpinsNever { get; init; }

    /// <summary>What rows say of the way of writing.</summary>
    public static string NameOf(FrameWriting writing) => $"lane, {(writing == FrameWriting.Inline ? "inline" : "background")}";

    /// <summary>What all connections of the lane are opened with here.</summary>
    public static AmqpConnectionOptions Options(Uri uri)
    {
        AmqpConnectionOptions options = AmqpConnectionOptions.Parse(uri) with { VirtualHost = "/", Body = Parcels.Serializer };

        return options.Tls is null ? options : options with { Tls = new() { CertificateChainPolicy = MeasuredBroker.Current.Trust() } };
    }

    public override async Task OpenAsync(Uri uri, int channels)
    {
        AmqpConnectionOptions options = Options(uri);
        _connection = await AmqpConnection.ConnectAsync(options with
        {
            StreamAbove = streams ? options.StreamAbove : long.MaxValue,
            SpinTime = SpinsNever ? TimeSpan.Zero : options.SpinTime,
        });
        _channels = new AmqpChannel[channels];
        for (int i = 0; i < channels; i++)
        {
            _channels[i] = await _connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms });
        }
    }

    public override ValueTask SendAsync(Load load, int channel) =>
        Send(load, channel, load.Parcel.Content.Length >= Large && ofLarge is { } of ? of : writing);

    public override ValueTask DisposeAsync() => _connection!.DisposeAsync();

    protected ValueTask SendBytes(ReadOnlyMemory<byte> body, int channel, FrameWriting who) =>
        _channels[channel].PublishBytesAsync(in _method, in BytesProperties, body, who);

    private ValueTask Send(Load load, int channel, FrameWriting who) => objects
        ? _channels[channel].PublishAsync(in _method, in ObjectProperties, load.Parcel, who)
        : SendBytes(load.Body, channel, who);
}

/// <summary>
/// The direct lane, inline, with each body in pooled memory of its own, and an object that owns it: rented before the publish, and disposed
/// of after it.
/// </summary>
internal sealed class OwnedSender() : LaneSender(FrameWriting.Inline, objects: false, note: ", with an IMemoryOwner for each message")
{
    public override ValueTask SendAsync(Load load, int channel)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(load.Body.Length);
        ValueTask sent = SendBytes(owner.Memory[..load.Body.Length], channel, FrameWriting.Inline);
        if (!sent.IsCompletedSuccessfully)
        {
            return EndAsync(sent, owner);
        }

        owner.Dispose();
        return ValueTask.CompletedTask;
    }

    private static async ValueTask EndAsync(ValueTask sent, IMemoryOwner<byte> owner)
    {
        await sent;
        owner.Dispose();
    }
}
