using System.Diagnostics;
using System.Net.Security;
using Wire.Amqp.Transport;

namespace Wire.RabbitMQ.Streams;

/// <summary>Where a <see cref="StreamClient"/> connects to and how it behaves. Immutable: change a copy with <c>with</c>.</summary>
/// <remarks>What is out of range is refused when a client is made with it. Passwords are not part of <see cref="ToString"/>.</remarks>
public sealed record StreamClientOptions
{
    /// <summary>The usual port of the stream protocol: 5552.</summary>
    public const int DefaultPort = 5552;

    /// <summary>The usual port of the stream protocol with TLS: 5551.</summary>
    public const int DefaultTlsPort = 5551;

    /// <summary>
    /// Where nodes of one cluster listen for streams, tried in turn: localhost on port 5552 by default. At least one. From there the client learns where
    /// the streams are.
    /// </summary>
    public IReadOnlyList<AmqpEndpoint> Endpoints { get; init; } = [new AmqpEndpoint("localhost", DefaultPort)];

    /// <summary>
    /// Whether producers and consumers connect to <see cref="Endpoints"/> too, and not to where the broker says that the stream is: for a single node, or
    /// a load balancer, behind an address that the broker does not know. Behind a load balancer it is tried again until the right node answers.
    /// False by default.
    /// </summary>
    public bool UseEndpointsOnly { get; init; }

    /// <inheritdoc cref="AmqpConnectionOptions.VirtualHost"/>
    public string VirtualHost { get; init; } = "/";

    /// <inheritdoc cref="AmqpConnectionOptions.UserName"/>
    public string UserName { get; init; } = "guest";

    /// <inheritdoc cref="AmqpConnectionOptions.Password"/>
    public string Password { get; init; } = "guest";

    /// <inheritdoc cref="AmqpConnectionOptions.Authentication"/>
    public AmqpAuthentication Authentication { get; init; }

    /// <inheritdoc cref="AmqpConnectionOptions.Tls"/>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <inheritdoc cref="AmqpConnectionOptions.RequestedHeartbeat"/>
    public TimeSpan RequestedHeartbeat { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The largest frame to send in bytes, and so about the largest message: 1,048,576 by default, 4,096 to 16,777,216. The broker may ask for less.
    /// </summary>
    public int RequestedFrameMax { get; init; } = 1 << 20;

    /// <summary>
    /// The largest frame to take in bytes, a chunk of messages in most cases: 268,435,456 by default, 1,048,576 to 1,073,741,824. It is the broker that decides how large
    /// chunks are, so this is a guard and no setting.
    /// </summary>
    public int MaxChunkBytes { get; init; } = 1 << 28;

    /// <summary>How long one attempt to connect, or one request, may take: 30 s by default, 1 ms to 1 day.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>What the broker shows the connections as, beside their address; null, the default, for nothing.</summary>
    public string? ConnectionName { get; init; }

    /// <summary>How many producers share a connection to a node at most: 16 by default, 1 to 256.</summary>
    public int ProducersPerConnection { get; init; } = 16;

    /// <summary>How many consumers share a connection to a node at most: 4 by default, 1 to 256.</summary>
    public int ConsumersPerConnection { get; init; } = 4;

    /// <summary>What serializes objects: a serializer with its default options by default.</summary>
    public Serializer Serializer { get; init; } = DefaultSerializer.Instance;

    /// <summary>
    /// What happens when a connection is lost or a stream moves: producers and consumers find their way back by default, with growing pauses and for as
    /// long as it takes. <see cref="AmqpRecovery.ResendUnconfirmed"/> is about producers without a name; those with one always resend, since the broker leaves out what it has.
    /// </summary>
    public AmqpRecovery Recovery { get; init; } = AmqpRecovery.Default;

    /// <summary>
    /// Called when a producer or consumer has lost its connection or stream, with each attempt to come back that fails, and when it is back: what an attempt
    /// cannot overcome, such as a user who may not do this any more, shows here alone. On any thread, and side by side for several; what is called waits for it, so it should
    /// return soon. What it throws goes to the trace. Null, the default, for a warning in the trace.
    /// </summary>
    public Action<StreamRecovery>? OnRecovery { get; init; }

    /// <summary>Reads a URI, as in <c>rabbitmq-stream://user:password@host:5552/virtual%20host</c>, or with <c>rabbitmq-stream+tls://</c>.</summary>
    /// <remarks>What is absent is as it is by default.</remarks>
    /// <exception cref="FormatException">It is no such URI: the message says what it may be.</exception>
    public static StreamClientOptions Parse(string uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        return StreamUri.Parse(uri);
    }

    /// <summary>Where the client connects to, and as whom; never the password.</summary>
    public override string ToString() =>
        $"streams{(Tls is null ? "" : " with TLS")} of {string.Join(", ", Endpoints)}, virtual host '{VirtualHost}', {(Authentication == AmqpAuthentication.Plain ? $"user '{UserName}'" : "user of the client's certificate")}";

    /// <summary>The same for the sockets and checks that are shared with AMQP.</summary>
    internal AmqpConnectionOptions Connection => new()
    {
        Endpoints = Endpoints,
        VirtualHost = VirtualHost,
        UserName = UserName,
        Password = Password,
        Authentication = Authentication,
        Tls = Tls,
        RequestedHeartbeat = RequestedHeartbeat,
        RequestedFrameMax = RequestedFrameMax,
        ConnectTimeout = Timeout,
        ConnectionName = ConnectionName,
        Recovery = Recovery,
    };

    /// <summary>Tells how it is about somebody's way back.</summary>
    internal void Tell(StreamRecovery recovery)
    {
        try
        {
            if (OnRecovery is { } told)
            {
                told(recovery);
            }
            else
            {
                Trace.TraceWarning(recovery.ToString());
            }
        }
        catch (Exception e)
        {
            // It is not what keeps a producer or consumer from its way.
            Trace.TraceError($"{nameof(OnRecovery)} has thrown: {e} It was told this: {recovery}");
        }
    }

    /// <summary>Refuses what is out of range.</summary>
    /// <exception cref="ArgumentException">An option is out of range: the message names it, and says what it may be.</exception>
    internal StreamClientOptions Validate()
    {
        Connection.Validate();
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxChunkBytes, 1 << 20);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxChunkBytes, 1 << 30);
        ArgumentOutOfRangeException.ThrowIfLessThan(ProducersPerConnection, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ProducersPerConnection, 256);
        ArgumentOutOfRangeException.ThrowIfLessThan(ConsumersPerConnection, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ConsumersPerConnection, 256);
        ArgumentNullException.ThrowIfNull(Serializer);
        return this;
    }

    // Made when it is needed: parsing a URI does not need a serializer.
    private static class DefaultSerializer
    {
        public static Serializer Instance { get; } = new();
    }
}
