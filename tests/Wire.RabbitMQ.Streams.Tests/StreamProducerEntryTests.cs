using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>The tasks of messages that share an entry, which the broker answers as one.</summary>
public sealed class StreamProducerEntryTests
{
    private const string Stream = "stream";

    // All of an entry are there before its frame goes, which a flush makes it.
    private static readonly StreamProducerOptions InEntries = new()
    {
        Linger = TimeSpan.FromMinutes(1),
        SubEntries = new StreamSubEntryOptions { MaxMessages = 10 },
    };

    [Fact]
    public async Task What_is_refused_fails_each_task_by_the_id_of_its_message()
    {
        await using StrictStreamServer server = Server();
        server.RefuseMessage = (_, id) => id == 10 ? StreamResponseCode.AccessRefused : null;
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, InEntries);
        using var cancellation = new CancellationTokenSource();
        var sends = new Task?[20];
        for (int i = 0; i < sends.Length; i++)
        {
            // Some have a task of their own, because they can be cancelled, and some have none.
            sends[i] = (i % 5) switch
            {
                2 => producer.SendBytesAsync(ProducerStream.Body(i), cancellationToken: cancellation.Token).AsTask(),
                3 => null,
                _ => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask(),
            };
            if (sends[i] is null)
            {
                await producer.EnqueueBytesAsync(ProducerStream.Body(i));
            }
        }

        Task flush = producer.FlushAsync();
        for (int i = 0; i < sends.Length; i++)
        {
            if (sends[i] is not { } send)
            {
                continue;
            }

            if (i >= 10)
            {
                await send.WaitAsync(Patience.Limit);
                continue;
            }

            StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(() => send.WaitAsync(Patience.Limit));
            Assert.Equal(((ulong)(i + 1), StreamResponseCode.AccessRefused), (error.PublishingId, error.Code));
            Assert.Contains($"message {i + 1} ", error.Message, StringComparison.Ordinal);
        }

        // The two of the entry that nobody awaits.
        StreamPublishException untold = await Assert.ThrowsAsync<StreamPublishException>(() => flush.WaitAsync(Patience.Limit));
        Assert.StartsWith("2 messages were not confirmed", untold.Message, StringComparison.Ordinal);
    }

#pragma warning disable CA2012 // Kept, and awaited later: that is what it is about.
    [Fact]
    public async Task Who_waits_before_the_answer_and_who_asks_after_it_go_on_in_their_own_context()
    {
        const int Messages = 10;
        await using StrictStreamServer server = Server();
        server.HoldsConfirms = true;
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, InEntries);
        var context = new AsyncLocal<int>();
        var sends = new List<ValueTask>();
        for (int i = 0; i < Messages; i++)
        {
            sends.Add(producer.SendBytesAsync(ProducerStream.Body(i)));
        }

        Assert.All(sends, send => Assert.False(send.IsCompleted));
        Assert.Throws<InvalidOperationException>(() => GetResult(sends[3]));
        Task<int>[] waiting = [.. sends.Where((_, i) => i % 2 == 0).Select((send, i) => WaitAsync(send, i))];
        Task flush = producer.FlushAsync();
        await server.ReceivedAsync(CommandKey.Publish);
        Assert.All(waiting, task => Assert.False(task.IsCompleted));
        server.HoldsConfirms = false;
        int[] seen = await Task.WhenAll(waiting).WaitAsync(Patience.Limit);
        Assert.Equal(Enumerable.Range(0, Messages / 2), seen);

        await flush.WaitAsync(Patience.Limit);

        // All have been answered with those, and are there to be asked, in any order.
        foreach (ValueTask send in sends.Where((_, i) => i % 2 == 1).Reverse())
        {
            Assert.True(send.IsCompletedSuccessfully);
            GetResult(send);
        }

        async Task<int> WaitAsync(ValueTask send, int number)
        {
            context.Value = number;
            await send;
            return context.Value;
        }
    }

#pragma warning restore CA2012

    [Fact]
    public async Task A_caller_that_awaits_and_does_not_end_keeps_no_other_from_its_answer()
    {
        await using StrictStreamServer server = Server();
        server.HoldsConfirms = true;
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, InEntries);
        using var release = new ManualResetEventSlim();
        using var ended = new CountdownEvent(9);
        Task[] sends = [.. Enumerable.Range(0, 10).Select(SendAsync)];
        Task flush = producer.FlushAsync();
        await server.ReceivedAsync(CommandKey.Publish);
        server.HoldsConfirms = false;
        await Until.HoldsAsync(() => ended.IsSet, "the nine others");
        release.Set();
        await Task.WhenAll([.. sends, flush]).WaitAsync(Patience.Limit);

        async Task SendAsync(int i)
        {
            await producer.SendBytesAsync(ProducerStream.Body(i)).ConfigureAwait(false);
            if (i == 4)
            {
                release.Wait(2 * Patience.Limit);
            }
            else
            {
                ended.Signal();
            }
        }
    }

    // On its own: a test that blocks is one that can hang.
    private static void GetResult(ValueTask send) => send.GetAwaiter().GetResult();

    private static StrictStreamServer Server()
    {
        var server = new StrictStreamServer();
        server.Create(Stream);
        return server;
    }
}
