using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using Wire.RabbitMQ.Hosting;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>Options from the configuration: what each key sets, and how mistakes are told.</summary>
public sealed class ConfigurationTests
{
    [Fact]
    public void Each_key_sets_its_option_of_the_broker()
    {
        WireRabbitMQOptions options = Read("""
            {
              "ConnectionString": "amqps://ada:secret@rabbit:5999/shop?heartbeat=20",
              "Endpoints": ["one", "two:5998"],
              "ConnectionName": "shop",
              "ConnectTimeout": "00:01:00",
              "Transport": "client",
              "Publisher": {
                "MaxChannels": 2,
                "MaxInFlight": 3,
                "MaxBytesInFlight": 4,
                "MaxWaiting": 5,
                "Mandatory": false,
                "Persistent": "False",
                "RecoveryTimeout": "1.00:00:00"
              },
              "Requester": { "Timeout": "Infinite", "RecoveryTimeout": "00:00:07", "ReplyConcurrency": 8 }
            }
            """).Options;

        Assert.Equal("ada@shop", $"{options.ConnectionFactory.UserName}@{options.ConnectionFactory.VirtualHost}");
        Assert.Equal("secret", options.ConnectionFactory.Password);
        Assert.Equal(("rabbit", 5999), (options.ConnectionFactory.HostName, options.ConnectionFactory.Port));
        Assert.Equal(TimeSpan.FromSeconds(20), options.ConnectionFactory.RequestedHeartbeat);
        Assert.Equal(["amqps://one:5671", "amqps://two:5998"], options.Endpoints.Select(endpoint => endpoint.ToString()));
        Assert.Equal(["one", "two"], options.Endpoints.Select(endpoint => endpoint.Ssl.ServerName));
        Assert.Equal("shop", options.ConnectionName);
        Assert.Equal(TimeSpan.FromMinutes(1), options.ConnectTimeout);
        Assert.Equal(WireTransport.Client, options.Transport);
        Assert.Equal(
            new WirePublisherOptions
            {
                MaxChannels = 2,
                MaxInFlight = 3,
                MaxBytesInFlight = 4,
                MaxWaiting = 5,
                Mandatory = false,
                Persistent = false,
                RecoveryTimeout = TimeSpan.FromDays(1),
            },
            options.Publisher);
        Assert.Equal(
            new WireRequesterOptions
            {
                Timeout = Timeout.InfiniteTimeSpan,
                RecoveryTimeout = TimeSpan.FromSeconds(7),
                ReplyConcurrency = 8,
            },
            options.Requester);
    }

    [Fact]
    public void Each_key_sets_its_option_of_the_consumer_and_what_is_absent_stays_as_in_code()
    {
        var inCode = new WireConsumerOptions
        {
            Queue = "orders",
            MaxConcurrency = 50,
            AckDelay = TimeSpan.FromMilliseconds(7),
            Retry = RetryPolicy.Default with { MaxAttempts = 9, Delayed = new DelayedRetryPolicy() },
        };
        HostedBroker broker = Read(
            """
            {
              "Consumers": {
                "ORDERS": {
                  "PrefetchMultiplier": 1,
                  "PrefetchCount": "none",
                  "MaxDeliveries": "None",
                  "Retry": { "Delay": "00:00:00.250", "MaxDelay": "00:00:02" },
                  "OnFailure": "errorqueue",
                  "ErrorQueue": "dead",
                  "DeclareErrorQueue": false,
                  "DuplicateWindow": 0,
                  "StopTimeout": "infinite",
                  "ConsumerTag": "billing",
                  "Exclusive": true
                },
                "late": { "MaxConcurrency": 2, "PrefetchCount": 65535, "MaxDeliveries": 3, "AckDelay": "00:00:00", "Retry:MaxAttempts": 1 }
              }
            }
            """,
            builder => builder.AddConsumer(inCode, Handler).AddConsumer("late", Handler).AddConsumer("other", Handler));

        Assert.Equal(
            inCode with
            {
                PrefetchMultiplier = 1,
                MaxDeliveries = null,
                Retry = inCode.Retry with { Delay = TimeSpan.FromMilliseconds(250), MaxDelay = TimeSpan.FromSeconds(2) },
                ErrorQueue = "dead",
                DeclareErrorQueue = false,
                DuplicateWindow = 0,
                StopTimeout = Timeout.InfiniteTimeSpan,
                ConsumerTag = "billing",
                Exclusive = true,
            },
            broker.OptionsOf(broker.Consumers[0]));
        Assert.Equal(
            new WireConsumerOptions
            {
                Queue = "late",
                MaxConcurrency = 2,
                PrefetchCount = 65535,
                MaxDeliveries = 3,
                AckDelay = TimeSpan.Zero,
                Retry = RetryPolicy.None,
            },
            broker.OptionsOf(broker.Consumers[1]));
        Assert.Equal(new WireConsumerOptions { Queue = "other" }, broker.OptionsOf(broker.Consumers[2]));
    }

