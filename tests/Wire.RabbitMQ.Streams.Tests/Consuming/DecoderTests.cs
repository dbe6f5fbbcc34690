using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Consuming;

/// <summary>Objects that several threads read.</summary>
public sealed class DecoderTests
{
    private static readonly Serializer Serializer = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Each_attempt_has_an_object_of_its_own(int decoders)
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", Serializer.Serialize<List<int>>([1, 2, 3]), Serializer.Serialize<List<int>>([4]));
        await using var client = new StreamClient(server.Options);
        var seen = new ConcurrentQueue<int>();
        await using StreamConsumer consumer = await client.ConsumeAsync<List<int>>(
            "s",
            (list, _) =>
            {
                seen.Enqueue(list.Count);
                list.Clear();
                return seen.Count < 3 ? throw new InvalidDataException("not yet") : default;
            },
            new StreamConsumerOptions
            {
                Offset = StreamOffset.First,
                Decoders = decoders,
                Retry = StreamRetryPolicy.Default with { Delay = TimeSpan.Zero },
            });
        await Until.HoldsAsync(() => seen.Count == 4, "all attempts");
        Assert.Equal([3, 3, 3, 1], seen);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    public async Task Objects_are_handled_in_order_however_many_threads_read_them(int decoders)
    {
        // Chunks of all sizes, from one message to many slices.
        const int Count = 20_000;
        await using var server = new StrictStreamServer();
        server.Create("s");
        var random = new Random(decoders);
        for (int first = 0; first < Count;)
        {
            int count = Math.Min(Count - first, random.Next(4) switch { 0 => 1, 1 => random.Next(1, 40), _ => random.Next(1, 4_000) });
            server.Append("s", [.. Enumerable.Range(first, count).Select(number => Serializer.Serialize($"object {number}"))]);
            first += count;
        }

        await using var client = new StreamClient(server.Options);
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var read = new List<string>();
        int running = 0;
        await using StreamConsumer consumer = await client.ConsumeAsync<string>(
            "s",
            async (text, message) =>
            {
                Assert.Equal(1, Interlocked.Increment(ref running));
                Assert.Equal($"object {message.Offset}", text);
                if (message.Offset % 997 == 0)
                {
                    await Task.Yield();
                }

                read.Add(text);
                Interlocked.Decrement(ref running);
                if (read.Count == Count)
                {
                    all.SetResult();
                }
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Decoders = decoders });
        await (await Task.WhenAny(all.Task, consumer.Completion).WaitAsync(Patience.Limit));
        Assert.Equal(Enumerable.Range(0, Count).Select(number => $"object {number}"), read);
        Assert.Equal(Count - 1ul, consumer.Offset);
    }

