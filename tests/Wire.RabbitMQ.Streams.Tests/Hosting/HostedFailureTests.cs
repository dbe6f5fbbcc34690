using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Wire.RabbitMQ.Streams.Hosting;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Hosting;

/// <summary>What a host does with failures of loggers, starts, chunks and partitions.</summary>
public sealed class HostedFailureTests
{
    [Fact]
    public async Task A_logger_that_throws_takes_no_attempt_and_ends_no_consumer()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", [.. Enumerable.Range(0, 3).Select(number => new Serializer().Serialize(number))]);
        var handled = new ConcurrentQueue<int>();
        var disk = new FullDisk();
        using IHost host = HostedStreamTests.Build(
            server,
            services => services.AddSingleton<ILoggerProvider>(disk),
            streams => streams.AddConsumer<int>(
                "s",
                (number, _, _) =>
                {
                    handled.Enqueue(number);
                    return number == 1 ? throw new InvalidDataException("not this") : default;
                },
                options => options with { Offset = StreamOffset.First }));
        await host.StartAsync().WaitAsync(Patience.Limit);
        await Until.HoldsAsync(() => handled.Contains(2), "the message behind it");
        Assert.Equal([0, 1, 1, 1, 2], handled);
        Assert.Single(server.Messages("s.error"));
        Assert.Equal([4104, 4104, 4105], disk.Refused);
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task A_host_that_does_not_start_says_why_whatever_its_handlers_do()
    {
        await using var one = new StrictStreamServer();
        await using var two = new StrictStreamServer();
        foreach (StrictStreamServer server in (StrictStreamServer[])[one, two])
        {
            server.Create("s");
            server.Append("s", new Serializer().Serialize(1));
        }

        var began = new CountdownEvent(2);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);

        // It has started, and its handlers may run for as long as they need.
        builder.Services.AddWireStreams(_ => one.Options).UseStopTimeout(Timeout.InfiniteTimeSpan)
            .AddConsumer<int>("s", HoldAsync, options => options with { Offset = StreamOffset.First });
        builder.Services.AddWireStreams("two", _ => two.Options).UseStopTimeout(TimeSpan.FromMilliseconds(50))
            .AddConsumer<int>("s", HoldAsync, options => options with { Offset = StreamOffset.First })
            .AddConsumer<int>("s", (_, _, _) => default, options => options with
            {
                FindOffset = async (_, _) =>
                {
                    await Task.Run(() => began.Wait(Patience.Limit));
                    throw new InvalidDataException("no such row");
                },
            });
        using IHost host = builder.Build();
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => host.StartAsync().WaitAsync(Patience.Limit));
        Assert.Equal("FindOffset has thrown: no such row", e.Message);
        release.SetResult();

        async ValueTask HoldAsync(int number, StreamMessage message, CancellationToken stopping)
        {
            began.Signal();
            await release.Task;
        }
    }

    [Fact]
    public async Task A_chunk_that_cannot_be_read_is_not_logged_as_moved()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");

        // Its checksum is another one.
        server.With("s", stream =>
        {
            stream.Append([ServerChunk.Entry([1])]);
            stream.Chunks[^1].Bytes[^1]++;
            return 0;
        });
        var log = new HostedStreamTests.Lines();
        StreamConsumerException? failed = null;
        using IHost host = HostedStreamTests.Build(
            server,
            services => services.AddSingleton<ILoggerProvider>(log),
            streams => streams.AddConsumer<int>("s", (_, _, _) => default, options => options with
            {
                Offset = StreamOffset.First,
                OnFailure = failure =>
                {
                    failed = failure;
                    return options.OnFailure!(failure);
                },
            }));
        await host.StartAsync().WaitAsync(Patience.Limit);
        await Until.HoldsAsync(() => log.All.Any(line => line.StartsWith("4101", StringComparison.Ordinal)), "the end");
        string logged = Assert.Single(log.All, line => line.StartsWith("41", StringComparison.Ordinal));
        Assert.EndsWith("A chunk cannot be put into the error stream 's.error': skip it, or end.", logged, StringComparison.Ordinal);
        Assert.True(failed!.IsChunk);
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task The_health_check_says_that_an_added_partition_cannot_be_consumed()
    {
        await using var server = new StrictStreamServer();
        foreach (string stream in (string[])["s0", "s1"])
        {
            server.Create(stream);
        }

        lock (server.Gate)
        {
            server.SuperStreams["super"] = [("s0", "0")];
        }

        using IHost host = HostedStreamTests.Build(
            server,
            null,
            streams => streams.AddSuperStreamConsumer<int>("super", (_, _, _) => default),
            options => options with { PartitionInterval = TimeSpan.FromMilliseconds(100) });
        await host.StartAsync().WaitAsync(Patience.Limit);
        Assert.Equal(HealthStatus.Healthy, (await HostedStreamTests.CheckAsync(host)).Status);
        server.Always(CommandKey.Subscribe, Reaction.Refuse(StreamResponseCode.AccessRefused));
        lock (server.Gate)
        {
            server.SuperStreams["super"] = [("s0", "0"), ("s1", "1")];
        }

        await HostedStreamTests.IsAsync(host, entry => entry.Status == HealthStatus.Degraded, "the refusal");
        HealthReportEntry refused = await HostedStreamTests.CheckAsync(host);
        Assert.StartsWith(
            "The partitions of 'super' are not all consumed, or could not be asked for: ", refused.Description, StringComparison.Ordinal);
        Assert.Equal(StreamResponseCode.AccessRefused, Assert.IsType<StreamException>(refused.Exception).Code);
        server.Always(CommandKey.Subscribe, null);
        await HostedStreamTests.IsAsync(host, entry => entry.Status == HealthStatus.Healthy, "the partition");
        await host.StopAsync().WaitAsync(Patience.Limit);
    }

    // Of the streams alone: the host logs too.
    private sealed class FullDisk : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<int> _refused = [];

        public int[] Refused => [.. _refused];

        public ILogger CreateLogger(string categoryName) => categoryName == typeof(StreamClient).FullName ? this : NullLogger.Instance;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            _refused.Enqueue(eventId.Id);
            throw new IOException("The disk is full.");
        }

        public void Dispose()
        {
        }
    }
}
