using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Lane;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The three frames of a message that is published: method, content header and body.</summary>
internal sealed class PublishScenario() : ChecksumScenario<PublishFloor>("AMQP basic.publish, 5 properties", PublishedMessage.Checksum)
{
    public override IEnumerable<Row> Rows() =>
    [
        Floor(),
        Row("Wire.Amqp, frame by frame", Typing.Static, new PublishCodec()),
        Row("Wire.Amqp, read by a ContentReader", Typing.Static, new PublishContentCodec(new PublishCodec())),
    ];
}

/// <summary>A message of 512 bytes with five properties, as it is published.</summary>
internal static class PublishedMessage
{
    public const ushort Channel = 1;
    public const string Exchange = "orders";
    public const string RoutingKey = "order.placed.eu";
    public const string ContentType = "application/octet-stream";
    public const byte DeliveryMode = 2;
    public const string CorrelationId = "7f6d1c4e-32aa-4a0b-9f0e-d34e11f0a9b2";
    public const string MessageId = "order-123456789";
    public const long Timestamp = 1_760_000_000;

    /// <summary>What RabbitMQ and its clients agree on unless they are told otherwise.</summary>
    public const int FrameMax = 131_072;

    public static readonly byte[] Body = MakeBody();

    /// <summary>What is added up of all that was read: of texts and of the body the length and both ends.</summary>
    public static long Checksum { get; } =
        Sum(Exchange) +
            Sum(RoutingKey) +
            Sum(ContentType) +
            DeliveryMode +
            Sum(CorrelationId) +
            Sum(MessageId) +
            Timestamp +
            TenFields.Sum(Body);

    private static long Sum(string text) => TenFields.Sum((object)text);

    private static byte[] MakeBody()
    {
        byte[] body = new byte[512];
        new Random(1).NextBytes(body);
        return body;
    }
}

/// <summary>Each frame for itself.</summary>
internal readonly struct PublishCodec() : IAmqpCodec<long>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySequence<byte> Written => new(_output.WrittenMemory);

    public long Write()
    {
        _output.ResetWrittenCount();
        FrameWriter.Write(
            _output,
            PublishedMessage.Channel,
            new BasicPublish { Exchange = PublishedMessage.Exchange, RoutingKey = PublishedMessage.RoutingKey });
        var properties = new BasicProperties
        {
            ContentType = PublishedMessage.ContentType,
            DeliveryMode = PublishedMessage.DeliveryMode,
            CorrelationId = PublishedMessage.CorrelationId,
            MessageId = PublishedMessage.MessageId,
            Timestamp = new Timestamp(PublishedMessage.Timestamp),
        };
        FrameWriter.WriteContentHeader(_output, PublishedMessage.Channel, (ulong)PublishedMessage.Body.Length, in properties);
        FrameWriter.WriteBody(_output, PublishedMessage.Channel, PublishedMessage.Body, PublishedMessage.FrameMax);
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

    public static long Sum(in BasicPublish method, in BasicProperties properties, ReadOnlySpan<byte> body) =>
        Sum(method.Exchange) + Sum(method.RoutingKey)
        + Sum(properties.ContentType) +
            properties.DeliveryMode.GetValueOrDefault() +
            Sum(properties.CorrelationId) +
            Sum(properties.MessageId)
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
                content.BeginMessage(in frame);
            }
            else if (content.Add(in frame))
            {
                return;
            }
        }

        throw new InvalidOperationException("A frame is missing.");
    }
}

/// <summary>Exactly these three frames with exactly these properties, by someone who knows which they are.</summary>
internal struct PublishFloor() : IAmqpCodec<long>
{
    private const ushort Flags = 0b1001_0100_1100_0000;

    private int _length;

    private readonly byte[] _bytes = new byte[1024];

    public readonly ReadOnlySequence<byte> Written => new(_bytes, 0, _length);

    public long Write()
    {
        Span<byte> rest = _bytes;
        int written = HandFrames.WriteMethod(rest, PublishedMessage.Exchange, PublishedMessage.RoutingKey);
        written += WriteHeader(rest[written..]);
        written += HandFrames.WriteBody(rest[written..], PublishedMessage.Body);
        return _length = written;
    }

    public readonly long Read()
    {
        ReadOnlySpan<byte> input = _bytes.AsSpan(0, _length);
        ReadOnlySpan<byte> method = HandFrames.Read(ref input, HandFrames.Method);
        HandFrames.Expect(BinaryPrimitives.ReadUInt32BigEndian(method) == HandFrames.BasicPublish);
        method = method[(sizeof(uint) + sizeof(ushort))..];
        long sum = TenFields.Sum(HandFrames.Text(ref method)) + TenFields.Sum(HandFrames.Text(ref method));
        ReadOnlySpan<byte> header = HandFrames.Read(ref input, HandFrames.Header);
        HandFrames.Expect(BinaryPrimitives.ReadUInt16BigEndian(header) == HandFrames.Basic);
        ulong size = BinaryPrimitives.ReadUInt64BigEndian(header[4..]);
        HandFrames.Expect(BinaryPrimitives.ReadUInt16BigEndian(header[12..]) == Flags);
        header = header[14..];
        sum += TenFields.Sum(HandFrames.Text(ref header));
        sum += header[0];
        header = header[1..];
        sum += TenFields.Sum(HandFrames.Text(ref header)) + TenFields.Sum(HandFrames.Text(ref header));
        sum += BinaryPrimitives.ReadInt64BigEndian(header);
        ReadOnlySpan<byte> body = HandFrames.Read(ref input, HandFrames.Body);
        HandFrames.Expect((ulong)body.Length == size);
        return sum + TenFields.Sum(body);
    }

    private static int WriteHeader(Span<byte> frame)
    {
        BinaryPrimitives.WriteUInt16BigEndian(frame[7..], HandFrames.Basic);
        BinaryPrimitives.WriteUInt16BigEndian(frame[9..], 0);
        BinaryPrimitives.WriteUInt64BigEndian(frame[11..], (ulong)PublishedMessage.Body.Length);
        BinaryPrimitives.WriteUInt16BigEndian(frame[19..], Flags);
        Span<byte> rest = frame[21..];
        HandFrames.WriteText(ref rest, PublishedMessage.ContentType);
        rest[0] = PublishedMessage.DeliveryMode;
        rest = rest[1..];
        HandFrames.WriteText(ref rest, PublishedMessage.CorrelationId);
        HandFrames.WriteText(ref rest, PublishedMessage.MessageId);
        BinaryPrimitives.WriteInt64BigEndian(rest, PublishedMessage.Timestamp);
        return HandFrames.Envelope(frame, HandFrames.Header, frame.Length - rest.Length + sizeof(long) - HandFrames.Head);
    }
}
