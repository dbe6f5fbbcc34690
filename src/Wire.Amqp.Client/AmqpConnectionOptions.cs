using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using Wire.Runtime;
using Wire.Transport;
using Wire.Transport.Addresses;

namespace Wire.Amqp.Client;

/// <summary>The endpoints and the behaviour of a connection. Immutable: change a copy with <c>with</c>.</summary>
/// <remarks>
/// Values out of range are refused when a connection is opened. Passwords are not part of <see cref="ToString"/>.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed partial record AmqpConnectionOptions
{
    /// <summary>The usual port: 5672.</summary>
    public const int DefaultPort = 5672;

    /// <summary>The usual port with TLS: 5671.</summary>
    public const int DefaultTlsPort = 5671;

    private static readonly BrokerUri AmqpUri = new("AMQP", "amqp://", "amqps://", DefaultPort, DefaultTlsPort);

    /// <summary>Gets the endpoints of one cluster, tried in turn: localhost on port 5672 by default. At least one.</summary>
    public IReadOnlyList<BrokerEndpoint> Endpoints { get; init; } = [new BrokerEndpoint("localhost", DefaultPort)];

    /// <inheritdoc cref="BrokerOptions.ResolveEndpoints"/>
    public Func<CancellationToken, ValueTask<IReadOnlyList<BrokerEndpoint>>>? ResolveEndpoints { get; init; }

    /// <inheritdoc cref="BrokerOptions.EndpointOrder"/>
    public EndpointOrder EndpointOrder { get; init; }

    /// <inheritdoc cref="BrokerOptions.VirtualHost"/>
    public string VirtualHost { get; init; } = "/";

    /// <inheritdoc cref="BrokerOptions.UserName"/>
    public string UserName { get; init; } = "guest";

    /// <inheritdoc cref="BrokerOptions.Password"/>
    public string Password { get; init; } = "guest";

    /// <inheritdoc cref="BrokerOptions.Credentials"/>
    public Func<CancellationToken, ValueTask<BrokerCredentials>>? Credentials { get; init; }

    /// <inheritdoc cref="BrokerOptions.Authentication"/>
    public SaslMechanism Authentication { get; init; }

    /// <inheritdoc cref="BrokerOptions.Tls"/>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <inheritdoc cref="BrokerOptions.RequestedHeartbeat"/>
    public TimeSpan RequestedHeartbeat { get; init; } = TimeSpan.FromSeconds(60);

    /// <inheritdoc cref="BrokerOptions.RequestedFrameMax"/>
    public int RequestedFrameMax { get; init; } = 131_072;

    /// <summary>
    /// Gets the number of channels that may be open at a time: 2,047 by default, 1 to 65,535. The broker may ask for less.
    /// </summary>
    public int RequestedChannelMax { get; init; } = 2047;

    /// <inheritdoc cref="BrokerOptions.ConnectTimeout"/>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the name under which the broker shows the connection, in addition to its address; null, the default, for nothing.
    /// </summary>
    public string? ConnectionName { get; init; }

    /// <summary>
    /// Gets further properties of the client, for the broker; none by default. A value is of a type that a field of a table can have. A key
    /// that the library sets (product, version, platform, capabilities, connection_name) is replaced by the one given here.
    /// </summary>
    public IReadOnlyDictionary<string, object?> ClientProperties { get; init; } = new Dictionary<string, object?>();

    /// <summary>Gets the way of writing to the socket where a publish does not say: in the background by default.</summary>
    public FrameWriting Writing { get; init; }

    /// <summary>
    /// Gets the time for which a call on an open connection, such as declaring a queue, waits for the broker: 30 s by default, more than
    /// zero. Then the call fails with an <see cref="AmqpConnectionException"/>, at once where the broker has said that it takes nothing for
    /// now.
    /// </summary>
    public TimeSpan CallTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the number of bytes that may wait to be sent on a channel before further publishes wait: 1,048,576 by default, 65,536 and more.
    /// The message that reaches it is let through, however large it is.
    /// </summary>
    public long MaxUnsentBytes { get; init; } = 1 << 20;

    /// <summary>
    /// Gets the time for which the connection looks for the answer to a message before it sleeps, while messages are published one at a
    /// time: 200 µs by default, zero for never, at most 10 ms. An answer that is found is there a third sooner, for twice the processor
    /// time; where answers take longer, it looks rarely, and over TLS never.
    /// </summary>
    public TimeSpan SpinTime { get; init; } = TimeSpan.FromMicroseconds(200);

    /// <summary>Gets the time by which answers are waited for.</summary>
    internal TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// From how many bytes of body on an object is not gathered before it is sent, but measured and then sent in pieces as it is
    /// serialized: 1,048,576 by default, 4,096 and more.
    /// </summary>
    public long StreamAbove { get; init; } = 1 << 20;

    /// <summary>
    /// Gets the largest body of a delivery in bytes: 134,217,728 by default, the largest that RabbitMQ takes as it is set up. At least 0. A
    /// larger one is skipped, without memory for it, and its message is delivered without it: <see cref="AmqpDelivery.IsTooLarge"/>.
    /// </summary>
    public long MaxBodySize { get; init; } = 1 << 27;

    /// <summary>Gets the serializer of objects: one with its default options by default.</summary>
    public AmqpBody Body { get; init; } = DefaultBody.Instance;

    /// <inheritdoc cref="BrokerOptions.Recovery"/>
    public RecoveryOptions Recovery { get; init; } = RecoveryOptions.Default;

    /// <summary>
    /// Reads a URI, as in <c>amqps://user:password@host:5671/virtual%20host?heartbeat=20</c>, by RabbitMQ's specification of them.
    /// </summary>
    /// <remarks>
    /// What is absent is as it is by default; a slash alone, as in <c>amqp://host/</c>, is no virtual host, as in RabbitMQ.Client and
    /// unlike in the specification: for the one with the empty name, set <see cref="VirtualHost"/>. Parameters are heartbeat (seconds),
    /// connection_timeout (milliseconds), channel_max, frame_max (bytes), auth_mechanism (plain or external), and with amqps cacertfile,
    /// certfile and keyfile (PEM files, read at once), verify (verify_peer, unless it says verify_none, which accepts any peer as the
    /// broker) and server_name_indication.
    /// </remarks>
    /// <exception cref="FormatException">
    /// It is no such URI, names a parameter that there is not, or a file that cannot be read: the message says what it may be.
    /// </exception>
    public static AmqpConnectionOptions Parse(string uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        return From(AmqpUri.Parse(uri));
    }

    /// <inheritdoc cref="Parse(string)"/>
    public static AmqpConnectionOptions Parse(Uri uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        return From(AmqpUri.Parse(uri.OriginalString));
    }

    /// <summary>Names the endpoints and the user; never the password.</summary>
    public override string ToString() => $"{(Tls is null ? "amqp" : "amqps")} to {Broker}";

    private static AmqpConnectionOptions From(BrokerOptions broker) => new()
    {
        Endpoints = broker.Endpoints,
        VirtualHost = broker.VirtualHost,
        UserName = broker.UserName,
        Password = broker.Password,
        Authentication = broker.Authentication,
        Tls = broker.Tls,
        RequestedHeartbeat = broker.RequestedHeartbeat,
        RequestedFrameMax = broker.RequestedFrameMax,
        RequestedChannelMax = broker.RequestedChannelMax,
        ConnectTimeout = broker.ConnectTimeout,
    };

    // Made when it is needed: parsing a URI does not need a serializer.
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private static class DefaultBody
    {
        public static AmqpBody Instance { get; } = new(new Serializer());
    }
}
