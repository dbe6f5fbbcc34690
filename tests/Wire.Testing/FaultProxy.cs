using System.Net;
using System.Net.Sockets;

namespace Wire.Testing;

/// <summary>
/// Stands on loopback between clients and a broker, and forwards what they say until it is told to cut connections, to
/// refuse new ones, or to hold back a direction. It can keep what it forwards. Its members may be called from any thread.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<Uri> _broker;
    private readonly Lock _lock = new();
    private readonly Dictionary<ProxyConnection, Task> _connections = [];
    private readonly Task _accepting;
    private volatile bool _refusing;
    private int _accepted;

    /// <summary>Forwards to the host and port of this address.</summary>
    public FaultProxy(Uri broker)
        : this(() => broker)
    {
    }

    /// <summary>Forwards each connection to the host and port that is said for it, as what balances the load of a cluster does.</summary>
    public FaultProxy(Func<Uri> broker)
    {
        _broker = broker;
        _listener.Start();
        _accepting = Task.Run(AcceptAsync);
    }

    /// <summary>From clients to the broker.</summary>
    public ProxyDirection ToBroker { get; } = new();

    /// <summary>From the broker to clients.</summary>
    public ProxyDirection ToClient { get; } = new();

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How many connections clients have made, those refused not counted.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>While set, new connections are reset at once. Those that are there stay.</summary>
    public bool Refusing
    {
        get => _refusing;
        set => _refusing = value;
    }

    /// <summary>Cuts all connections that there are, and says how many.</summary>
    public int CutAll(Cut how = Cut.Reset)
    {
        ProxyConnection[] connections;
        lock (_lock)
        {
            connections = [.. _connections.Keys];
        }

        return connections.Count(connection => connection.End(how));
    }

    /// <summary>Waits until both sides have ended all connections that there are.</summary>
    public Task EndedAsync()
    {
        lock (_lock)
        {
            return Task.WhenAll(_connections.Values).InTime();
        }
    }

    /// <summary>Resets all connections and ends. What went wrong in the proxy itself comes out here.</summary>
    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _accepting;
        CutAll();
        await EndedAsync();
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
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
            {
                return; // the listener is closed, or was before it could be asked
            }

            if (_refusing)
            {
                client.Close(0);
                continue;
            }

            Interlocked.Increment(ref _accepted);
            var connection = new ProxyConnection(this, client, new Socket(SocketType.Stream, ProtocolType.Tcp));
            lock (_lock)
            {
                _connections.Add(connection, Task.Run(() => RunAsync(connection)));
            }
        }
    }

    // One that failed is kept, for DisposeAsync to show.
    private async Task RunAsync(ProxyConnection connection)
    {
        Uri broker = _broker();
        await connection.RunAsync(broker.Host, broker.Port);
        lock (_lock)
        {
            _connections.Remove(connection);
        }
    }
}
