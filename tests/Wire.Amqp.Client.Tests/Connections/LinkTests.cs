using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;
using Wire.Transport;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>What a link says of a broker that it does not reach.</summary>
public sealed class LinkTests
{
    [Fact]
    public async Task Nobody_who_listens_is_told_of_with_host_and_port()
    {
        using var reserved = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        reserved.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var endpoint = new BrokerEndpoint("localhost", ((IPEndPoint)reserved.LocalEndPoint!).Port);
        AmqpConnectionException error = await FailAsync(new AmqpConnectionOptions(), endpoint);
        Assert.Contains($"No connection to {endpoint}", error.Message, StringComparison.Ordinal);
        Assert.Contains("check that the broker is running", error.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_name_that_nobody_has_is_told_of()
    {
        AmqpConnectionException error = await FailAsync(new AmqpConnectionOptions(), new BrokerEndpoint("broker.invalid", 5672));
        Assert.Contains("No connection to broker.invalid:5672", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_token_that_has_fired_is_told_of_as_the_time()
    {
        await using var server = new LoopbackServer(_ => Task.CompletedTask);
        AmqpConnectionException error =
            await FailAsync(new AmqpConnectionOptions(), server.Endpoint(), new CancellationToken(canceled: true));
        Assert.IsAssignableFrom<OperationCanceledException>(error.InnerException);
        using LinkSocket socket = await LinkConnector.ConnectAsync(new AmqpConnectionOptions().Broker, server.Endpoint(), server.Over);
        await server.ServedAsync();
    }

    [Fact]
    public async Task A_certificate_of_nobody_who_is_trusted_is_refused()
    {
        using var certificates = new Certificates();
        using var others = new Certificates();
        await using var server = new LoopbackServer(client => client.DrainAsync(), certificates.Serving());
        AmqpConnectionException error = await FailAsync(new AmqpConnectionOptions { Tls = others.Trusting() }, server.Endpoint());
        Assert.IsType<AuthenticationException>(error.InnerException);
        Assert.Contains("TLS failed", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_certificate_for_another_name_is_refused()
    {
        using var certificates = new Certificates();
        var options = certificates.Trusting();
        options.TargetHost = "elsewhere";
        await using var server = new LoopbackServer(client => client.DrainAsync(), certificates.Serving());
        AmqpConnectionException error = await FailAsync(new AmqpConnectionOptions { Tls = options }, server.Endpoint());
        Assert.Contains("NameMismatch", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tls_to_a_port_without_it_is_told_of()
    {
        await using var server = new LoopbackServer(async client =>
        {
            await client.Stream.ReadExactlyAsync(new byte[8]);
            await client.Stream.WriteAsync("AMQP\0\0\x9\x1"u8.ToArray());
        });
        AmqpConnectionException error = await FailAsync(new AmqpConnectionOptions { Tls = new() }, server.Endpoint());
        Assert.Contains("TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_without_a_certificate_is_told_what_may_be_missing()
    {
        using var certificates = new Certificates();
        var options = new AmqpConnectionOptions { Tls = certificates.Trusting() };
        await using var server = new LoopbackServer(client => client.DrainAsync(), certificates.Serving(asksForCertificate: true));
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(async () =>
        {
            // With TLS 1.3 the refusal comes when the client takes itself for connected.
            using LinkSocket socket = await LinkConnector.ConnectAsync(options.Broker, server.Endpoint(), server.Over);
            using var received = new ReceiveBuffer();
            await Handshake.RunAsync(socket, received, options, server.Over);
        });
        Assert.Contains("certificate", error.Message, StringComparison.Ordinal);
    }

    private static Task<AmqpConnectionException> FailAsync(
        AmqpConnectionOptions options, BrokerEndpoint endpoint, CancellationToken cancellationToken = default) =>
        Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(options, endpoint, cancellationToken));
}
