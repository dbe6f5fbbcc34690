using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Benchmarks;

/// <summary>Each frame for itself.</summary>
internal readonly struct PublishCodec() : IAmqpCodec<long>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySequence<byte> Written => new(_output.WrittenMemory);

    public long Write()
    {
        _output.ResetWrittenCount();
        Write(_output, default);
        return _output.WrittenCount;
    }

    public long Read()
    {
        var frames = new FrameReader(_output.WrittenMemory, PublishedMessage.FrameMax);
        BasicPublish method = Next(ref frames).ReadMethod<BasicPublish>();
        ContentHeader header = Next(ref frames).ReadContentHeader();
        return Sum(in method, in header.Properties, Next(ref frames).Payload.FirstSpan);
    }

    /// <summary>Writes the message, with headers or without.</summary>
    public static void Write(IBufferWriter<byte> output, FieldTable headers)
    {
        FrameWriter.Write(output, PublishedMessage.Channel, new BasicPublish { Exchange = PublishedMessage.Exchange, RoutingKey = PublishedMessage.RoutingKey });
        var properties = new BasicProperties
        {
            ContentType = PublishedMessage.ContentType,
            Headers = headers,
            DeliveryMode = PublishedMessage.DeliveryMode,
            CorrelationId = PublishedMessage.CorrelationId,
            MessageId = PublishedMessage.MessageId,
            Timestamp = new Timestamp(PublishedMessage.Timestamp),
        };
        FrameWriter.WriteContentHeader(output, PublishedMessage.Channel, (ulong)PublishedMessage.Body.Length, in properties);
        FrameWriter.WriteBody(output, PublishedMessage.Channel, PublishedMessage.Body, PublishedMessage.FrameMax);
    }

    public static long Sum(in BasicPublish method, in BasicProperties properties, ReadOnlySpan<byte> body) =>
        Sum(method.Exchange) + Sum(method.RoutingKey)
        + Sum(properties.ContentType) + properties.DeliveryMode.GetValueOrDefault() + Sum(properties.CorrelationId) + Sum(properties.MessageId)
        + properties.Timestamp.GetValueOrDefault().Seconds + TenFields.Sum(body);

    public static Frame Next(ref FrameReader frames) =>
        frames.TryRead(out Frame frame) ? frame : throw new InvalidOperationException("A frame is missing.");

    private static long Sum(AmqpString text) => TenFields.Sum(text.Utf8.Span);
}

/// <summary>The same, put together by the reader of messages.</summary>
internal readonly struct PublishContentCodec(PublishCodec writer) : IAmqpCodec<long>
{
    private readonly ContentReader _content = new();

    public ReadOnlySequence<byte> Written => writer.Written;

    public long Write() => writer.Write();

    public long Read()
    {
        var frames = new FrameReader(writer.Written, PublishedMessage.FrameMax);
        _content.Begin(PublishCodec.Next(ref frames));
        while (!_content.Add(PublishCodec.Next(ref frames)))
        {
            // The next one.
        }

        BasicPublish method = _content.Method.ReadMethod<BasicPublish>();
        ContentHeader header = _content.Header.ReadContentHeader();
        return PublishCodec.Sum(in method, in header.Properties, _content.Body.FirstSpan);
    }
}
