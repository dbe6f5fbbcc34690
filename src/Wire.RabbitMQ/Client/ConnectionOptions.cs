using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Runtime;
using Wire.Transport;

namespace Wire.RabbitMQ.Client;

/// <summary>Converts the connection settings of a RabbitMQ.Client factory for the direct lane.</summary>
internal static class ConnectionOptions
{
    private const int MostFrameMax = 1 << 24;

    private static readonly ConnectionFactory Untouched = new();

    /// <summary>The options.</summary>
    /// <param name="factory">
    /// The factory. Settings without a counterpart are ignored: topology recovery, dispatch concurrency, read and write
    /// time-outs.
    /// </param>
    /// <param name="endpoints">The brokers; none for the factory's own.</param>
    /// <param name="name">The name of the connection at the broker; null for the factory's.</param>
    /// <exception cref="ArgumentException">
    /// The factory has a setting that the lane does not support: the message names it and the remedy.
    /// </exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static AmqpConnectionOptions From(ConnectionFactory factory, IReadOnlyCollection<AmqpTcpEndpoint> endpoints, string? name)
    {
        IReadOnlyCollection<AmqpTcpEndpoint> all = endpoints.Count > 0 ? endpoints : [factory.Endpoint];
        bool resolves = factory.EndpointResolverFactory.Method != Untouched.EndpointResolverFactory.Method;
        Refuse(
            factory.SocketFactory != ConnectionFactoryBase.DefaultSocketFactory && !WatchedTcpClient.Watches(factory),
            nameof(factory.SocketFactory),
            "leave it as it is");
        return new AmqpConnectionOptions
        {
            Endpoints = Endpoints(all),
            ResolveEndpoints = resolves ? Resolver(factory, all) : null,
            EndpointOrder = resolves ? EndpointOrder.AsGiven : EndpointOrder.Shuffled,
            VirtualHost = factory.VirtualHost,
            UserName = factory.UserName,
            Password = factory.Password,
            Credentials = Credentials(factory),
            Authentication = Authentication(factory),
            Tls = Tls(all),
            RequestedHeartbeat = TimeSpan.FromSeconds(Math.Floor(factory.RequestedHeartbeat.TotalSeconds)),
            RequestedFrameMax = factory.RequestedFrameMax == 0
                ? new AmqpConnectionOptions().RequestedFrameMax
                : (int)Math.Min(factory.RequestedFrameMax, MostFrameMax),
            RequestedChannelMax = factory.RequestedChannelMax == 0 ? ushort.MaxValue : factory.RequestedChannelMax,
            ConnectTimeout = factory.RequestedConnectionTimeout,
            ConnectionName = name ?? factory.ClientProvidedName,
            ClientProperties = ClientProperties(factory),
            // If unset, the broker's: the factory's default is half of that.
            MaxBodySize = factory.MaxInboundMessageBodySize == ConnectionFactory.DefaultMaxInboundMessageBodySize
                ? new AmqpConnectionOptions().MaxBodySize
                : factory.MaxInboundMessageBodySize,
            Recovery = factory.AutomaticRecoveryEnabled ? Recovery(factory.NetworkRecoveryInterval) : RecoveryOptions.Off,
        };
    }

    // It begins sooner than the client, and its pauses are no longer.
    private static RecoveryOptions Recovery(TimeSpan interval)
    {
        TimeSpan first = RecoveryOptions.Default.FirstPause;
        TimeSpan longest = interval > TimeSpan.FromMilliseconds(1) ? interval : TimeSpan.FromMilliseconds(1);
        return RecoveryOptions.Default with { FirstPause = first < longest ? first : longest, LongestPause = longest };
    }

    // Its credentials say for how long they are valid, which counts from the answer on.
    private static Func<CancellationToken, ValueTask<BrokerCredentials>>? Credentials(ConnectionFactory factory) =>
        factory.CredentialsProvider is not { } provider || Authentication(factory) == SaslMechanism.External
            ? null
            : async token =>
            {
                Credentials given = await provider.GetCredentialsAsync(token).ConfigureAwait(false);
                DateTimeOffset now = DateTimeOffset.UtcNow;
                return new BrokerCredentials(
                    given.UserName, given.Password, given.ValidUntil < DateTimeOffset.MaxValue - now ? now + given.ValidUntil : null);
            };

    private static SaslMechanism Authentication(ConnectionFactory factory)
    {
        IAuthMechanismFactory? first = factory.AuthMechanisms.FirstOrDefault();
        Refuse(
            first is not (PlainMechanismFactory or ExternalMechanismFactory),
            nameof(factory.AuthMechanisms),
            $"the first of them is {first?.Name ?? "none"}, and it has to be PLAIN or EXTERNAL");
        return first is ExternalMechanismFactory ? SaslMechanism.External : SaslMechanism.Plain;
    }

