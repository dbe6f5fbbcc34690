using System.Diagnostics.CodeAnalysis;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>Connections of RabbitMQ.Client for publishers, consumers and requesters.</summary>
public static class RabbitMQClientExtensions
{
    /// <summary>
    /// Connects with RabbitMQ.Client. The connection detects its loss, which version 7 of the client alone does late or never: the
    /// factory's sockets are replaced for that, unless the program has set its own.
    /// </summary>
    /// <param name="factory">The factory. AutomaticRecoveryEnabled has to stay on for publishers and consumers that survive a loss.</param>
    /// <param name="name">The name of the connection at the broker; the factory's ClientProvidedName when left out.</param>
    /// <param name="endpoints">The brokers, one of which is connected to; the factory's own when left out.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>The connection, which the caller disposes of.</returns>
    /// <exception cref="AmqpConnectionException">No broker can be reached, or it refuses.</exception>
    public static async Task<WireConnection> ConnectWireAsync(
        this ConnectionFactory factory,
        string? name = null,
        IReadOnlyCollection<AmqpTcpEndpoint>? endpoints = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return await ClientConnection.ConnectAsync(factory, name, endpoints ?? [], cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Wraps a connection of RabbitMQ.Client, which should have automatic recovery, its default.
    /// </summary>
    /// <param name="connection">The connection, which is closed with the result when that is disposed of.</param>
    public static WireConnection ToWireConnection(this IConnection connection) => ClientConnection.From(connection);

    /// <summary>
    /// Converts a factory's settings for Wire.Amqp.Client: the same broker, user, virtual host, TLS and limits. It connects again where the
    /// factory has AutomaticRecoveryEnabled, sooner than RabbitMQ.Client and with pauses up to its NetworkRecoveryInterval. Topology
    /// recovery, ConsumerDispatchConcurrency and the time-outs of single operations have no counterpart and are ignored.
    /// </summary>
    /// <param name="factory">The factory.</param>
    /// <returns>
    /// The options for <see cref="AmqpConnection.ConnectAsync(AmqpConnectionOptions, CancellationToken)"/>; change them with <c>with</c>.
    /// </returns>
    /// <exception cref="ArgumentException">
    /// The factory uses a feature that the client lacks: a SocketFactory, or an authentication mechanism other than PLAIN and EXTERNAL.
    /// </exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static AmqpConnectionOptions ForDirectLane(this ConnectionFactory factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return ConnectionOptions.From(factory, [], null);
    }
}
