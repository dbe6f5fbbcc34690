using System.Buffers;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>A producer and a server that does what a real broker does only now and then.</summary>
public sealed class StreamProducerServerTests
{
    private const string Stream = "stream";

    [Fact]
    public async Task A_message_with_a_filter_value_is_sent_again_with_it()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { Name = "n" });
        server.When(CommandKey.Publish, Reaction.Cut);
        Task sent = producer.SendBytesAsync(ProducerStream.Body(0), new StreamSendOptions { Filter = "a" }).AsTask();
        await sent.WaitAsync(Patience.Limit);
        Assert.Equal(2, server.Received(CommandKey.Publish));
        Assert.Equal([ProducerStream.Body(0)], server.Messages(Stream));
        Assert.Equal(
            new string?[] { "a" }.AsEnumerable(), server.With(Stream, stream => stream.Chunks.SelectMany(chunk => chunk.Filters).ToList()));
    }

    [Fact]
    public async Task What_the_broker_refuses_fails_and_is_told_in_both_ways()
    {
        await using StrictStreamServer server = Server();
        server.RefuseMessage = (_, id) => id % 3 == 0 ? StreamResponseCode.AccessRefused : null;
        await using var client = new StreamClient(server.Options);
        var told = new List<StreamConfirmation>();
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { Confirmed = told.Add });
        Task[] sends = [.. Enumerable.Range(0, 9).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        await Task.WhenAll(sends).ContinueWith(_ => { }, TaskScheduler.Default).WaitAsync(Patience.Limit);
        for (int i = 0; i < 9; i++)
        {
            Assert.Equal((i + 1) % 3 == 0, sends[i].IsFaulted);
        }

        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(() => sends[2]);
        Assert.Equal((3ul, StreamResponseCode.AccessRefused), (error.PublishingId, error.Code));
        await producer.CloseAsync().WaitAsync(Patience.Limit);

        StreamProducer untold = await client.CreateProducerAsync(Stream);
        for (int i = 0; i < 7; i++)
        {
            await untold.EnqueueBytesAsync(ProducerStream.Body(i));
        }

        error = await Assert.ThrowsAsync<StreamPublishException>(() => untold.FlushAsync().WaitAsync(Patience.Limit));
        Assert.StartsWith("2 messages were not confirmed", error.Message, StringComparison.Ordinal);
        await untold.FlushAsync();
        await untold.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Filter_values_go_with_the_messages_where_the_broker_takes_them()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using (StreamProducer producer = await client.CreateProducerAsync(Stream))
        {
            Task[] sends =
            [
                producer.SendBytesAsync(ProducerStream.Body(0)).AsTask(),
                producer.SendBytesAsync(ProducerStream.Body(1), new StreamSendOptions { Filter = "a" }).AsTask(),
                producer.SendBytesAsync(ProducerStream.Body(2)).AsTask(),
                producer.SendBytesAsync(ProducerStream.Body(3), new StreamSendOptions { Filter = "ä and more" }).AsTask(),
            ];
            await Task.WhenAll(sends).WaitAsync(Patience.Limit);
        }

        Assert.Equal(Enumerable.Range(0, 4).Select(i => ProducerStream.Body(i)), server.Messages(Stream));
        Assert.Equal(
            new string?[] { null, "a", null, "ä and more" }.AsEnumerable(),
            server.With(Stream, stream => stream.Chunks.SelectMany(chunk => chunk.Filters).ToList()));
    }

    [Fact]
    public async Task A_stream_that_moves_while_its_frames_are_being_sent_is_found_again()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { Name = "n" });
        for (int round = 0; round < 30; round++)
        {
            Task[] sends = [.. Enumerable.Range(0, 40).Select(i => producer.SendBytesAsync(new byte[20_000 + i]).AsTask())];
            server.Forget(Stream, StreamResponseCode.StreamNotAvailable);
            await Task.WhenAll(sends).WaitAsync(Patience.Limit);
        }

        Assert.Equal(30 * 40, server.Messages(Stream).Count);
    }

    [Fact]
    public async Task It_says_why_it_looks_for_its_stream()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { Name = "n" });
        Assert.Null(producer.Interruption);
        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.AccessRefused));
        server.Forget(Stream, StreamResponseCode.StreamNotAvailable);
        await server.UntilAsync(() => server.Received(CommandKey.DeclarePublisher) >= 4, "attempts to come back");
        Assert.Equal(StreamResponseCode.AccessRefused, Assert.IsType<StreamException>(producer.Interruption).Code);
        server.Always(CommandKey.DeclarePublisher, null);
        await producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit);
        Assert.Null(producer.Interruption);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
        Assert.IsType<ObjectDisposedException>(producer.Interruption);
    }

    [Fact]
    public async Task A_message_that_is_written_is_not_taken_for_cancelled()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1 });
        server.HoldsConfirms = true;
        using var cancelled = new CancellationTokenSource();
        Task first = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();

        // It waits for room, and its token fires when it has got some.
        Task<ulong> second = producer.EnqueueWrittenAsync(cancelled, static (output, cancelled) =>
        {
            cancelled.Cancel();
            output.Write(ProducerStream.Body(1));
        }, cancellationToken: cancelled.Token).AsTask();
        server.HoldsConfirms = false;
        await first.WaitAsync(Patience.Limit);
        Assert.Equal(2ul, await second.WaitAsync(Patience.Limit));
        await producer.FlushAsync().WaitAsync(Patience.Limit);
        Assert.Equal([ProducerStream.Body(0), ProducerStream.Body(1)], server.Messages(Stream));
    }

    [Fact]
    public async Task A_producer_that_ends_while_it_looks_for_its_stream_looks_no_more()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        using var told = new SemaphoreSlim(0);
        using var mayThrow = new SemaphoreSlim(0);
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions
        {
            Confirmed = _ =>
            {
                told.Release();
                mayThrow.Wait();
                throw new FormatException("no");
            },
        });
        await producer.EnqueueBytesAsync(ProducerStream.Body(0));
        Assert.True(await told.WaitAsync(Patience.Limit));
        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.StreamNotAvailable));
        server.Forget(Stream, StreamResponseCode.StreamNotAvailable);
        await server.UntilAsync(() => server.Received(CommandKey.DeclarePublisher) > 3, "attempts to come back");
        mayThrow.Release();
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(
            () => producer.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit));
        Assert.Contains("Confirmed has thrown: no", error.Message, StringComparison.Ordinal);
        await producer.Recovering.WaitAsync(Patience.Limit / 2);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task An_exception_of_the_callback_ends_the_producer()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        StreamProducer producer = await client.CreateProducerAsync(
            Stream, new StreamProducerOptions { MaxUnconfirmed = 1, Confirmed = _ => throw new FormatException("no") });
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(async () =>
        {
            while (true)
            {
                await producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit);
            }
        });
        Assert.Contains("Confirmed has thrown: no", error.Message, StringComparison.Ordinal);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
    }

    private static StrictStreamServer Server()
    {
        var server = new StrictStreamServer();
        server.Create(Stream);
        return server;
    }
}
