using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Lane;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A typed object in the frames of a message, and back: the table of seed 000, in bytes that are allocated.</summary>
internal sealed class BodyScenario(int size, string name) : Scenario(name, batch: size > 100_000 ? 1 : 10)
{
    /// <summary>How much content the objects have, and what the scenarios are called.</summary>
    public static readonly (int Size, string Name)[] Sizes =
        [(512, "AMQP body of 512 B"), (16 << 10, "AMQP body of 16 KB"), (1 << 20, "AMQP body of 1 MB")];

    public const string Floor = "By hand, members and a copy into frames (floor)";
    public const string Own = "Wire.Amqp, AmqpBody";
    public const string Usual = "Wire.Amqp, by way of a byte[]";

    /// <summary>
    /// Bytes that the collector allocates for itself while it runs between objects of 1 MB, as measured: they are counted with what runs.
    /// </summary>
    public const int Disturbance = 256;

    private readonly Lazy<Parcel> _value = new(() => Parcel.Create(size));

    public override IEnumerable<Row> Rows() =>
    [
        Row(Floor, Typing.Floor, new BodyFloor(_value.Value)),
        Row(Own, Typing.Polymorphic, new BodyCodec(_value.Value)),
        Row(Usual, Typing.Polymorphic, new ArrayBodyCodec(_value.Value)),
    ];

    private AmqpRow<Parcel, TCodec> Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<Parcel> =>
        new(name, typing, codec, read => !ReferenceEquals(read, _value.Value) && read.HasSameMembers(_value.Value));
}

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

/// <summary>Exactly these members, and their bytes copied into frames: no word about types, and all frames in one array.</summary>
internal struct BodyFloor(Parcel value) : IAmqpCodec<Parcel>
{
    private const int MaxPayload = PublishedMessage.FrameMax - HandFrames.Head - 1;
    private const int SizeOfHeader = 14;

    private readonly byte[] _bytes = new byte[value.Content.Length + 1024];
    private int _length;

    public readonly ReadOnlySequence<byte> Written => new(_bytes, 0, _length);

    public long Write()
    {
        Span<byte> all = _bytes;
        int at = HandFrames.WriteMethod(all, PublishedMessage.Exchange, PublishedMessage.RoutingKey);
        Span<byte> header = all[at..];
        header.Slice(HandFrames.Head, SizeOfHeader).Clear();
        BinaryPrimitives.WriteUInt16BigEndian(header[HandFrames.Head..], HandFrames.Basic);
        at += HandFrames.Envelope(header, HandFrames.Header, SizeOfHeader);

        // The members fit the first frame, whatever of the content does.
        Span<byte> frame = all[at..];
        Span<byte> rest = frame[HandFrames.Head..];
        value.Id.TryWriteBytes(rest);
        rest = rest[16..];
        HandFrames.WriteText(ref rest, value.Sender);
        BinaryPrimitives.WriteInt32BigEndian(rest, value.Number);
        BinaryPrimitives.WriteInt32BigEndian(rest[sizeof(int)..], value.Content.Length);
        int filled = frame.Length - rest.Length + (2 * sizeof(int)) - HandFrames.Head;
        BinaryPrimitives.WriteInt64BigEndian(header[(HandFrames.Head + 4)..], filled + value.Content.Length);
        ReadOnlySpan<byte> content = value.Content;
        while (true)
        {
            int part = Math.Min(content.Length, MaxPayload - filled);
            content[..part].CopyTo(all[(at + HandFrames.Head + filled)..]);
            at += HandFrames.Envelope(all[at..], HandFrames.Body, filled + part);
            content = content[part..];
            filled = 0;
            if (content.IsEmpty)
            {
                return _length = at;
            }
        }
    }

    public readonly Parcel Read()
    {
        ReadOnlySpan<byte> input = _bytes.AsSpan(0, _length);
        HandFrames.Read(ref input, HandFrames.Method);
        long left = BinaryPrimitives.ReadInt64BigEndian(HandFrames.Read(ref input, HandFrames.Header)[4..]);
        ReadOnlySpan<byte> payload = HandFrames.Read(ref input, HandFrames.Body);
        left -= payload.Length;
        var read = new Parcel { Id = new Guid(payload[..16]) };
        payload = payload[16..];
        read.Sender = Encoding.UTF8.GetString(HandFrames.Text(ref payload));
        read.Number = BinaryPrimitives.ReadInt32BigEndian(payload);
        int length = BinaryPrimitives.ReadInt32BigEndian(payload[sizeof(int)..]);
        payload = payload[(2 * sizeof(int))..];
        HandFrames.Expect(length == payload.Length + left);
        read.Content = GC.AllocateUninitializedArray<byte>(length);
        Span<byte> content = read.Content;
        while (true)
        {
            payload.CopyTo(content);
            content = content[payload.Length..];
            if (content.IsEmpty)
            {
                return read;
            }

            payload = HandFrames.Read(ref input, HandFrames.Body);
        }
    }
}
