using Bench;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.Frames;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>
/// Frames by hand into one buffer that is used again and again, and sent when it is full: what someone writes who knows the message, and needs
/// no answers. One task, one channel.
/// </summary>
/// <param name="objects">Whether each message is an object that <see cref="AmqpBody"/> serializes into its frames, and not bytes as they are.</param>
internal sealed class HandSender(bool objects) : Sender(objects ? "by hand, objects" : "by hand, byte[]")
{
    private const int SendAbove = 256 * 1024;

    private static readonly BasicPublish Publish = new() { RoutingKey = RoutingKey };

    private static readonly BasicProperties Properties = new() { DeliveryMode = Parcels.DeliveryMode };

    private readonly AmqpBuffer _objects = new();
    private readonly byte[] _frames = new byte[2 * SendAbove];
    private int _written;
    private HandConnection? _connection;

    public override Task OpenAsync(Uri uri, int channels)
    {
        _connection = new HandConnection(uri);
        return Task.CompletedTask;
    }

    public override ValueTask SendAsync(Load load, int channel)
    {
        if (objects)
        {
            Parcels.Serializer.Write(_objects, PublishedMessage.Channel, in Publish, in Properties, load.Parcel, HandConnection.FrameMax);
            if (_objects.Length >= SendAbove)
            {
                _connection!.Send(_objects);
            }
        }
        else
        {
            Write(load.Body);
        }

        return ValueTask.CompletedTask;
    }

    public override ValueTask FlushAsync()
    {
        _connection!.Send(_objects);
        Flush();
        return ValueTask.CompletedTask;
    }

    public override ValueTask DisposeAsync()
    {
        _connection!.Dispose();
        _objects.Dispose();
        return ValueTask.CompletedTask;
    }

    private void Write(ReadOnlySpan<byte> body)
    {
        _written += HandMessage.WriteHead(_frames.AsSpan(_written), RoutingKey, body.Length);
        while (!body.IsEmpty)
        {
            int length = Math.Min(body.Length, HandConnection.FrameMax - HandFrames.Head - 1);
            _written += HandFrames.WriteBody(_frames.AsSpan(_written), body[..length]);
            body = body[length..];
            if (_written >= SendAbove)
            {
                Flush();
            }
        }
    }

    private void Flush()
    {
        _connection!.Send(_frames.AsSpan(0, _written));
        _written = 0;
    }
}