    [Fact]
    public void The_configuration_has_the_last_word_and_null_says_nothing()
    {
        WireRabbitMQOptions options = Read(
            """{ "UserName": "bob", "Password": "hidden", "VirtualHost": "elsewhere", "ConnectionName": null }""",
            configure: options =>
            {
                options.UseConnectionString("amqp://ada:secret@rabbit/shop");
                options.ConnectionName = "program";
            }).Options;

        ConnectionFactory factory = options.ConnectionFactory;
        Assert.Equal(("bob", "hidden", "elsewhere", "rabbit"), (factory.UserName, factory.Password, factory.VirtualHost, factory.HostName));
        Assert.Equal("program", options.ConnectionName);
    }

    [Fact]
    public void All_mistakes_are_told_at_once_with_their_paths_and_no_secret()
    {
        const string Json = """
            {
              "ConnectionString": "amqp://ada:top%secret@rabbit/",
              "Pasword": "top secret",
              "Endpoints": "ada:top-secret@rabbit",
              "ConnectTimeout": "30",
              "Transport": "1",
              "Publisher": "all",
              "Requester": { "Timeout": "00:00:00", "Patience": 1, "ReplyConcurrency": [] },
              "Consumers": {
                "orders": {
                  "MaxConcurency": 4,
                  "PrefetchCount": "65536",
                  "StopTimeout": "1.00:00:01",
                  "Exclusive": "yes",
                  "ErrorQueue": "orders"
                },
                "order": { "MaxConcurrency": 4 }
              }
            }
            """;

        var error = Assert.Throws<InvalidOperationException>(
            () => Read(Json, builder => builder.AddConsumer("orders", Handler).AddConsumer("late", Handler)).Options);

        Assert.Equal(
            "The configuration of RabbitMQ is wrong in 15 places:" +
            "\n- RabbitMQ:Pasword is no key of it: there are ConnectionString, VirtualHost, UserName, Password, " +
            "Endpoints, ConnectionName, ConnectTimeout, Transport, Publisher, Requester, Consumers." +
            "\n- RabbitMQ:ConnectionString: A URI of AMQP has two hexadecimal digits behind each percent sign, " +
            "and the password does not: write %25 for the percent sign itself." +
            "\n- RabbitMQ:Endpoints: An endpoint is a host, or a host and a port, as in rabbit-1:5672; user, " +
            "password and virtual host are not part of it." +
            "\n- RabbitMQ:ConnectTimeout is '30': it has to be hours:minutes:seconds, as in 00:00:30, of more " +
            "than zero to 24 days." +
            "\n- RabbitMQ:Transport is '1': it has to be DirectLane or Client." +
            "\n- RabbitMQ:Publisher has a value of its own, where there are only keys below it: MaxChannels, " +
            "MaxInFlight, MaxBytesInFlight, MaxWaiting, Mandatory, Persistent, RecoveryTimeout." +
            "\n- RabbitMQ:Requester:Patience is no key of it: there are Timeout, RecoveryTimeout, " +
            "ReplyConcurrency." +
            "\n- RabbitMQ:Requester:Timeout is '00:00:00': it has to be hours:minutes:seconds, as in 00:00:30, " +
            "of more than zero to 24 days, or infinite." +
            "\n- RabbitMQ:Requester:ReplyConcurrency is '': it has to be 1 to 65,535." +
            "\n- RabbitMQ:Consumers:order: the program has no consumer of a queue 'order'; it has 'orders', " +
            "'late'." +
            "\n- RabbitMQ:Consumers:orders:MaxConcurency is no key of it: there are MaxConcurrency, " +
            "PrefetchMultiplier, PrefetchCount, MaxDeliveries, Retry, OnFailure, ErrorQueue, DeclareErrorQueue, " +
            "DuplicateWindow, StopTimeout, AckDelay, ConsumerTag, Exclusive." +
            "\n- RabbitMQ:Consumers:orders:PrefetchCount is '65536': it has to be 1 to 65,535, or none." +
            "\n- RabbitMQ:Consumers:orders:StopTimeout is '1.00:00:01': it has to be hours:minutes:seconds, as " +
            "in 00:00:30, from zero to a day, or infinite." +
            "\n- RabbitMQ:Consumers:orders:Exclusive is 'yes': it has to be true or false." +
            "\n- RabbitMQ:Consumers:orders: The error queue is the queue itself: a message that cannot be " +
            "handled would come again for ever. (Parameter 'ErrorQueue')",
            error.Message);
    }

