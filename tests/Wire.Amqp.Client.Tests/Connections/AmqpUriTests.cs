using FsCheck;
using FsCheck.Fluent;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

public sealed class AmqpUriTests
{
    // The examples of RabbitMQ's URI specification, appendix A, but for a slash alone, which is no path here; null where a part is absent,
    // and then the default holds.
    [Theory]
    [InlineData("amqp://user:pass@host:10000/vhost", "user", "pass", "host", 10000, "vhost")]
    [InlineData("amqp://user%61:%61pass@ho%61st:10000/v%2fhost", "usera", "apass", "hoast", 10000, "v/host")]
    [InlineData("amqp://", null, null, null, null, null)]
    [InlineData("amqp://:@/", "", "", null, null, null)]
    [InlineData("amqp://user@", "user", null, null, null, null)]
    [InlineData("amqp://user:pass@", "user", "pass", null, null, null)]
    [InlineData("amqp://host", null, null, "host", null, null)]
    [InlineData("amqp://:10000", null, null, null, 10000, null)]
    [InlineData("amqp:///vhost", null, null, null, null, "vhost")]
    [InlineData("amqp://host/", null, null, "host", null, null)]
    [InlineData("amqp://host/%2f", null, null, "host", null, "/")]
    [InlineData("amqp://[::1]", null, null, "::1", null, null)]
    [InlineData("amqp://[::1]:10000/..", null, null, "::1", 10000, "..")]
    [InlineData("AMQP://host", null, null, "host", null, null)]
    public void The_examples_of_the_specification_are_read(
        string uri, string? user, string? password, string? host, int? port, string? virtualHost)
    {
        var options = AmqpConnectionOptions.Parse(uri).Validate();
        Assert.Equal(user ?? "guest", options.UserName);
        Assert.Equal(password ?? "guest", options.Password);
        Assert.Equal(new BrokerEndpoint(host ?? "localhost", port ?? 5672), Assert.Single(options.Endpoints));
        Assert.Equal(virtualHost ?? "/", options.VirtualHost);
        Assert.Null(options.Tls);
    }

