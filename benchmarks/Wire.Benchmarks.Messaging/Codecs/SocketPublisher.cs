using System.Net.Sockets;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Wire.Amqp and a socket: the headers are built and the message is formatted, each time.</summary>
/// <param name="batch">How many messages go with one send.</param>
internal sealed class SocketPublisher(int batch) : IPublisher
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly AmqpBuffer _buffer = new();
    private readonly FieldTableBuilder _headers = new();
    private readonly byte[] _received = new byte[4096];
    private int _waiting;

    public static async Task<SocketPublisher> ConnectAsync(int port, int batch)
    {
        var publisher = new SocketPublisher(batch);
        await publisher._socket.ConnectAsync("127.0.0.1", port);
        await publisher.OpenAsync();
        return publisher;
    }

    public ValueTask PublishAsync()
    {
        _headers.Clear();
        TableBuilderCodec.Build(_headers, TableBuilderCodec.StringKeys);
        PublishCodec.Write(_buffer, _headers.Table);
        return ++_waiting < batch ? ValueTask.CompletedTask : SendAsync();
    }

    public async ValueTask DisposeAsync()
    {
        FrameWriter.Write(_buffer, 0, new ConnectionClose { ReplyText = "" });
        await SendAsync();
        await ReceiveAsync(MethodId.ConnectionCloseOk);
        _socket.Dispose();
        _buffer.Dispose();
    }

    private async Task OpenAsync()
    {
        ProtocolHeader.Version091.Write(_buffer);
        FrameWriter.Write(_buffer, 0, new ConnectionStartOk { Mechanism = "PLAIN", Response = "\0guest\0guest", Locale = "en_US" });
        FrameWriter.Write(_buffer, 0, new ConnectionTuneOk { FrameMax = PublishedMessage.FrameMax });
        FrameWriter.Write(_buffer, 0, new ConnectionOpen { VirtualHost = "/" });
        FrameWriter.Write(_buffer, PublishedMessage.Channel, new ChannelOpen());
        await SendAsync();
        await ReceiveAsync(MethodId.ChannelOpenOk);
    }

    private async ValueTask SendAsync()
    {
        foreach (ReadOnlyMemory<byte> part in _buffer.Written)
        {
            await _socket.SendAsync(part);
        }

        _buffer.Clear();
        _waiting = 0;
    }

    private async Task ReceiveAsync(MethodId last)
    {
        for (int received = 0; !Has(last, received);)
        {
            int count = await _socket.ReceiveAsync(_received.AsMemory(received));
            received += count > 0 ? count : throw new InvalidOperationException($"The server does not answer with {last}.");
        }
    }

    private bool Has(MethodId last, int received)
    {
        var frames = new FrameReader(_received.AsMemory(0, received), PublishedMessage.FrameMax);
        while (frames.TryRead(out Frame frame))
        {
            if (frame.MethodId == last)
            {
                return true;
            }
        }

        return false;
    }
}
