using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Messages that the broker does not confirm in time: on a server in process, which holds confirms back.</summary>
public sealed class StreamProducerConfirmTimeoutTests
{
    private const string Stream = "stream";

    private static readonly StreamProducerOptions Options = new() { ConfirmTimeout = TimeSpan.FromMilliseconds(500) };

    [Fact]
    public async Task A_message_that_is_not_confirmed_in_time_fails_and_the_next_ones_go()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, Options with { MaxUnconfirmed = 2 });
        server.HoldsConfirms = true;
        DateTime began = DateTime.UtcNow;
        Task[] sends = [.. Enumerable.Range(0, 3).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];

        // The third has waited for room, and has its time from then on.
        for (ulong id = 1; id <= 3; id++)
        {
            StreamPublishException e = await FailsAsync(sends[id - 1]);
            Assert.Equal((id, null, true), (e.PublishingId, e.Code, e.MayBeStored));
            Assert.Equal(
                $"Message {id} to 'stream' was sent and not confirmed: it may or may not be stored. The broker has not confirmed it within "
                + "0.5 s (StreamProducerOptions.ConfirmTimeout).",
                e.Message);
            Assert.IsType<TimeoutException>(e.InnerException);
        }

        Assert.InRange(DateTime.UtcNow - began, TimeSpan.FromMilliseconds(980), Patience.Limit);
        Assert.Equal(0, producer.Unconfirmed);

        // Confirms that are late change nothing.
        server.HoldsConfirms = false;
        await producer.SendBytesAsync(ProducerStream.Body(3)).AsTask().WaitAsync(Patience.Limit);
        Assert.Equal(Enumerable.Range(0, 4).Select(i => ProducerStream.Body(i)), server.Messages(Stream));
        await producer.FlushAsync();
    }

    [Fact]
    public async Task What_is_enqueued_is_told_and_otherwise_a_flush_says_it()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        var told = new TaskCompletionSource<StreamConfirmation>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamProducer telling = await client.CreateProducerAsync(Stream, Options with { Confirmed = told.SetResult });
        await using StreamProducer silent = await client.CreateProducerAsync(Stream, Options);
        server.HoldsConfirms = true;
        await telling.EnqueueBytesAsync(ProducerStream.Body(0));
        await silent.EnqueueBytesAsync(ProducerStream.Body(1));
        await silent.EnqueueBytesAsync(ProducerStream.Body(2));

        Assert.Equal(new StreamConfirmation(Stream, 1, 1, null), await told.Task.WaitAsync(Patience.Limit));
        StreamPublishException e =
            await Assert.ThrowsAsync<StreamPublishException>(() => silent.FlushAsync().WaitAsync(Patience.Limit));
        Assert.StartsWith("2 messages were not confirmed. The first: Message 1 ", e.Message, StringComparison.Ordinal);
        server.HoldsConfirms = false;
    }

    [Fact]
    public async Task Messages_of_an_entry_fail_together()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync(
            Stream,
            Options with { SubEntries = new StreamSubEntryOptions { MaxMessages = 2 }, Linger = TimeSpan.FromMilliseconds(50) });
        server.HoldsConfirms = true;
        Task[] sends = [.. Enumerable.Range(0, 3).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        for (ulong id = 1; id <= 3; id++)
        {
            Assert.Equal(id, (await FailsAsync(sends[id - 1])).PublishingId);
        }

        server.HoldsConfirms = false;
        await producer.SendBytesAsync(ProducerStream.Body(3)).AsTask().WaitAsync(Patience.Limit);
        Assert.Equal(0, producer.Unconfirmed);
    }

    // In several frames, and in one that is open when they fail.
    [Theory]
    [InlineData(null, 256)]
    [InlineData("name", 256)]
    [InlineData(null, 1 << 16)]
    public async Task Without_a_connection_the_time_goes_on_and_what_has_failed_is_not_sent(string? name, int frameBytes)
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);

        // Long enough to come back in.
        await using StreamProducer producer = await client.CreateProducerAsync(
            Stream, Options with { Name = name, MaxFrameBytes = frameBytes, ConfirmTimeout = TimeSpan.FromSeconds(2) });
        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.AccessRefused));
        server.Forget(Stream, StreamResponseCode.StreamNotAvailable);
        await server.UntilAsync(() => server.Received(CommandKey.DeclarePublisher) >= 3, "attempts to come back");
        Task[] lost = [.. Enumerable.Range(0, 50).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        foreach (Task send in lost)
        {
            StreamPublishException e = await FailsAsync(send);
            Assert.Equal(
                $"Message {e.PublishingId} was not sent to 'stream': It could not be sent within 2 s "
                + "(StreamProducerOptions.ConfirmTimeout); there is no connection at the moment: see Interruption.",
                e.Message);
            Assert.False(e.MayBeStored);
        }

        Task[] sends = [.. Enumerable.Range(50, 5).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        server.Always(CommandKey.DeclarePublisher, null);
        await Task.WhenAll(sends).WaitAsync(Patience.Limit);
        Assert.Equal(Enumerable.Range(50, 5).Select(i => ProducerStream.Body(i)), server.Messages(Stream));
    }

    [Fact]
    public async Task What_is_given_up_before_the_connection_takes_it_is_never_sent()
    {
        // The server reads nothing, so that some is in the socket, some is being sent, and the rest waits, the last of it in an open frame.
        const int Large = 200;
        const int Small = 20;
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        var reads = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var time = new LookTime();
        await using StreamProducer producer = await client.CreateProducerAsync(
            Stream, Options with { ConfirmTimeout = TimeSpan.FromSeconds(8), Time = time });
        server.When(CommandKey.Publish, Reaction.After(reads.Task));
        Task[] lost =
        [
            .. Enumerable.Range(0, Large).Select(i => producer.SendBytesAsync(new byte[50_000]).AsTask()),
            .. Enumerable.Range(Large, Small).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask()),
        ];
        await server.ReceivedAsync(CommandKey.Publish);
        time.Pass(5);
        Task[] later = [.. Enumerable.Range(Large + Small, Small).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        Assert.DoesNotContain(lost, send => send.IsCompleted);
        time.Pass(4);
        var failures = new List<StreamPublishException>();
        foreach (Task send in lost)
        {
            failures.Add(await FailsAsync(send));
        }

        Assert.DoesNotContain(later, send => send.IsCompleted);
        reads.SetResult();
        await Task.WhenAll(later).WaitAsync(Patience.Limit);
        int sent = failures.Count(e => e.MayBeStored);
        Assert.InRange(sent, 1, Large);
        Assert.All(failures.Take(sent), e => Assert.Contains("was sent and not confirmed", e.Message, StringComparison.Ordinal));
        Assert.All(failures.Skip(sent), e => Assert.Contains(" was not sent to 'stream': It could", e.Message, StringComparison.Ordinal));
        Assert.Equal(
            [.. Enumerable.Repeat(50_000, sent), .. Enumerable.Repeat(sizeof(long), Small)],
            server.Messages(Stream).Select(message => message.Length));
        Assert.Equal(Enumerable.Range(Large + Small, Small).Select(i => ProducerStream.Body(i)), server.Messages(Stream).Skip(sent));
    }

    [Fact]
    public async Task What_fails_while_it_is_being_sent_keeps_its_memory_until_it_is()
    {
        // The server reads nothing for a while, so that the sender is stopped in the middle of frames that are given up meanwhile.
        const int Size = 50_000;
        const int Count = 400;
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        var reads = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, Options);
        server.When(CommandKey.Publish, Reaction.After(reads.Task));
        Task[] lost = [.. Enumerable.Range(0, Count).Select(i => producer.SendBytesAsync(Filled(i)).AsTask())];
        await FailsAsync(lost[0]);
        await FailsAsync(lost[^1]);

        // What is written now would be written over what is being sent, if that were free.
        Task[] later = [.. Enumerable.Range(Count, Count).Select(i => producer.SendBytesAsync(Filled(i)).AsTask())];
        await FailsAsync(later[^1]);
        reads.SetResult();
        int last = 2 * Count;
        while (!await IsConfirmedAsync(producer.SendBytesAsync(Filled(last))))
        {
            last++;
        }

        // Some were never sent; each of the others is whole, and they are in their order.
        int[] numbers = [.. server.Messages(Stream).Select(message =>
        {
            int number = BitConverter.ToInt32(message);
            Assert.True(message.AsSpan().SequenceEqual(Filled(number)), $"Message {number} is another one.");
            return number;
        })];
        Assert.Equal(numbers.Distinct().Order(), numbers);
        Assert.Equal(last, numbers[^1]);

        // The server has much to read at first.
        static async Task<bool> IsConfirmedAsync(ValueTask send)
        {
            try
            {
                await send.AsTask().WaitAsync(Patience.Limit);
                return true;
            }
            catch (StreamPublishException e) when (e.InnerException is TimeoutException)
            {
                return false;
            }
        }

        static byte[] Filled(int number)
        {
            byte[] bytes = new byte[Size];
            Array.Fill(bytes, (byte)(number * 7));
            BitConverter.TryWriteBytes(bytes, number);
            return bytes;
        }
    }

    [Fact]
    public void A_time_out_of_range_is_refused()
    {
        foreach (TimeSpan time in (TimeSpan[])[TimeSpan.Zero, TimeSpan.FromMilliseconds(9), TimeSpan.FromDays(2), Timeout.InfiniteTimeSpan])
        {
            Assert.Equal(
                nameof(StreamProducerOptions.ConfirmTimeout),
                Assert.Throws<ArgumentOutOfRangeException>(() => new StreamProducerOptions { ConfirmTimeout = time }.Validate()).ParamName);
        }

        Assert.Contains(
            "ConfirmTimeout must be longer than Linger, for which a message waits before it is sent.",
            Assert.Throws<ArgumentOutOfRangeException>(() => (Options with { Linger = TimeSpan.FromMilliseconds(500) }).Validate()).Message,
            StringComparison.Ordinal);
    }

    private static Task<StreamPublishException> FailsAsync(Task send) =>
        Assert.ThrowsAsync<StreamPublishException>(() => send.WaitAsync(Patience.Limit));

    private static StrictStreamServer Server()
    {
        var server = new StrictStreamServer();
        server.Create(Stream);
        return server;
    }
}
