using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>A program that keeps the offset itself is asked where to begin.</summary>
public sealed class StreamConsumerFindOffsetTests
{
    [Fact]
    public async Task It_is_asked_at_first_and_after_each_loss_and_begins_exactly_there()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 100);
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        var answers =
            new ConcurrentQueue<StreamOffset>([StreamOffset.At(90), StreamOffset.At(100), StreamOffset.At(95), StreamOffset.First]);
        await using StreamConsumer consumer = await links.ConsumeAsync(
            new MessageDispatch(numbers.Add),
            new StreamConsumerOptions
            {
                FindOffset = (asking, _) =>
                {
                    Assert.Equal(stream.Name, asking.Stream);
                    Assert.True(answers.TryDequeue(out StreamOffset answer));
                    return ValueTask.FromResult<StreamOffset?>(answer);
                },
            });
        await numbers.ReachAsync(10);

        // Where it was, behind which nothing comes; back a little; and to the beginning.
        await links.CutUntilAsync(() => stream.PublishNumbersAsync(100, 5));
        await numbers.ReachAsync(15);
        await links.CutUntilAsync(() => Task.CompletedTask);
        await numbers.ReachAsync(25);
        await links.CutUntilAsync(() => Task.CompletedTask);
        await numbers.ReachAsync(130);
        Assert.Equal([.. Enumerable.Range(90, 15), .. Enumerable.Range(95, 10), .. Enumerable.Range(0, 105)], numbers.All);
        Assert.Empty(answers);
        Assert.Equal(104ul, consumer.Offset);
    }

    [Fact]
    public async Task Each_kind_of_offset_is_taken()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 10);
        await using var client = new StreamClient(StreamBroker.Options);
        foreach ((StreamOffset offset, int first) in ((StreamOffset, int)[])
            [
                (StreamOffset.First, 0), (StreamOffset.At(7), 7), (StreamOffset.From(DateTimeOffset.UnixEpoch), 0),
                (StreamOffset.Next, 10), (StreamOffset.At(1_000), 11),
            ])
        {
            // The last two begin with what is published then.
            var numbers = new Numbers();
            await using StreamConsumer consumer = await client.ConsumeAsync(
                stream.Name,
                numbers.Add,
                new StreamConsumerOptions { FindOffset = (_, _) => ValueTask.FromResult<StreamOffset?>(offset) });
            if (first >= 10)
            {
                await stream.PublishNumbersAsync(first, 1);
            }

            await numbers.ReachAsync(Math.Max(10 - first, 1));
            Assert.Equal(Enumerable.Range(first, Math.Max(10 - first, 1)), numbers.All);
        }
    }

    [Fact]
    public async Task Without_an_answer_the_stored_offset_counts_and_an_answer_goes_before_it()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 10);
        await using var client = new StreamClient(StreamBroker.Options);
        await client.StoreOffsetAsync("name", stream.Name, 4);
        foreach ((StreamOffset? answer, int first) in ((StreamOffset?, int)[])[(null, 5), (StreamOffset.At(8), 8)])
        {
            var numbers = new Numbers();
            await using StreamConsumer consumer = await client.ConsumeAsync(
                stream.Name,
                numbers.Add,
                new StreamConsumerOptions
                {
                    Name = "name",
                    Tracking = StreamTracking.Manual,
                    FindOffset = (_, _) => ValueTask.FromResult(answer),
                });
            await numbers.ReachAsync(10 - first);
            Assert.Equal(Enumerable.Range(first, 10 - first), numbers.All);
        }
    }

    [Fact]
    public async Task A_single_active_consumer_is_asked_each_time_that_it_becomes_active()
    {
        // The offset that all of them keep, as in a database.
        long next = 0;
        int asked = 0;
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        await using var otherClient = new StreamClient(server.Options);
        var options = new StreamConsumerOptions
        {
            Name = "group",
            SingleActive = true,
            Tracking = StreamTracking.None,
            FindOffset = (_, _) =>
            {
                Interlocked.Increment(ref asked);
                return ValueTask.FromResult<StreamOffset?>(StreamOffset.At((ulong)Interlocked.Read(ref next)));
            },
        };
        var first = new Numbers();
        var second = new Numbers();
        Append(0, 10);
        await using StreamConsumer one = await client.ConsumeAsync("s", message => Keep(first, message), options);
        await using StreamConsumer two = await otherClient.ConsumeAsync("s", message => Keep(second, message), options);
        await first.ReachAsync(10);
        Assert.Equal(1, Volatile.Read(ref asked));

        server.Rotate("s", "group");
        Append(10, 10);
        await second.ReachAsync(10);
        Interlocked.Exchange(ref next, 15); // what came since was not kept
        server.Rotate("s", "group");
        await first.ReachAsync(15);
        Assert.Equal(3, Volatile.Read(ref asked));
        Assert.Equal([.. Enumerable.Range(0, 10), .. Enumerable.Range(15, 5)], first.All);
        Assert.Equal(Enumerable.Range(10, 10), second.All);

        ValueTask Keep(Numbers numbers, StreamMessage message)
        {
            Interlocked.Exchange(ref next, (long)message.Offset + 1);
            return numbers.Add(message);
        }

        void Append(int from, int count) =>
            server.Append("s", [.. Enumerable.Range(from, count).Select(number => ProducerStream.Body(number))]);
    }

    [Fact]
    public async Task Nothing_comes_again_from_a_replica_that_lags_behind_the_answer()
    {
        await using StrictStreamServer server = Chunks(10);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        long next = 0;
        int asked = 0;
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            message =>
            {
                Interlocked.Exchange(ref next, (long)message.Offset + 1);
                return numbers.Add(message);
            },
            new StreamConsumerOptions
            {
                FindOffset = (_, _) =>
                {
                    Interlocked.Increment(ref asked);
                    return ValueTask.FromResult<StreamOffset?>(StreamOffset.At((ulong)Interlocked.Read(ref next)));
                },
            });
        await numbers.ReachAsync(100);

        // The next replica does not have the last three chunks yet, and gets them after the consumer has subscribed.
        List<ServerChunk> missing = server.With("s", stream => stream.Chunks[7..]);
        server.With("s", stream => stream.Chunks.RemoveAll(missing.Contains));
        server.CutAll();
        await Until.HoldsAsync(() => Volatile.Read(ref asked) == 2, "the second question");
        foreach (int chunk in Enumerable.Range(7, 4))
        {
            server.Append("s", [.. Enumerable.Range(10 * chunk, 10).Select(number => ProducerStream.Body(number))]);
        }

        await numbers.ReachAsync(110);
        Assert.Equal(Enumerable.Range(0, 110), numbers.All);
    }

    // From where it has handled, and not from an answer from which nothing has come, or from the end of the stream.
    [Theory]
    [InlineData(30)]
    [InlineData(null)]
    public async Task Without_an_answer_it_goes_on_where_it_was_before_one_from_which_nothing_came(int? answer)
    {
        await using StrictStreamServer server = Chunks(5);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        int asked = 0;
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            numbers.Add,
            new StreamConsumerOptions
            {
                FindOffset = (_, _) => ValueTask.FromResult(Interlocked.Increment(ref asked) switch
                {
                    1 => StreamOffset.First,
                    2 => AnswerAndCut(),
                    _ => (StreamOffset?)null,
                }),
            });
        await numbers.ReachAsync(50);
        server.CutAll();
        await numbers.ReachAsync(60);
        Assert.Equal(3, Volatile.Read(ref asked));
        Assert.Equal(Enumerable.Range(0, 60), numbers.All);

        // The connection is cut again before a chunk comes from there.
        StreamOffset? AnswerAndCut()
        {
            server.Append("s", [.. Enumerable.Range(50, 10).Select(number => ProducerStream.Body(number))]);
            server.When(CommandKey.Subscribe, Reaction.Cut);
            return answer is { } offset ? StreamOffset.At((ulong)offset) : StreamOffset.Next;
        }
    }

    [Fact]
    public async Task A_stream_that_was_made_anew_is_told_before_the_question()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 100);
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        ulong kept = 50;
        await using StreamConsumer consumer = await links.ConsumeAsync(
            new MessageDispatch(numbers.Add),
            new StreamConsumerOptions
            {
                OnRecreated = _ => kept = 2,
                FindOffset = (_, _) => ValueTask.FromResult<StreamOffset?>(StreamOffset.At(kept)),
            });
        await numbers.ReachAsync(50);
        await links.CutUntilAsync(async () =>
        {
            await stream.RecreateAsync();
            await stream.PublishNumbersAsync(10_000, 5);
        });
        await numbers.ReachAsync(53);
        Assert.Equal([.. Enumerable.Range(50, 50), .. Enumerable.Range(10_002, 3)], numbers.All);
    }

    [Fact]
    public async Task What_it_throws_ends_the_consumer_at_first_and_later()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        bool throws = true;
        var options = new StreamConsumerOptions
        {
            FindOffset = (_, _) => throws ? throw new InvalidOperationException("no database") : default,
        };
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => client.ConsumeAsync("s", _ => default, options));
        Assert.Equal("FindOffset has thrown: no database", e.Message);

        throws = false;
        await using StreamConsumer consumer = await client.ConsumeAsync("s", _ => default, options);
        throws = true;
        server.CutAll();
        e = await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal("FindOffset has thrown: no database", e.Message);
    }

    [Fact]
    public async Task An_offset_that_is_not_set_is_refused()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        var options = new StreamConsumerOptions { FindOffset = (_, _) => ValueTask.FromResult<StreamOffset?>(default(StreamOffset)) };
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => client.ConsumeAsync("s", _ => default, options));
        Assert.Equal(
            "StreamConsumerOptions.FindOffset has returned an offset of 's' that is not set: return StreamOffset.At or another one, or "
            + "null.",
            e.Message);
    }

    [Fact]
    public async Task Closing_ends_the_question()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int times = 0;
        StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            _ => default,
            new StreamConsumerOptions
            {
                FindOffset = async (_, token) =>
                {
                    if (++times > 1)
                    {
                        asked.SetResult();
                        await Task.Delay(Timeout.Infinite, token);
                    }

                    return StreamOffset.First;
                },
            });
        server.CutAll();
        await asked.Task.WaitAsync(Patience.Limit);
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
        await consumer.Completion;
    }

    // Of ten numbers each.
    private static StrictStreamServer Chunks(int count)
    {
        var server = new StrictStreamServer();
        server.Create("s");
        for (int chunk = 0; chunk < count; chunk++)
        {
            server.Append("s", [.. Enumerable.Range(10 * chunk, 10).Select(number => ProducerStream.Body(number))]);
        }

        return server;
    }
}
