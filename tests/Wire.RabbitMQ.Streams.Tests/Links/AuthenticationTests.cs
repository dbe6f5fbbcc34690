using System.Net.Security;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Links;

/// <summary>TLS, users and virtual hosts on the real broker: what works, and what each refusal says.</summary>
public sealed class AuthenticationTests
{
    [Fact]
    public async Task Streams_are_used_over_TLS()
    {
        await using StreamClient client = await StreamClient.ConnectAsync(StreamBroker.TlsOptions());
        await UseAsync(client);
    }

    [Fact]
    public async Task A_node_is_found_behind_the_endpoints_alone()
    {
        await using StreamClient client = await StreamClient.ConnectAsync(StreamBroker.TlsOptions() with { UseEndpointsOnly = true });
        await UseAsync(client);
    }

    [Fact]
    public async Task The_certificate_of_a_client_stands_for_a_user_where_the_broker_can_do_that()
    {
        StreamClientOptions options =
            StreamBroker.TlsOptions(withCertificate: true) with { Authentication = SaslMechanism.External, UserName = "nobody" };
        await using var client = new StreamClient(options);
        await using StreamClient other = await StreamClient.ConnectAsync(StreamBroker.TlsOptions());
        StreamLink link = await other.Links.Locator.LinkAsync(CancellationToken.None);
        if (link.Versions.ContainsKey(Wire.RabbitMQ.Streams.Protocol.CommandKey.CreateSuperStream))
        {
            await UseAsync(client);
            return;
        }

        StreamConnectionException error = await Assert.ThrowsAsync<StreamConnectionException>(() => client.ExistsAsync("any"));
        Assert.Contains("do so with EXTERNAL", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_certificate_there_is_no_user()
    {
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(
            () => StreamClient.ConnectAsync(StreamBroker.TlsOptions() with { Authentication = SaslMechanism.External }));
        Assert.Contains("client certificate", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_authority_that_is_not_trusted_is_named_as_the_reason()
    {
        StreamConnectionException error = await RefusedAsync(StreamBroker.TlsOptions() with { Tls = new SslClientAuthenticationOptions() });
        Assert.Contains("TLS failed", error.Message, StringComparison.Ordinal);
        Assert.Contains("signed by an authority that is trusted", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_port_without_tls_is_called_so()
    {
        StreamConnectionException error = await RefusedAsync(StreamBroker.TlsOptions() with { Endpoints = StreamBroker.Options.Endpoints });
        Assert.Contains("Check that this is the port for TLS", error.Message, StringComparison.Ordinal);
        error = await RefusedAsync(StreamBroker.TlsOptions() with { Endpoints = [new BrokerEndpoint("localhost", Broker.Node.Uri.Port)] });
        Assert.Contains("answered without TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_port_with_tls_is_called_so()
    {
        StreamConnectionException error = await RefusedAsync(StreamBroker.Options with { Endpoints = StreamBroker.TlsOptions().Endpoints });
        Assert.Contains("The answer is TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wrong_password_is_said()
    {
        StreamConnectionException error = await RefusedAsync(StreamBroker.Options with { Password = "secret-17" });
        Assert.Contains("the user 'guest'", error.Message, StringComparison.Ordinal);
        Assert.Contains("name and password", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret-17", error.ToString(), StringComparison.Ordinal);
        Assert.Equal(StreamResponseCode.AuthenticationFailure, error.Code);
    }

    [Fact]
    public async Task An_unknown_user_is_said()
    {
        StreamConnectionException error = await RefusedAsync(StreamBroker.Options with { UserName = "nobody" });
        Assert.Contains("the user 'nobody'", error.Message, StringComparison.Ordinal);
        Assert.Equal(StreamResponseCode.AuthenticationFailure, error.Code);
    }

    [Fact]
    public async Task An_unknown_virtual_host_is_said()
    {
        StreamConnectionException error = await RefusedAsync(StreamBroker.Options with { VirtualHost = "nowhere" });
        Assert.Contains("the virtual host 'nowhere'", error.Message, StringComparison.Ordinal);
        Assert.Equal(StreamResponseCode.VirtualHostAccessFailure, error.Code);
    }

    [Fact]
    public async Task A_mechanism_that_is_not_offered_is_said_with_those_that_are()
    {
        await using var server = new StrictStreamServer { Mechanisms = ["AMQPLAIN", "EXTERNAL"] };
        StreamConnectionException error = await RefusedAsync(server.Options);
        Assert.Contains("does not take PLAIN, but AMQPLAIN EXTERNAL", error.Message, StringComparison.Ordinal);
        Assert.Equal(StreamResponseCode.SaslMechanismNotSupported, error.Code);
    }

    private static Task<StreamConnectionException> RefusedAsync(StreamClientOptions options) =>
        Assert.ThrowsAsync<StreamConnectionException>(async () => await (await StreamClient.ConnectAsync(options)).DisposeAsync());

    // Over the locator, and over a link to the node that has the stream.
    private static async Task UseAsync(StreamClient client)
    {
        string stream = Broker.UniqueName();
        await client.CreateStreamAsync(stream);
        try
        {
            StreamLink link = await client.Links.RentAsync(stream, LinkUse.Publish, CancellationToken.None);
            Assert.False(link.HasEnded);
            await client.Links.ReturnAsync(link);
        }
        finally
        {
            await client.DeleteStreamAsync(stream);
        }
    }
}
