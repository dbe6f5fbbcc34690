using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;

namespace Wire.Amqp.Tests.Interop;

/// <summary>
/// As much AMQP 1.0 as a recorded session needs, put together by hand: no code of Wire, whose bytes are to be compared with these.
/// </summary>
internal sealed class PlainAmqp10(NetworkStream stream)
{
    public const byte OpenCode = 0x10, BeginCode =
        0x11, AttachCode = 0x12, FlowCode = 0x13, TransferCode = 0x14, DetachCode = 0x16, EndCode = 0x17, CloseCode = 0x18;
    private const byte SaslMechanisms = 0x40, SaslInit = 0x41, SaslOutcome = 0x44;

    public static readonly byte[] Null = [0x40];
    public static readonly byte[] True = [0x41];
    public static readonly byte[] False = [0x42];

    /// <summary>Through the two protocol headers, and in.</summary>
    public async Task LogInAsync(string user, string password)
    {
        await stream.WriteAsync("AMQP\x3\x1\0\0"u8.ToArray());
        await ReadAsync(8);
        await ExpectAsync(SaslMechanisms);
        await SendAsync(SaslInit, [Symbol("PLAIN"), Binary(Encoding.UTF8.GetBytes($"\0{user}\0{password}"))], frameType: 1);
        await ExpectAsync(SaslOutcome);
        await stream.WriteAsync("AMQP\0\x1\0\0"u8.ToArray());
        await ReadAsync(8);
    }

    public async Task SendAsync(byte performative, byte[][] fields, byte[]? payload = null, byte frameType = 0)
    {
        byte[] frame = [0, 0, 0, 0, 2, frameType, 0, 0, .. Described(performative, List(fields)), .. payload ?? []];
        BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length);
        await stream.WriteAsync(frame);
    }

    /// <summary>Reads frames until one with this performative has come; fails at the end of the connection.</summary>
    public async Task ExpectAsync(byte performative)
    {
        while (true)
        {
            byte[] frame = await ReadAsync(BinaryPrimitives.ReadInt32BigEndian(await ReadAsync(4)) - 4);
            byte[] body = frame[((frame[0] * 4) - 4)..];
            if (body is [0, 0x53, var code, ..] && (code == performative || code == CloseCode || code == EndCode || code == DetachCode))
            {
                Assert.True(code == performative, $"Expected {performative:x2}, but the broker says {Encoding.ASCII.GetString(body)}");
                return;
            }
        }
    }

    public static byte[] Described(byte code, byte[] value) => [0, 0x53, code, .. value];

    public static byte[] List(params byte[][] items) => Compound(0xD0, items);

    public static byte[] Map(params byte[][] keysAndValues) => Compound(0xD1, keysAndValues);

    public static byte[] UInt(uint value)
    {
        byte[] bytes = [0x70, 0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(1), value);
        return bytes;
    }

    public static byte[] UByte(byte value) => [0x50, value];

    public static byte[] Text(string value) => Short(0xA1, Encoding.UTF8.GetBytes(value));

    public static byte[] Symbol(string value) => Short(0xA3, Encoding.ASCII.GetBytes(value));

    public static byte[] Binary(byte[] value) => Short(0xA0, value);

    private static byte[] Short(byte constructor, byte[] bytes) => [constructor, (byte)bytes.Length, .. bytes];

    private static byte[] Compound(byte constructor, byte[][] items)
    {
        byte[] bytes = [constructor, 0, 0, 0, 0, 0, 0, 0, 0, .. items.SelectMany(item => item)];
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(1), bytes.Length - 5);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(5), items.Length);
        return bytes;
    }

    private async Task<byte[]> ReadAsync(int count)
    {
        byte[] bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes).AsTask().WaitAsync(TimeSpan.FromSeconds(10));
        return bytes;
    }
}
