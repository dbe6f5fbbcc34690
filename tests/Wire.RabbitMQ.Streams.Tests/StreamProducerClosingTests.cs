using System.Diagnostics;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>What a producer waits for when it is closed, and for how long.</summary>
public sealed class StreamProducerClosingTests
{
    private const string Stream = "stream";

    [Fact]
    public async Task Disposal_fails_what_waits_and_waits_for_what_was_written()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1 });
        server.HoldsConfirms = true;
        Task written = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        Task waiting = producer.SendBytesAsync(ProducerStream.Body(1)).AsTask();
        Task closed = producer.DisposeAsync().AsTask();
        ObjectDisposedException error = await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Patience.Limit));
        Assert.Contains("was not sent", error.Message, StringComparison.Ordinal);
        error = await Assert.ThrowsAsync<ObjectDisposedException>(() => producer.SendBytesAsync(ProducerStream.Body(2)).AsTask());
        Assert.Contains($"'{producer.Stream}' has been closed", error.Message, StringComparison.Ordinal);
        Assert.False(closed.IsCompleted);
        server.HoldsConfirms = false;
        await written.WaitAsync(Patience.Limit);
        await closed.WaitAsync(Patience.Limit);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Received(CommandKey.DeletePublisher));
    }

    [Fact]
    public async Task What_is_not_confirmed_when_the_time_to_close_is_over_fails()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { Timeout = TimeSpan.FromSeconds(2) });
        StreamProducer producer = await client.CreateProducerAsync(Stream);
        server.HoldsConfirms = true;
        Task sent = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        await producer.EnqueueBytesAsync(ProducerStream.Body(1));
        StreamPublishException told =
            await Assert.ThrowsAsync<StreamPublishException>(() => producer.CloseAsync().WaitAsync(Patience.Limit));
        Assert.Equal(2ul, told.PublishingId);
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(() => sent.WaitAsync(Patience.Limit));
        Assert.Equal(1ul, error.PublishingId);
        Assert.Null(error.Code);
    }

    [Fact]
    public async Task Closing_does_not_wait_for_a_broker_that_reads_nothing()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { Timeout = TimeSpan.FromSeconds(4) });
        StreamProducer producer = await client.CreateProducerAsync(Stream);
        await using StreamProducer other = await client.CreateProducerAsync(Stream);
        var reads = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        server.When(CommandKey.Publish, Reaction.After(reads.Task));
        for (int i = 0; i < 40; i++)
        {
            await producer.EnqueueBytesAsync(new byte[1_000_000]);
        }

        try
        {
            // Once, and not for each thing that is asked of it.
            long began = Stopwatch.GetTimestamp();
            StreamPublishException told = await Assert.ThrowsAsync<StreamPublishException>(
                () => producer.CloseAsync().WaitAsync(Patience.Limit));
            Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 3, 7.5);
            Assert.StartsWith("40 messages were not confirmed", told.Message, StringComparison.Ordinal);

            // Who shares the connection has got another one.
            await other.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit);
        }
        finally
        {
            reads.SetResult();
        }
    }

    [Fact]
    public async Task Closing_waits_once_for_a_broker_that_answers_nothing_and_leaves_others_alone()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { Timeout = TimeSpan.FromSeconds(4) });
        StreamProducer producer = await client.CreateProducerAsync(Stream);
        await using StreamProducer other = await client.CreateProducerAsync(Stream);
        server.HoldsConfirms = true;
        server.When(CommandKey.DeletePublisher, Reaction.Silence);
        Task sent = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        long began = Stopwatch.GetTimestamp();
        await producer.CloseAsync().WaitAsync(Patience.Limit);
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 3, 7.5);
        await Assert.ThrowsAsync<StreamPublishException>(() => sent);
        server.HoldsConfirms = false;
        await other.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit);
        Assert.Equal(2, server.Received(CommandKey.DeclarePublisher));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Closing_does_not_wait_for_a_stream_that_is_gone(bool isKnown)
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { Timeout = TimeSpan.FromMinutes(2) });
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { Name = "n" });
        server.HoldsConfirms = true;
        Task sent = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        await server.ReceivedAsync(CommandKey.Publish);
        int asked = server.Received(CommandKey.Metadata);
        server.Delete(Stream);
        if (isKnown)
        {
            await server.ReceivedAsync(CommandKey.Metadata, asked + 3);
        }

        await producer.CloseAsync().WaitAsync(Patience.Limit);
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(() => sent);
        Assert.Contains("no such stream", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Whoever_closes_it_may_be_in_a_hurry()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { Timeout = TimeSpan.FromMinutes(2) });
        StreamProducer producer = await client.CreateProducerAsync(Stream);
        server.HoldsConfirms = true;
        server.Always(CommandKey.DeletePublisher, Reaction.Silence);
        server.Always(CommandKey.Close, Reaction.Silence);
        Task sent = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        using var hurry = new CancellationTokenSource();
        Task patient = producer.CloseAsync();
        Task closed = producer.CloseAsync(hurry.Token);
        Assert.False(closed.IsCompleted);
        await hurry.CancelAsync();
        await closed.WaitAsync(Patience.Limit);
        await patient.WaitAsync(Patience.Limit);
        await Assert.ThrowsAsync<StreamPublishException>(() => sent);
        await client.CloseAsync(hurry.Token).WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task All_has_been_told_when_the_producer_is_closed()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        var told = new List<StreamConfirmation>();
        using var goOn = new SemaphoreSlim(0);
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions
        {
            Confirmed = range =>
            {
                goOn.Wait();
                told.Add(range);
            },
        });
        await producer.EnqueueBytesAsync(ProducerStream.Body(0));
        await producer.FlushAsync().WaitAsync(Patience.Limit);
        Task closed = producer.CloseAsync();
        await server.UntilAsync(() => server.Received(CommandKey.DeletePublisher) == 1, "the end of the publisher");

        // Nothing says that it waits: without that it would have ended in a moment.
        await Assert.ThrowsAsync<TimeoutException>(() => closed.WaitAsync(TimeSpan.FromSeconds(1)));
        goOn.Release();
        await closed.WaitAsync(Patience.Limit);
        Assert.Equal([new StreamConfirmation(Stream, 1, 1, StreamResponseCode.Ok)], told);
    }

    private static StrictStreamServer Server()
    {
        var server = new StrictStreamServer();
        server.Create(Stream);
        return server;
    }
}
