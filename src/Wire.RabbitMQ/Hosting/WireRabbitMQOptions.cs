using RabbitMQ.Client;
using Wire.Amqp;

namespace Wire.RabbitMQ;

/// <summary>What a program's services for RabbitMQ are made with: <see cref="WireRabbitMQServices.AddWireRabbitMQ"/>.</summary>
public sealed class WireRabbitMQOptions
{
    /// <summary>
    /// Makes the connections: the client's own factory with all of its options, such as Uri, UserName, VirtualHost, and Ssl for TLS and certificates.
    /// AutomaticRecoveryEnabled has to stay on. <see cref="ConnectionFactoryExtensions.NoticeLostConnections"/> is called with it.
    /// </summary>
    public ConnectionFactory ConnectionFactory { get; set; } = new();

    /// <summary>The nodes of a cluster, of which one is connected to; empty for the one that <see cref="ConnectionFactory"/> names, as it is unless filled.</summary>
    public IList<AmqpTcpEndpoint> Endpoints { get; } = [];

    /// <summary>What the connections are called at the broker, followed by what each is for; null for the name of the program, as it is unless set.</summary>
    public string? ConnectionName { get; set; }

    /// <summary>How long to try to reach a broker that is not there, before the host does not start or a message is not published: 30 s unless set.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>What objects are serialized with; its TypeFilter says what messages may hold. The types that handlers are for are allowed in addition.</summary>
    public SerializerOptions Serializer { get; set; } = new();

    /// <summary>How bodies are compressed; null for not at all, as it is unless set.</summary>
    public AmqpBodyOptions? Body { get; set; }

    /// <summary>How messages are published.</summary>
    public WirePublisherOptions Publisher { get; set; } = new();

    /// <summary>How requests are made.</summary>
    public WireRequesterOptions Requester { get; set; } = new();

    internal void Validate()
    {
        ArgumentNullException.ThrowIfNull(ConnectionFactory);
        if (!ConnectionFactory.AutomaticRecoveryEnabled)
        {
            throw new ArgumentException("ConnectionFactory.AutomaticRecoveryEnabled is off: a connection that is lost would never come back. Leave it on.");
        }

        if (ConnectTimeout <= TimeSpan.Zero || ConnectTimeout.TotalMilliseconds > int.MaxValue)
        {
            throw new ArgumentException($"ConnectTimeout is {ConnectTimeout}: it has to be more than no time, and at most 24 days.");
        }

        ArgumentNullException.ThrowIfNull(Serializer);
        ArgumentNullException.ThrowIfNull(Publisher);
        ArgumentNullException.ThrowIfNull(Requester);
        Requester.Validate();
    }
}
