using System.Buffers;
using System.Buffers.Binary;
using Wire.Benchmarks.Messaging.Frames;

namespace Wire.Benchmarks.Messaging.Codecs;

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
        ReadOnlySpan<byte> method = HandFrames.Read(ref input, HandFrames.Method, out _);
        HandFrames.Expect(BinaryPrimitives.ReadUInt32BigEndian(method) == HandFrames.BasicPublish);
        method = method[(sizeof(uint) + sizeof(ushort))..];
        long sum = TenFields.Sum(HandFrames.Text(ref method)) + TenFields.Sum(HandFrames.Text(ref method));
        ReadOnlySpan<byte> header = HandFrames.Read(ref input, HandFrames.Header, out _);
        HandFrames.Expect(BinaryPrimitives.ReadUInt16BigEndian(header) == HandFrames.Basic);
        ulong size = BinaryPrimitives.ReadUInt64BigEndian(header[4..]);
        HandFrames.Expect(BinaryPrimitives.ReadUInt16BigEndian(header[12..]) == Flags);
        header = header[14..];
        sum += TenFields.Sum(HandFrames.Text(ref header));
        sum += header[0];
        header = header[1..];
        sum += TenFields.Sum(HandFrames.Text(ref header)) + TenFields.Sum(HandFrames.Text(ref header));
        sum += BinaryPrimitives.ReadInt64BigEndian(header);
        ReadOnlySpan<byte> body = HandFrames.Read(ref input, HandFrames.Body, out _);
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
