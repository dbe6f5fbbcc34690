using System.Buffers.Binary;
using System.Text;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Frames of AMQP 0-9-1 by hand: what the floors have in common.</summary>
internal static class HandFrames
{
    public const byte Method = 1;
    public const byte Header = 2;
    public const byte Body = 3;

    /// <summary>Type, channel and size.</summary>
    public const int Head = 7;

    public const ushort Basic = 60;
    public const uint BasicPublish = (60u << 16) | 40;

    private const byte End = 0xCE;

    /// <summary>Puts the envelope around a payload that has been written behind the room for it.</summary>
    /// <returns>How long the frame is.</returns>
    public static int Envelope(Span<byte> frame, byte type, int payload)
    {
        frame[0] = type;
        BinaryPrimitives.WriteUInt16BigEndian(frame[1..], PublishedMessage.Channel);
        BinaryPrimitives.WriteInt32BigEndian(frame[3..], payload);
        frame[Head + payload] = End;
        return Head + payload + 1;
    }

    public static int WriteMethod(Span<byte> frame, string exchange, string routingKey)
    {
        BinaryPrimitives.WriteUInt32BigEndian(frame[Head..], BasicPublish);
        BinaryPrimitives.WriteUInt16BigEndian(frame[(Head + sizeof(uint))..], 0);
        Span<byte> rest = frame[(Head + sizeof(uint) + sizeof(ushort))..];
        WriteText(ref rest, exchange);
        WriteText(ref rest, routingKey);
        rest[0] = 0;
        return Envelope(frame, Method, frame.Length - rest.Length + 1 - Head);
    }

    public static int WriteBody(Span<byte> frame, ReadOnlySpan<byte> body)
    {
        body.CopyTo(frame[Head..]);
        return Envelope(frame, Body, body.Length);
    }

    public static void WriteText(ref Span<byte> rest, string text)
    {
        int length = Encoding.UTF8.GetBytes(text, rest[1..]);
        rest[0] = checked((byte)length);
        rest = rest[(1 + length)..];
    }

    /// <summary>Takes the payload of the next frame.</summary>
    public static ReadOnlySpan<byte> Read(ref ReadOnlySpan<byte> input, byte type)
    {
        Expect(input[0] == type);
        int size = BinaryPrimitives.ReadInt32BigEndian(input[3..]);
        ReadOnlySpan<byte> payload = input.Slice(Head, size);
        Expect(input[Head + size] == End);
        input = input[(Head + size + 1)..];
        return payload;
    }

    /// <summary>Whether the next frame has come to its end.</summary>
    public static bool IsWhole(ReadOnlySpan<byte> input, out ReadOnlySpan<byte> behind)
    {
        behind = default;
        if (input.Length < Head)
        {
            return false;
        }

        int size = Head + BinaryPrimitives.ReadInt32BigEndian(input[3..]) + 1;
        if (input.Length < size)
        {
            return false;
        }

        behind = input[size..];
        return true;
    }

    public static ReadOnlySpan<byte> Text(ref ReadOnlySpan<byte> rest)
    {
        ReadOnlySpan<byte> text = rest.Slice(1, rest[0]);
        rest = rest[(1 + rest[0])..];
        return text;
    }

    public static void Expect(bool condition)
    {
        if (!condition)
        {
            throw new InvalidOperationException("These are not the frames that were expected.");
        }
    }
}
