using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.Runtime;
using Wire.Transport;

namespace Wire.RabbitMQ.Client;

/// <summary>Sets the factory of RabbitMQ.Client by a URI, which its own parser reads in part only.</summary>
internal static class ConnectionString
{
    // RFC 5280, section 4.2.1.12.
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    // The checks of certificates that a URI asked for, which another one does not leave behind.
    private static readonly ConditionalWeakTable<ConnectionFactory, RemoteCertificateValidationCallback> OwnChecks = [];

    /// <summary>Applies a URI. Parameters that it does not have leave the factory as it is.</summary>
    /// <exception cref="ArgumentException">It is no URI of AMQP. The message does not show it, as it may contain a password.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    public static void Apply(string uri, ConnectionFactory factory)
    {
        AmqpConnectionOptions parsed = Parse(uri);
        (factory.HostName, factory.Port) = (parsed.Endpoints[0].Host, parsed.Endpoints[0].Port);
        (factory.VirtualHost, factory.UserName, factory.Password) = (parsed.VirtualHost, parsed.UserName, parsed.Password);
        bool Names(string parameter) =>
            uri.Contains($"?{parameter}=", StringComparison.Ordinal) || uri.Contains($"&{parameter}=", StringComparison.Ordinal);
        if (Names("heartbeat"))
        {
            factory.RequestedHeartbeat = parsed.RequestedHeartbeat;
        }

        if (Names("connection_timeout"))
        {
            factory.RequestedConnectionTimeout = parsed.ConnectTimeout;
        }

        if (Names("frame_max"))
        {
            factory.RequestedFrameMax = (uint)parsed.RequestedFrameMax;
        }

        if (Names("channel_max"))
        {
            factory.RequestedChannelMax = (ushort)parsed.RequestedChannelMax;
        }

        if (Names("auth_mechanism"))
        {
            factory.AuthMechanisms =
                [parsed.Authentication == SaslMechanism.External ? new ExternalMechanismFactory() : new PlainMechanismFactory()];
        }

        if (OwnChecks.TryGetValue(factory, out RemoteCertificateValidationCallback? before)
            && factory.Ssl.CertificateValidationCallback == before)
        {
            factory.Ssl.CertificateValidationCallback = null;
        }

        factory.Ssl.Enabled = parsed.Tls is not null;
        if (parsed.Tls is { } tls)
        {
            ApplyTls(tls, factory);
        }
    }

    /// <summary>Reads endpoints, as in <c>rabbit-1,rabbit-2:5672,[::1]</c>, for the TLS and the limits of a factory.</summary>
    /// <exception cref="ArgumentException">One of them is none.</exception>
    public static AmqpTcpEndpoint[] Endpoints(string text, ConnectionFactory factory) =>
        [.. text.Split(',', StringSplitOptions.TrimEntries).Select(each => Endpoint(each, factory))];

    private static AmqpTcpEndpoint Endpoint(string text, ConnectionFactory factory)
    {
        if (text.Length == 0 || text.AsSpan().IndexOfAny("@/?#") >= 0)
        {
            throw new ArgumentException(
                "An endpoint is a host, or a host and a port, as in rabbit-1:5672; user, password and virtual host are not part of it.");
        }

        BrokerEndpoint endpoint = Parse((factory.Ssl.Enabled ? "amqps://" : "amqp://") + text).Endpoints[0];
        SslOption given = factory.Ssl;
        bool isOwn = given.ServerName.Length == 0 || given.ServerName == factory.HostName;
        var tls = new SslOption(isOwn ? endpoint.Host : given.ServerName, given.CertPath, given.Enabled)
        {
            AcceptablePolicyErrors = given.AcceptablePolicyErrors,
            CertPassphrase = given.CertPassphrase,
            CertificateSelectionCallback = given.CertificateSelectionCallback,
            CertificateValidationCallback = given.CertificateValidationCallback,
            Certs = given.Certs,
            CheckCertificateRevocation = given.CheckCertificateRevocation,
            Version = given.Version,
        };
        return new AmqpTcpEndpoint(endpoint.Host, endpoint.Port, tls, factory.MaxInboundMessageBodySize);
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    private static AmqpConnectionOptions Parse(string uri)
    {
        try
        {
            return AmqpConnectionOptions.Parse(uri);
        }
        catch (FormatException e)
        {
            throw new ArgumentException(e.Message, e);
        }
    }

    private static void ApplyTls(SslClientAuthenticationOptions tls, ConnectionFactory factory)
    {
        factory.Ssl.ServerName = tls.TargetHost ?? factory.HostName;
        if (tls.ClientCertificates is not null)
        {
            factory.Ssl.Certs = tls.ClientCertificates;
        }

        if (tls.RemoteCertificateValidationCallback is { } validate)
        {
            OwnChecks.AddOrUpdate(factory, validate);
            factory.Ssl.CertificateValidationCallback = validate;
        }
        else if (tls.CertificateChainPolicy is { } policy)
        {
            // What the factory has in place of a policy.
            RemoteCertificateValidationCallback check = (_, certificate, received, errors) =>
                (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == 0 && IsTrusted(certificate, received, policy);
            OwnChecks.AddOrUpdate(factory, check);
            factory.Ssl.CertificateValidationCallback = check;
        }
    }

    private static bool IsTrusted(X509Certificate? certificate, X509Chain? received, X509ChainPolicy policy)
    {
        using var chain = new X509Chain { ChainPolicy = policy.Clone() };
        chain.ChainPolicy.ExtraStore.AddRange(received?.ChainPolicy.ExtraStore ?? []);
        if (chain.ChainPolicy.ApplicationPolicy.Count == 0)
        {
            // As SslStream asks of a server.
            chain.ChainPolicy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        }

        return certificate is X509Certificate2 own && chain.Build(own);
    }
}
