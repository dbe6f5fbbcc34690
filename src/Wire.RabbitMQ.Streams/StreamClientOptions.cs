using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using Wire.Runtime;
using Wire.Transport;
using Wire.Transport.Addresses;

namespace Wire.RabbitMQ.Streams;

/// <summary>The endpoints and the behaviour of a <see cref="StreamClient"/>. Immutable: change a copy with <c>with</c>.</summary>
/// <remarks>What is out of range is refused when a client is made with it. Passwords are not part of <see cref="ToString"/>.</remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed record StreamClientOptions
{
    /// <summary>The usual port of the stream protocol: 5552.</summary>
    public const int DefaultPort = 5552;

    /// <summary>The usual port of the stream protocol with TLS: 5551.</summary>
    public const int DefaultTlsPort = 5551;

    private static readonly BrokerUri StreamUri =
        new("streams", "rabbitmq-stream://", "rabbitmq-stream+tls://", DefaultPort, DefaultTlsPort);

    /// <summary>
    /// Gets the endpoints of one cluster for streams, tried in turn: localhost on port 5552 by default. At least one. From there the client
    /// learns where the streams are.
    /// </summary>
    public IReadOnlyList<BrokerEndpoint> Endpoints { get; init; } = [new BrokerEndpoint("localhost", DefaultPort)];

    /// <inheritdoc cref="BrokerOptions.EndpointOrder"/>
    public EndpointOrder EndpointOrder { get; init; }

    /// <summary>
    /// Gets whether producers and consumers connect to <see cref="Endpoints"/> too, and not to where the broker says that the stream is:
    /// for a single node, or a load balancer, behind an address that the broker does not know. Behind a load balancer it is tried again
    /// until the right node answers. False by default.
    /// </summary>
    public bool UseEndpointsOnly { get; init; }

    /// <inheritdoc cref="BrokerOptions.VirtualHost"/>
    public string VirtualHost { get; init; } = "/";

    /// <inheritdoc cref="BrokerOptions.UserName"/>
    public string UserName { get; init; } = "guest";

    /// <inheritdoc cref="BrokerOptions.Password"/>
    public string Password { get; init; } = "guest";

    /// <inheritdoc cref="BrokerOptions.Authentication"/>
    public SaslMechanism Authentication { get; init; }

    /// <inheritdoc cref="BrokerOptions.Tls"/>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <inheritdoc cref="BrokerOptions.RequestedHeartbeat"/>
    public TimeSpan RequestedHeartbeat { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The largest frame to send in bytes, and so about the largest message: 1,048,576 by default, 4,096 to 16,777,216. The broker may ask
    /// for less.
    /// </summary>
    public int RequestedFrameMax { get; init; } = 1 << 20;

    /// <summary>
    /// The largest frame to take in bytes, a chunk of messages in most cases: 268,435,456 by default, 1,048,576 to 1,073,741,824. It is the
    /// broker that decides how large chunks are, so this is a guard and no setting. Before the connection is open, <see
    /// cref="RequestedFrameMax"/> is the guard.
    /// </summary>
    public int MaxChunkBytes { get; init; } = 1 << 28;

    /// <summary>Gets the time that one attempt to connect, or one request, may take: 30 s by default, 1 ms to 1 day.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the name under which the broker shows the connections, beside their address: at most 32,767 bytes of UTF-8; null, the default,
    /// for nothing.
    /// </summary>
    public string? ConnectionName { get; init; }

    /// <summary>Gets the largest number of producers that share a connection to a node: 16 by default, 1 to 256.</summary>
    public int ProducersPerConnection { get; init; } = 16;

    /// <summary>Gets the largest number of consumers that share a connection to a node: 4 by default, 1 to 256.</summary>
    public int ConsumersPerConnection { get; init; } = 4;

    /// <summary>
    /// Gets how often producers and consumers of super streams ask for the partitions again, to find those that were added: every 30 s by
    /// default, 100 ms to 1 day; null for never.
    /// </summary>
    public TimeSpan? PartitionInterval { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the time of what waits for producers.</summary>
    internal TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Gets the serializer of objects: one with its default options by default.</summary>
    public Serializer Serializer { get; init; } = DefaultSerializer.Instance;

    /// <summary>
    /// Gets the options for when a connection is lost or a stream moves: producers and consumers find their way back by default, with
    /// growing pauses and for as long as it takes. <see cref="RecoveryOptions.ResendUnconfirmed"/> is about producers without a name; those
    /// with one always resend, since the broker leaves out what it has.
    /// </summary>
    public RecoveryOptions Recovery { get; init; } = RecoveryOptions.Default;

    /// <summary>
    /// Called when a producer or consumer has lost its connection or stream, with each attempt to come back that fails, and when it is
    /// back: what an attempt cannot overcome, such as a user who may not do this any more, shows here alone. On any thread, and side by
    /// side for several; what is called waits for it, so it should return soon. What it throws goes to the trace. Null, the default, for a
    /// warning in the trace.
    /// </summary>
    public Action<StreamRecovery>? OnRecovery { get; init; }

    /// <summary>
    /// Reads a URI, as in <c>rabbitmq-stream://user:password@host:5552/virtual%20host</c>, or with <c>rabbitmq-stream+tls://</c>.
    /// </summary>
    /// <remarks>What is absent is as it is by default.</remarks>
    /// <exception cref="FormatException">The URI is not valid: the message says what is allowed.</exception>
    public static StreamClientOptions Parse(string uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        BrokerOptions broker = StreamUri.Parse(uri);
        return new StreamClientOptions
        {
            Endpoints = broker.Endpoints,
            VirtualHost = broker.VirtualHost,
            UserName = broker.UserName,
            Password = broker.Password,
            Authentication = broker.Authentication,
            Tls = broker.Tls,
            RequestedHeartbeat = broker.RequestedHeartbeat,
            Timeout = broker.ConnectTimeout,
        };
    }

    /// <summary>Names the endpoints and the user; never the password.</summary>
    public override string ToString() =>
        $"streams{(Tls is null ? "" : " with TLS")} of {Broker}";

    /// <summary>The options that every protocol has.</summary>
    internal BrokerOptions Broker => new()
    {
        Endpoints = Endpoints,
        EndpointOrder = EndpointOrder,
        UsualTlsPort = DefaultTlsPort,
        VirtualHost = VirtualHost,
        UserName = UserName,
        Password = Password,
        Authentication = Authentication,
        Tls = Tls,
        RequestedHeartbeat = RequestedHeartbeat,
        RequestedFrameMax = RequestedFrameMax,
        ConnectTimeout = Timeout,
        Recovery = Recovery,
    };

    /// <summary>Reports the progress of a recovery.</summary>
    internal void ReportRecovery(StreamRecovery recovery)
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
            // A callback that fails must not stop a recovery.
            Trace.TraceError($"{nameof(OnRecovery)} has thrown: {e} It was called with: {recovery}");
        }
    }

    /// <summary>Refuses options that are out of range.</summary>
    /// <exception cref="ArgumentException">An option is out of range: the message names it and its range.</exception>
    internal StreamClientOptions Validate()
    {
        Broker.Validate();
        BrokerOptions.Require(
            ConnectionName is null || BrokerOptions.Fits(ConnectionName, short.MaxValue),
            nameof(ConnectionName),
            ConnectionName,
            "is null, or a text of at most 32,767 bytes of UTF-8");
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxChunkBytes, 1 << 20);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxChunkBytes, 1 << 30);
        ArgumentOutOfRangeException.ThrowIfLessThan(ProducersPerConnection, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ProducersPerConnection, 256);
        ArgumentOutOfRangeException.ThrowIfLessThan(ConsumersPerConnection, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ConsumersPerConnection, 256);
        BrokerOptions.Require(
            PartitionInterval is null
                || (PartitionInterval >= TimeSpan.FromMilliseconds(100) && PartitionInterval <= TimeSpan.FromDays(1)),
            nameof(PartitionInterval),
            PartitionInterval,
            "is null, or 100 ms to 1 day");
        ArgumentNullException.ThrowIfNull(Serializer);
        return this;
    }

    // Made when it is needed: parsing a URI does not need a serializer.
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private static class DefaultSerializer
    {
        public static Serializer Instance { get; } = new();
    }
}
