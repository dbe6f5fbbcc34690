using Wire.Amqp;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Handlers that fail and messages that cannot be read, slow handlers, and closing while one runs.</summary>
public sealed class StreamConsumerFailureTests
{
    private static readonly StreamConsumerOptions FromFirst = new() { Offset = StreamOffset.First };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Ends_with_the_offset_where_a_handler_fails(bool late)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 20);
        var numbers = new Numbers();
        var options = FromFirst with { Name = "name" };
        StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name,
            async message =>
            {
                if (late)
                {
                    await Task.Yield();
                }

                int number = TestStream.NumberOf(message);
                numbers.Add(number == 7 ? throw new InvalidDataException("no sevens") : number);
            },
            options);
        StreamConsumerException error =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal((stream.Name, 7ul, 1u), (error.Stream, error.Offset!.Value, error.Count));
        Assert.IsType<InvalidDataException>(error.InnerException);
        Assert.Contains("message with the offset 7", error.Message, StringComparison.Ordinal);
        Assert.Equal(Enumerable.Range(0, 7), numbers.All);
        Assert.Equal(6ul, consumer.Offset);
        await consumer.CloseAsync();

        // Who begins again gets the same message.
        var again = new Numbers();
        await using StreamConsumer second = await client.ConsumeAsync(stream.Name, again.Add, options);
        await again.ReachAsync(13);
        Assert.Equal(Enumerable.Range(7, 13), again.All);
    }

    [Fact]
    public async Task A_failure_that_nobody_watches_for_is_an_error_in_the_trace()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        using var trace = new TraceWatch($"The message with the offset 0 of '{stream.Name}' could not be handled: unseen");
        await using StreamConsumer consumer =
            await client.ConsumeAsync(stream.Name, _ => throw new InvalidDataException("unseen"), FromFirst);
        await stream.PublishNumbersAsync(0, 1);
        await trace.Heard.WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Skips_where_it_is_told_to()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 20);
        var numbers = new Numbers();
        var failed = new List<ulong?>();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name,
            message => TestStream.NumberOf(message) % 5 == 0 ? throw new InvalidDataException() : numbers.Add(message),
            FromFirst with
            {
                OnFailure = failure =>
                {
                    failed.Add(failure.Offset);
                    return StreamFailedMessage.Skip;
                },
            });
        await numbers.ReachAsync(16);
        Assert.Equal(Enumerable.Range(0, 20).Where(i => i % 5 != 0), numbers.All);
        Assert.Equal([0ul, 5ul, 10ul, 15ul], failed);
    }

    [Fact]
    public async Task Says_so_where_the_decision_itself_fails()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 1);
        StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name, _ => throw new InvalidDataException("first"), FromFirst with { OnFailure = _ => throw new IOException("second") });
        StreamConsumerException error =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Contains("OnFailure has thrown: second", error.Message, StringComparison.Ordinal);
        Assert.Contains("first", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ends_with_the_message_that_is_no_such_object()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishAsync(client.Options.Serializer.Serialize("a"), [0xff, 0xff, 0xff], client.Options.Serializer.Serialize("c"));
        var texts = new List<string>();
        StreamConsumer consumer = await client.ConsumeAsync<string>(
            stream.Name,
            (text, _) =>
            {
                texts.Add(text);
                return default;
            },
            FromFirst);
        StreamConsumerException error =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal(1ul, error.Offset);
        Assert.Equal(["a"], texts);
    }

    [Fact]
    public async Task Names_all_messages_where_a_handler_of_batches_fails()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        server.Append("s", [1], [2], [3]);
        server.Append("s", [4], [5]);
        var failures = new List<(ulong?, uint)>();
        var handled = new TaskCompletionSource<ulong>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await client.ConsumeBatchesAsync(
            "s",
            messages =>
            {
                if (messages[0].Offset == 0)
                {
                    throw new InvalidDataException();
                }

                handled.SetResult(messages[^1].Offset);
            },
            FromFirst with
            {
                OnFailure = failure =>
                {
                    failures.Add((failure.Offset, failure.Count));
                    return StreamFailedMessage.Skip;
                },
            });
        Assert.Equal(4ul, await handled.Task.WaitAsync(Patience.Limit));
        Assert.Equal((0ul, 3u), Assert.Single(failures));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Ends_with_or_skips_a_chunk_that_is_damaged(bool skips)
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        server.Append("s", [1], [2]);
        server.Append("s", [3], [4]);
        server.Append("s", [5], [6]);
        server.With("s", stream => stream.Chunks[1].Bytes[^1] ^= 1);
        var offsets = new Numbers();
        var failures = new List<StreamConsumerException>();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            message =>
            {
                offsets.Add((int)message.Offset);
                return default;
            },
            FromFirst with
            {
                OnFailure = failure =>
                {
                    failures.Add(failure);
                    return skips ? StreamFailedMessage.Skip : StreamFailedMessage.End;
                },
            });
        if (skips)
        {
            await offsets.ReachAsync(4);
            Assert.Equal([0, 1, 4, 5], offsets.All);
        }
        else
        {
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
            Assert.Equal([0, 1], offsets.All);
        }

        StreamConsumerException failure = Assert.Single(failures);
        Assert.Equal((2ul, 2u), (failure.Offset!.Value, failure.Count));
        Assert.Equal(AmqpFormatError.Checksum, Assert.IsType<AmqpFormatException>(failure.InnerException).Error);
        Assert.Contains("chunk with the offsets 2 to 3", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Names_a_damaged_chunk_that_states_no_messages_by_where_it_begins()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        server.Append("s", [1], [2]);
        server.With("s", stream =>
        {
            stream.Chunks[0].Bytes.AsSpan(4, 4).Clear();
            return 0;
        });
        StreamConsumer consumer = await client.ConsumeAsync("s", _ => default, FromFirst);
        StreamConsumerException failure =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal((0ul, 0u), (failure.Offset!.Value, failure.Count));
        Assert.Contains("chunk with the offset 0 of", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Keeps_its_connection_while_a_handler_takes_many_heartbeats(bool blocks)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options with { RequestedHeartbeat = TimeSpan.FromSeconds(1) });
        var links = new TestLinks(client, stream.Name);
        await stream.PublishNumbersAsync(0, 100_000);
        var slow = new Numbers();
        var quick = new Numbers();
        await using StreamConsumer consumer = await links.ConsumeAsync(
            new MessageDispatch(async message =>
            {
                if (message.Offset == 10)
                {
                    if (blocks)
                    {
                        Thread.Sleep(5000);
                    }
                    else
                    {
                        await Task.Delay(5000);
                    }
                }

                slow.Add(TestStream.NumberOf(message));
            }),
            FromFirst);

        // Another one on the same connection is not held back.
        await using StreamConsumer other = await client.ConsumeAsync(stream.Name, quick.Add, FromFirst);
        await quick.ReachAsync(100_000);
        Assert.InRange(slow.Count, 0, 10);
        await slow.ReachAsync(100_000);
        Assert.Equal(Enumerable.Range(0, 100_000), slow.All);
        Assert.Equal(1, links.Rented);
        Assert.False(links.Last.HasEnded);
    }

    [Fact]
    public async Task Waits_for_the_handler_that_runs_when_it_is_closed()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 50_000);
        var began = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var mayEnd = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var numbers = new Numbers();
        StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name,
            async message =>
            {
                if (message.Offset == 5)
                {
                    began.SetResult();
                    await mayEnd.Task;
                }

                numbers.Add(TestStream.NumberOf(message));
            },
            FromFirst with { Name = "name" });
        await began.Task.WaitAsync(Patience.Limit);
        Task closing = consumer.CloseAsync();
        Task again = consumer.CloseAsync();
        Assert.False(closing.IsCompleted);
        mayEnd.SetResult();
        await closing.WaitAsync(Patience.Limit);
        await again.WaitAsync(Patience.Limit);
        await consumer.Completion;
        Assert.Equal(Enumerable.Range(0, 6), numbers.All);
        Assert.Equal(5ul, consumer.Offset);
        await consumer.DisposeAsync();

        // What was stored is what was handled.
        var rest = new Numbers();
        await using StreamConsumer second = await client.ConsumeAsync(stream.Name, rest.Add, FromFirst with { Name = "name" });
        await rest.ReachAsync(1);
        Assert.Equal(6, rest.All[0]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Ends_behind_a_handler_that_closes_it(bool late)
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        var made = new TaskCompletionSource<StreamConsumer>(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            async message =>
            {
                StreamConsumer self = await made.Task;
                if (late)
                {
                    await Task.Yield();
                }

                await self.CloseAsync();
                await self.DisposeAsync();
                Assert.False(self.Completion.IsCompleted);
                handled++;
            },
            FromFirst);
        server.Append("s", [1], [2]);
        made.SetResult(consumer);
        await consumer.Completion.WaitAsync(Patience.Limit);
        Assert.Equal((1, 0ul), (handled, consumer.Offset));
    }

    [Fact]
    public async Task Partitions_end_behind_handlers_that_close_them_all()
    {
        await using var server = new StrictStreamServer();
        string[] partitions = ["s-0", "s-1"];
        Array.ForEach(partitions, server.Create);
        server.SuperStreams.Add("s", [.. partitions.Select(partition => (partition, partition))]);
        await using var client = new StreamClient(server.Options);
        var made = new TaskCompletionSource<SuperStreamConsumer>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var both = new Barrier(2);
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            "s",
            async message =>
            {
                SuperStreamConsumer self = await made.Task;
                both.SignalAndWait();
                await self.CloseAsync();
            },
            FromFirst);
        Array.ForEach(partitions, partition => server.Append(partition, [1]));
        made.SetResult(consumer);
        await consumer.Completion.WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Who_closes_it_need_not_wait_for_its_handler()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        var handling = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var goOn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            async _ =>
            {
                handling.SetResult();
                await goOn.Task;
            },
            FromFirst);
        server.Append("s", [1]);
        await handling.Task.WaitAsync(Patience.Limit);
        using var hurry = new CancellationTokenSource();
        Task closing = consumer.CloseAsync(hurry.Token);
        await hurry.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => closing.WaitAsync(Patience.Limit));
        goOn.SetResult();
        await consumer.Completion.WaitAsync(Patience.Limit);
    }
}
