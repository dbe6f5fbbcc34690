using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.SuperStreams;

/// <summary>Many partitions of a super stream, and few threads for them.</summary>
public sealed class SuperStreamThreadTests
{
    private const string Super = "many";
    private const int Partitions = 100;
    private const int Chunks = 5;
    private const int Total = Partitions * Chunks * 10;

    private static readonly StreamConsumerOptions FromFirst = new() { Offset = StreamOffset.First };

    [Theory]
    [InlineData(1, false)]
    [InlineData(3, false)]
    [InlineData(1, true)]
    [InlineData(3, true)]
    public async Task All_partitions_are_handled_in_order_by_as_many_at_a_time_as_may(int most, bool awaits)
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { ConsumersPerConnection = 50 });
        var found = new ConcurrentDictionary<string, ConcurrentQueue<int>>();
        var threads = new ConcurrentDictionary<string, bool>();
        int running = 0;
        int highest = 0;
        int left = Total;
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            Super,
            async message =>
            {
                int now = Interlocked.Increment(ref running);
                lock (found)
                {
                    highest = Math.Max(highest, now);
                }

                threads.TryAdd(Thread.CurrentThread.Name ?? "", true);
                found.GetOrAdd(message.Stream, _ => []).Enqueue(TestStream.NumberOf(message));
                if (awaits && message.Offset % 4 == 0)
                {
                    await Task.Delay(1);
                }

                Interlocked.Decrement(ref running);
                Interlocked.Decrement(ref left);
            },
            FromFirst with { MaxConcurrency = most });
        await Until.HoldsAsync(() => Volatile.Read(ref left) == 0, "all messages");
        Assert.Equal(Partitions, found.Count);
        Assert.All(found.Values, numbers => Assert.Equal(Enumerable.Range(0, Chunks * 10), numbers));
        Assert.InRange(highest, 1, most);
        if (!awaits)
        {
            Assert.All(threads.Keys, name => Assert.StartsWith("Streams, consumers of many ", name, StringComparison.Ordinal));
            Assert.InRange(threads.Count, 1, most);
        }
    }

    [Fact]
    public async Task Handlers_that_wait_take_their_share_and_the_others_go_on()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int others = 0;
        int waiting = 0;
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            Super,
            async message =>
            {
                if (message.Stream is "s7" or "s8")
                {
                    Interlocked.Increment(ref waiting);
                    await held.Task;
                }
                else
                {
                    Interlocked.Increment(ref others);
                }
            },
            FromFirst with { MaxConcurrency = 3 });
        await Until.HoldsAsync(
            () => Volatile.Read(ref others) == Total - (2 * Chunks * 10) && Volatile.Read(ref waiting) == 2, "all others");
        Assert.All(consumer.Partitions, partition => Assert.True(partition.IsActive));
        held.SetResult();
        await Until.HoldsAsync(() => Volatile.Read(ref waiting) == 2 * Chunks * 10, "the two");
    }

    [Fact]
    public async Task While_the_threads_are_taken_updates_are_answered_and_partitions_closed()
    {
        await using var server = new StrictStreamServer();
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [("s0", "0"), ("s1", "1"), ("s2", "2")];
        }

        Array.ForEach(["s0", "s1", "s2"], server.Create);
        await using var client = new StreamClient(server.Options);
        await using var otherClient = new StreamClient(server.Options);
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var began = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var handled = new ConcurrentQueue<string>();
        StreamConsumerOptions single = FromFirst with { MaxConcurrency = 1, Name = "group", SingleActive = true };
        await using SuperStreamConsumer one = await client.ConsumeSuperStreamAsync(
            Super,
            async message =>
            {
                handled.Enqueue("one " + message.Stream);
                began.TrySetResult();
                await held.Task;
            },
            single);
        var found = new Numbers();
        await using SuperStreamConsumer two = await otherClient.ConsumeSuperStreamAsync(Super, found.Add, single);
        await Until.HoldsAsync(() => one.Partitions.All(partition => partition.IsActive), "the first to be active");
        server.Append("s0", ProducerStream.Body(0));
        await began.Task.WaitAsync(Patience.Limit);

        // One with a chunk that waits, and one with nothing.
        server.Append("s1", ProducerStream.Body(1));
        server.Rotate("s1", "group");
        await found.ReachAsync(1);
        Assert.Equal([1], found.All);
        await one.Partitions[2].CloseAsync().WaitAsync(Patience.Limit);
        server.Append("s2", ProducerStream.Body(2));
        await found.ReachAsync(2);
        held.SetResult();
        await one.CloseAsync().WaitAsync(Patience.Limit);
        Assert.Equal(["one s0"], handled);
    }

    [Fact]
    public async Task While_connections_are_cut_and_partitions_wait_for_their_streams_no_thread_is_lost()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options with { ConsumersPerConnection = 10 });
        var found = new ConcurrentDictionary<string, ConcurrentQueue<int>>();
        int count = 0;
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            Super,
            async message =>
            {
                found.GetOrAdd(message.Stream, _ => []).Enqueue(TestStream.NumberOf(message));
                Interlocked.Increment(ref count);
                if (message.Offset % 10 == 0)
                {
                    await Task.Yield();
                }
            },
            FromFirst with { MaxConcurrency = 2 });
        for (int i = 1; i <= 3; i++)
        {
            await Until.HoldsAsync(() => Volatile.Read(ref count) >= Total * i / 5, "some messages");
            server.CutAll();
        }

        // More than there are threads wait for streams that are gone.
        foreach (int number in Enumerable.Range(0, 5))
        {
            await Until.HoldsAsync(() => found.TryGetValue($"s{number}", out ConcurrentQueue<int>? numbers) && numbers.Count == 50, "it");
            server.Delete($"s{number}");
        }

        await Until.HoldsAsync(() => Volatile.Read(ref count) == Total, "all messages");
        Assert.All(found.Values, numbers => Assert.Equal(Enumerable.Range(0, Chunks * 10), numbers));
        server.Append("s50", ProducerStream.Body(50));
        await Until.HoldsAsync(() => Volatile.Read(ref count) == Total + 1, "another one");
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task A_number_out_of_range_or_for_a_plain_stream_or_with_decoders_is_refused()
    {
        await using StrictStreamServer server = Server();
        await using var client = new StreamClient(server.Options);
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => client.ConsumeSuperStreamAsync(Super, _ => default, FromFirst with { MaxConcurrency = 0 }));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => client.ConsumeSuperStreamAsync(Super, _ => default, FromFirst with { MaxConcurrency = 1_001 }));
        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(
            () => client.ConsumeAsync("s0", _ => default, FromFirst with { MaxConcurrency = 2 }));
        Assert.Contains("MaxConcurrency is for super streams", e.Message, StringComparison.Ordinal);
        e = await Assert.ThrowsAsync<ArgumentException>(() => client.ConsumeSuperStreamAsync<int>(
            Super, (_, _) => default, FromFirst with { MaxConcurrency = 2, Decoders = 2 }));
        Assert.Contains("MaxConcurrency cannot be used with Decoders", e.Message, StringComparison.Ordinal);
    }

    private static StrictStreamServer Server()
    {
        var server = new StrictStreamServer();
        foreach (int number in Enumerable.Range(0, Partitions))
        {
            server.Create($"s{number}");
            foreach (int chunk in Enumerable.Range(0, Chunks))
            {
                server.Append($"s{number}", [.. Enumerable.Range(10 * chunk, 10).Select(each => ProducerStream.Body(each))]);
            }
        }

        lock (server.Gate)
        {
            server.SuperStreams[Super] = [.. Enumerable.Range(0, Partitions).Select(number => ($"s{number}", $"{number}"))];
        }

        return server;
    }
}
