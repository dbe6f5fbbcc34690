using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.Runtime;
using Wire.Transport;

namespace Wire.RabbitMQ.Client;

/// <summary>Sets the factory of RabbitMQ.Client by a URI, which its own parser reads in part only.</summary>
internal static class ConnectionString
{
    /// <summary>Applies a URI. Parameters that it does not have leave the factory as it is.</summary>
    /// <exception cref="ArgumentException">It is no URI of AMQP. The message does not show it, as it may contain a password.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    public static void Apply(string uri, ConnectionFactory factory)
    {
        AmqpConnectionOptions parsed = Parse(uri);
        var usual = new AmqpConnectionOptions();
        (factory.HostName, factory.Port) = (parsed.Endpoints[0].Host, parsed.Endpoints[0].Port);
        (factory.VirtualHost, factory.UserName, factory.Password) = (parsed.VirtualHost, parsed.UserName, parsed.Password);
        if (parsed.RequestedHeartbeat != usual.RequestedHeartbeat)
        {
            factory.RequestedHeartbeat = parsed.RequestedHeartbeat;
        }

        if (parsed.ConnectTimeout != usual.ConnectTimeout)
        {
            factory.RequestedConnectionTimeout = parsed.ConnectTimeout;
        }

        if (parsed.RequestedFrameMax != usual.RequestedFrameMax)
        {
            factory.RequestedFrameMax = (uint)parsed.RequestedFrameMax;
        }

        if (parsed.RequestedChannelMax != usual.RequestedChannelMax)
        {
            factory.RequestedChannelMax = (ushort)parsed.RequestedChannelMax;
        }

        if (parsed.Authentication == SaslMechanism.External)
        {
            factory.AuthMechanisms = [new ExternalMechanismFactory()];
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
            factory.Ssl.CertificateValidationCallback = validate;
        }
        else if (tls.CertificateChainPolicy is { } policy)
        {
            // What the factory has in place of a policy.
            factory.Ssl.CertificateValidationCallback = (_, certificate, received, errors) =>
                (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == 0 && IsTrusted(certificate, received, policy);
        }
    }

    private static bool IsTrusted(X509Certificate? certificate, X509Chain? received, X509ChainPolicy policy)
    {
        using var chain = new X509Chain { ChainPolicy = policy.Clone() };
        chain.ChainPolicy.ExtraStore.AddRange(received?.ChainPolicy.ExtraStore ?? []);
        return certificate is X509Certificate2 own && chain.Build(own);
    }
}
