using Bench;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>The direct lane.</summary>
/// <param name="writing">Who sends.</param>
/// <param name="objects">Whether each message is an object that is serialized, and not bytes as they are.</param>
/// <param name="confirms">Whether each task waits for the confirm.</param>
/// <param name="ofLarge">Who sends large messages, where it is said with each publish.</param>
/// <param name="streams">Whether large objects are measured and streamed, and not gathered.</param>
internal sealed class LaneSender(FrameWriting writing, bool objects = true, bool confirms = false, FrameWriting? ofLarge = null, bool streams = true)
    : Sender($"lane, {(writing == FrameWriting.Inline ? "inline" : "background")}, {(objects ? "objects" : "byte[]")}{(streams ? "" : ", gathered")}")
{
    private static readonly BasicProperties ObjectProperties = new() { DeliveryMode = Parcels.DeliveryMode };
    private static readonly BasicProperties BytesProperties = new() { DeliveryMode = Parcels.DeliveryMode, ContentType = Amqp.AmqpBody.ContentType, Type = Parcels.TypeName };

    private const int Large = 1 << 20;

    private BasicPublish _method = new() { RoutingKey = RoutingKey };
    private AmqpConnection? _connection;
    private AmqpChannel[] _channels = [];

    /// <summary>Where messages go, where it is not where they all go.</summary>
    public string Queue
    {
        set => _method = new BasicPublish { RoutingKey = value };
    }

    /// <summary>What all connections of the lane are opened with here.</summary>
    public static AmqpConnectionOptions Options(Uri uri) => AmqpConnectionOptions.Parse(uri) with { VirtualHost = "/", Body = Parcels.Serializer };

    public override async Task OpenAsync(Uri uri, int channels)
    {
        _connection = await AmqpConnection.ConnectAsync(streams ? Options(uri) : Options(uri) with { StreamAbove = long.MaxValue });
        _channels = new AmqpChannel[channels];
        for (int i = 0; i < channels; i++)
        {
            _channels[i] = await _connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms });
        }
    }

    public override ValueTask SendAsync(Load load, int channel) => Send(load, channel, load.Parcel.Content.Length >= Large && ofLarge is { } of ? of : writing);

    public override ValueTask DisposeAsync() => _connection!.DisposeAsync();

    private ValueTask Send(Load load, int channel, FrameWriting who) => objects
        ? _channels[channel].PublishAsync(in _method, in ObjectProperties, load.Parcel, who)
        : _channels[channel].PublishBytesAsync(in _method, in BytesProperties, load.Body, who);
}
