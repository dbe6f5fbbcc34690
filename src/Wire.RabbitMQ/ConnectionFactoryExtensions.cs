using System.Net.Sockets;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Hosting;

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

    /// <summary>
    /// What a factory says of connections, taken over for the direct lane: the same broker, user, virtual host, TLS and limits. It connects again where the
    /// factory has AutomaticRecoveryEnabled, sooner than the client and with pauses up to its NetworkRecoveryInterval. Topology recovery, ConsumerDispatchConcurrency and the time-outs
    /// of single operations have no counterpart and are passed over.
    /// </summary>
    /// <param name="factory">The factory.</param>
    /// <returns>What <see cref="AmqpConnection.ConnectAsync(AmqpConnectionOptions, CancellationToken)"/> takes; change it with <c>with</c>.</returns>
    /// <exception cref="ArgumentException">
    /// The factory has what the lane cannot do: a CredentialsProvider, an EndpointResolverFactory, a SocketFactory, or a mechanism of authentication beside PLAIN and EXTERNAL.
    /// </exception>
    public static AmqpConnectionOptions ForDirectLane(this ConnectionFactory factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return LaneOptions.Of(factory, [], null);
    }

    /// <summary>Whether <see cref="NoticeLostConnections"/> has been called with a factory.</summary>
    internal static bool IsWatching(ConnectionFactory factory) => factory.SocketFactory.Target is Watching;

    private sealed class Watching(ConnectionFactory factory)
    {
        public WatchedTcpClient Open(AddressFamily family) => new WatchedTcpClient(family, hasHeartbeats: factory.RequestedHeartbeat > TimeSpan.Zero);
    }
}
