using System.Buffers;
using Bench;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The object straight into the frames, and from the parts of the body as they lie.</summary>
internal readonly struct BodyCodec(Parcel value) : IAmqpCodec<Parcel>
{
    private readonly AmqpBody _body = new(new Serializer());
    private readonly AmqpBuffer _buffer = new();
    private readonly ContentReader _content = new();

    public ReadOnlySequence<byte> Written => _buffer.Written;

    public long Write()
    {
        _buffer.Clear();
        var method = new BasicPublish { Exchange = PublishedMessage.Exchange, RoutingKey = PublishedMessage.RoutingKey };
        _body.Write(_buffer, PublishedMessage.Channel, in method, default, value, PublishedMessage.FrameMax);
        return _buffer.Length;
    }

    public Parcel Read()
    {
        PublishContentCodec.Receive(_content, _buffer.Written);
        ContentHeader header = _content.Header.ReadContentHeader();
        return _body.Read<Parcel>(in header.Properties, _content.Body)!;
    }
}

/// <summary>The usual way: an array of the serializer's, which is split, and one that is put together for it.</summary>
internal readonly struct ArrayBodyCodec(Parcel value) : IAmqpCodec<Parcel>
{
    private readonly Serializer _serializer = new();
    private readonly AmqpBuffer _buffer = new();
    private readonly ContentReader _content = new();

    public ReadOnlySequence<byte> Written => _buffer.Written;

    public long Write()
    {
        _buffer.Clear();
        byte[] body = _serializer.Serialize(value);
        var method = new BasicPublish { Exchange = PublishedMessage.Exchange, RoutingKey = PublishedMessage.RoutingKey };
        FrameWriter.Write(_buffer, PublishedMessage.Channel, in method);
        var properties = new BasicProperties { ContentType = AmqpBody.ContentType, Type = "Bench.Parcel" };
        FrameWriter.WriteContentHeader(_buffer, PublishedMessage.Channel, (ulong)body.Length, in properties);
        FrameWriter.WriteBody(_buffer, PublishedMessage.Channel, body, PublishedMessage.FrameMax);
        return _buffer.Length;
    }

    public Parcel Read()
    {
        PublishContentCodec.Receive(_content, _buffer.Written);
        return _serializer.Deserialize<Parcel>(_content.Body.ToArray())!;
    }
}
