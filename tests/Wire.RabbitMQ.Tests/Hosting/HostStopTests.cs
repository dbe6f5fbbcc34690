using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>
/// A host that is stopped, as by SIGTERM: handlers and publishes end, nothing is lost, and all of it within the time that the host has.
/// </summary>
public abstract class HostStopTests(WireTransport transport) : IAsyncLifetime
{
    // The time for handlers that ignore their token.
    private static readonly TimeSpan ForHandlers = TimeSpan.FromSeconds(5);

    // More than that for what a busy machine does meanwhile, and less than the next time-out.
    private static readonly TimeSpan Leeway = TimeSpan.FromSeconds(12);

    private readonly string _queue = Broker.UniqueName("stop");
    private readonly ConcurrentQueue<int> _handled = new();
    private readonly ConcurrentQueue<string> _log = new();
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IConnection _looking = null!;
    private IChannel _channel = null!;

    public async Task InitializeAsync()
    {
        _looking = await Broker.Node.ConnectAsync().InTime();
        _channel = await _looking.CreateChannelAsync().InTime();
        await _channel.QueueDeclareAsync(_queue, durable: true, exclusive: false, autoDelete: false).InTime();
    }

    public async Task DisposeAsync()
    {
        await _channel.QueueDeleteAsync(_queue).InTime();
        await _looking.DisposeAsync();
    }

    [Fact]
    public async Task Under_load_all_is_confirmed_and_what_was_not_handled_is_in_its_queue()
    {
        const int Count = 2000;
        using IHost host = Build(TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(20), async (number, _) =>
        {
            await Task.Delay(10);
            _handled.Enqueue(number);
            if (_handled.Count == 20)
            {
                _begun.SetResult();
            }
        });
        await host.StartAsync().InTime();
        WirePublisher publisher = host.Services.GetRequiredService<WirePublisher>();
        Task[] published = [.. Enumerable.Range(0, Count / 2).Select(i => publisher.PublishAsync("", _queue, i).AsTask())];
        await _begun.Task.InTime();
        Task[] late = [.. Enumerable.Range(Count / 2, Count / 2).Select(i => publisher.PublishAsync("", _queue, i).AsTask())];

        await AssertStopsAsync(host, TimeSpan.Zero, Leeway);

        Assert.All(published.Concat(late), task => Assert.Equal(TaskStatus.RanToCompletion, task.Status));
        List<int> rest = await TakeRestAsync();
        Assert.NotEmpty(rest);
        Assert.Equal(Enumerable.Range(0, Count), _handled.Concat(rest).Order());
    }

