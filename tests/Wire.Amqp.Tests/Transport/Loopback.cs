using System.Buffers;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Tests.Transport;

/// <summary>A server on loopback for one connection, which does what a test tells it to.</summary>
internal sealed class Loopback : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _over = new(Patience);
    private readonly Task _serving;

    /// <summary>Listens, and serves the first client.</summary>
    public Loopback(Func<Stream, Task> serve, SslServerAuthenticationOptions? tls = null)
    {
        _listener.Start();
        _serving = ServeAsync(serve, tls);
    }

    public BrokerEndpoint Endpoint => new("127.0.0.1", ((IPEndPoint)_listener.LocalEndpoint).Port);

    /// <summary>Ends the waiting of a test in which nothing else does.</summary>
    public CancellationToken Over => _over.Token;

    public Task<LinkSocket> ConnectAsync(AmqpConnectionOptions? options = null) => LinkConnector.ConnectAsync((options ?? new AmqpConnectionOptions()).Broker, Endpoint, Over);

    /// <summary>Waits for the server's part to end.</summary>
    public Task ServedAsync() => _serving.WaitAsync(Patience);

    /// <summary>Waits for the server's part to end; what went wrong there is thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _serving.WaitAsync(Patience);
        _over.Dispose();
    }

    /// <summary>Reads one method of a client.</summary>
    public static async Task<TMethod> ReadAsync<TMethod>(Stream stream)
        where TMethod : struct, IMethod<TMethod>
    {
        byte[] header = new byte[7];
        await stream.ReadExactlyAsync(header);
        byte[] frame = [.. header, .. new byte[NetworkOrder.Read<int>(header.AsSpan(3)) + 1]];
        await stream.ReadExactlyAsync(frame.AsMemory(header.Length));
        return Take<TMethod>(frame);
    }

    /// <summary>Sends one method to a client.</summary>
    public static async Task WriteAsync<TMethod>(Stream stream, TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 0, in method);
        await stream.WriteAsync(output.WrittenMemory);
    }

    /// <summary>Waits until the client has ended the connection, in order or not.</summary>
    public static async Task DrainAsync(Stream stream)
    {
        byte[] buffer = new byte[1 << 16];
        try
        {
            while (await stream.ReadAsync(buffer) != 0)
            {
            }
        }
        catch (IOException e) when (e.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionReset })
        {
            // Reset: ended, too.
        }
    }

    private static TMethod Take<TMethod>(byte[] bytes)
        where TMethod : struct, IMethod<TMethod>
    {
        var frames = new FrameReader(bytes, 0);
        Assert.True(frames.TryRead(out Frame frame));
        return frame.ReadMethod<TMethod>();
    }

    private async Task ServeAsync(Func<Stream, Task> serve, SslServerAuthenticationOptions? tls)
    {
        using Socket socket = await _listener.AcceptSocketAsync(Over);
        await using Stream stream = new NetworkStream(socket, ownsSocket: true);
        if (tls is null)
        {
            await serve(stream);
            return;
        }

        await using var secure = new SslStream(stream);
        try
        {
            await secure.AuthenticateAsServerAsync(tls, Over);
        }
        catch (Exception e) when (LinkSocket.IsLoss(e))
        {
            // Either side refuses the other's certificate: the client's error is what the test looks at.
            return;
        }

        await serve(secure);
    }
}