    [Fact]
    public void Whatever_is_escaped_comes_back() =>
        Prop.ForAll<NonNull<string>, NonNull<string>, NonNull<string>>((user, password, virtualHost) =>
    {
        if (virtualHost.Get.Length == 0 || new[] { user.Get, password.Get, virtualHost.Get }.Any(text => text.Any(char.IsSurrogate)))
        {
            return;
        }

        string uri =
            $"amqps://{Uri.EscapeDataString(user.Get)}:{Uri.EscapeDataString(password.Get)}@host/{Uri.EscapeDataString(virtualHost.Get)}";
        var options = AmqpConnectionOptions.Parse(uri);
        Assert.Equal((user.Get, password.Get, virtualHost.Get), (options.UserName, options.Password, options.VirtualHost));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Whatever_else_is_there_is_refused_with_one_error_or_valid() => Prop.ForAll<NonNull<string>>(text =>
    {
        try
        {
            AmqpConnectionOptions.Parse("amqp://" + text.Get);
        }
        catch (FormatException e)
        {
            Assert.StartsWith("A URI of AMQP ", e.Message, StringComparison.Ordinal);
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_uri_of_the_runtime_is_read_as_it_was_written()
    {
        var options = AmqpConnectionOptions.Parse(new Uri("amqp://user:p%40ss@host/a%2fb"));
        Assert.Equal(("user", "p@ss", "a/b"), (options.UserName, options.Password, options.VirtualHost));
    }

    [Fact]
    public void Parameters_set_what_they_name()
    {
        var options = AmqpConnectionOptions.Parse(
            "amqp://host?heartbeat=20&connection_timeout=1500&channel_max=7&frame_max=8192&auth_mechanism=PLAIN");
        Assert.Equal(TimeSpan.FromSeconds(20), options.RequestedHeartbeat);
        Assert.Equal(TimeSpan.FromMilliseconds(1500), options.ConnectTimeout);
        Assert.Equal(7, options.RequestedChannelMax);
        Assert.Equal(8192, options.RequestedFrameMax);
        Assert.Equal(SaslMechanism.Plain, options.Authentication);
        options.Validate();
    }

    [Fact]
    public void Tls_has_a_port_of_its_own_and_parameters()
    {
        var options = AmqpConnectionOptions.Parse("amqps://host?server_name_indication=other&verify=verify_none");
        Assert.Equal(5671, Assert.Single(options.Endpoints).Port);
        Assert.Equal("other", options.Tls!.TargetHost);
        Assert.NotNull(options.Tls.RemoteCertificateValidationCallback);
        Assert.Null(AmqpConnectionOptions.Parse("amqps://host?verify=verify_peer").Tls!.RemoteCertificateValidationCallback);
    }

    [Fact]
    public void Certificates_are_read_from_their_files()
    {
        string folder = Directory.CreateTempSubdirectory("wire-amqp-uri").FullName;
        try
        {
            using var certificates = new Certificates();
            string authority =
                Path.Combine(folder, "ca.pem"), client = Path.Combine(folder, "client.pem"), key = Path.Combine(folder, "client.key");
            File.WriteAllText(authority, certificates.Authority.ExportCertificatePem());
            File.WriteAllText(client, certificates.Client.ExportCertificatePem());
            File.WriteAllText(key, certificates.ClientKeyPem);

            var options = AmqpConnectionOptions.Parse(
                $"amqps://host?auth_mechanism=external&cacertfile={authority}&certfile={client}&keyfile={key}").Validate();
            Assert.Equal(
                certificates.Authority.Thumbprint, Assert.Single(options.Tls!.CertificateChainPolicy!.CustomTrustStore).Thumbprint);
            Assert.Equal(certificates.Client.GetCertHashString(), options.Tls.ClientCertificates![0].GetCertHashString());
            AssertRefused($"amqps://host?cacertfile={key}", "there are none");
            AssertRefused($"amqps://host?certfile={client}&keyfile={authority}", "cannot be read");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [InlineData("http://host", "begins with amqp://")]
    [InlineData("amqp:host", "begins with amqp://")]
    [InlineData("amqp://host:0", "port of 1 to 65,535")]
    [InlineData("amqp://host:65536", "port of 1 to 65,535")]
    [InlineData("amqp://host:", "port of 1 to 65,535")]
    [InlineData("amqp://user:secret:more@host:x", "port of 1 to 65,535")]
    [InlineData("amqp://::1", "in brackets")]
    [InlineData("amqp://a:1,b:2/", "Endpoints")]
    [InlineData("amqp://a,b", "Endpoints")]
    [InlineData("amqp://user:password@[::1]:5672,[::2]:5672/vhost", "Endpoints")]
    [InlineData("amqp://[::1", "in brackets")]
    [InlineData("amqp://[host]", "in brackets")]
    [InlineData("amqp://host/a/b", "%2f")]
    [InlineData("amqp://host/#a", "%23")]
    [InlineData("amqp://host/%2", "hexadecimal")]
    [InlineData("amqp://us%+1er@host", "hexadecimal")]
    [InlineData("amqp://host/%ff", "UTF-8")]
    [InlineData("amqp://host?colour=red", "no parameter 'colour'")]
    [InlineData("amqp://host?heartbeat", "0 to 65535 seconds")]
    [InlineData("amqp://host?heartbeat=-1", "0 to 65535 seconds")]
    [InlineData("amqp://host?heartbeat=1&heartbeat=2", "once")]
    [InlineData("amqp://host?frame_max=4095", "4096 to")]
    [InlineData("amqp://host?channel_max=0", "1 to 65535 channels")]
    [InlineData("amqp://host?connection_timeout=0", "milliseconds")]
    [InlineData("amqp://host?auth_mechanism=amqplain", "plain or external")]
    [InlineData("amqp://host?verify=verify_none", "amqps://")]
    [InlineData("amqps://host?verify=no", "verify_peer or verify_none")]
    [InlineData("amqps://host?keyfile=a", "certfile")]
    [InlineData("amqps://host?cacertfile=/not/there.pem", "cannot be read")]
    public void What_is_wrong_is_refused_and_says_what_may_be(string uri, string expected) => AssertRefused(uri, expected);

    private static void AssertRefused(string uri, string expected)
    {
        FormatException error = Assert.Throws<FormatException>(() => AmqpConnectionOptions.Parse(uri));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }
}
