using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>A producer and a server that does what a real broker does only now and then.</summary>
public sealed class StreamProducerServerTests
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
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmedBytes = 1_500 });
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
        Assert.Equal(new string?[] { "a" }.AsEnumerable(), server.With(Stream, stream => stream.Chunks.SelectMany(chunk => chunk.Filters).ToList()));
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
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => producer.SendBytesAsync(ProducerStream.Body(3), cancellationToken: cancelled.Token).AsTask());
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
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1, MaxWaiting = most });
        server.HoldsConfirms = true;
        await producer.EnqueueBytesAsync(ProducerStream.Body(0));
        using var cancelled = new CancellationTokenSource();
        Task[] waiting = [.. Enumerable.Range(0, most).Select(i => producer.SendBytesAsync(ProducerStream.Body(1), cancellationToken: cancelled.Token).AsTask())];
        for (int i = 0; i < 2; i++)
        {
            StreamPublishException error = Assert.Throws<StreamPublishException>(() => { _ = producer.SendBytesAsync(ProducerStream.Body(2)).AsTask(); });
            Assert.Contains($"{most} wait for room already, and StreamProducerOptions.MaxWaiting", error.Message, StringComparison.Ordinal);
        }

        // What is cancelled leaves at once, so that as many may come.
        await cancelled.CancelAsync();
        Task[] others = [.. Enumerable.Range(0, most).Select(i => producer.EnqueueBytesAsync(ProducerStream.Body(3)).AsTask())];
        Assert.Throws<StreamPublishException>(() => { _ = producer.EnqueueBytesAsync(ProducerStream.Body(2)).AsTask(); });
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
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1, MaxWaiting = 1000 });
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

        Assert.Throws<StreamPublishException>(() => { _ = producer.SendBytesAsync(ProducerStream.Body(2)).AsTask(); });
        await cancelled.CancelAsync();
        await Task.WhenAll(sends).ContinueWith(_ => { }, TaskScheduler.Default).WaitAsync(Patience.Limit);
        Assert.All(sends, send => Assert.True(send.IsCanceled));
    }

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
        error = Assert.Throws<ObjectDisposedException>(() => { _ = producer.SendBytesAsync(ProducerStream.Body(2)).AsTask(); });
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
        StreamPublishException told = await Assert.ThrowsAsync<StreamPublishException>(() => producer.CloseAsync().WaitAsync(Patience.Limit));
        Assert.Equal(2ul, told.PublishingId);
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(() => sent.WaitAsync(Patience.Limit));
        Assert.Equal(1ul, error.PublishingId);
        Assert.Null(error.Code);
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
        Assert.Equal(new string?[] { null, "a", null, "ä and more" }.AsEnumerable(), server.With(Stream, stream => stream.Chunks.SelectMany(chunk => chunk.Filters).ToList()));
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
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(() => producer.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit));
        Assert.Contains("Confirmed has thrown: no", error.Message, StringComparison.Ordinal);
        await producer.Recovering.WaitAsync(Patience.Limit / 2);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
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
            StreamPublishException told = await Assert.ThrowsAsync<StreamPublishException>(() => producer.CloseAsync().WaitAsync(Patience.Limit));
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

    [Fact]
    public async Task An_exception_of_the_callback_ends_the_producer()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions { MaxUnconfirmed = 1, Confirmed = _ => throw new FormatException("no") });
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