    [Fact]
    public async Task Several_threads_read_them()
    {
        var threads = new ConcurrentDictionary<int, bool>();
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create<Seen, int>(seen => seen.Number, number =>
            {
                threads[Environment.CurrentManagedThreadId] = true;
                Thread.Sleep(1);
                return new Seen(number);
            })],
        });
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", [.. Enumerable.Range(0, 200).Select(number => serializer.Serialize(new Seen(number)))]);
        await using var client = new StreamClient(server.Options with { Serializer = serializer });
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeAsync<Seen>(
            "s",
            (seen, _) =>
            {
                numbers.Add(seen.Number);
                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Decoders = 3 });
        await numbers.ReachAsync(200);
        Assert.Equal(Enumerable.Range(0, 200), numbers.All);
        Assert.InRange(threads.Count, 2, 4);
    }

    [Fact]
    public async Task One_that_cannot_be_read_fails_when_it_is_its_turn()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", [.. Enumerable.Range(0, 1_000).Select(number => number is 300 or 700 ? [255] : Serializer.Serialize(number))]);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        var failed = new ConcurrentQueue<ulong>();
        await using (StreamConsumer skipping = await client.ConsumeAsync<int>("s", Add, new StreamConsumerOptions
        {
            Offset = StreamOffset.First,
            Decoders = 4,
            OnFailure = failure =>
            {
                Assert.Equal(failure.Offset, (ulong)(numbers.Count + failed.Count));
                failed.Enqueue(failure.Offset!.Value);
                return StreamFailedMessage.Skip;
            },
        }))
        {
            await numbers.ReachAsync(998);
        }

        Assert.Equal(Enumerable.Range(0, 1_000).Except([300, 700]), numbers.All);
        Assert.Equal([300, 700], failed.ToArray());

        numbers = new Numbers();
        await using StreamConsumer ending = await client.ConsumeAsync<int>(
            "s", Add, new StreamConsumerOptions { Offset = StreamOffset.First, Decoders = 4 });
        StreamConsumerException e = await Assert.ThrowsAsync<StreamConsumerException>(() => ending.Completion.WaitAsync(Patience.Limit));
        Assert.Equal(300ul, e.Offset);
        Assert.Equal(Enumerable.Range(0, 300), numbers.All);

        ValueTask Add(int number, StreamMessage message)
        {
            numbers.Add(number);
            return default;
        }
    }

    [Fact]
    public async Task Closing_in_the_middle_of_a_chunk_leaves_no_one_reading_in_it()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        for (int chunk = 0; chunk < 4; chunk++)
        {
            server.Append("s", [.. Enumerable.Range(0, 5_000).Select(number => Serializer.Serialize($"object {number}"))]);
        }

        await using var client = new StreamClient(server.Options);
        for (int i = 0; i < 20; i++)
        {
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            int wrong = 0;
            StreamConsumer consumer = await client.ConsumeAsync<string>(
                "s",
                (text, message) =>
                {
                    wrong += text == $"object {message.Offset % 5_000}" ? 0 : 1;
                    if (message.Offset == 100)
                    {
                        reached.TrySetResult();
                    }

                    return default;
                },
                new StreamConsumerOptions { Offset = StreamOffset.First, Decoders = 4 });
            await reached.Task.WaitAsync(Patience.Limit);
            await consumer.CloseAsync().WaitAsync(Patience.Limit);
            await consumer.Completion;
            Assert.Equal(0, wrong);
        }
    }

    [Fact]
    public void The_end_waits_for_who_reads()
    {
        int own = Environment.CurrentManagedThreadId;
        using var reads = new ManualResetEventSlim();
        using var mayEnd = new ManualResetEventSlim();
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create<Seen, int>(seen => seen.Number, number =>
            {
                if (Environment.CurrentManagedThreadId != own)
                {
                    reads.Set();
                    mayEnd.Wait(Patience.Limit);
                }

                return new Seen(number);
            })],
        });
        using var chunk = new ChunkMessages("s", serializer, new ChunkReading());
        var writer = new ChunkWriter();
        for (int i = 0; i < 100; i++)
        {
            writer.Add(serializer.Serialize(new Seen(i)));
        }

        using var objects = new ObjectsAhead<Seen>("test", threads: 2);
        objects.Begin(chunk.Read(writer.ToArray(), 0, 0));
        Assert.True(reads.Wait(Patience.Limit));
        var end = new Thread(objects.End);
        end.Start();
        Assert.False(end.Join(TimeSpan.FromMilliseconds(200)));
        mayEnd.Set();
        Assert.True(end.Join(Patience.Limit));
    }

    [Fact]
    public void Reading_ahead_allocates_nothing_but_the_objects()
    {
        using var objects = new ObjectsAhead<int>("test", threads: 2);
        using var chunk = new ChunkMessages("s", Serializer, new ChunkReading());
        var writer = new ChunkWriter();
        for (int i = 0; i < 1_000; i++)
        {
            writer.Add(Serializer.Serialize(i));
        }

        byte[] bytes = writer.ToArray();
        var gauge = new Gauge(() =>
        {
            Memory<StreamMessage> messages = chunk.Read(bytes, 0, 0);
            objects.Begin(messages);
            for (int i = 0; i < messages.Length; i++)
            {
                Assert.True(i == objects.Take(i, default));
            }

            objects.End();
        });
        Gauge.Settle(() => gauge.BytesOfTenCalls == 0, gauge);
        Assert.Equal(0, gauge.BytesOfTenCalls);
    }

    [Fact]
    public async Task It_is_for_objects_and_in_its_range()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        var options = new StreamConsumerOptions { Decoders = 2 };
        foreach (Func<Task> consume in (Func<Task>[])
            [() => client.ConsumeAsync("s", _ => default, options), () => client.ConsumeBatchesAsync("s", _ => { }, options)])
        {
            Assert.Equal(
                "StreamConsumerOptions.Decoders is for handlers of objects: the one of 's' gets messages. Leave it out, or consume "
                + "objects. (Parameter 'options')",
                (await Assert.ThrowsAsync<ArgumentException>(consume)).Message);
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => new StreamConsumerOptions { Decoders = 0 }.Validate());
        Assert.Throws<ArgumentOutOfRangeException>(() => new StreamConsumerOptions { Decoders = 65 }.Validate());
    }

    private sealed record Seen(int Number);
}
