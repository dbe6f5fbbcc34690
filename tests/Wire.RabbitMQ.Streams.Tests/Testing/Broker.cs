using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>The real broker that the tests run against, which the environment names (see eng/rabbitmq.sh).</summary>
internal static class Broker
{
    /// <summary>What to wait for something at most that always comes: longer than the slowest machine takes.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(60);

    /// <summary>How to connect to it.</summary>
    public static StreamClientOptions Options { get; } = new()
    {
        Endpoints = [new BrokerEndpoint("127.0.0.1", Port("WIRE_RABBITMQ_STREAM_PORT"))],
        Recovery = RecoveryOptions.Default with { FirstPause = TimeSpan.FromMilliseconds(20), LongestPause = TimeSpan.FromMilliseconds(500) },
    };

    /// <summary>How to connect to it with TLS.</summary>
    /// <param name="withCertificate">Whether the client shows its certificate, which stands for guest.</param>
    public static StreamClientOptions TlsOptions(bool withCertificate = false)
    {
        var trust = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        trust.CustomTrustStore.Add(X509CertificateLoader.LoadCertificateFromFile(Variable("WIRE_RABBITMQ_CA")));
        return Options with
        {
            Endpoints = [new BrokerEndpoint("localhost", Port("WIRE_RABBITMQ_STREAM_TLS_PORT"))],
            Tls = new SslClientAuthenticationOptions
            {
                CertificateChainPolicy = trust,
                ClientCertificates = withCertificate ? [X509CertificateLoader.LoadPkcs12FromFile(Variable("WIRE_RABBITMQ_CLIENT_P12"), password: null)] : null,
            },
        };
    }

    /// <summary>A name that no other test has.</summary>
    public static string NewName(string what = "test") => $"wire-{what}-{Guid.NewGuid():N}";

    private static int Port(string variable) => int.Parse(Variable(variable), CultureInfo.InvariantCulture);

    private static string Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value
        ? value
        : throw new InvalidOperationException($"""{name} is not set: start a broker with `eval "$(eng/rabbitmq.sh start)"`.""");
}
