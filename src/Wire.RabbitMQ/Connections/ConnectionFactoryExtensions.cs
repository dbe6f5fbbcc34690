using System.Net.Sockets;
using RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>What RabbitMQ.Client's factory of connections can do better.</summary>
public static class ConnectionFactoryExtensions
{
    /// <summary>
    /// Has connections of a factory notice that they are lost. Version 7 of the client does not notice an end within a frame, keeps a processor busy
    /// until it misses heartbeats, and may then end the process. With this, an end is noticed where it is read, and a connection on which nothing
    /// has come for twice the heartbeat is closed before the client's own timer finds out. Where no heartbeats are asked for, silence means nothing.
    /// </summary>
    /// <param name="factory">The factory, whose sockets are replaced unless the program has set others.</param>
    /// <returns>The factory.</returns>
    public static ConnectionFactory NoticeLostConnections(this ConnectionFactory factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (factory.SocketFactory == ConnectionFactoryBase.DefaultSocketFactory)
        {
            factory.SocketFactory = new Watching(factory).Open;
        }

        return factory;
    }

    /// <summary>Whether this has been called with a factory.</summary>
    internal static bool IsWatching(ConnectionFactory factory) => factory.SocketFactory.Target is Watching;

    private sealed class Watching(ConnectionFactory factory)
    {
        public WatchedTcpClient Open(AddressFamily family) => new WatchedTcpClient(family, hasHeartbeats: factory.RequestedHeartbeat > TimeSpan.Zero);
    }
}
