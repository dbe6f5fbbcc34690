using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>TLS and certificates are the options of the client's own factory.</summary>
public abstract class TlsTests(WireTransport transport, PrivateNode node)
{
    [Fact]
    public Task Over_tls_requests_are_answered() => AskAsync(node.Node.TlsFactory());

    [Fact]
    public Task A_certificate_says_who_the_program_is() => AskAsync(node.Node.ClientCertificateFactory());

    [Fact]
    public async Task A_certificate_that_is_not_trusted_is_one_clear_error_at_once()
    {
        ConnectionFactory factory = node.Node.TlsFactory();
        factory.Ssl.CertificateValidationCallback = null;
        await using var program = new Program(transport, factory, configure: options => options.ConnectTimeout = TimeSpan.FromDays(1));

        var error = await Assert.ThrowsAsync<AmqpConnectionException>(() => program.Connections.GetConsumingAsync().InTime());

        Assert.StartsWith($"No connection to localhost:{factory.Port}: ", error.Message, StringComparison.Ordinal);
        Assert.Contains("signed by an authority that is trusted here", error.Message, StringComparison.Ordinal);
    }

    private async Task AskAsync(ConnectionFactory factory)
    {
        string queue = Broker.UniqueName();
        await using var program = new Program(transport, factory, builder => builder
            .Declare(
                (topology, token) => topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Durable = false, AutoDelete = true }, token))
            .AddConsumer(
                new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter },
                consumer => consumer.Reply<int, int>((number, _) => Task.FromResult(number + 1))));
        await program.StartAsync();

        Assert.Equal(42, await program.Requester.RequestAsync<int, int>("", queue, 41).InTime());
        Assert.Equal(node.Node.TlsUri.Port, (await program.Connections.GetPublishingAsync()).Endpoint!.Port);
        await program.StopAsync();
    }
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class TlsTestsOnClient(PrivateNode node) : TlsTests(WireTransport.Client, node);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class TlsTestsOnLane(PrivateNode node) : TlsTests(WireTransport.DirectLane, node);