    [Fact]
    public async Task A_handler_that_ends_when_its_token_fires_gives_its_message_back()
    {
        using IHost host = Build(TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(1), async (_, context) =>
        {
            _begun.TrySetResult();
            await Task.Delay(Timeout.Infinite, context.CancellationToken);
        });
        await StartWithMessageAsync(host);
        await AssertStopsAsync(host, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1) + Leeway);
        Assert.Equal([1], await TakeRestAsync());
    }

    [Fact]
    public async Task A_handler_that_never_ends_is_abandoned_in_time_and_its_message_is_there()
    {
        var never = new TaskCompletionSource();
        using IHost host = Build(TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(1), (_, _) => RunAsync(never.Task));
        await StartWithMessageAsync(host);
        TimeSpan least = TimeSpan.FromSeconds(1) + ForHandlers;
        await AssertStopsAsync(host, least, least + Leeway);
        Assert.Equal([1], await TakeRestAsync());
    }

    [Fact]
    public async Task When_the_time_of_the_host_is_over_before_that_of_the_consumer_all_ends_5_s_later()
    {
        var never = new TaskCompletionSource();
        using IHost host = Build(TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(5), (_, _) => RunAsync(never.Task));
        await StartWithMessageAsync(host);
        TimeSpan least = TimeSpan.FromSeconds(1) + ForHandlers;
        await AssertStopsAsync(host, least, least + Leeway);

        // The host no longer waits for the broker's answer.
        await ConsumerBench.Until(async () => await _channel.MessageCountAsync(_queue).InTime() == 1);
        Assert.Equal([1], await TakeRestAsync());
    }

    [Fact]
    public async Task A_consumer_with_no_limit_waits_for_its_handler_and_acknowledges()
    {
        using IHost host = Build(TimeSpan.FromMinutes(5), Timeout.InfiniteTimeSpan, async (number, context) =>
        {
            _begun.TrySetResult();
            await Task.Delay(ForHandlers + TimeSpan.FromSeconds(2), context.CancellationToken);
            _handled.Enqueue(number);
        });
        await StartWithMessageAsync(host);
        await AssertStopsAsync(host, ForHandlers, ForHandlers + TimeSpan.FromSeconds(2) + Leeway);
        Assert.Equal([1], _handled);
        Assert.Empty(await TakeRestAsync());

        // The consumer has started and stopped, and the broker was told all.
        Assert.Equal(["2001", "2002"], _log.Select(line => line[..4]).Where(number => number[0] == '2'));
    }

    [Fact]
    public async Task Consumers_of_several_brokers_stop_together()
    {
        var never = new TaskCompletionSource();
        HostApplicationBuilder builder = Builder(TimeSpan.FromSeconds(30));
        int begun = 0;
        foreach (string name in (string[])["one", "two", "three"])
        {
            Add(builder.Services.AddWireRabbitMQ(name, Configure), TimeSpan.FromSeconds(1), (_, _) =>
            {
                if (Interlocked.Increment(ref begun) == 3)
                {
                    _begun.TrySetResult();
                }

                return never.Task;
            });
        }

        using IHost host = builder.Build();
        await host.StartAsync().InTime();
        WirePublisher publisher = host.Services.GetRequiredKeyedService<WirePublisher>("one");
        await Task.WhenAll(Enumerable.Range(0, 3).Select(i => publisher.PublishAsync("", _queue, i).AsTask())).InTime();
        await _begun.Task.InTime();
        TimeSpan least = TimeSpan.FromSeconds(1) + ForHandlers;
        await AssertStopsAsync(host, least, least + Leeway);
        Assert.Equal([0, 1, 2], (await TakeRestAsync()).Order());
    }

    [Fact]
    public void With_the_defaults_all_ends_within_the_30_s_that_a_host_has()
    {
        var host = new HostOptions();
        Assert.True(new WireConsumerOptions { Queue = "any" }.StopTimeout + ForHandlers + ForHandlers <= host.ShutdownTimeout);
    }

    private HostApplicationBuilder Builder(TimeSpan shutdown)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<ILogger<WireConsumer>>(new LineLogger(_log));
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = shutdown);
        return builder;
    }

    // As SIGTERM does.
    private static async Task AssertStopsAsync(IHost host, TimeSpan least, TimeSpan most)
    {
        Task ended = host.WaitForShutdownAsync();
        var watch = Stopwatch.StartNew();
        host.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();

        // A host whose time is over says so.
        await ended.InTime().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

        // Timers count by ticks of the system, of which the first is a part.
        Assert.InRange(watch.Elapsed, least - TimeSpan.FromMilliseconds(50), most);
        Assert.True(ended.IsCompleted);
    }

    private Task RunAsync(Task work)
    {
        _begun.TrySetResult();
        return work;
    }

    private async Task StartWithMessageAsync(IHost host)
    {
        await host.StartAsync().InTime();
        await host.Services.GetRequiredService<WirePublisher>().PublishAsync("", _queue, 1).AsTask().InTime();
        await _begun.Task.InTime();
    }

    private async Task<List<int>> TakeRestAsync()
    {
        var rest = new List<int>();
        while (await _channel.BasicGetAsync(_queue, autoAck: true).InTime() is { } message)
        {
            rest.Add(Shop.Serializer.Read<int>(message));
        }

        return rest;
    }

    private IHost Build(TimeSpan shutdown, TimeSpan stop, Func<int, MessageContext, Task> handler)
    {
        HostApplicationBuilder builder = Builder(shutdown);
        Add(builder.Services.AddWireRabbitMQ(Configure), stop, handler);
        return builder.Build();
    }

    private void Add(WireRabbitMQBuilder builder, TimeSpan stop, Func<int, MessageContext, Task> handler) => builder.AddConsumer(
        new WireConsumerOptions
        {
            Queue = _queue,
            OnFailure = FailureAction.DeadLetter,
            StopTimeout = stop,
            MaxConcurrency = 1,
            PrefetchCount = builder.Name is null ? (ushort)50 : (ushort)1,
        },
        consumer => consumer.Handle(handler));

    private void Configure(WireRabbitMQOptions options)
    {
        options.Transport = transport;
        options.ConnectionFactory = Broker.Node.Factory();
    }
}

/// <inheritdoc/>
public sealed class HostStopTestsOnClient() : HostStopTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class HostStopTestsOnLane() : HostStopTests(WireTransport.DirectLane);
