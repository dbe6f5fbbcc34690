using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;

namespace Wire.Testing;

/// <summary>Asks a broker which RabbitMQ it is, as it says to each client before that has said who it is.</summary>
internal static class BrokerVersion
{
    /// <summary>The properties of a server have its version as a long string.</summary>
    private static readonly byte[] Name = [7, .. "versionS"u8];

    /// <summary>Connects and asks.</summary>
    public static Version Ask(Uri broker)
    {
        using var client = new TcpClient(broker.Host, broker.Port < 0 ? 5672 : broker.Port);
        using NetworkStream stream = client.GetStream();
        stream.ReadTimeout = (int)Patience.Limit.TotalMilliseconds;
        stream.Write("AMQP\0\0\u0009\u0001"u8);

        // The head of a frame has the length of what follows at its third byte, and one more ends it.
        byte[] head = new byte[7];
        stream.ReadExactly(head);
        byte[] start = new byte[Big32(head.AsSpan(3)) + 1];
        stream.ReadExactly(start);
        int at = start.AsSpan().IndexOf(Name);
        if (at < 0)
        {
            throw new InvalidOperationException($"The broker at {broker.Host}:{broker.Port} says no version of itself.");
        }

        Span<byte> value = start.AsSpan(at + Name.Length);
        string text = Encoding.UTF8.GetString(value.Slice(sizeof(int), Big32(value)));
        return Version.Parse(text.Split('-', '+')[0]);
    }

    private static int Big32(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadInt32BigEndian(bytes);
}
