using System.Diagnostics.CodeAnalysis;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>
/// Options of a program's services for a broker: <see cref="WireRabbitMQServices.AddWireRabbitMQ(
/// Microsoft.Extensions.DependencyInjection.IServiceCollection, Action{WireRabbitMQOptions})"/>. Not thread-safe.
/// </summary>
public sealed class WireRabbitMQOptions
{
    /// <summary>
    /// Makes the connections: the client's own factory with all of its options, such as Uri, UserName, VirtualHost, and Ssl for TLS and
    /// certificates. AutomaticRecoveryEnabled has to stay on. MaxInboundMessageBodySize is 134,217,728 unless set, the largest body that
    /// RabbitMQ accepts by default: a larger one ends the connection of RabbitMQ.Client, whereas over the direct lane only the message
    /// fails.
    /// </summary>
    public ConnectionFactory ConnectionFactory { get; set; } = new() { MaxInboundMessageBodySize = 1 << 27 };

    /// <summary>
    /// Gets or sets the client that carries the messages: Wire.Amqp.Client unless set, the direct lane. It connects as <see
    /// cref="ConnectionFactory"/> and <see cref="Endpoints"/> say: to the same broker, as the same user, with the same TLS; settings
    /// without a counterpart are refused when the services are added.
    /// </summary>
    public WireTransport Transport { get; set; }

    /// <summary>
    /// Changes the settings of the direct lane that come from <see cref="ConnectionFactory"/>, or sets options that only the lane has, as
    /// in <c>lane => lane with { Writing = FrameWriting.Inline }</c>; null, the default, for no change.
    /// </summary>
    public Func<AmqpConnectionOptions, AmqpConnectionOptions>? ConfigureLane { get; set; }

    /// <summary>
    /// The nodes of a cluster, to one of which it connects; empty, the default, for the node of <see cref="ConnectionFactory"/>.
    /// </summary>
    public IList<AmqpTcpEndpoint> Endpoints { get; } = [];

    /// <summary>
    /// Gets or sets the name of the connections at the broker, to which their purpose is added; null, the default, for the name of the
    /// program.
    /// </summary>
    public string? ConnectionName { get; set; }

    /// <summary>
    /// Gets the time for attempts to reach a missing broker before the start of the host or a message fails: 30 s unless set.
    /// </summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets or sets the options of the serializer; its TypeFilter says which types messages may contain. The types of handlers are allowed
    /// in addition.
    /// </summary>
    public SerializerOptions Serializer { get; set; } = new();

    /// <summary>Gets the compression of bodies; null, the default, for none.</summary>
    public AmqpBodyOptions? Body { get; set; }

    /// <summary>
    /// Adds formats of bodies, as in <c>bodies => bodies.Reading(json)</c>: <see cref="WireBodySerializer.Reading"/>, <see
    /// cref="WireBodySerializer.Writing"/>. Null, the default, for Wire payloads alone.
    /// </summary>
    public Func<WireBodySerializer, WireBodySerializer>? ConfigureBodies { get; set; }

    /// <summary>
    /// Gets or sets the conventions for consumers and publishers that have none of their own; null, the default, for none, and <see
    /// cref="WireConventions.Default"/> for what is published without an exchange.
    /// </summary>
    public WireConventions? Conventions { get; set; }

    /// <summary>Gets the options of publishers.</summary>
    public WirePublisherOptions Publisher { get; set; } = new();

    /// <summary>Options of requests.</summary>
    public WireRequesterOptions Requester { get; set; } = new();

    /// <summary>Gets the options of publishers, with the conventions.</summary>
    internal WirePublisherOptions EffectivePublisher => Publisher with { Conventions = Publisher.Conventions ?? Conventions };

    /// <summary>Gets the name of the connections, if set.</summary>
    internal string? NameOfConnections => ConnectionName ?? ConnectionFactory.ClientProvidedName;

    /// <summary>The brokers, for messages.</summary>
    internal string BrokerNames => string.Join(", ", Brokers.Select(endpoint => endpoint.ToString()));

    private AmqpTcpEndpoint[] Brokers => Endpoints.Count != 0 ? [.. Endpoints] : [ConnectionFactory.Endpoint];

