using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>Connection strings, as what deploys a program has them.</summary>
public sealed class ConnectionStringTests
{
    [Fact]
    public void All_that_a_uri_says_is_in_the_factory_and_the_rest_stays()
    {
        var options = new WireRabbitMQOptions();
        options.ConnectionFactory.RequestedHeartbeat = TimeSpan.FromSeconds(11);
        options.ConnectionFactory.RequestedFrameMax = 9000;
        options.UseConnectionString(
            " amqp://a%40da:p%2Fw@[::1]:1234/v%2fh?connection_timeout=1500&channel_max=12 ");

        ConnectionFactory factory = options.ConnectionFactory;
        Assert.Equal(("::1", 1234, "v/h"), (factory.HostName, factory.Port, factory.VirtualHost));
        Assert.Equal(("a@da", "p/w"), (factory.UserName, factory.Password));
        Assert.Equal(TimeSpan.FromSeconds(1.5), factory.RequestedConnectionTimeout);
        Assert.Equal((TimeSpan.FromSeconds(11), 9000u), (factory.RequestedHeartbeat, factory.RequestedFrameMax));
        Assert.Equal(12, factory.RequestedChannelMax);
        Assert.False(factory.Ssl.Enabled);
        AmqpConnectionOptions lane = options.LaneFor(null);
        Assert.Equal(("v/h", "a@da", "p/w"), (lane.VirtualHost, lane.UserName, lane.Password));
        Assert.Equal("[::1]:1234", Assert.Single(lane.Endpoints).ToString());
    }

    [Fact]
    public void What_a_uri_had_checked_is_not_left_to_the_next_one_and_what_it_names_replaces_what_was_set()
    {
        var options = new WireRabbitMQOptions();
        options.UseConnectionString("amqps://dev?verify=verify_none&auth_mechanism=external");
        Assert.NotNull(options.ConnectionFactory.Ssl.CertificateValidationCallback);
        options.ConnectionFactory.RequestedHeartbeat = TimeSpan.FromSeconds(11);
        options.UseConnectionString("amqps://prod?heartbeat=60&auth_mechanism=plain");
        Assert.Null(options.ConnectionFactory.Ssl.CertificateValidationCallback);
        Assert.Null(options.LaneFor(null).Tls!.RemoteCertificateValidationCallback);
        Assert.Equal(TimeSpan.FromSeconds(60), options.ConnectionFactory.RequestedHeartbeat);
        Assert.Equal("PLAIN", Assert.Single(options.ConnectionFactory.AuthMechanisms).Name);

        RemoteCertificateValidationCallback own = (_, _, _, _) => false;
        options.ConnectionFactory.Ssl.CertificateValidationCallback = own;
        options.UseConnectionString("amqps://prod");
        Assert.Same(own, options.ConnectionFactory.Ssl.CertificateValidationCallback);
    }

