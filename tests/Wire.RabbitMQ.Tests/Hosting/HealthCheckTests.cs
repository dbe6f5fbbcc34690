using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>What a health check says of connections and consumers, as they are.</summary>
public abstract class HealthCheckTests(WireTransport transport, PrivateNode node)
{
    [Fact]
    public async Task A_program_is_healthy_while_all_that_it_made_works_and_nothing_is_made_for_the_check()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        string queue = Broker.UniqueName();
        using IHost host = Build(proxy.Route(Broker.Node.Factory()), builder => Consume(builder, queue));

        // Before the start.
        HealthReportEntry before = await CheckAsync(host);
        AssertIs(HealthStatus.Unhealthy, $"The consumer of '{queue}' was not started: the host has not, or could not.", before);
        Assert.Equal(0, proxy.Accepted);

        await host.StartAsync().InTime();
        HealthReportEntry started = await CheckAsync(host);
        AssertIs(HealthStatus.Healthy, "Connected, and all consumers consume.", started);
        Assert.Equal(
            [
                ("connection (consume)", $"open, to 127.0.0.1:{proxy.Port}"), ("connection (publish)", "not made yet"),
                ($"consumer {queue}", "consuming"),
            ],
            started.Data.Select(each => (each.Key, (string)each.Value)));
        Assert.Equal(1, proxy.Accepted);

