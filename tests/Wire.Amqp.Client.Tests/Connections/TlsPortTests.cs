using System.Net.Security;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>Ports with and without TLS that are taken for each other, on the real broker.</summary>
public sealed class TlsPortTests
{
    [Fact]
    public async Task A_port_without_tls_is_called_so() => Assert.Contains(
        "answered without TLS",
        await RefusedAsync(Broker.Node.Uri.Port, new SslClientAuthenticationOptions { CertificateChainPolicy = Broker.Node.Trust() }),
        StringComparison.Ordinal);

    [Fact]
    public async Task A_port_with_tls_is_called_so() =>
        Assert.Contains("expects TLS", await RefusedAsync(Broker.Node.TlsUri.Port, null), StringComparison.Ordinal);

    private static async Task<string> RefusedAsync(int port, SslClientAuthenticationOptions? tls)
    {
        var options = new AmqpConnectionOptions { Endpoints = [new BrokerEndpoint("localhost", port)], Tls = tls };
        return (await Assert.ThrowsAsync<AmqpConnectionException>(() => AmqpConnection.ConnectAsync(options)).InTime()).Message;
    }
}
