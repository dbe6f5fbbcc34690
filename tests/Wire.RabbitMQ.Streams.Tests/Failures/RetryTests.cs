using System.Collections.Concurrent;
using System.Diagnostics;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Failures;

/// <summary>A message whose handler fails is handled again, as the policy says.</summary>
public sealed class RetryTests
{
    private static readonly StreamConsumerOptions FromFirst = new() { Offset = StreamOffset.First };
    private static readonly StreamRetryPolicy Fast = new() { MaxAttempts = 4, Delay = TimeSpan.FromMilliseconds(40) };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_handler_gets_it_again_in_its_place_with_growing_pauses(bool late)
    {
        await using StrictStreamServer server = Server(10);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        var times = new List<long>();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            async message =>
            {
                if (late)
                {
                    await Task.Yield();
                }

                if (message.Offset == 3)
                {
                    times.Add(Stopwatch.GetTimestamp());
                    if (times.Count < 4)
                    {
                        throw new InvalidDataException("not yet");
                    }
                }

                await numbers.Add(message);
            },
            FromFirst with { Retry = Fast });
        await numbers.ReachAsync(10);
        Assert.Equal(Enumerable.Range(0, 10), numbers.All);
        Assert.Equal(9ul, consumer.Offset);
        Assert.InRange(Stopwatch.GetElapsedTime(times[1], times[2]), TimeSpan.FromMilliseconds(35), Patience.Limit);
        Assert.InRange(Stopwatch.GetElapsedTime(times[2], times[3]), TimeSpan.FromMilliseconds(75), Patience.Limit);
    }

    [Fact]
    public async Task After_the_last_attempt_it_is_a_failure_that_says_how_many_there_were()
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options);
        int attempts = 0;
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            _ =>
            {
                attempts++;
                throw new InvalidDataException("never");
            },
            FromFirst with { Retry = Fast with { Delay = TimeSpan.Zero } });
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal((0ul, 1u, 4), (e.Offset!.Value, e.Count, e.Attempts));
        Assert.Equal(4, attempts);
        Assert.Null(consumer.Offset);
    }

    [Fact]
    public async Task Each_message_has_its_own_attempts()
    {
        await using StrictStreamServer server = Server(5);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        var attempts = new int[5];
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            message => ++attempts[message.Offset] < 3 ? throw new InvalidDataException() : numbers.Add(message),
            FromFirst with { Retry = new StreamRetryPolicy { Delay = TimeSpan.FromMilliseconds(1) } });
        await numbers.ReachAsync(5);
        Assert.Equal(Enumerable.Range(0, 5), numbers.All);
        Assert.Equal([3, 3, 3, 3, 3], attempts);
    }

    [Fact]
    public async Task A_handler_of_chunks_gets_the_messages_again()
    {
        await using StrictStreamServer server = Server(4);
        await using var client = new StreamClient(server.Options);
        int attempts = 0;
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeBatchesAsync(
            "s",
            messages =>
            {
                Assert.Equal(4, messages.Length);
                if (++attempts < 3)
                {
                    throw new InvalidDataException();
                }

                foreach (StreamMessage message in messages)
                {
                    numbers.Add(TestStream.NumberOf(message));
                }
            },
            FromFirst with { Retry = Fast with { Delay = TimeSpan.Zero } });
        await numbers.ReachAsync(4);
        Assert.Equal(3, attempts);
        Assert.Equal(Enumerable.Range(0, 4), numbers.All);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task What_is_no_such_object_is_not_tried_again_and_an_object_is(int decoders)
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        var serializer = new Serializer();
        server.Append("s", serializer.Serialize("a"), [0xff, 0xff], serializer.Serialize("c"));
        await using var client = new StreamClient(server.Options);
        var handled = new List<string>();
        var failures = new List<StreamConsumerException>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await client.ConsumeAsync<string>(
            "s",
            (text, _) =>
            {
                handled.Add(text);
                return text == "c" && handled.Count < 4 ? throw new InvalidDataException("again") : End();
            },
            FromFirst with
            {
                Retry = Fast with { Delay = TimeSpan.Zero },
                Decoders = decoders,
                OnFailure = failure =>
                {
                    failures.Add(failure);
                    return StreamFailedMessage.Skip;
                },
            });
        await done.Task.WaitAsync(Patience.Limit);
        Assert.Equal(["a", "c", "c", "c"], handled);
        StreamConsumerException only = Assert.Single(failures);
        Assert.Equal((1ul, 0), (only.Offset!.Value, only.Attempts));

        ValueTask End()
        {
            if (handled[^1] == "c")
            {
                done.SetResult();
            }

            return default;
        }
    }

    [Fact]
    public async Task The_program_may_decide_by_the_exception_and_where_that_throws_there_is_no_further_attempt()
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options);
        var attempts = new int[3];
        var failures = new List<StreamConsumerException>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            message =>
            {
                attempts[message.Offset]++;
                throw message.Offset switch
                {
                    0 => new ArgumentException("no use"),
                    1 => new FormatException("who knows"),
                    _ => new IOException("perhaps"),
                };
            },
            FromFirst with
            {
                Retry = Fast with
                {
                    Delay = TimeSpan.Zero,
                    ShouldRetry = e => e is FormatException ? throw new InvalidOperationException("not I") : e is IOException,
                },
                OnFailure = failure =>
                {
                    failures.Add(failure);
                    if (failure.Offset == 2)
                    {
                        done.SetResult();
                    }

                    return StreamFailedMessage.Skip;
                },
            });
        await done.Task.WaitAsync(Patience.Limit);
        Assert.Equal([1, 1, 4], attempts);
        Assert.Equal([1, 1, 4], failures.Select(failure => failure.Attempts));
        AggregateException both = Assert.IsType<AggregateException>(failures[1].InnerException);
        Assert.Equal(["who knows", "not I"], both.InnerExceptions.Select(e => e.Message));
    }

    [Fact]
    public async Task Attempts_go_on_when_the_connection_is_lost_between_them()
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options);
        int attempts = 0;
        await using StreamConsumer consumer = await ConsumeFailingAsync(
            client,
            () => attempts++,
            FromFirst with
            {
                Retry = new StreamRetryPolicy { MaxAttempts = 4, Delay = TimeSpan.FromDays(1), MaxDelay = TimeSpan.FromDays(1) },
            });

        // The second at once, the third and the fourth when it comes again.
        await Until.HoldsAsync(() => Volatile.Read(ref attempts) == 2, "two attempts");
        server.CutAll();
        await Until.HoldsAsync(() => Volatile.Read(ref attempts) == 3, "the third");
        server.CutAll();
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal(4, e.Attempts);
        Assert.Equal(4, attempts);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_message_that_was_handled_or_skipped_has_all_its_attempts_when_it_comes_again(int fails)
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        var given = new ConcurrentQueue<int>();
        int failed = 0;
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            message => message.Offset == 1 && failed++ < fails ? throw new InvalidDataException() : numbers.Add(message),
            new StreamConsumerOptions
            {
                Retry = new StreamRetryPolicy { MaxAttempts = 2 },
                FindOffset = (_, _) =>
                {
                    failed = 0;
                    return ValueTask.FromResult<StreamOffset?>(StreamOffset.First);
                },
                OnFailure = failure =>
                {
                    given.Enqueue(failure.Attempts);
                    return StreamFailedMessage.Skip;
                },
            });
        int[] round = fails == 1 ? [0, 1, 2] : [0, 2];
        await numbers.ReachAsync(round.Length);
        server.CutAll();
        await numbers.ReachAsync(2 * round.Length);
        Assert.Equal([.. round, .. round], numbers.All);
        Assert.Equal(fails == 1 ? [] : [2, 2], given);
    }

    [Fact]
    public async Task Closing_ends_a_pause_and_the_message_counts_as_not_handled()
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options);
        int attempts = 0;
        StreamConsumer consumer = await ConsumeFailingAsync(
            client,
            () => attempts++,
            FromFirst with
            {
                Name = "name",
                Retry = new StreamRetryPolicy { Delay = TimeSpan.FromDays(1), MaxDelay = TimeSpan.FromDays(1) },
            });
        await Until.HoldsAsync(() => Volatile.Read(ref attempts) == 2, "two attempts");
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
        await consumer.Completion;
        Assert.Equal(0ul, consumer.Offset);
        Assert.Equal(0ul, await client.QueryOffsetAsync("name", "s"));
    }

    [Fact]
    public void A_policy_out_of_range_is_refused()
    {
        foreach (StreamRetryPolicy policy in (StreamRetryPolicy[])
            [
                new() { MaxAttempts = 0 }, new() { Delay = TimeSpan.FromTicks(-1) }, new() { MaxDelay = TimeSpan.FromTicks(-1) },
                new() { MaxDelay = TimeSpan.FromDays(2) },
            ])
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => (FromFirst with { Retry = policy }).Validate());
        }
    }

    // One chunk.
    private static StrictStreamServer Server(int messages)
    {
        var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", [.. Enumerable.Range(0, messages).Select(number => ProducerStream.Body(number))]);
        return server;
    }

    // The second message fails each time.
    private static Task<StreamConsumer> ConsumeFailingAsync(StreamClient client, Action attempted, StreamConsumerOptions options) =>
        client.ConsumeAsync(
            "s",
            message =>
            {
                if (message.Offset == 1)
                {
                    attempted();
                    throw new InvalidDataException();
                }

                return default;
            },
            options);
}