    [Fact]
    public void What_contradicts_itself_is_a_mistake_too()
    {
        var error = Assert.Throws<InvalidOperationException>(() => Read(
            """{ "Consumers": { "orders": { "MaxConcurrency": 60000 } } }""",
            builder => builder.AddConsumer("orders", Handler)).Options);
        Assert.StartsWith(
            "The configuration of RabbitMQ is wrong in 1 place:\n- RabbitMQ:Consumers:orders: MaxConcurrency (60000) times",
            error.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_section_that_is_not_there_is_a_mistake()
    {
        var error = Assert.Throws<InvalidOperationException>(() => Read("{}").Options);
        Assert.Equal(
            "The configuration of RabbitMQ is wrong in 1 place:\n- RabbitMQ: the configuration has nothing under this name. Set " +
            "RabbitMQ:ConnectionString, or call AddWireRabbitMQ without a section.",
            error.Message);
    }

    [Fact]
    public async Task A_host_tells_the_mistakes_of_all_brokers_before_it_starts_anything()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["One:Publisher:MaxChannels"] = "0",
            ["Two:ConnectTimeout"] = "soon",
        });
        var started = new StartWatch();
        builder.Services.AddSingleton<IHostedService>(started);
        builder.Services.AddWireRabbitMQ(builder.Configuration.GetSection("One"));
        builder.Services.AddWireRabbitMQ("two", builder.Configuration.GetSection("Two"));
        using IHost host = builder.Build();

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync());

        Assert.Equal(
            "The configuration of RabbitMQ is wrong in 2 places:\n" +
            "- One:Publisher:MaxChannels is '0': it has to be 1 to 2,047.\n" +
            "- Two:ConnectTimeout is 'soon': it has to be hours:minutes:seconds, as in 00:00:30, of more than zero to 24 days.",
            error.Message);
        Assert.False(started.HasStarted);
    }

    [Fact]
    public void The_topology_is_described_as_the_configuration_says()
    {
        WireTopology? described = null;
        Read(
            """{ "Consumers": { "orders": { "ErrorQueue": "dead" } } }""",
            builder => described = builder.AddConsumer("orders", Handler).DescribeTopology());
        Assert.Equal("queue dead, durable", described!.ToString());
    }

    private static void Handler(WireConsumerBuilder consumer) => consumer.Handle<int>((_, _) => Task.CompletedTask);

    private static HostedBroker Read(
        string json, Action<WireRabbitMQBuilder>? build = null, Action<WireRabbitMQOptions>? configure = null)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes($$"""{ "RabbitMQ": {{json}} }"""));
        IConfigurationRoot configuration = new ConfigurationBuilder().AddJsonStream(stream).Build();
        var services = new ServiceCollection();
        WireRabbitMQBuilder builder = services.AddWireRabbitMQ(configuration.GetSection("RabbitMQ"), configure);
        build?.Invoke(builder);
        return services.BuildServiceProvider().GetRequiredService<HostedBroker>();
    }

    private sealed class StartWatch : IHostedService
    {
        public bool HasStarted { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken)
        {
            HasStarted = true;
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
