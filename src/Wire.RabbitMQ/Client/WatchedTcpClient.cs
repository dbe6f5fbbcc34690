using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using RabbitMQ.Client;

namespace Wire.RabbitMQ.Client;

/// <summary>The socket of a connection, which detects its end and silence.</summary>
/// <param name="family">The kind of address.</param>
/// <param name="hasHeartbeats">
/// True if bytes must arrive regularly. Otherwise the client keeps the time-out of its handshake, which then means nothing.
/// </param>
internal sealed class WatchedTcpClient(AddressFamily family, bool hasHeartbeats) : ITcpClient
{
    // The number of checks within the time-out of a connection.
    private const int Looks = 4;

    private readonly Lock _gate = new();
    private TimeSpan _receiveTimeout;
    private Timer? _timer;
    private bool _disposed;

    // The number of consecutive checks without received bytes.
    private int _silent;
    private bool _hasReceived;

    /// <summary>
    /// Makes connections of a factory detect their loss. Version 7 of the client does not detect an end within a frame, spins until
    /// heartbeats are missed, and may then end the process. With these sockets, an end is detected when it is read, and a connection that
    /// is silent for twice the heartbeat is closed before the client's own timer fires. Without heartbeats, silence means nothing.
    /// </summary>
    /// <param name="factory">The factory, whose sockets are replaced unless the program has set others.</param>
    public static void WatchConnectionsOf(ConnectionFactory factory)
    {
        if (factory.SocketFactory == ConnectionFactoryBase.DefaultSocketFactory)
        {
            factory.SocketFactory = new Sockets(factory).Open;
        }
    }

    /// <summary>Returns whether the sockets of a factory are these.</summary>
    public static bool Watches(ConnectionFactory factory) => factory.SocketFactory.Target is Sockets;

    public bool Connected => Client.Connected;

    public Socket Client { get; } = new(family, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    /// <summary>
    /// Gets the time for which nothing may be received: the client sets twice the heartbeat that it has agreed on with the broker, and zero
    /// for no heartbeats.
    /// </summary>
    public TimeSpan ReceiveTimeout
    {
        get => _receiveTimeout;
        set
        {
            lock (_gate)
            {
                _receiveTimeout = value;
                _timer?.Dispose();
                _timer = null;
                _silent = 0;
                if (hasHeartbeats && value > TimeSpan.Zero && !_disposed)
                {
                    TimeSpan pause = value / Looks;
                    _timer = new Timer(static state => ((WatchedTcpClient)state!).Look(), this, pause, pause);
                }
            }
        }
    }

    public Task ConnectAsync(IPAddress host, int port, CancellationToken cancellationToken = default) =>
        Client.ConnectAsync(host, port, cancellationToken).AsTask();

    public NetworkStream GetStream() => new WatchedStream(this);

    public void Close() => Dispose();

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            _timer?.Dispose();
            _timer = null;
        }

        Client.Dispose();
    }

    private void Look()
    {
        _silent = _hasReceived ? 0 : _silent + 1;
        _hasReceived = false;
        if (_silent >= Looks)
        {
            // The reader gets an error, and the client handles it like any lost connection.
            Dispose();
        }
    }

    private sealed class Sockets(ConnectionFactory factory)
    {
        public WatchedTcpClient Open(AddressFamily family) => new(family, hasHeartbeats: factory.RequestedHeartbeat > TimeSpan.Zero);
    }

    private sealed class WatchedStream(WatchedTcpClient owner) : NetworkStream(owner.Client, ownsSocket: false)
    {
        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            int count = await base.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            if (count == 0 && buffer.Length > 0)
            {
                // The end of the bytes does not end the client's wait for the rest of a frame.
                throw new EndOfStreamException("The connection has been closed by the other side.");
            }

            owner._hasReceived = true;
            return count;
        }
    }
}
