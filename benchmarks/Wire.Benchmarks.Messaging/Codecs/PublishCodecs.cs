using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Benchmarks.Messaging.Codecs;

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
        if (!frames.TryRead(out Frame methodFrame) || !frames.TryRead(out Frame headerFrame) || !frames.TryRead(out Frame bodyFrame))
        {
            throw new InvalidOperationException("A frame is missing.");
        }

        BasicPublish method = methodFrame.ReadMethod<BasicPublish>();
        ContentHeader header = headerFrame.ReadContentHeader();
        return Sum(in method, in header.Properties, bodyFrame.Payload.FirstSpan);
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
        Receive(_content, writer.Written);
        BasicPublish method = _content.Method.ReadMethod<BasicPublish>();
        ContentHeader header = _content.Header.ReadContentHeader();
        return PublishCodec.Sum(in method, in header.Properties, _content.Body.FirstSpan);
    }

    /// <summary>Puts a message together from its frames.</summary>
    public static void Receive(ContentReader content, in ReadOnlySequence<byte> input)
    {
        var frames = new FrameReader(input, PublishedMessage.FrameMax);
        while (frames.TryRead(out Frame frame))
        {
            if (frame.Type == FrameType.Method)
            {
                content.Begin(in frame);
            }
            else if (content.Add(in frame))
            {
                return;
            }
        }

        throw new InvalidOperationException("A frame is missing.");
    }
}
