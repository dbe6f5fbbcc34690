using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace Wire.Testing;

/// <summary>A server on loopback that does to each connection, counted from 0, what a test says.</summary>
public sealed class LoopbackServer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _over = new(Patience.Limit);
    private readonly TaskCompletionSource<Task> _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentBag<Task> _serving = [];
    private readonly Func<LoopbackConnection, Task> _serve;
    private readonly SslServerAuthenticationOptions? _tls;
    private readonly Task _accepting;

    public LoopbackServer(Func<LoopbackConnection, Task> serve, SslServerAuthenticationOptions? tls = null)
    {
        (_serve, _tls) = (serve, tls);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>Where it listens, on 127.0.0.1.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Ends the waiting of a test in which nothing else does.</summary>
    public CancellationToken Over => _over.Token;

    /// <summary>Waits for the server's part of the first connection to end.</summary>
    public async Task ServedAsync() => await (await _first.Task.InTime()).InTime();

    /// <summary>Waits for the server's part of all connections to end; what went wrong there is thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_serving).InTime();
        _over.Dispose();
    }

    private async Task AcceptAsync()
    {
        for (int i = 0; ; i++)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptSocketAsync();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }

            int number = i;
            Task serving = Task.Run(() => ServeAsync(socket, number));
            _serving.Add(serving);
            _first.TrySetResult(serving);
        }
    }

    private async Task ServeAsync(Socket socket, int number)
    {
        await using var plain = new NetworkStream(socket, ownsSocket: true);
        if (_tls is null)
        {
            await _serve(new LoopbackConnection(plain, socket, number));
            return;
        }

        await using var secure = new SslStream(plain);
        try
        {
            await secure.AuthenticateAsServerAsync(_tls, Over);
        }
        catch (Exception e) when (e is IOException or AuthenticationException)
        {
            // Either side refuses the other's certificate: the client's error is what the test looks at.
            return;
        }

        await _serve(new LoopbackConnection(secure, socket, number));
    }
}

/// <summary>The server's side of one connection.</summary>
public sealed class LoopbackConnection(Stream stream, Socket socket, int number)
{
    public Stream Stream => stream;

    /// <summary>How many connections there were before.</summary>
    public int Number => number;

    /// <summary>Ends it without a word.</summary>
    public void Reset() => socket.Close(0);

    /// <summary>Waits until the client has ended the connection, in order or not.</summary>
    public async Task DrainAsync()
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
}