    [Theory]
    [InlineData("amqp://user:2024?Secret!@rabbit/")]
    [InlineData("amqp://user:2024/Secret!@rabbit")]
    [InlineData("amqp://user:2024/Secret!@rabbit/")]
    public void A_password_that_was_not_escaped_is_not_shown(string uri)
    {
        ArgumentException wrong = Assert.Throws<ArgumentException>(() => new WireRabbitMQOptions().UseConnectionString(uri));
        Assert.DoesNotContain("ecret", wrong.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("2024", wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_host_alone_is_on_the_usual_port_as_guest()
    {
        var options = new WireRabbitMQOptions();
        options.UseConnectionString("amqps://rabbit");
        ConnectionFactory factory = options.ConnectionFactory;
        Assert.Equal(("rabbit", 5671, "/", "guest"), (factory.HostName, factory.Port, factory.VirtualHost, factory.UserName));
        Assert.Equal((true, "rabbit"), (factory.Ssl.Enabled, factory.Ssl.ServerName));
        Assert.Equal(SslPolicyErrors.None, factory.Ssl.AcceptablePolicyErrors);
        Assert.Null(factory.Ssl.CertificateValidationCallback);

        options.UseConnectionString("amqp://rabbit");
        Assert.Equal((5672, false), (factory.Port, factory.Ssl.Enabled));
    }

    [Theory]
    [InlineData(null, "The connection string is missing:")]
    [InlineData(" ", "The connection string is missing:")]
    [InlineData("Host=rabbit;Password=secret", "A URI of AMQP begins with amqp:// or amqps://.")]
    [InlineData("amqp://ada:secret@one,two/", "A URI of AMQP names one host:")]
    [InlineData("amqp://ada:se/cret@one/", "A URI of AMQP has %2f in place of /")]
    [InlineData("amqp://ada:secret@one/?hartbeat=1", "A URI of AMQP has no parameter 'hartbeat'")]
    public void What_is_no_uri_is_refused_without_showing_it(string? text, string begin)
    {
        var error = Assert.Throws<ArgumentException>(() => new WireRabbitMQOptions().UseConnectionString(text));
        Assert.StartsWith(begin, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("cret@", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("one,,two")]
    [InlineData("ada:pw@one")]
    [InlineData("one/vhost")]
    [InlineData("one:0")]
    [InlineData("one:65536")]
    [InlineData("amqp://one")]
    public void What_is_no_endpoint_is_refused(string text) =>
        Assert.Throws<ArgumentException>(() => new WireRabbitMQOptions().UseEndpoints(text));

    [Fact]
    public void Endpoints_have_the_tls_of_the_connection_string_each_under_its_own_name_unless_it_says_another()
    {
        var options = new WireRabbitMQOptions();
        options.UseConnectionString("amqps://rabbit");
        options.UseEndpoints("one , [::1]:7");
        Assert.Equal(["amqps://one:5671", "amqps://::1:7"], options.Endpoints.Select(endpoint => endpoint.ToString()));
        Assert.Equal(["one", "::1"], options.Endpoints.Select(endpoint => endpoint.Ssl.ServerName));
        Assert.Null(options.LaneFor(null).Tls!.TargetHost);

        options.UseConnectionString("amqps://rabbit?server_name_indication=cluster");
        options.UseEndpoints("one,two");
        Assert.Equal("cluster", options.LaneFor(null).Tls!.TargetHost);
        Assert.All(options.Endpoints, endpoint => Assert.Equal(1u << 27, endpoint.MaxInboundMessageBodySize));
    }
}

/// <summary>TLS by a connection string: its authority, its names and its certificates.</summary>
[Collection(nameof(PrivateNode))]
public sealed class ConnectionStringTlsTests(PrivateNode node)
{
    [Theory]
    [InlineData(WireTransport.Client)]
    [InlineData(WireTransport.DirectLane)]
    public async Task The_authority_of_the_uri_is_trusted_and_no_other_name(WireTransport transport)
    {
        string uri = $"{node.Node.TlsUri}?cacertfile={Uri.EscapeDataString(node.Node.Authority)}";
        Assert.True(await ConnectAsync(transport, uri));
        Assert.False(await ConnectAsync(transport, $"{uri}&server_name_indication=elsewhere"));
        Assert.False(await ConnectAsync(transport, node.Node.TlsUri.ToString()));
        Assert.True(await ConnectAsync(transport, $"{node.Node.TlsUri}?verify=verify_none"));
    }

    [Theory]
    [InlineData(WireTransport.Client)]
    [InlineData(WireTransport.DirectLane)]
    public async Task The_certificate_of_the_uri_says_who_the_program_is(WireTransport transport)
    {
        string file = Path.GetTempFileName();
        try
        {
            X509Certificate2 certificate = node.Node.ClientCertificate;
            using System.Security.Cryptography.RSA? rsa = certificate.GetRSAPrivateKey();
            using System.Security.Cryptography.ECDsa? ecdsa = certificate.GetECDsaPrivateKey();
            await File.WriteAllTextAsync(
                file, $"{certificate.ExportCertificatePem()}\n{rsa?.ExportPkcs8PrivateKeyPem() ?? ecdsa!.ExportPkcs8PrivateKeyPem()}\n");
            string uri = $"amqps://nobody:wrong@localhost:{node.Node.TlsUri.Port}/?cacertfile={Uri.EscapeDataString(node.Node.Authority)}";
            Assert.True(await ConnectAsync(
                transport, $"{uri}&certfile={Uri.EscapeDataString(file)}&auth_mechanism=external"));
            Assert.False(await ConnectAsync(transport, uri));
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static async Task<bool> ConnectAsync(WireTransport transport, string uri)
    {
        var options = new WireRabbitMQOptions { Transport = transport };
        options.UseConnectionString(uri);
        options.Validate();
        try
        {
            await using WireConnection connection = await options.ConnectAsync("test", CancellationToken.None).InTime();
            return connection.IsOpen;
        }
        catch (AmqpConnectionException)
        {
            return false;
        }
    }
}