        await host.StopAsync().InTime();
        HealthReportEntry stopped = await CheckAsync(host);
        AssertIs(HealthStatus.Unhealthy, $"The connection (consume) is closed. The consumer of '{queue}' has ended.", stopped);
        Assert.Equal("ended", stopped.Data[$"consumer {queue}"]);
    }

    [Fact]
    public async Task A_connection_that_is_down_is_unhealthy_until_it_is_back()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        string queue = Broker.UniqueName();
        using IHost host = Build(proxy.Route(Broker.Node.Factory()), builder => Consume(builder, queue, durable: true));
        await host.StartAsync().InTime();
        try
        {
            proxy.Refusing = true;
            Assert.Equal(1, proxy.CutAll());
            HealthReportEntry down = await UntilAsync(host, HealthStatus.Unhealthy);
            Assert.StartsWith("The connection (consume) is down", down.Description, StringComparison.Ordinal);
            Assert.Equal("down", down.Data["connection (consume)"]);

            // A moment later the reason is known, and the consumer has noticed.
            down = await UntilAsync(host, HealthStatus.Unhealthy, "waiting to consume");
            await ConsumerBench.Until(async () => (down = await CheckAsync(host)).Exception is not null);
            Assert.StartsWith("The connection (consume) is down: ", down.Description, StringComparison.Ordinal);

            proxy.Refusing = false;
            HealthReportEntry back = await UntilAsync(host, HealthStatus.Healthy);
            Assert.Equal("consuming", back.Data[$"consumer {queue}"]);
        }
        finally
        {
            await DeleteAsync(queue);
        }
    }

    [Fact]
    public async Task A_queue_that_is_gone_is_degraded_until_it_is_declared_again()
    {
        string queue = Broker.UniqueName();
        using IHost host = Build(Broker.Node.Factory(), builder => Consume(builder, queue, durable: true), Limited(1000));
        await host.StartAsync().InTime();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
        await DeleteAsync(queue);
        HealthReportEntry gone = await UntilAsync(host, HealthStatus.Degraded);
        Assert.StartsWith($"The consumer of '{queue}' does not consume for now", gone.Description, StringComparison.Ordinal);
        await ConsumerBench.Until(async () =>
            (await CheckAsync(host)).Description!.Contains("no queue", StringComparison.Ordinal));
        try
        {
            await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
            await using IChannel channel = await connection.CreateChannelAsync().InTime();
            await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
            await UntilAsync(host, HealthStatus.Healthy);
        }
        finally
        {
            await DeleteAsync(queue);
        }
    }

    [Fact]
    public async Task Messages_beyond_the_limit_are_degraded_where_one_is_set()
    {
        string queue = Broker.UniqueName();
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using IHost host = Build(
            Broker.Node.Factory(),
            builder => builder
                .Declare((topology, token) => topology.DeclareQueueAsync(queue, new() { Durable = false, AutoDelete = true }, token))
                .AddConsumer(
                    new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter, MaxConcurrency = 1, PrefetchCount = 1 },
                    consumer => consumer.Handle<int>((_, _) => go.Task)),
            new WireHealthCheckOptions { MaxLag = 2 });
        await host.StartAsync().InTime();
        for (int i = 0; i < 3; i++)
        {
            await host.Services.GetRequiredService<WirePublisher>().PublishAsync("", queue, i).AsTask().InTime();
        }

        // One of them is at the handler.
        await ConsumerBench.Until(async () => Equals((await CheckAsync(host)).Data[$"lag {queue}"], 2u));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
        await host.Services.GetRequiredService<WirePublisher>().PublishAsync("", queue, 3).AsTask().InTime();
        HealthReportEntry behind = await UntilAsync(host, HealthStatus.Degraded);
        Assert.Equal($"In the queue '{queue}' 3 messages are ready, more than the 2 of MaxLag.", behind.Description);
        go.SetResult();
        await UntilAsync(host, HealthStatus.Healthy);
        await host.StopAsync().InTime();
    }

    [Fact]
    public async Task A_broker_that_does_not_answer_is_told_in_time()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        string queue = Broker.UniqueName();
        using IHost host = Build(
            proxy.Route(Broker.Node.Factory()),
            builder => Consume(builder, queue),
            new WireHealthCheckOptions { MaxLag = 2, Timeout = TimeSpan.FromSeconds(1) });
        await host.StartAsync().InTime();
        proxy.ToClient.Pause();
        HealthReportEntry silent = await CheckAsync(host);
        AssertIs(HealthStatus.Unhealthy, "The broker has not answered within 1 s.", silent);
        Assert.Equal("consuming", silent.Data[$"consumer {queue}"]);
        proxy.ToClient.Resume();
        await UntilAsync(host, HealthStatus.Healthy);
        await host.StopAsync().InTime();
    }

    [Fact]
    public async Task A_broker_that_was_never_reached_is_told_where_the_check_connects()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri) { Refusing = true };
        var connecting = new WireHealthCheckOptions { Connect = true, Timeout = TimeSpan.FromSeconds(1) };
        using IHost host = Build(proxy.Route(Broker.Node.Factory()), _ => { }, connecting);
        await host.StartAsync().InTime();
        HealthReportEntry missing = await CheckAsync(host);
        AssertIs(
            HealthStatus.Unhealthy,
            "The broker has not answered within 1 s. The connection (publish) is being made: no broker was reached yet.",
            missing);
        proxy.Refusing = false;
        HealthReportEntry reached = await UntilAsync(host, HealthStatus.Healthy);
        Assert.Equal($"open, to 127.0.0.1:{proxy.Port}", reached.Data["connection (publish)"]);
        await host.StopAsync().InTime();
    }

    [Fact]
    public async Task A_consumer_whose_connection_has_ended_for_good_is_a_failure_of_the_status_that_was_asked_for()
    {
        string queue = Broker.UniqueName();
        using IHost host = Build(Broker.Node.Factory(), builder => Consume(builder, queue), failure: HealthStatus.Degraded);
        await host.StartAsync().InTime();
        await using (WireConnection connection = await host.Services.GetRequiredService<WireConnections>().GetConsumingAsync().InTime())
        {
        }

        HealthReportEntry ended = await UntilAsync(host, HealthStatus.Degraded);
        await ConsumerBench.Until(async () =>
            (await CheckAsync(host)).Description!.Contains($"The consumer of '{queue}' has ended: ", StringComparison.Ordinal));
        Assert.StartsWith("The connection (consume) is closed", ended.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_broker_that_blocks_publishers_is_degraded()
    {
        await node.RaiseAlarmAsync();
        try
        {
            using IHost host = Build(node.Node.Factory(), _ => { });
            await host.StartAsync().InTime();

            // The broker says so when something is published.
            Task published = host.Services.GetRequiredService<WirePublisher>()
                .PublishAsync("", "none", 1, new PublishOptions { Mandatory = false }).AsTask();
            HealthReportEntry blocked = await UntilAsync(host, HealthStatus.Degraded, "blocked");
            Assert.StartsWith(
                "The broker accepts no messages over the connection (publish) for now: ", blocked.Description, StringComparison.Ordinal);
            await node.EndAlarmAsync();
            await published.InTime();
            await UntilAsync(host, HealthStatus.Healthy);
            await host.StopAsync().InTime();
        }
        finally
        {
            await node.EndAlarmAsync();
        }
    }

    private static WireHealthCheckOptions Limited(long most) => new() { MaxLag = most };

    private static void Consume(WireRabbitMQBuilder builder, string queue, bool durable = false) => builder
        .Declare((topology, token) => durable && builder.Name is null
            ? topology.DeclareQueueAsync(queue, cancellationToken: token)
            : topology.DeclareQueueAsync(queue, new() { Durable = false, AutoDelete = true }, token))
        .AddConsumer(
            new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter },
            consumer => consumer.Handle<int>((_, _) => Task.CompletedTask));

    private static async Task<HealthReportEntry> CheckAsync(IHost host)
    {
        HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync().InTime();
        return Assert.Single(report.Entries, entry => entry.Key == "rabbitmq").Value;
    }

    private static async Task<HealthReportEntry> UntilAsync(IHost host, HealthStatus status, string having = "")
    {
        HealthReportEntry found = default;
        await ConsumerBench.Until(async () =>
        {
            found = await CheckAsync(host);
            return found.Status == status
                && (having.Length == 0 || found.Data.Values.Any(value => $"{value}".Contains(having, StringComparison.Ordinal)));
        });
        return found;
    }

    private static void AssertIs(HealthStatus status, string description, HealthReportEntry entry) =>
        Assert.Equal((status, description), (entry.Status, entry.Description));

    private static async Task DeleteAsync(string queue)
    {
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await channel.QueueDeleteAsync(queue).InTime();
    }

    private IHost Build(
        ConnectionFactory factory,
        Action<WireRabbitMQBuilder> build,
        WireHealthCheckOptions? options = null,
        HealthStatus? failure = null)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        build(builder.Services.AddWireRabbitMQ(options =>
        {
            options.Transport = transport;
            options.ConnectionFactory = factory;
        }));
        builder.Services.AddHealthChecks().AddWireRabbitMQ(failureStatus: failure, options: options);
        return builder.Build();
    }
}

