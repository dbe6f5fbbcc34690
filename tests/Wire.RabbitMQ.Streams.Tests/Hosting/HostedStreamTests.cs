using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ.Streams.Hosting;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Hosting;

/// <summary>Streams as services of a host: what starts, drains and is checked.</summary>
public sealed class HostedStreamTests
{
    [Fact]
    public async Task A_program_publishes_and_handles_with_services_in_scopes()
    {
        await using var server = new StrictStreamServer();
        var seen = new Seen();
        using IHost host = Build(server, services => services.AddSingleton(seen), streams => streams
            .Declare("orders")
            .AddProducer("orders", new StreamProducerOptions { Name = "shop" })
            .AddConsumer<string, Orders>("orders", options => options with { Name = "billing", Offset = StreamOffset.First }));
        await host.StartAsync().WaitAsync(Patience.Limit);
        WireStreamProducers producers = host.Services.GetRequiredService<WireStreamProducers>();
        StreamProducer producer = await producers.GetAsync("orders");
        Assert.Equal("shop", producer.Options.Name);
        Assert.Same(producer, await producers.GetAsync("orders"));
        foreach (string order in (string[])["one", "fails once", "three"])
        {
            await producer.SendAsync(order);
        }

        await Until.HoldsAsync(() => seen.Orders.Count == 4, "all orders");
        Assert.Equal(["one", "fails once", "fails once", "three"], seen.Orders);
        Assert.Equal(4, seen.Scopes.Distinct().Count());
        await producer.EnqueueAsync("last");
        await Until.HoldsAsync(() => seen.Orders.Count == 5, "the last");
        await host.StopAsync().WaitAsync(Patience.Limit);
        Assert.True(producer.HasEnded);
        Assert.Equal(3ul, server.With("orders", stream => stream.Offsets["billing"]));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await producers.GetAsync("orders"));
        Assert.Empty(server.Connections);
    }

    [Fact]
    public async Task What_cannot_be_handled_goes_to_the_error_stream_after_three_attempts()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", [.. Enumerable.Range(0, 3).Select(number => new Serializer().Serialize(number))]);
        var handled = new ConcurrentQueue<int>();
        var log = new Lines();
        using IHost host = Build(server, services => services.AddSingleton<ILoggerProvider>(log), streams => streams.AddConsumer<int>(
            "s",
            (number, _, _) =>
            {
                handled.Enqueue(number);
                return number == 1 ? throw new InvalidDataException("not this") : default;
            },
            options => options with { Offset = StreamOffset.First }));
        await host.StartAsync().WaitAsync(Patience.Limit);
        await Until.HoldsAsync(() => handled.Count == 5, "all attempts");
        Assert.Equal([0, 1, 1, 1, 2], handled);
        Assert.Single(server.Messages("s.error"));
        Assert.Equal(
            [
                "4104 Warning The handler of 's' has failed, and is called again: not this",
                "4104 Warning The handler of 's' has failed, and is called again: not this",
                "4105 Error The message with the offset 1 of 's' could not be handled: not this It goes to the error stream.",
            ],
            log.All.Where(line => line.StartsWith("41", StringComparison.Ordinal)));
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Stopping_waits_for_the_handler_that_runs_and_then_fires_its_token()
    {
        await using var server = new StrictStreamServer();
        foreach (string stream in (string[])["patient", "endless"])
        {
            server.Create(stream);
            server.Append(stream, new Serializer().Serialize(1), new Serializer().Serialize(2));
        }

        var began = new CountdownEvent(2);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using IHost host = Build(server, null, streams => streams
            .UseStopTimeout(TimeSpan.FromMilliseconds(300))
            .AddConsumer<int>(
                "patient",
                async (_, _, _) =>
                {
                    began.Signal();
                    await release.Task;
                },
                options => options with { Name = "name", Offset = StreamOffset.First })
            .AddConsumer<int>(
                "endless",
                async (_, _, stopping) =>
                {
                    began.Signal();
                    await Task.Delay(Timeout.Infinite, stopping);
                },
                options => options with
                {
                    Name = "name",
                    Offset = StreamOffset.First,
                    Retry = StreamRetryPolicy.None,
                    OnFailure = _ => StreamFailedMessage.Skip,
                }));
        await host.StartAsync().WaitAsync(Patience.Limit);
        await Task.Run(() => began.Wait(Patience.Limit));
        Task stopping = host.StopAsync();
        await Task.Delay(100);
        Assert.False(stopping.IsCompleted);
        release.SetResult();
        await stopping.WaitAsync(Patience.Limit);

        // The one message that was handled, and none.
        Assert.Equal(0ul, server.With("patient", stream => stream.Offsets["name"]));
        Assert.Empty(server.With("endless", stream => stream.Offsets));
    }

    [Fact]
    public async Task A_host_without_its_stream_or_handler_does_not_start_and_leaves_nothing_behind()
    {
        await using var server = new StrictStreamServer();
        server.Create("there");
        using IHost missing = Build(server, null, streams => streams
            .AddConsumer<int>("there", (_, _, _) => default)
            .AddConsumer<int>("missing", (_, _, _) => default));
        StreamException e = await Assert.ThrowsAsync<StreamException>(() => missing.StartAsync().WaitAsync(Patience.Limit));
        Assert.Contains("'missing'", e.Message, StringComparison.Ordinal);
        await Until.HoldsAsync(() => server.Connections.All(connection => connection.Subscriptions.Count == 0), "no subscriptions");

        using IHost lacking = Build(server, null, streams => streams.AddConsumer<string, Orders>("there"));
        InvalidOperationException cannot =
            await Assert.ThrowsAsync<InvalidOperationException>(() => lacking.StartAsync().WaitAsync(Patience.Limit));
        Assert.StartsWith(
            $"The handler {typeof(Orders)} of the consumer of 'there' cannot be made: ", cannot.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_producer_that_could_not_be_made_or_has_ended_is_made_again()
    {
        await using var server = new StrictStreamServer();
        using IHost host = Build(server, null, _ => { });
        await host.StartAsync().WaitAsync(Patience.Limit);
        WireStreamProducers producers = host.Services.GetRequiredService<WireStreamProducers>();
        await Assert.ThrowsAsync<StreamException>(async () => await producers.GetAsync("late"));
        server.Create("late");
        StreamProducer first = await producers.GetAsync("late");
        await first.CloseAsync();
        StreamProducer second = await producers.GetAsync("late");
        Assert.NotSame(first, second);
        await second.SendAsync(1);
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task The_health_check_says_what_consumers_and_producers_do()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        lock (server.Gate)
        {
            server.SuperStreams["super"] = [("s", "0")];
        }

        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var log = new Lines();
        using IHost host = Build(
            server,
            services => services.AddSingleton<ILoggerProvider>(log),
            streams => streams
                .AddConsumer<int>("s", async (_, _, _) => await held.Task, options => options with { Offset = StreamOffset.First })
                .AddSuperStreamConsumer<int>(
                    "super",
                    (number, _, _) => number < 0 ? throw new InvalidDataException("below zero") : default,
                    options => options with { OnFailure = null, Retry = StreamRetryPolicy.None }));
        AssertIs(
            HealthStatus.Unhealthy,
            "The consumer of 's' was not started: the host has not, or could not. The consumer of 'super' was not started: the host has "
            + "not, or could not.",
            await CheckAsync(host));
        await host.StartAsync().WaitAsync(Patience.Limit);
        await host.Services.GetRequiredService<WireStreamProducers>().GetAsync("s");
        HealthReportEntry healthy = await CheckAsync(host);
        AssertIs(HealthStatus.Healthy, "Connected, and all consumers consume.", healthy);
        Assert.Equal(
            [("consumer s", "consuming, 0 behind"), ("consumer s (2)", "consuming, 0 behind"), ("producer s", "connected, 0 unconfirmed")],
            healthy.Data.Select(each => (each.Key, (string)each.Value)));

        // Behind.
        server.Append("s", [.. Enumerable.Range(0, 20).Select(number => new Serializer().Serialize(number))]);
        await IsAsync(host, entry => entry.Status == HealthStatus.Degraded, "the lag");
        AssertIs(
            HealthStatus.Degraded,
            "The consumer of 's' is 20 messages behind, more than the 10 of maxLag.",
            await CheckAsync(host));
        held.SetResult();
        await IsAsync(host, entry => entry.Status == HealthStatus.Healthy, "all handled");

        // Without its stream.
        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.StreamNotAvailable));
        server.Always(CommandKey.Subscribe, Reaction.Refuse(StreamResponseCode.StreamNotAvailable));
        server.CutAll();
        await IsAsync(
            host,
            entry => entry.Data.Values.SequenceEqual(["waiting to consume", "waiting to consume", "waiting to send"]),
            "the loss");
        HealthReportEntry lost = await CheckAsync(host);
        Assert.Equal(HealthStatus.Degraded, lost.Status);
        Assert.Contains("The producer of 's' cannot send for now: ", lost.Description, StringComparison.Ordinal);
        Assert.NotNull(lost.Exception);
        Assert.Contains(log.All, line => line.StartsWith("4102 Warning The consumer of the stream 's' is ", StringComparison.Ordinal));
        server.Always(CommandKey.DeclarePublisher, null);
        server.Always(CommandKey.Subscribe, null);
        await IsAsync(host, entry => entry.Status == HealthStatus.Healthy, "all back");
        Assert.Contains(log.All, line => line.StartsWith("4103 Information The producer of the stream 's' is ", StringComparison.Ordinal));

        // Ended.
        server.Append("s", new Serializer().Serialize(-1));
        await IsAsync(host, entry => entry.Status == HealthStatus.Unhealthy, "the end");
        HealthReportEntry ended = await CheckAsync(host);
        Assert.StartsWith(
            "The consumer of 'super' has ended: The message with the offset 20 of 's' could not be handled: below zero",
            ended.Description,
            StringComparison.Ordinal);
        await Until.HoldsAsync(
            () => log.All.Any(line => line.StartsWith("4101 Error The consumer of 'super' has ended: ", StringComparison.Ordinal)),
            "the error");
        await host.StopAsync().WaitAsync(Patience.Limit);
        AssertIs(
            HealthStatus.Unhealthy,
            "The consumer of 's' has ended.",
            await CheckAsync(host),
            isWhole: false);
    }

    [Fact]
    public async Task Brokers_have_names_and_each_its_own_client()
    {
        await using var one = new StrictStreamServer();
        await using var two = new StrictStreamServer();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddWireStreams(_ => one.Options).Declare("s");
        builder.Services.AddWireStreams("two", _ => two.Options).Declare("s");
        builder.Services.AddHealthChecks().AddWireStreams().AddWireStreams(broker: "two").AddWireStreams("third", broker: "three");
        using IHost host = builder.Build();
        await host.StartAsync().WaitAsync(Patience.Limit);
        await (await host.Services.GetRequiredKeyedService<WireStreamProducers>("two").GetAsync("s")).SendAsync(1);
        Assert.Empty(one.Messages("s"));
        Assert.Single(two.Messages("s"));
        Assert.NotSame(host.Services.GetRequiredService<StreamClient>(), host.Services.GetRequiredKeyedService<StreamClient>("two"));
        HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(["streams", "streams-two", "third"], report.Entries.Keys.Order());
        AssertIs(
            HealthStatus.Unhealthy,
            "No streams of the broker 'three' were added: call AddWireStreams of the services with this name.",
            report.Entries["third"]);
        await host.StopAsync().WaitAsync(Patience.Limit);

        Assert.Contains(
            "AddWireStreams has been called for the broker 'two'",
            Assert.Throws<InvalidOperationException>(() => builder.Services.AddWireStreams("two", _ => two.Options)).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "The producer of 's' has been added already",
            Assert.Throws<ArgumentException>(() => new ServiceCollection().AddWireStreams(_ => one.Options)
                .AddProducer("s", new StreamProducerOptions()).AddProducer("s", new StreamProducerOptions())).Message,
            StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new ServiceCollection().AddWireStreams(_ => one.Options).UseStopTimeout(TimeSpan.FromDays(2)));
    }

    internal static IHost Build(
        StrictStreamServer server,
        Action<IServiceCollection>? add,
        Action<WireStreamsBuilder> configure,
        Func<StreamClientOptions, StreamClientOptions>? change = null)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        add?.Invoke(builder.Services);
        configure(builder.Services.AddWireStreams(_ => change?.Invoke(server.Options) ?? server.Options));
        builder.Services.AddHealthChecks().AddWireStreams(maxLag: 10);
        return builder.Build();
    }

    internal static async Task<HealthReportEntry> CheckAsync(IHost host) =>
        (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["streams"];

    internal static async Task IsAsync(IHost host, Func<HealthReportEntry, bool> holds, string what)
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (!holds(await CheckAsync(host)))
        {
            Assert.False(time.IsCancellationRequested, $"It has been waited in vain for {what}.");
            await Task.Delay(5);
        }
    }

    private static void AssertIs(HealthStatus status, string description, HealthReportEntry entry, bool isWhole = true)
    {
        Assert.Equal(status, entry.Status);
        if (isWhole)
        {
            Assert.Equal(description, entry.Description);
        }
        else
        {
            Assert.Contains(description, entry.Description, StringComparison.Ordinal);
        }
    }

    private sealed class Seen
    {
        public ConcurrentQueue<string> Orders { get; } = [];

        public ConcurrentQueue<object> Scopes { get; } = [];
    }

    private sealed class Orders(Seen seen) : IStreamHandler<string>
    {
        public Task HandleAsync(string value, StreamMessage message, CancellationToken cancellationToken)
        {
            seen.Scopes.Enqueue(this);
            seen.Orders.Enqueue(value);
            return value == "fails once" && seen.Orders.Count(each => each == value) == 1
                ? throw new InvalidDataException("once")
                : Task.CompletedTask;
        }
    }

    internal sealed class Lines : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<string> _lines = [];

        public string[] All => [.. _lines];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            _lines.Enqueue($"{eventId.Id} {logLevel} {formatter(state, exception)}");

        public void Dispose()
        {
        }
    }
}
