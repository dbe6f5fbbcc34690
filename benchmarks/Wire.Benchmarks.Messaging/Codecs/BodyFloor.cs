using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Bench;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Publishing;

namespace Wire.Benchmarks.Messaging.Codecs;

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
        HandFrames.Read(ref input, HandFrames.Method, out _);
        long left = BinaryPrimitives.ReadInt64BigEndian(HandFrames.Read(ref input, HandFrames.Header, out _)[4..]);
        ReadOnlySpan<byte> payload = HandFrames.Read(ref input, HandFrames.Body, out _);
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

            payload = HandFrames.Read(ref input, HandFrames.Body, out _);
        }
    }
}
