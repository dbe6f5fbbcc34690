using System.Net.Security;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>How clients of streams connect to the broker that the environment names (see eng/rabbitmq.sh), and to others.</summary>
internal static class StreamBroker
{
    /// <summary>How to connect to it.</summary>
    public static StreamClientOptions Options { get; } = OptionsOf(Broker.Node);

    /// <summary>How to connect to a node, or to those of a cluster.</summary>
    public static StreamClientOptions OptionsOf(params BrokerNode[] nodes) => new()
    {
        Endpoints = [.. nodes.Select(node => new BrokerEndpoint("127.0.0.1", node.StreamPort))],
        Recovery = RecoveryOptions.Default with
        {
            FirstPause = TimeSpan.FromMilliseconds(20),
            LongestPause = TimeSpan.FromMilliseconds(500),
        },
    };

    /// <summary>How to connect to it with TLS.</summary>
    /// <param name="withCertificate">Whether the client shows its certificate, which stands for guest.</param>
    public static StreamClientOptions TlsOptions(bool withCertificate = false) => Options with
    {
        Endpoints = [new BrokerEndpoint("localhost", Broker.Node.StreamTlsPort)],
        Tls = new SslClientAuthenticationOptions
        {
            CertificateChainPolicy = Broker.Node.Trust(),
            ClientCertificates = withCertificate ? [Broker.Node.ClientCertificate] : null,
        },
    };

    /// <summary>How to connect through a proxy, and nowhere else.</summary>
    public static StreamClientOptions Through(FaultProxy proxy) => Options with
    {
        Endpoints = [new BrokerEndpoint("127.0.0.1", proxy.Port)],
        UseEndpointsOnly = true,
    };
}