    // As the client does: the resolver is made once for a connection, and asked at each attempt.
    private static Func<CancellationToken, ValueTask<IReadOnlyList<BrokerEndpoint>>> Resolver(
        ConnectionFactory factory, IReadOnlyCollection<AmqpTcpEndpoint> endpoints)
    {
        var resolver = new Lazy<IEndpointResolver>(
            () => factory.EndpointResolverFactory(endpoints), LazyThreadSafetyMode.PublicationOnly);
        return _ =>
        {
            AmqpTcpEndpoint[] found = [.. resolver.Value.All()];
            foreach (AmqpTcpEndpoint endpoint in found)
            {
                Refuse(
                    !IsSame(endpoint, endpoints.First()),
                    nameof(factory.EndpointResolverFactory),
                    $"it has returned {endpoint} with other TLS, or another name for the certificate, than {endpoints.First()} has, and " +
                    "that has to be the same for all");
            }

            return ValueTask.FromResult<IReadOnlyList<BrokerEndpoint>>(Endpoints(found));
        };
    }

    private static BrokerEndpoint[] Endpoints(IReadOnlyCollection<AmqpTcpEndpoint> endpoints) =>
        [.. endpoints.Select(static endpoint => new BrokerEndpoint(endpoint.HostName, endpoint.Port))];

    private static bool IsSame(AmqpTcpEndpoint endpoint, AmqpTcpEndpoint given)
    {
        (SslOption tls, SslOption other) = (endpoint.Ssl, given.Ssl);
        return (!tls.Enabled && !other.Enabled)
            || (tls.Enabled == other.Enabled
                && NameIn(endpoint) == NameIn(given)
                && tls.Version == other.Version
                && tls.AcceptablePolicyErrors == other.AcceptablePolicyErrors
                && tls.CheckCertificateRevocation == other.CheckCertificateRevocation
                && tls.CertificateSelectionCallback == other.CertificateSelectionCallback
                && tls.CertificateValidationCallback == other.CertificateValidationCallback
                && (tls.Certs ?? []).Cast<X509Certificate>().SequenceEqual((other.Certs ?? []).Cast<X509Certificate>()));

        // Null for its own.
        static string? NameIn(AmqpTcpEndpoint endpoint) => IsOwnName(endpoint) ? null : endpoint.Ssl.ServerName;
    }

    private static bool IsOwnName(AmqpTcpEndpoint endpoint) =>
        endpoint.Ssl.ServerName.Length == 0 || endpoint.Ssl.ServerName == endpoint.HostName;

    private static SslClientAuthenticationOptions? Tls(IReadOnlyCollection<AmqpTcpEndpoint> endpoints)
    {
        SslOption tls = endpoints.First().Ssl;
        Refuse(endpoints.Any(endpoint => endpoint.Ssl.Enabled != tls.Enabled), "Endpoints", "use TLS for all of them or for none");
        if (!tls.Enabled)
        {
            return null;
        }

        // TLS checks each endpoint under its own name, or all under the same.
        bool isOwn = endpoints.All(IsOwnName);
        Refuse(!isOwn && endpoints.Any(endpoint => endpoint.Ssl.ServerName != tls.ServerName), "Endpoints",
            "give them the same Ssl.ServerName, or each that of its host");
        X509CertificateCollection? certificates = tls.Certs;
        SslPolicyErrors acceptable = tls.AcceptablePolicyErrors;
        return new SslClientAuthenticationOptions
        {
            TargetHost = isOwn ? null : tls.ServerName,
            ClientCertificates = certificates,
            EnabledSslProtocols = tls.Version,
            CertificateRevocationCheckMode = tls.CheckCertificateRevocation ? X509RevocationMode.Online : X509RevocationMode.NoCheck,
            LocalCertificateSelectionCallback = tls.CertificateSelectionCallback,
            RemoteCertificateValidationCallback = tls.CertificateValidationCallback
                ?? (acceptable == SslPolicyErrors.None ? null : (_, _, _, errors) => (errors & ~acceptable) == SslPolicyErrors.None),
        };
    }

    // The program's own properties, not the client's.
    private static Dictionary<string, object?> ClientProperties(ConnectionFactory factory)
    {
        var properties = new Dictionary<string, object?>();
        foreach ((string name, object? value) in factory.ClientProperties)
        {
            if (!Untouched.ClientProperties.TryGetValue(name, out object? known) || !Same(known, value))
            {
                properties[name] = value is byte[] text ? new AmqpString(text) : value;
            }
        }

        return properties;
    }

    private static bool Same(object? left, object? right) =>
        left is byte[] bytes && right is byte[] others ? bytes.AsSpan().SequenceEqual(others) : Equals(left, right);

    private static void Refuse(bool condition, string option, string advice)
    {
        if (condition)
        {
            throw new ArgumentException(
                $"{option} of the ConnectionFactory cannot be used for the direct lane: {advice}, or use " +
                $"{nameof(WireTransport)}.{nameof(WireTransport.Client)}.", option);
        }
    }
}
