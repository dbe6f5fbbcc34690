using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.DependencyInjection;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;
using Wire.Transport;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>
/// One option switches to the direct lane: what the factory of the client says is taken over, and what cannot be is refused with its name.
/// </summary>
public sealed class ConnectionOptionsTests
{
    public static TheoryData<string, Action<ConnectionFactory>> Refused { get; } = new()
    {
        { "SocketFactory", factory => factory.SocketFactory = _ => throw new NotSupportedException() },
        { "AuthMechanisms", factory => factory.AuthMechanisms = [new Unknown(), new PlainMechanismFactory()] },
        { "AuthMechanisms", factory => factory.AuthMechanisms = [] },
    };

    [Fact]
    public void What_the_factory_says_is_taken_over()
    {
        var factory = new ConnectionFactory
        {
            Uri = new Uri("amqp://ada:secret@broker:5673/shop"),
            RequestedHeartbeat = TimeSpan.FromSeconds(7),
            RequestedFrameMax = 8192,
            RequestedChannelMax = 12,
            RequestedConnectionTimeout = TimeSpan.FromSeconds(3),
            NetworkRecoveryInterval = TimeSpan.FromSeconds(2),
            MaxInboundMessageBodySize = 1000,
            ClientProvidedName = "shop",
        };
        factory.ClientProperties["department"] = "books";
        AmqpConnectionOptions options = factory.ForDirectLane();

        Assert.Equal([new BrokerEndpoint("broker", 5673)], options.Endpoints);
        Assert.Equal(("shop", "ada", "secret", SaslMechanism.Plain),
            (options.VirtualHost, options.UserName, options.Password, options.Authentication));
        Assert.Equal((7, 8192, 12, 3),
            (options.RequestedHeartbeat.TotalSeconds, options.RequestedFrameMax, options.RequestedChannelMax,
            options.ConnectTimeout.TotalSeconds));
        Assert.Equal(
            (TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2)), (options.Recovery.FirstPause, options.Recovery.LongestPause));
        Assert.Equal((1000, "shop", null), (options.MaxBodySize, options.ConnectionName, options.Tls));
        Assert.Equal("books", Assert.Single(options.ClientProperties).Value);
        Assert.Same(options, options.Validate());
    }

    [Fact]
    public void Bodies_are_as_large_as_the_broker_takes_them_unless_the_factory_says_otherwise()
    {
        const long Brokers = 128 << 20;
        var inHost = new WireRabbitMQOptions();
        Assert.Equal(Brokers, new ConnectionFactory().ForDirectLane().MaxBodySize);
        Assert.Equal(Brokers, inHost.ConnectionFactory.MaxInboundMessageBodySize);
        Assert.Equal(Brokers, inHost.ConnectionFactory.ForDirectLane().MaxBodySize);
    }

    [Fact]
    public void A_factory_as_it_is_made_is_taken_over_and_so_are_its_limits_that_are_none()
    {
        AmqpConnectionOptions options = ConnectionOptions.From(new ConnectionFactory { RequestedChannelMax = 0 }, [], "name");
        Assert.Equal((131_072, ushort.MaxValue, "name"), (options.RequestedFrameMax, options.RequestedChannelMax, options.ConnectionName));
        Assert.Equal(new BrokerEndpoint("localhost", 5672), Assert.Single(options.Endpoints));
        Assert.Empty(options.ClientProperties);
        Assert.False(ConnectionOptions.From(new ConnectionFactory { AutomaticRecoveryEnabled = false }, [], null).Recovery.IsEnabled);
        Assert.Same(options, options.Validate());
    }

    [Fact]
    public void Tls_is_taken_over_with_what_it_accepts()
    {
        var factory = new ConnectionFactory { Uri = new Uri("amqps://broker/"), AuthMechanisms = [new ExternalMechanismFactory()] };
        factory.Ssl.Version = SslProtocols.Tls13;
        factory.Ssl.CheckCertificateRevocation = true;
        factory.Ssl.AcceptablePolicyErrors = SslPolicyErrors.RemoteCertificateNameMismatch;
        factory.Ssl.Certs = [];
        AmqpConnectionOptions options = ConnectionOptions.From(factory, [], null);
        SslClientAuthenticationOptions tls = options.Tls!;

        Assert.Equal((5671, SaslMechanism.External), (options.Endpoints[0].Port, options.Authentication));
        Assert.Equal((SslProtocols.Tls13, X509RevocationMode.Online), (tls.EnabledSslProtocols, tls.CertificateRevocationCheckMode));
        Assert.Same(factory.Ssl.Certs, tls.ClientCertificates);
        Assert.True(tls.RemoteCertificateValidationCallback!(this, null, null, SslPolicyErrors.RemoteCertificateNameMismatch));
        Assert.False(tls.RemoteCertificateValidationCallback(this, null, null,
            SslPolicyErrors.RemoteCertificateNameMismatch | SslPolicyErrors.RemoteCertificateChainErrors));

        factory.Ssl.ServerName = "another";
        Assert.Equal("another", ConnectionOptions.From(factory, [], null).Tls!.TargetHost);
    }

    [Fact]
    public void Several_endpoints_have_tls_all_or_none_and_names_that_go_together()
    {
        AmqpTcpEndpoint Endpoint(string host, string? name) => new(host, -1, new SslOption(name ?? "") { Enabled = name is not null });
        AmqpConnectionOptions Of(params AmqpTcpEndpoint[] endpoints) => ConnectionOptions.From(new ConnectionFactory(), endpoints, null);

        Assert.Null(Of(Endpoint("a", "a"), Endpoint("b", "b")).Tls!.TargetHost);
        Assert.Equal("c", Of(Endpoint("a", "c"), Endpoint("b", "c")).Tls!.TargetHost);
        Assert.Equal(2, Of(Endpoint("a", null), Endpoint("b", null)).Endpoints.Count);
        Assert.Throws<ArgumentException>(() => Of(Endpoint("a", "a"), Endpoint("b", null)));
        Assert.Throws<ArgumentException>(() => Of(Endpoint("a", "c"), Endpoint("b", "d")));
    }

    [Fact]
    public void Endpoints_are_tried_in_a_random_order_over_either_client()
    {
        var factory = new ConnectionFactory();
        AmqpTcpEndpoint[] endpoints = [.. Enumerable.Range(1, 8).Select(static port => new AmqpTcpEndpoint("broker", port))];
        Assert.Equal(EndpointOrder.Shuffled, ConnectionOptions.From(factory, endpoints, null).EndpointOrder);
        IEndpointResolver resolver = factory.EndpointResolverFactory(endpoints);
        Assert.True(Enumerable.Range(0, 12).Select(_ => resolver.All().First().Port).Distinct().Count() > 1);
    }

    [Fact]
    public async Task A_provider_of_credentials_is_asked_with_the_time_for_which_they_are_valid()
    {
        var provider = new TokenProvider();
        AmqpConnectionOptions options = new ConnectionFactory { CredentialsProvider = provider }.ForDirectLane().Validate();
        DateTimeOffset before = DateTimeOffset.UtcNow;
        BrokerCredentials first = await options.Credentials!(CancellationToken.None);
        Assert.Equal(("user", "token 1"), (first.UserName, first.Password));
        Assert.InRange(first.ExpiresAt!.Value, before + TokenProvider.Life, DateTimeOffset.UtcNow + TokenProvider.Life);
        Assert.Equal("token 2", (await options.Credentials(CancellationToken.None)).Password);
        Assert.Null((await new ConnectionFactory { CredentialsProvider = new BasicCredentialsProvider("name", "user", "password") }
            .ForDirectLane().Credentials!(CancellationToken.None)).ExpiresAt);
        Assert.Null(new ConnectionFactory
        {
            CredentialsProvider = provider,
            AuthMechanisms = [new ExternalMechanismFactory()],
        }.ForDirectLane().Credentials);
    }

    [Fact]
    public async Task A_resolver_of_endpoints_is_asked_at_each_attempt()
    {
        int port = 0;
        var resolvers = new List<IEnumerable<AmqpTcpEndpoint>>();
        var factory = new ConnectionFactory { Uri = new Uri("amqps://broker/") };
        SslOption tls = factory.Ssl;
        tls.ServerName = "";
        factory.EndpointResolverFactory = given =>
        {
            resolvers.Add(given);
            return new Resolver(() => [new AmqpTcpEndpoint("other", ++port, tls), new AmqpTcpEndpoint("broker", ++port, tls)]);
        };
        AmqpConnectionOptions options = factory.ForDirectLane().Validate();
        Assert.Empty(resolvers);
        Assert.Equal(EndpointOrder.AsGiven, options.EndpointOrder);
        Assert.Equal(
            [new BrokerEndpoint("other", 1), new BrokerEndpoint("broker", 2)], await options.ResolveEndpoints!(CancellationToken.None));
        Assert.Equal(3, (await options.ResolveEndpoints(CancellationToken.None))[0].Port);
        Assert.Equal("broker", Assert.Single(Assert.Single(resolvers)).HostName);

        tls = new SslOption("broker", enabled: true) { Version = factory.Ssl.Version };
        Assert.Contains("it has returned amqps://other:5", (await RefusedAsync()).Message, StringComparison.Ordinal);
        tls = new SslOption();
        Assert.Equal("EndpointResolverFactory", (await RefusedAsync()).ParamName);

        Task<ArgumentException> RefusedAsync() =>
            Assert.ThrowsAsync<ArgumentException>(() => options.ResolveEndpoints!(CancellationToken.None).AsTask());
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_cannot_be_taken_over_is_refused_when_the_services_are_added(string option, Action<ConnectionFactory> set)
    {
        ArgumentException error = Assert.Throws<ArgumentException>(
            () => new ServiceCollection().AddWireRabbitMQ(options => set(options.ConnectionFactory)));
        Assert.StartsWith(
            $"{option} of the ConnectionFactory cannot be used for the direct lane", error.Message, StringComparison.Ordinal);
        new ServiceCollection().AddWireRabbitMQ(options =>
        {
            options.Transport = WireTransport.Client;
            set(options.ConnectionFactory);
        });
    }

    [Fact]
    public void What_only_the_lane_has_is_set_on_what_was_taken_over()
    {
        var options = new WireRabbitMQOptions
        {
            Transport = WireTransport.DirectLane,
            ConfigureLane = lane => lane with { Writing = FrameWriting.Inline },
        };
        options.ConnectionFactory.UserName = "ada";
        Assert.Equal((FrameWriting.Inline, "ada"), (options.LaneFor(null).Writing, options.LaneFor(null).UserName));
        options.ConfigureLane = lane => lane with { MaxUnsentBytes = 1 };
        Assert.Contains("MaxUnsentBytes", Assert.Throws<ArgumentException>(options.Validate).Message, StringComparison.Ordinal);
        options.ConfigureLane = _ => null!;
        Assert.Contains("ConfigureLane", Assert.Throws<ArgumentException>(options.Validate).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new WireRabbitMQOptions { Transport = (WireTransport)2 }.Validate());
    }

    private sealed class Resolver(Func<IEnumerable<AmqpTcpEndpoint>> resolve) : IEndpointResolver
    {
        public IEnumerable<AmqpTcpEndpoint> All() => resolve();
    }

    private sealed class TokenProvider : ICredentialsProvider
    {
        public static readonly TimeSpan Life = TimeSpan.FromMinutes(5);

        private int _asked;

        public string Name => "tokens";

        public Task<Credentials> GetCredentialsAsync(CancellationToken cancellationToken = default) =>
            Task.FromResult(new Credentials(Name, "user", $"token {++_asked}", Life));
    }

    private sealed class Unknown : IAuthMechanismFactory
    {
        public string Name => "UNKNOWN";

        public IAuthMechanism GetInstance() => throw new NotSupportedException();
    }
}
