using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Producing;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.SuperStreams;

/// <summary>Partitions that are added to a super stream, or taken away, while it is published to and consumed.</summary>
public sealed class SuperStreamPartitionTests
{
    internal const string Super = "super";

    private static readonly StreamProducerOptions Plain = new() { Format = StreamFormat.Wire };
    private static readonly TimeSpan Often = TimeSpan.FromMilliseconds(100);

    [Fact]
    public async Task Keys_belong_to_the_partitions_that_there_are_when_a_message_is_sent()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, options: Plain);
        await SendAsync(producer, 0);
        Add(server, "s2");
        await SendAsync(producer, 100);
        await producer.RefreshPartitionsAsync();
        Assert.Equal(["s0", "s1", "s2"], producer.Partitions.Select(partition => partition.Stream));
        await SendAsync(producer, 200);
        foreach ((string stream, int index) in (ValueTuple<string, int>[])[("s0", 0), ("s1", 1), ("s2", 2)])
        {
            IEnumerable<int> expected = Enumerable.Range(0, 300)
                .Where(number => PartitionHash.Compute($"key-{number % 100}", number < 200 ? 2 : 3) == index);
            Assert.Equal(expected, Numbers(server, stream));
        }
    }

    [Fact]
    public async Task Producers_and_consumers_find_them_by_themselves_and_get_all_that_was_published_there()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = Often });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, options: Plain);
        var found = new ConcurrentQueue<int>();

        // From now on, which for a partition that comes later is from its beginning.
        await using SuperStreamConsumer consumer = await ConsumeAsync(client, found);
        await SendAsync(producer, 0);
        lock (server.Gate)
        {
            server.Create("s1");
            server.Append("s1", [.. Enumerable.Range(1_000, 10).Select(number => new Serializer().Serialize(number))]);
            server.SuperStreams[Super] = [("s0", "0"), ("s1", "1")];
        }

        await Until.HoldsAsync(() => producer.Partitions.Count == 2 && consumer.Partitions.Count == 2, "the second partition");
        await SendAsync(producer, 100);
        await Until.HoldsAsync(() => found.Count >= 210, "all messages");
        Assert.Equal([.. Enumerable.Range(0, 200), .. Enumerable.Range(1_000, 10)], found.Order());
        Assert.Contains(Numbers(server, "s1"), number => number < 200);
        await consumer.CloseAsync();
        Assert.True(consumer.Completion.IsCompletedSuccessfully);
        Assert.All(consumer.Partitions, partition => Assert.True(partition.Completion.IsCompletedSuccessfully));
    }

    [Fact]
    public async Task A_key_that_is_bound_to_one_is_found_at_once()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, StreamRouting.Key, Plain);
        await producer.SendAsync("0", 1);
        Add(server, "s1");
        await producer.SendAsync("1", 2);
        Assert.Equal([1], Numbers(server, "s0"));
        Assert.Equal([2], Numbers(server, "s1"));
        Assert.Contains(
            "'2' has no partition",
            (await Assert.ThrowsAsync<StreamException>(() => producer.SendAsync("2", 3).AsTask())).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_that_is_taken_away_gets_no_further_messages_and_is_read_to_its_end()
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, options: Plain);
        var found = new ConcurrentQueue<int>();
        await using SuperStreamConsumer consumer =
            await ConsumeAsync(client, found, new StreamConsumerOptions { Offset = StreamOffset.First });
        StreamProducer away = producer.Partitions[1];
        await away.EnqueueAsync(1_000);
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [("s0", "0"), ("s2", "2")];
        }

        await producer.RefreshPartitionsAsync();
        await consumer.RefreshPartitionsAsync();
        Assert.Equal(["s0", "s2"], producer.Partitions.Select(partition => partition.Stream));
        await SendAsync(producer, 0);
        await producer.FlushAsync();
        Assert.Equal(0, away.Unconfirmed);
        await Until.HoldsAsync(() => found.Count == 101, "all messages");
        Assert.Equal([.. Enumerable.Range(0, 100), 1_000], found.Order());
        Assert.Equal([1_000], Numbers(server, "s1"));
        await producer.CloseAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => away.SendAsync(1).AsTask());
    }

    [Fact]
    public async Task What_was_sent_to_one_that_is_deleted_is_lost_with_an_error_and_one_that_returns_is_as_new()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, options: Plain);
        StreamProducer away = producer.Partitions[1];
        server.Delete("s1");
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [("s0", "0")];
        }

        await away.EnqueueAsync(1_000);
        Task flush = producer.FlushAsync();
        await Until.HoldsAsync(() => away.Interruption is StreamException, "the loss");
        await producer.RefreshPartitionsAsync();
        StreamPublishException e =
            await Assert.ThrowsAsync<StreamPublishException>(() => Task.WhenAll(flush, producer.FlushAsync()).WaitAsync(Patience.Limit));
        Assert.Contains("'s1'", e.Message, StringComparison.Ordinal);
        await producer.FlushAsync();
        await SendAsync(producer, 0);
        Add(server, "s1");
        await producer.RefreshPartitionsAsync();
        await SendAsync(producer, 100);
        Assert.NotEmpty(Numbers(server, "s1"));
    }

    [Fact]
    public async Task One_that_is_taken_away_is_closed_some_seconds_later_and_made_again_when_it_returns()
    {
        await using StrictStreamServer server = Server(2);
        var time = new LookTime();
        await using var client = new StreamClient(server.Options with { PartitionInterval = null, Time = time });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, options: Plain);
        StreamProducer away = producer.Partitions[1];
        (string, string)[] both = [("s0", "0"), ("s1", "1")];
        await TakeAsync(both[..1]);
        time.Pass(9);
        await TakeAsync(both[..1]);
        await away.SendAsync(1_000);
        time.Pass(1);
        await TakeAsync(both[..1]);
        await Until.HoldsAsync(() => away.HasEnded, "its end");
        await TakeAsync(both);
        Assert.NotSame(away, producer.Partitions[1]);
        await SendAsync(producer, 0);
        Assert.Equal(1_000, Numbers(server, "s1").First());

        Task TakeAsync((string, string)[] partitions)
        {
            lock (server.Gate)
            {
                server.SuperStreams[Super] = partitions;
            }

            return producer.RefreshPartitionsAsync();
        }
    }

    [Fact]
    public async Task Consumers_of_one_that_is_deleted_end_and_begin_anew_when_it_returns()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = Often });
        var numbers = new Numbers();
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            Super, numbers.Add, new StreamConsumerOptions { Offset = StreamOffset.First });
        StreamConsumer away = consumer.Partitions[1];
        server.Append("s1", ProducerStream.Body(1));
        await numbers.ReachAsync(1);
        server.Delete("s1");
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [("s0", "0")];
        }

        await away.Completion.WaitAsync(Patience.Limit);
        await Until.HoldsAsync(() => consumer.Partitions.Count == 1, "one partition");
        Add(server, "s1");
        server.Append("s1", ProducerStream.Body(2));
        server.Append("s0", ProducerStream.Body(3));
        await numbers.ReachAsync(3);
        Assert.Equal([1, 2, 3], numbers.All.Order());
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
        await consumer.Completion;
    }

    [Fact]
    public async Task One_that_is_being_added_may_close_the_consumer()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        SuperStreamConsumer? self = null;
        var options = new StreamConsumerOptions
        {
            FindOffset = async (asking, _) =>
            {
                if (asking.Stream == "s1")
                {
                    await self!.CloseAsync(CancellationToken.None);
                }

                return null;
            },
        };
        await using SuperStreamConsumer consumer = self = await client.ConsumeSuperStreamAsync(Super, _ => default, options);
        Add(server, "s1");
        await Assert.ThrowsAsync<ObjectDisposedException>(() => consumer.RefreshPartitionsAsync().WaitAsync(Patience.Limit));
        await consumer.Completion.WaitAsync(Patience.Limit);
        Assert.Single(consumer.Partitions);
    }

    [Fact]
    public async Task One_that_is_added_and_whose_offset_cannot_be_found_ends_all()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = Often });
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(Super, _ => default, new StreamConsumerOptions
        {
            FindOffset = (asking, _) =>
                asking.Stream == "s1" ? throw new InvalidDataException("no such row") : ValueTask.FromResult<StreamOffset?>(null),
        });
        Add(server, "s1");
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal(("s1", "FindOffset has thrown: no such row"), (e.Stream, e.Message));
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task What_cannot_be_connected_to_is_tried_again_and_changes_nothing_until_then()
    {
        await using StrictStreamServer server = Server(1);
        using var watch = new TraceWatch("The partitions of the super stream 'super' could not all be found and taken");
        await using var client = new StreamClient(server.Options with { PartitionInterval = Often });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, options: Plain);
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(Super, _ => default);
        server.When(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.AccessRefused), times: 2);
        server.When(CommandKey.Subscribe, Reaction.Refuse(StreamResponseCode.StreamNotAvailable), times: 2);
        Add(server, "s1");
        await watch.Heard.WaitAsync(Patience.Limit);
        await server.ReceivedAsync(CommandKey.DeclarePublisher, 2);
        await SendAsync(producer, 0);
        await Until.HoldsAsync(() => producer.Partitions.Count == 2 && consumer.Partitions.Count == 2, "the second partition");
        await SendAsync(producer, 100);
        Assert.Equal(4, server.Received(CommandKey.DeclarePublisher));
        Assert.NotEmpty(Numbers(server, "s1"));
        Assert.DoesNotContain(Numbers(server, "s1"), number => number < 100);
    }

    [Fact]
    public async Task One_that_was_added_and_fails_ends_all()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            Super, message => message.Stream == "s1" ? throw new InvalidOperationException("not here") : default);
        Task completion = consumer.Completion;
        Add(server, "s1");
        await consumer.RefreshPartitionsAsync();
        server.Append("s1", ProducerStream.Body(1));
        StreamConsumerException e = await Assert.ThrowsAsync<StreamConsumerException>(() => completion.WaitAsync(Patience.Limit));
        Assert.Equal("s1", e.Stream);
        Assert.All(consumer.Partitions, partition => Assert.True(partition.Completion.IsCompleted));
        Add(server, "s2");
        ObjectDisposedException closed =
            await Assert.ThrowsAsync<ObjectDisposedException>(() => consumer.RefreshPartitionsAsync());
        Assert.Contains("The producer or consumer of the super stream 'super' has been closed.", closed.Message, StringComparison.Ordinal);
        Assert.Equal(2, consumer.Partitions.Count);
    }

    [Fact]
    public async Task On_the_broker_one_is_added_while_messages_are_published_and_none_is_lost()
    {
        const int Count = 20_000;
        await using TestSuperStream super = await TestSuperStream.CreateAsync(2);
        await using var client = new StreamClient(StreamBroker.Options with { PartitionInterval = Often });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(super.Name);
        var found = new ConcurrentDictionary<string, ConcurrentQueue<int>>();
        int left = Count;
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync<int>(super.Name, (number, message) =>
        {
            found.GetOrAdd(message.Stream, _ => []).Enqueue(number);
            Interlocked.Decrement(ref left);
            return default;
        });
        for (int i = 0; i < Count; i++)
        {
            if (i == Count / 2)
            {
                await super.AddAsync();
                await Until.HoldsAsync(() => producer.Partitions.Count == 3, "the third partition");
            }

            await producer.EnqueueAsync($"key-{i % 100}", i);
        }

        await producer.FlushAsync();
        await Until.HoldsAsync(() => Volatile.Read(ref left) == 0, "all messages");
        Assert.Equal(super.Partitions.Order(), found.Keys.Order());
        for (int p = 0; p < super.Partitions.Length; p++)
        {
            Assert.Equal(
                Enumerable.Range(0, Count).Where(i => PartitionHash.Compute($"key-{i % 100}", i < Count / 2 ? 2 : 3) == p),
                found[super.Partitions[p]]);
        }
    }

    [Fact]
    public void An_interval_out_of_range_is_refused()
    {
        foreach (TimeSpan interval in (TimeSpan[])[TimeSpan.Zero, TimeSpan.FromMilliseconds(99), TimeSpan.FromDays(2)])
        {
            Assert.Contains(
                "PartitionInterval is null, or 100 ms to 1 day",
                Assert.ThrowsAny<ArgumentException>(() => new StreamClient(new StreamClientOptions { PartitionInterval = interval }))
                    .Message,
                StringComparison.Ordinal);
        }
    }

    private static async Task SendAsync(SuperStreamProducer producer, int first)
    {
        foreach (int number in Enumerable.Range(first, 100))
        {
            await producer.SendAsync($"key-{number % 100}", number).AsTask().WaitAsync(Patience.Limit);
        }
    }

    private static IEnumerable<int> Numbers(StrictStreamServer server, string stream) =>
        server.Messages(stream).Select(message => new Serializer().Deserialize<int>(message));

    // Partitions s0, s1 and so on, bound by their numbers.
    internal static StrictStreamServer Server(int partitions)
    {
        var server = new StrictStreamServer();
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [];
        }

        foreach (int number in Enumerable.Range(0, partitions))
        {
            Add(server, $"s{number}");
        }

        return server;
    }

    internal static void Add(StrictStreamServer server, string stream)
    {
        server.Create(stream);
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [.. server.SuperStreams[Super], (stream, stream[1..])];
        }
    }

    private static Task<SuperStreamConsumer> ConsumeAsync(
        StreamClient client, ConcurrentQueue<int> found, StreamConsumerOptions? options = null) => client.ConsumeSuperStreamAsync<int>(
        Super,
        (number, _) =>
        {
            found.Enqueue(number);
            return default;
        },
        options);
}
