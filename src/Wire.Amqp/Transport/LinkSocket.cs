using System.Buffers;
using System.Net.Security;
using System.Net.Sockets;

namespace Wire.Amqp.Transport;

/// <summary>The socket of a link, plain or with TLS. One receive and one send at a time; <see cref="Abort"/> from any thread.</summary>
internal sealed class LinkSocket : IDisposable
{
    private readonly Socket _socket;
    private readonly Stream _stream;

    private LinkSocket(Socket socket, Stream stream)
    {
        _socket = socket;
        _stream = stream;
    }

    public static async Task<LinkSocket> ConnectAsync(AmqpConnectionOptions options, AmqpEndpoint endpoint, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(endpoint.Host, endpoint.Port, cancellationToken);
        var stream = new NetworkStream(socket, ownsSocket: true);
        if (options.Tls is null)
        {
            return new LinkSocket(socket, stream);
        }

        var tls = new SslStream(stream);
        await tls.AuthenticateAsClientAsync(options.Tls, cancellationToken);
        return new LinkSocket(socket, tls);
    }

    /// <summary>Receives what has come, or waits; 0 when the other side has closed.</summary>
    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => _stream.ReadAsync(buffer);

    /// <summary>Sends all of it. The bytes may be changed when the task has ended.</summary>
    public async ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            await _stream.WriteAsync(segment);
        }
    }

    /// <summary>The same, and the thread waits.</summary>
    public void Send(ReadOnlySequence<byte> bytes)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            _stream.Write(segment.Span);
        }
    }

    /// <summary>Ends what is under way with an exception, and the connection without further words. From any thread, any number of times.</summary>
    public void Abort() => _socket.Dispose();

    public void Dispose()
    {
        Abort();
        _stream.Dispose();
    }
}
