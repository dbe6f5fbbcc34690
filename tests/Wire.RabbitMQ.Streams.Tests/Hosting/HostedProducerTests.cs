using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Wire.RabbitMQ.Streams.Hosting;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Hosting;

/// <summary>Producers of a host that end or cannot be made, and how a host stops with them, and with several brokers.</summary>
public sealed class HostedProducerTests
{
    [Fact]
    public async Task What_an_ended_producer_has_lost_is_an_error_when_the_host_stops_and_all_is_closed()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        using IHost host = HostedStreamTests.Build(
            server, null, _ => { }, options => options with { Recovery = RecoveryOptions.Default with { IsEnabled = false } });
        await host.StartAsync().WaitAsync(Patience.Limit);
        WireStreamProducers producers = host.Services.GetRequiredService<WireStreamProducers>();
        StreamProducer first = await producers.GetAsync("s");
        server.HoldsConfirms = true;
        await first.EnqueueAsync(1);
        await server.ReceivedAsync(CommandKey.Publish);
        server.CutAll();
        await Until.HoldsAsync(() => first.HasEnded, "the end");
        StreamProducer second = await producers.GetAsync("s");
        Assert.NotSame(first, second);
        server.HoldsConfirms = false;
        await second.SendAsync(2);
        Assert.NotEmpty(server.Connections);
        StreamPublishException e = await Assert.ThrowsAsync<StreamPublishException>(() => host.StopAsync().WaitAsync(Patience.Limit));
        Assert.True(e.MayBeStored);
        await Until.HoldsAsync(() => server.Connections.Count == 0, "no connections");
    }

    [Fact]
    public async Task Stopping_does_not_wait_for_a_producer_that_is_being_made()
    {
        await using var server = new StrictStreamServer();
        server.Always(CommandKey.PeerProperties, Reaction.Silence);
        using IHost host = HostedStreamTests.Build(server, null, _ => { }, options => options with { Timeout = TimeSpan.FromHours(1) });
        await host.StartAsync().WaitAsync(Patience.Limit);
        WireStreamProducers producers = host.Services.GetRequiredService<WireStreamProducers>();
        Task<StreamProducer> waiting = producers.GetAsync("s").AsTask();
        await server.ReceivedAsync(CommandKey.PeerProperties);
        await producers.CloseAsync().WaitAsync(Patience.Limit);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Patience.Limit));
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task The_health_check_reports_what_cannot_be_made_of_the_producers_that_the_program_has()
    {
        await using var server = new StrictStreamServer();
        using IHost host = HostedStreamTests.Build(
            server, null, streams => streams.AddProducer("added", new StreamProducerOptions()));
        await host.StartAsync().WaitAsync(Patience.Limit);
        WireStreamProducers producers = host.Services.GetRequiredService<WireStreamProducers>();

        // Whatever somebody has asked for.
        await Assert.ThrowsAsync<StreamException>(async () => await producers.GetAsync("no such stream"));
        HealthReportEntry entry = await HostedStreamTests.CheckAsync(host);
        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.Empty(entry.Data);
        await Assert.ThrowsAsync<StreamException>(async () => await producers.GetAsync("added"));
        entry = await HostedStreamTests.CheckAsync(host);
        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.StartsWith("The producer of 'added' could not be made: ", entry.Description, StringComparison.Ordinal);
        server.Create("added");
        await producers.GetAsync("added");
        Assert.Equal(HealthStatus.Healthy, (await HostedStreamTests.CheckAsync(host)).Status);
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Consumers_of_all_brokers_stop_together()
    {
        await using var one = new StrictStreamServer();
        await using var two = new StrictStreamServer();
        foreach (StrictStreamServer server in (StrictStreamServer[])[one, two])
        {
            server.Create("s");
            server.Append("s", new Serializer().Serialize(1));
        }

        var began = new CountdownEvent(2);
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Patience.Limit);
        builder.Services.AddWireStreams(_ => one.Options).UseStopTimeout(TimeSpan.Zero).AddConsumer<int>(
            "s",
            async (_, _, stopping) =>
            {
                began.Signal();
                await Task.Delay(Timeout.Infinite, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                stopped.SetResult();
            },
            options => options with { Offset = StreamOffset.First });

        // It stops first, and its handler ends when that of the other one is stopped.
        builder.Services.AddWireStreams("two", _ => two.Options).UseStopTimeout(Timeout.InfiniteTimeSpan).AddConsumer<int>(
            "s",
            async (_, _, _) =>
            {
                began.Signal();
                await stopped.Task;
            },
            options => options with { Offset = StreamOffset.First });
        using IHost host = builder.Build();
        await host.StartAsync().WaitAsync(Patience.Limit);
        await Task.Run(() => began.Wait(Patience.Limit));
        await host.StopAsync().WaitAsync(Patience.Limit);
        Assert.True(stopped.Task.IsCompleted);
    }
}
