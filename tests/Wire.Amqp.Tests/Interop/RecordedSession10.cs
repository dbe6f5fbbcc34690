using System.Net.Sockets;
using System.Text;
using RabbitMQ.Client;
using static Wire.Amqp.Tests.Interop.PlainAmqp10;

namespace Wire.Amqp.Tests.Interop;

/// <summary>AMQP 1.0 with a broker: one message that came in over 0-9-1 and one that is sent in the same session are received.
/// Of the first one the broker translates the properties, but not the headers.</summary>
internal static class RecordedSession10
{
    private const string Queue = "wire.queue10";
    private const string Address = "/amq/queue/" + Queue;

    public static async Task RunAsync(Uri broker, int proxyPort)
    {
        await using IConnection connection = await new ConnectionFactory { Uri = broker }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(Queue, durable: true, exclusive: false, autoDelete: false);
        try
        {
            await channel.BasicPublishAsync("", Queue, false, ClientSamples.AllProperties(), ClientSamples.SmallBody);
            await SendAndReceiveAsync(proxyPort);
        }
        finally
        {
            await channel.QueueDeleteAsync(Queue);
        }
    }

    private static async Task SendAndReceiveAsync(int port)
    {
        using var client = new TcpClient { NoDelay = true };
        await client.ConnectAsync("127.0.0.1", port);
        var amqp = new PlainAmqp10(client.GetStream());
        await amqp.LogInAsync(ClientSamples.User, ClientSamples.User);
        await amqp.SendAsync(OpenCode, [Text("wire"), Text("localhost"), UInt(4096)]);
        await amqp.ExpectAsync(OpenCode);
        await amqp.SendAsync(BeginCode, [Null, UInt(0), UInt(100), UInt(100)]);
        await amqp.ExpectAsync(BeginCode);

        await amqp.SendAsync(
            AttachCode, [Text("out"), UInt(0), False, UByte(1), UByte(0), Source("out"), Target(Address), Null, Null, UInt(0)]);
        await amqp.ExpectAsync(AttachCode);
        await amqp.ExpectAsync(FlowCode);
        await amqp.SendAsync(TransferCode, [UInt(0), UInt(0), Binary([1]), UInt(0), True, False], Message());

        await amqp.SendAsync(AttachCode, [Text("in"), UInt(1), True, UByte(1), UByte(0), Source(Address), Target("in")]);
        await amqp.ExpectAsync(AttachCode);
        await amqp.SendAsync(FlowCode, [UInt(0), UInt(100), UInt(1), UInt(100), UInt(1), UInt(0), UInt(2)]);
        await amqp.ExpectAsync(TransferCode);
        await amqp.ExpectAsync(TransferCode);

        await amqp.SendAsync(CloseCode, []);
        await amqp.ExpectAsync(CloseCode);
    }

    private static byte[] Message() =>
    [
        .. Described(0x70, List(True, UByte(5))),
        .. Described(0x72, Map(Symbol("x-annotation"), Text(ClientSamples.Text))),
        .. Described(
            0x73, List(Text("message"), Null, Null, Text("subject"), Text("reply"), Text("correlation"), Symbol("application/x-wire"))),
        .. Described(0x74, Map(Text("text"), Text(ClientSamples.Text), Text("n"), UInt(42), Text("yes"), True)),
        .. Described(0x75, Binary(Encoding.UTF8.GetBytes("sent as 1.0"))),
    ];

    private static byte[] Source(string address) => Described(0x28, List(Text(address)));

    private static byte[] Target(string address) => Described(0x29, List(Text(address)));
}