    /// <summary>Returns the options of a consumer, with the conventions.</summary>
    internal WireConsumerOptions Effective(WireConsumerOptions consumer) =>
        consumer with { Conventions = consumer.Conventions ?? Conventions };

    /// <summary>Connects.</summary>
    /// <exception cref="AmqpConnectionException">No broker can be reached, or it refuses.</exception>
    internal Task<WireConnection> ConnectAsync(string name, CancellationToken cancellationToken) => Transport == WireTransport.DirectLane
        ? WireConnection.ConnectAsync(LaneFor(name), cancellationToken)
        : ConnectionFactory.ConnectWireAsync(name, Brokers, cancellationToken);

    /// <summary>
    /// Takes a connection string, as <c>GetConnectionString("messaging")</c> has it: a URI such as
    /// <c>amqps://user:password@host:5671/virtual%20host?heartbeat=20</c>. It sets endpoint, virtual host, user, password and whether there
    /// is TLS of <see cref="ConnectionFactory"/>, and what its parameters name: see <see cref="AmqpConnectionOptions.Parse(string)"/>. All
    /// else of the factory stays as it is.
    /// </summary>
    /// <param name="connectionString">The connection string; null and empty are refused, so that a missing one is noticed.</param>
    /// <exception cref="ArgumentException">It is missing, or no such URI. The message never shows it.</exception>
    public void UseConnectionString(string? connectionString)
    {
        if (string.IsNullOrWhiteSpace(connectionString))
        {
            throw new ArgumentException(
                "The connection string is missing: set it where the program is configured, as in " +
                "ConnectionStrings__messaging=amqp://user:password@host/, and look for it under the same name.");
        }

        ConnectionString.Apply(connectionString.Trim(), ConnectionFactory);
    }

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
                $"Transport is {Transport}: it has to be {nameof(WireTransport.DirectLane)} or {nameof(WireTransport.Client)}.");
        }

        if (Transport == WireTransport.DirectLane)
        {
            LaneFor(null);
        }
    }

    /// <summary>Replaces the endpoints.</summary>
    /// <param name="endpoints">Hosts with or without a port, between commas.</param>
    /// <exception cref="ArgumentException">One of them is none.</exception>
    internal void UseEndpoints(string endpoints)
    {
        AmqpTcpEndpoint[] read = ConnectionString.Endpoints(endpoints, ConnectionFactory);
        Endpoints.Clear();
        foreach (AmqpTcpEndpoint endpoint in read)
        {
            Endpoints.Add(endpoint);
        }
    }

    /// <summary>Returns the options of the direct lane.</summary>
    /// <exception cref="ArgumentException">A setting has no counterpart, or is out of range.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
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
    /// <summary>
    /// Wire.Amqp.Client, in short the direct lane: objects are serialized directly into frames, and read from the receive buffer. The
    /// default.
    /// </summary>
    DirectLane,

    /// <summary>RabbitMQ.Client: for options of it that the direct lane does not have.</summary>
    Client,
}

/// <summary>Options of a health check: <see cref="WireRabbitMQServices"/>. Immutable.</summary>
public sealed record WireHealthCheckOptions
{
    /// <summary>
    /// Gets the number of messages that may be ready in the queue of a consumer, behind those that were sent ahead: 0 and up. With more the
    /// check says degraded. Null, the default, for any number: then the broker is not asked. Streams have no such number, and are left out.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0.</exception>
    public long? MaxLag
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value ?? 0, nameof(MaxLag));
            field = value;
        }
    }

    /// <summary>
    /// Gets whether a connection to publish is made where the program has none yet, to know whether the broker is reached. Off unless set:
    /// a program that has not published is healthy without one.
    /// </summary>
    public bool Connect { get; init; }

    /// <summary>
    /// Gets the longest time of a check, which waits for the broker where it asks for the lag or connects: more than zero, at most a day;
    /// 5 s unless set.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not more than zero, or more than a day.</exception>
    public TimeSpan Timeout
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero, nameof(Timeout));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, TimeSpan.FromDays(1), nameof(Timeout));
            field = value;
        }
    } = TimeSpan.FromSeconds(5);
}
