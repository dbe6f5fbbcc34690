using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;
using Wire.Testing;

namespace Wire.Tool.Broker.Tests;

/// <summary>A publisher that writes what the client does not: several messages in an entry, compressed with Snappy.</summary>
internal sealed class RawStream : IDisposable
{
    private const int PublishConfirm = 3;
    private const int Tune = 20;
    private const byte SnappyEntry = 0xA0;

    private readonly TcpClient _client;

    private RawStream(TcpClient client) => _client = client;

    /// <summary>Publishes messages that no reader can decompress without a codec of its own.</summary>
    public static async Task PublishSnappyAsync(string stream, ushort messages)
    {
        var tcp = new TcpClient();
        await tcp.ConnectAsync("127.0.0.1", Testing.Broker.Node.StreamPort).InTime();
        using var raw = new RawStream(tcp);
        await raw.AskAsync(17, [.. Number(1u), .. Number(0u)]);
        await raw.AskAsync(18, [.. Number(2u)]);
        await raw.AskAsync(19, [.. Number(3u), .. Text("PLAIN"), .. Number(12u), .. "\0guest\0guest"u8]);
        await raw.SendAsync(Tune, [.. Number(1u << 20), .. Number(0u)]);
        await raw.AskAsync(21, [.. Number(4u), .. Text("/")]);
        await raw.AskAsync(1, [.. Number(5u), 0, .. Text(""), .. Text(stream)]);
        await raw.SendAsync(
            2, [0, .. Number(1u), .. Number(0u), .. Number(1u), SnappyEntry, .. Number(messages), .. Number(100u), .. Number(3u), 1, 2, 3]);
        await raw.ReadAsync(PublishConfirm);
    }

    public void Dispose() => _client.Dispose();

    private async Task AskAsync(ushort key, byte[] fields)
    {
        await SendAsync(key, fields);
        await ReadAsync(0x8000 | key);
        if (key == 19)
        {
            await ReadAsync(Tune);
        }
    }

    private Task SendAsync(ushort key, byte[] fields) => _client.GetStream().WriteAsync(
        (byte[])[.. Number((uint)fields.Length + 4), .. Number(key), .. Number((ushort)1), .. fields]).AsTask().InTime();

    private async Task ReadAsync(int key)
    {
        byte[] length = new byte[sizeof(uint)];
        await _client.GetStream().ReadExactlyAsync(length).AsTask().InTime();
        byte[] frame = new byte[BinaryPrimitives.ReadUInt32BigEndian(length)];
        await _client.GetStream().ReadExactlyAsync(frame).AsTask().InTime();
        Assert.Equal(key, BinaryPrimitives.ReadUInt16BigEndian(frame));
    }

    private static byte[] Text(string text) => [.. Number((ushort)text.Length), .. Encoding.UTF8.GetBytes(text)];

    private static byte[] Number(uint value)
    {
        byte[] bytes = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
        return bytes;
    }

    private static byte[] Number(ushort value)
    {
        byte[] bytes = new byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, value);
        return bytes;
    }
}
