using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Sends that wait for room or for a connection: in their order, not too many of them, and not for ever.</summary>
public sealed class StreamProducerWaitingTests
{
    private const string Stream = "stream";

    [Fact]
    public async Task Sends_wait_in_their_order_while_too_much_is_not_confirmed()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 3 });
        server.HoldsConfirms = true;
        Task<ulong>[] sends = [.. Enumerable.Range(0, 10).Select(i => producer.EnqueueBytesAsync(ProducerStream.Body(i)).AsTask())];
        await server.UntilAsync(() => server.Streams[Stream].Messages.Count() == 3, "three messages");
        Assert.All(sends[..3], send => Assert.True(send.IsCompletedSuccessfully));
        Assert.All(sends[3..], send => Assert.False(send.IsCompleted));
        Assert.Equal(3, producer.Unconfirmed);

        server.HoldsConfirms = false;
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], await Task.WhenAll(sends).WaitAsync(Patience.Limit));
        await producer.FlushAsync().WaitAsync(Patience.Limit);
        Assert.Equal(Enumerable.Range(0, 10).Select(i => ProducerStream.Body(i)), server.Messages(Stream));
    }

    [Fact]
    public async Task So_they_do_while_too_many_bytes_are_not_confirmed()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer =
            await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmedBytes = 1_500 });
        server.HoldsConfirms = true;
        Task[] sends = [.. Enumerable.Range(0, 4).Select(i => producer.SendBytesAsync(new byte[1_000 + i]).AsTask())];
        await server.UntilAsync(() => server.Streams[Stream].Messages.Count() == 2, "two messages");
        Assert.Equal(2, producer.Unconfirmed);
        server.HoldsConfirms = false;
        await Task.WhenAll(sends).WaitAsync(Patience.Limit);
        Assert.Equal([1_000, 1_001, 1_002, 1_003], server.Messages(Stream).Select(message => message.Length));
    }

    [Fact]
    public async Task A_send_that_waits_and_cannot_be_written_then_fails_alone()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1 });
        server.HoldsConfirms = true;
        Task first = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        Task bad = producer.SendWrittenAsync(0, static (output, state) => throw new FormatException()).AsTask();
        Task<ulong> last = producer.EnqueueBytesAsync(ProducerStream.Body(1)).AsTask();
        Task flushed = producer.FlushAsync();
        Assert.False(flushed.IsCompleted);
        server.HoldsConfirms = false;
        await first.WaitAsync(Patience.Limit);
        await Assert.ThrowsAsync<FormatException>(() => bad.WaitAsync(Patience.Limit));
        Assert.Equal(2ul, await last.WaitAsync(Patience.Limit));
        await flushed.WaitAsync(Patience.Limit);
        Assert.Equal([ProducerStream.Body(0), ProducerStream.Body(1)], server.Messages(Stream));
    }

    [Fact]
    public async Task A_send_that_waits_for_room_can_be_cancelled_and_is_not_sent()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1 });
        server.HoldsConfirms = true;
        using var cancelled = new CancellationTokenSource();
        Task first = producer.SendBytesAsync(ProducerStream.Body(0), cancellationToken: cancelled.Token).AsTask();
        Task<ulong> second = producer.EnqueueBytesAsync(ProducerStream.Body(1), cancellationToken: cancelled.Token).AsTask();
        Task third = producer.SendBytesAsync(ProducerStream.Body(2)).AsTask();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.WaitAsync(Patience.Limit));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.WaitAsync(Patience.Limit));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => producer.SendBytesAsync(ProducerStream.Body(3), cancellationToken: cancelled.Token).AsTask());
        server.HoldsConfirms = false;
        await third.WaitAsync(Patience.Limit);

        // The first one was on its way already.
        Assert.Equal([ProducerStream.Body(0), ProducerStream.Body(2)], server.Messages(Stream));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public async Task No_more_wait_for_room_than_may(int most)
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(
            Stream, new StreamProducerOptions { MaxUnconfirmed = 1, MaxWaiting = most });
        server.HoldsConfirms = true;
        await producer.EnqueueBytesAsync(ProducerStream.Body(0));
        using var cancelled = new CancellationTokenSource();
        Task[] waiting =
        [
            .. Enumerable.Range(0, most).Select(
                _ => producer.SendBytesAsync(ProducerStream.Body(1), cancellationToken: cancelled.Token).AsTask()),
        ];
        for (int i = 0; i < 2; i++)
        {
            StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(
                () => producer.SendBytesAsync(ProducerStream.Body(2)).AsTask());
            Assert.Contains($"{most} wait for room already, and StreamProducerOptions.MaxWaiting", error.Message, StringComparison.Ordinal);
        }

        // What is cancelled leaves at once, so that as many may come.
        await cancelled.CancelAsync();
        Task[] others = [.. Enumerable.Range(0, most).Select(i => producer.EnqueueBytesAsync(ProducerStream.Body(3)).AsTask())];
        await Assert.ThrowsAsync<StreamPublishException>(() => producer.EnqueueBytesAsync(ProducerStream.Body(2)).AsTask());
        server.HoldsConfirms = false;
        await Task.WhenAll(others).WaitAsync(Patience.Limit);
        await producer.FlushAsync().WaitAsync(Patience.Limit);
        Assert.All(waiting, each => Assert.True(each.IsCanceled));
        Assert.Equal([ProducerStream.Body(0), .. Enumerable.Repeat(ProducerStream.Body(3), most)], server.Messages(Stream));
    }

    [Fact]
    public async Task What_waits_without_a_connection_has_an_end_and_what_is_cancelled_is_let_go_of()
    {
        const int Rounds = 20;
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { OnRecovery = _ => { } });
        await using StreamProducer producer = await client.CreateProducerAsync(
            Stream, new StreamProducerOptions { MaxUnconfirmed = 1, MaxWaiting = 1000 });
        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.StreamNotAvailable));
        server.Forget(Stream, StreamResponseCode.StreamNotAvailable);
        await server.ReceivedAsync(CommandKey.DeclarePublisher, 2);
        await producer.EnqueueBytesAsync(ProducerStream.Body(0));
        var bodies = new List<WeakReference>();
        for (int round = 0; round < Rounds; round++)
        {
            await WaitAndCancelAsync(producer, 1000, bodies);
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();

        // Some may be on a stack, or in what the last task has left.
        Assert.InRange(bodies.Count(body => body.IsAlive), 0, 1000);
        server.Always(CommandKey.DeclarePublisher, null);
        await producer.FlushAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Sends_wait_while_the_stream_has_no_leader()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { Name = "n" });
        await producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit);
        server.When(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.StreamNotAvailable), times: 3);
        server.Forget(Stream, StreamResponseCode.StreamNotAvailable);
        await producer.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit);
        Assert.Equal(5, server.Received(CommandKey.DeclarePublisher));
        Assert.Equal([ProducerStream.Body(0), ProducerStream.Body(1)], server.Messages(Stream));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task WaitAndCancelAsync(StreamProducer producer, int count, List<WeakReference> bodies)
    {
        using var cancelled = new CancellationTokenSource();
        var sends = new List<Task>();
        for (int i = 0; i < count; i++)
        {
            byte[] body = new byte[100];
            bodies.Add(new WeakReference(body));
            sends.Add(producer.SendBytesAsync(body, cancellationToken: cancelled.Token).AsTask());
        }

        await Assert.ThrowsAsync<StreamPublishException>(() => producer.SendBytesAsync(ProducerStream.Body(2)).AsTask());
        await cancelled.CancelAsync();
        await Task.WhenAll(sends).ContinueWith(_ => { }, TaskScheduler.Default).WaitAsync(Patience.Limit);
        Assert.All(sends, send => Assert.True(send.IsCanceled));
    }

    private static StrictStreamServer Server()
    {
        var server = new StrictStreamServer();
        server.Create(Stream);
        return server;
    }
}