/// <summary>What holds without a broker, and what a check is called.</summary>
public sealed class HealthCheckRegistrationTests
{
    [Fact]
    public async Task A_broker_that_was_not_added_and_a_wrong_configuration_are_told_and_thrown_by_nothing()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddWireRabbitMQ("wrong", new Microsoft.Extensions.Configuration.ConfigurationBuilder().Build().GetSection("Wrong"));
        services.AddHealthChecks()
            .AddWireRabbitMQ()
            .AddWireRabbitMQ(broker: "orders", failureStatus: HealthStatus.Degraded, tags: ["ready"])
            .AddWireRabbitMQ("mine", "wrong");
        await using ServiceProvider provider = services.BuildServiceProvider();
        HealthReport report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync().InTime();
        Assert.Equal(["rabbitmq", "rabbitmq-orders", "mine"], report.Entries.Keys);
        Assert.Equal("No broker was added: call AddWireRabbitMQ of the services.", report.Entries["rabbitmq"].Description);
        Assert.Equal(HealthStatus.Unhealthy, report.Entries["rabbitmq"].Status);
        Assert.Equal(
            "No broker 'orders' was added: call AddWireRabbitMQ of the services with this name.",
            report.Entries["rabbitmq-orders"].Description);
        Assert.Equal(HealthStatus.Degraded, report.Entries["rabbitmq-orders"].Status);
        Assert.Equal(["ready"], report.Entries["rabbitmq-orders"].Tags);
        Assert.StartsWith(
            "The configuration of RabbitMQ is wrong in 1 place:\n- Wrong: ", report.Entries["mine"].Description, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_out_of_range_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new WireHealthCheckOptions { MaxLag = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WireHealthCheckOptions { Timeout = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WireHealthCheckOptions { Timeout = TimeSpan.FromDays(2) });
        Assert.Equal(0, new WireHealthCheckOptions { MaxLag = 0 }.MaxLag);
    }
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class HealthCheckTestsOnClient(PrivateNode node) : HealthCheckTests(WireTransport.Client, node);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class HealthCheckTestsOnLane(PrivateNode node) : HealthCheckTests(WireTransport.DirectLane, node);
