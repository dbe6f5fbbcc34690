using System.Net;
using System.Net.Sockets;

namespace Parcels;

/// <summary>
/// Stands between a program and its broker, and cuts the connection when it is told to: so that there is a loss to recover from.
/// </summary>
internal sealed class Relay : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<Socket> _sockets = [];
    private readonly string _host;
    private readonly int _port;

    public Relay(string host, int port)
    {
        (_host, _port) = (host, port);
        _listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public void Cut()
    {
        lock (_sockets)
        {
            _sockets.ForEach(socket => socket.Dispose());
            _sockets.Clear();
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        Cut();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                Socket client = await _listener.AcceptSocketAsync();
                var broker = new Socket(SocketType.Stream, ProtocolType.Tcp);
                await broker.ConnectAsync(_host, _port);
                lock (_sockets)
                {
                    _sockets.AddRange([client, broker]);
                }

                _ = PassOnAsync(client, broker);
                _ = PassOnAsync(broker, client);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // It listens no more.
        }
    }

    private static async Task PassOnAsync(Socket from, Socket to)
    {
        byte[] buffer = new byte[1 << 16];
        try
        {
            while (await from.ReceiveAsync(buffer) is > 0 and int count)
            {
                for (int sent = 0; sent < count;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent));
                }
            }

            to.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Cut, or ended by one side: so it is for the other.
            to.Dispose();
        }
    }
}
