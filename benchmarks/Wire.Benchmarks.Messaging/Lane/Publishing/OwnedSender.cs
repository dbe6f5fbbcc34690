using System.Buffers;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>The direct lane, inline, with each body in pooled memory of its own, and an object that owns it: rented before the publish, and disposed of after it.</summary>
internal sealed class OwnedSender() : Sender("lane, inline, byte[], with an IMemoryOwner for each message")
{
    private static readonly BasicPublish Method = new() { RoutingKey = RoutingKey };
    private static readonly BasicProperties Properties = new() { DeliveryMode = Parcels.DeliveryMode, ContentType = Amqp.AmqpBody.ContentType, Type = Parcels.TypeName };

    private AmqpConnection? _connection;
    private AmqpChannel? _channel;

    public override async Task OpenAsync(Uri uri, int channels)
    {
        _connection = await AmqpConnection.ConnectAsync(LaneSender.Options(uri));
        _channel = await _connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false });
    }

    public override ValueTask SendAsync(Load load, int channel)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(load.Body.Length);
        ValueTask sent = _channel!.PublishBytesAsync(in Method, in Properties, owner.Memory[..load.Body.Length], FrameWriting.Inline);
        if (!sent.IsCompletedSuccessfully)
        {
            return EndAsync(sent, owner);
        }

        owner.Dispose();
        return ValueTask.CompletedTask;
    }

    public override ValueTask DisposeAsync() => _connection!.DisposeAsync();

    private static async ValueTask EndAsync(ValueTask sent, IMemoryOwner<byte> owner)
    {
        await sent;
        owner.Dispose();
    }
}
