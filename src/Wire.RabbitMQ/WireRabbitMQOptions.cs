using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Hosting;

namespace Wire.RabbitMQ;

/// <summary>What a program's services for RabbitMQ are made with: <see cref="WireRabbitMQServices.AddWireRabbitMQ"/>.</summary>
public sealed class WireRabbitMQOptions
{
    /// <summary>
    /// Makes the connections: the client's own factory with all of its options, such as Uri, UserName, VirtualHost, and Ssl for TLS and certificates.
    /// AutomaticRecoveryEnabled has to stay on. <see cref="ConnectionFactoryExtensions.NoticeLostConnections"/> is called with it.
    /// </summary>
    public ConnectionFactory ConnectionFactory { get; set; } = new();

    /// <summary>
    /// What carries the messages: RabbitMQ.Client unless set. The direct lane connects as <see cref="ConnectionFactory"/> and <see cref="Endpoints"/> say: to the same
    /// broker, as the same user, with the same TLS; what cannot be taken over is refused. <see cref="WireRabbitMQBuilder.Declare"/> still gets a channel of the client.
    /// </summary>
    public WireTransport Transport { get; set; }

    /// <summary>
    /// Changes what the direct lane has taken over from <see cref="ConnectionFactory"/>, or sets what only the lane has, as in <c>lane => lane with { Writing = FrameWriting.Inline }</c>;
    /// null for nothing, as it is unless set.
    /// </summary>
    public Func<AmqpConnectionOptions, AmqpConnectionOptions>? ConfigureLane { get; set; }

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
        if (!Enum.IsDefined(Transport))
        {
            throw new ArgumentException($"Transport is {Transport}: it has to be {nameof(WireTransport.Client)} or {nameof(WireTransport.DirectLane)}.");
        }

        if (Transport == WireTransport.DirectLane)
        {
            LaneFor(null);
        }
    }

    /// <summary>What the direct lane connects with.</summary>
    /// <exception cref="ArgumentException">Something cannot be taken over, or is out of range.</exception>
    internal AmqpConnectionOptions LaneFor(string? name)
    {
        AmqpConnectionOptions taken = LaneOptions.Of(ConnectionFactory, [.. Endpoints], name);
        return (ConfigureLane is { } configure ? configure(taken) ?? throw new ArgumentException("ConfigureLane has returned null where options are expected.") : taken).Validate();
    }
}

/// <summary>What carries messages between a program and the broker.</summary>
public enum WireTransport
{
    /// <summary>RabbitMQ.Client.</summary>
    Client,

    /// <summary>The direct lane of Wire.Amqp: objects are serialized straight into the frames that are sent, and read where they were received.</summary>
    DirectLane,
}
