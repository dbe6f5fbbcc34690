using System.Net;
using System.Net.Sockets;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>Stands on loopback between a client and the broker, and cuts connections when it is told to, wherever they are.</summary>
internal sealed class CuttingProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly HashSet<Socket> _sockets = [];
    private readonly Task _accepting;
    private readonly int _port;
    private bool _isDisposed;

    public CuttingProxy(int port)
    {
        _port = port;
        _listener.Start();
        _accepting = Task.Run(AcceptAsync);
    }

    /// <summary>How a client connects through it, and nowhere else.</summary>
    public StreamClientOptions Route(StreamClientOptions options) => options with
    {
        Endpoints = [new BrokerEndpoint("127.0.0.1", ((IPEndPoint)_listener.LocalEndpoint).Port)],
        UseEndpointsOnly = true,
    };

    /// <summary>Ends all connections without a word. What is under way is lost, in the middle of a frame too.</summary>
    public void CutAll()
    {
        lock (_sockets)
        {
            foreach (Socket socket in _sockets)
            {
                socket.Close(0);
            }

            _sockets.Clear();
        }
    }

    public async ValueTask DisposeAsync()
    {
        lock (_sockets)
        {
            _isDisposed = true;
        }

        _listener.Stop();
        CutAll();
        await _accepting;
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket client;
            try
            {
                client = await _listener.AcceptSocketAsync();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }

            var broker = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await broker.ConnectAsync(IPAddress.Loopback, _port);
            client.NoDelay = true;
            lock (_sockets)
            {
                _sockets.Add(client);
                _sockets.Add(broker);
            }

            if (_isDisposed)
            {
                CutAll();
            }

            _ = ForwardAsync(client, broker);
            _ = ForwardAsync(broker, client);
        }
    }

    private static async Task ForwardAsync(Socket from, Socket to)
    {
        // No multiple of anything that a frame has.
        byte[] buffer = new byte[30_011];
        try
        {
            while (await from.ReceiveAsync(buffer) is > 0 and int count)
            {
                for (int sent = 0; sent < count;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent));
                }
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // It has been cut.
        }

        from.Close(0);
        to.Close(0);
    }
}
