using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>Options of a program's services for RabbitMQ: <see cref="WireRabbitMQServices.AddWireRabbitMQ"/>.</summary>
public sealed class WireRabbitMQOptions
{
    /// <summary>
    /// Makes the connections: the client's own factory with all of its options, such as Uri, UserName, VirtualHost, and Ssl for TLS and
    /// certificates. AutomaticRecoveryEnabled has to stay on. MaxInboundMessageBodySize is 134,217,728 unless set, the largest body that
    /// RabbitMQ takes as it is set up: a larger one than this ends the connection of RabbitMQ.Client, whereas over the direct lane the
    /// message alone is a failure.
    /// </summary>
    public ConnectionFactory ConnectionFactory { get; set; } = new() { MaxInboundMessageBodySize = 1 << 27 };

    /// <summary>
    /// Gets or sets the client that carries the messages: RabbitMQ.Client unless set, whereas <see
    /// cref="WireConnection.ConnectAsync(string, CancellationToken)"/> connects with Wire.Amqp.Client, the direct lane. That connects here
    /// as <see cref="ConnectionFactory"/> and <see cref="Endpoints"/> say: to the same broker, as the same user, with the same TLS; what
    /// cannot be taken over is refused.
    /// </summary>
    public WireTransport Transport { get; set; }

    /// <summary>
    /// Changes what the direct lane has taken over from <see cref="ConnectionFactory"/>, or sets what only the lane has, as in <c>lane =>
    /// lane with { Writing = FrameWriting.Inline }</c>; null for nothing, as it is unless set.
    /// </summary>
    public Func<AmqpConnectionOptions, AmqpConnectionOptions>? ConfigureLane { get; set; }

    /// <summary>
    /// The nodes of a cluster, of which one is connected to; empty for the one that <see cref="ConnectionFactory"/> names, as it is unless
    /// filled.
    /// </summary>
    public IList<AmqpTcpEndpoint> Endpoints { get; } = [];

    /// <summary>
    /// Gets or sets the name of the connections at the broker, followed by what each is for; null for the name of the program, as it is
    /// unless set.
    /// </summary>
    public string? ConnectionName { get; set; }

    /// <summary>
    /// Gets the time for which to try to reach a broker that is not there, before the host does not start or a message is not published: 30
    /// s unless set.
    /// </summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets or sets the options of the serializer; its TypeFilter says what messages may hold. The types that handlers are for are allowed
    /// in addition.
    /// </summary>
    public SerializerOptions Serializer { get; set; } = new();

    /// <summary>Gets the compression of bodies; null, the default, for none.</summary>
    public AmqpBodyOptions? Body { get; set; }

    /// <summary>Gets the options of publishers.</summary>
    public WirePublisherOptions Publisher { get; set; } = new();

    /// <summary>Options of requests.</summary>
    public WireRequesterOptions Requester { get; set; } = new();

    /// <summary>Gets the name of the connections, where it has been said.</summary>
    internal string? NameOfConnections => ConnectionName ?? ConnectionFactory.ClientProvidedName;

    /// <summary>The brokers, for people.</summary>
    internal string BrokerNames => string.Join(", ", Brokers.Select(endpoint => endpoint.ToString()));

    private AmqpTcpEndpoint[] Brokers => Endpoints.Count != 0 ? [.. Endpoints] : [ConnectionFactory.Endpoint];

    /// <summary>Connects.</summary>
    /// <exception cref="AmqpConnectionException">No broker can be reached, or it refuses.</exception>
    internal Task<WireConnection> ConnectAsync(string name, CancellationToken cancellationToken) => Transport == WireTransport.DirectLane
        ? WireConnection.ConnectAsync(LaneFor(name), cancellationToken)
        : ConnectionFactory.ConnectWireAsync(name, Brokers, cancellationToken);

    internal void Validate()
    {
        ArgumentNullException.ThrowIfNull(ConnectionFactory);
        if (!ConnectionFactory.AutomaticRecoveryEnabled)
        {
            throw new ArgumentException(
                "ConnectionFactory.AutomaticRecoveryEnabled is off: a lost connection would never come back. Leave it on.");
        }

        if (ConnectTimeout <= TimeSpan.Zero || ConnectTimeout.TotalMilliseconds > int.MaxValue)
        {
            throw new ArgumentException($"ConnectTimeout is {ConnectTimeout}: it must be more than zero and at most 24 days.");
        }

        ArgumentNullException.ThrowIfNull(Serializer);
        ArgumentNullException.ThrowIfNull(Publisher);
        ArgumentNullException.ThrowIfNull(Requester);
        Requester.Validate();
        if (!Enum.IsDefined(Transport))
        {
            throw new ArgumentException(
                $"Transport is {Transport}: it has to be {nameof(WireTransport.Client)} or {nameof(WireTransport.DirectLane)}.");
        }

        if (Transport == WireTransport.DirectLane)
        {
            LaneFor(null);
        }
    }

    /// <summary>Gives the options that the direct lane connects with.</summary>
    /// <exception cref="ArgumentException">Something cannot be taken over, or is out of range.</exception>
    internal AmqpConnectionOptions LaneFor(string? name)
    {
        AmqpConnectionOptions taken = ConnectionOptions.From(ConnectionFactory, [.. Endpoints], name);
        return (ConfigureLane is { } configure
            ? configure(taken) ?? throw new ArgumentException("ConfigureLane has returned null where options are expected.")
            : taken).Validate();
    }
}

/// <summary>The client that carries messages between a program and the broker.</summary>
public enum WireTransport
{
    /// <summary>RabbitMQ.Client: the default in a host.</summary>
    Client,

    /// <summary>
    /// Wire.Amqp.Client, in short the direct lane: objects are serialized straight into the frames that are sent, and read where they were
    /// received.
    /// </summary>
    DirectLane,
}
