using System.Collections.Concurrent;
using System.Diagnostics;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>What is told of producers and consumers on their way back.</summary>
public sealed class StreamRecoveryTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Tells_that_it_was_lost_and_what_has_failed_and_that_it_is_back(bool isProducer)
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        var told = new ConcurrentQueue<StreamRecovery>();
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = new StreamClient(server.Options with
        {
            OnRecovery = recovery =>
            {
                told.Enqueue(recovery);
                if (recovery.IsBack)
                {
                    back.TrySetResult();
                }

                throw new InvalidDataException("nobody is kept from anything by this");
            },
        });
        await using IAsyncDisposable one = isProducer
            ? await client.CreateProducerAsync("s", new StreamProducerOptions { Name = "one" })
            : await client.ConsumeAsync("s", _ => default, new StreamConsumerOptions { Name = "one" });
        Assert.Empty(told);
        server.When(
            isProducer ? CommandKey.DeclarePublisher : CommandKey.Subscribe, Reaction.Refuse(StreamResponseCode.AccessRefused), times: 3);
        server.CutAll();
        await back.Task.WaitAsync(Patience.Limit);
        Assert.All(told, recovery => Assert.Equal(("s", "one", isProducer), (recovery.Stream, recovery.Name, recovery.IsProducer)));
        Assert.Equal(Enumerable.Range(0, told.Count), told.Select(recovery => recovery.Attempt));
        StreamRecovery[] all = [.. told];
        Assert.IsType<StreamConnectionException>(all[0].Reason);
        Assert.Equal(3, all.Count(recovery => recovery.Reason is StreamException { Code: StreamResponseCode.AccessRefused }));
        Assert.True(all[^1].IsBack);
        string who = isProducer ? "The producer 'one' of the stream 's' is" : "The consumer 'one' of the stream 's' is";
        Assert.StartsWith($"{who} recovering: ", all[0].ToString(), StringComparison.Ordinal);
        Assert.StartsWith($"{who} not back yet, attempt {all.Length - 2} has failed: ", all[^2].ToString(), StringComparison.Ordinal);
        Assert.Equal($"{who} back: attempt {all.Length - 1} has succeeded.", all[^1].ToString());
    }

    [Fact]
    public async Task Is_a_warning_in_the_trace_where_nobody_is_told()
    {
        await using var server = new StrictStreamServer();
        string stream = Broker.UniqueName();
        server.Create(stream);
        using var trace = new TraceWatch($"The consumer of the stream '{stream}' is back");
        await using var client = new StreamClient(server.Options);
        await using StreamConsumer consumer = await client.ConsumeAsync(stream, _ => default);
        server.CutAll();
        await trace.Heard.WaitAsync(Patience.Limit);
    }

    // The program has ended them itself, if not in the order that it should.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Nobody_is_told_when_the_client_is_disposed_of_first(bool isProducer)
    {
        await using var server = new StrictStreamServer();
        string stream = Broker.UniqueName();
        server.Create(stream);
        using var trace = new TraceWatch(stream);
        var client = new StreamClient(server.Options);
        await using IAsyncDisposable one = isProducer
            ? await client.CreateProducerAsync(stream)
            : await client.ConsumeAsync(stream, _ => default);
        await client.DisposeAsync();
        if (one is StreamProducer producer)
        {
            await producer.Recovering.WaitAsync(Patience.Limit);
            Assert.IsType<ObjectDisposedException>(producer.Interruption);
        }
        else
        {
            await ((StreamConsumer)one).Ended.ContinueWith(_ => { }, TaskScheduler.Default).WaitAsync(Patience.Limit);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => ((StreamConsumer)one).Completion);
        }

        Assert.False(trace.Heard.IsCompleted);
    }

    // It was, eight times a second.
    [Fact]
    public async Task A_broker_that_drops_everyone_soon_is_not_called_without_end()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options with { Recovery = RecoveryOptions.Default, OnRecovery = _ => { } });
        await using StreamConsumer consumer = await client.ConsumeAsync("s", _ => default);
        long began = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(4))
        {
            int subscribed = server.Received(CommandKey.Subscribe);
            await Task.Delay(120);
            server.CutAll();
            while (server.Received(CommandKey.Subscribe) == subscribed && Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(4))
            {
                await Task.Delay(5);
            }
        }

        Assert.InRange(server.Received(CommandKey.Subscribe), 2, 10);
    }
}
