using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Producing;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.SuperStreams;

/// <summary>Publishing to the partitions of a super stream, and consuming them as one.</summary>
public sealed class SuperStreamTests
{
    private const int Messages = 600;

    private static readonly StreamConsumerOptions FromFirst = new() { Offset = StreamOffset.First };

    [Fact]
    public async Task One_without_partitions_is_refused()
    {
        await using TestSuperStream super = await TestSuperStream.CreateAsync(0);
        await using var client = new StreamClient(StreamBroker.Options);
        Assert.Empty(await client.GetPartitionsAsync(super.Name));
        StreamException[] refusals =
        [
            await Assert.ThrowsAsync<StreamException>(() => client.CreateSuperStreamProducerAsync(super.Name)),
            await Assert.ThrowsAsync<StreamException>(() => client.ConsumeSuperStreamAsync(super.Name, _ => default)),
        ];
        Assert.All(
            refusals,
            refusal => Assert.Contains($"The super stream '{super.Name}' has no partitions", refusal.Message, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_failing_partition_ends_the_others_also_when_one_was_closed_before()
    {
        await using TestSuperStream super = await TestSuperStream.CreateAsync(3);
        await using var client = new StreamClient(StreamBroker.Options);
        SuperStreamConsumer consumer =
            await client.ConsumeSuperStreamAsync(super.Name, _ => throw new InvalidDataException("not this"), FromFirst);
        await consumer.Partitions[0].CloseAsync();
        await using (StreamProducer producer = await client.CreateProducerAsync(super.Partitions[1]))
        {
            await producer.SendAsync(1);
        }

        StreamConsumerException failure =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal(super.Partitions[1], failure.Stream);
        Assert.All(consumer.Partitions, partition => Assert.True(partition.Completion.IsCompleted));
    }

    [Fact]
    public async Task A_key_goes_to_the_partition_of_its_hash_and_stays_in_order()
    {
        await using TestSuperStream super = await TestSuperStream.CreateAsync(3);
        await using var client = new StreamClient(StreamBroker.Options);
        Assert.Equal(super.Partitions, await client.GetPartitionsAsync(super.Name));
        await using (SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(super.Name))
        {
            Assert.Equal(super.Partitions, producer.Partitions.Select(partition => partition.Stream));
            for (int i = 0; i < Messages; i++)
            {
                await producer.EnqueueAsync($"key-{i % 17}", i);
            }

            await producer.SendAsync("last", Messages);
            await producer.FlushAsync();
            Assert.All(producer.Partitions, partition => Assert.Equal(0, partition.Unconfirmed));
        }

        ConcurrentDictionary<string, ConcurrentQueue<int>> found = await ReadAsync(client, super, Messages + 1);
        for (int p = 0; p < super.Partitions.Length; p++)
        {
            IEnumerable<int> expected = Enumerable.Range(0, Messages).Where(i => PartitionHash.Compute($"key-{i % 17}", 3) == p);
            Assert.Equal(PartitionHash.Compute("last", 3) == p ? expected.Append(Messages) : expected, found[super.Partitions[p]]);
        }
    }

    [Fact]
    public async Task A_key_goes_to_the_partitions_that_it_is_bound_to()
    {
        await using TestSuperStream super = await TestSuperStream.CreateAsync(3);
        await super.BindAsync("both", 1);
        await super.BindAsync("both", 2);
        await using var client = new StreamClient(StreamBroker.Options);
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(super.Name, StreamRouting.Key);
        Assert.Equal([super.Partitions[0]], (await producer.RouteAsync("0")).Select(partition => partition.Stream));
        await producer.SendAsync("0", 10);
        await producer.SendAsync("both", 20);
        await producer.EnqueueAsync("both", 30);
        await producer.FlushAsync();

        StreamException unbound = await Assert.ThrowsAsync<StreamException>(() => producer.SendAsync("nowhere", 40).AsTask());
        Assert.Contains("'nowhere' has no partition", unbound.Message, StringComparison.Ordinal);

        ConcurrentDictionary<string, ConcurrentQueue<int>> found = await ReadAsync(client, super, 5);
        Assert.Equal([10], found[super.Partitions[0]]);
        Assert.Equal([20, 30], found[super.Partitions[1]]);
        Assert.Equal([20, 30], found[super.Partitions[2]]);
    }

    [Fact]
    public async Task A_failure_in_one_partition_ends_all()
    {
        await using TestSuperStream super = await TestSuperStream.CreateAsync(3);
        await using var client = new StreamClient(StreamBroker.Options);
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync<int>(
            super.Name, (number, _) => number == 7 ? throw new InvalidOperationException("seven") : ValueTask.CompletedTask, FromFirst);
        Assert.False(consumer.Completion.IsCompleted);
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(super.Name);
        await producer.SendAsync("key", 7);

        StreamConsumerException failure =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal("seven", failure.InnerException!.Message);
        Assert.Equal(super.Partitions[PartitionHash.Compute("key", 3)], failure.Stream);
        Assert.All(consumer.Partitions, partition => Assert.True(partition.Completion.IsCompleted));
    }

    [Fact]
    public async Task A_named_consumer_goes_on_in_each_partition()
    {
        await using TestSuperStream super = await TestSuperStream.CreateAsync(2);
        await using var client = new StreamClient(StreamBroker.Options);
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(super.Name);
        StreamConsumerOptions named = FromFirst with { Name = "reader" };
        Assert.Equal(Enumerable.Range(0, 40), (await RoundAsync(0)).Order());
        Assert.Equal(Enumerable.Range(40, 40), (await RoundAsync(40)).Order());

        async Task<IReadOnlyCollection<int>> RoundAsync(int first)
        {
            foreach (int i in Enumerable.Range(first, 40))
            {
                await producer.EnqueueAsync($"{i}", i);
            }

            await producer.FlushAsync();
            return [.. (await ReadAsync(client, super, 40, named)).Values.SelectMany(numbers => numbers)];
        }
    }

    [Fact]
    public async Task There_has_to_be_such_a_super_stream()
    {
        await using var client = new StreamClient(StreamBroker.Options);
        string name = Broker.UniqueName("super");
        StreamException producer = await Assert.ThrowsAsync<StreamException>(() => client.CreateSuperStreamProducerAsync(name));
        Assert.Equal(StreamResponseCode.StreamDoesNotExist, producer.Code);
        Assert.Contains(name, producer.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<StreamException>(() => client.ConsumeSuperStreamAsync(name, _ => ValueTask.CompletedTask));
    }

    // The tasks themselves, as they are: what is measured is that nothing is allocated for them.
#pragma warning disable CA2012
    [Fact]
    public async Task A_message_by_hash_costs_a_byte_at_most()
    {
        const int Keys = 2_000;
        await using TestSuperStream super = await TestSuperStream.CreateAsync(3);
        await using var client = new StreamClient(StreamBroker.Options);
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(super.Name);
        string[] keys = [.. Enumerable.Range(0, Keys).Select(i => $"key-{i}")];
        byte[] value = [1, 2, 3];
        var tasks = new ValueTask[Keys];
        var enqueue = new Gauge(() =>
        {
            foreach (string key in keys)
            {
                ValueTask task = producer.EnqueueAsync(key, value);
                Assert.True(task.IsCompletedSuccessfully);
            }

            Settle(producer);
        });
        var send = new Gauge(() =>
        {
            for (int i = 0; i < Keys; i++)
            {
                tasks[i] = producer.SendAsync(keys[i], value);
            }

            Settle(producer);
            foreach (ValueTask task in tasks)
            {
                while (!task.IsCompleted)
                {
                    Thread.Yield();
                }

                task.GetAwaiter().GetResult();
            }
        });
        const long Allowed = 10 * Keys;
        Gauge.Settle(() => enqueue.BytesOfTenCalls <= Allowed, enqueue);
        Assert.InRange(enqueue.BytesOfTenCalls, 0, Allowed);
        Gauge.Settle(() => send.BytesOfTenCalls <= Allowed, send);
        Assert.InRange(send.BytesOfTenCalls, 0, Allowed);
        ValueTask<IReadOnlyList<StreamProducer>> route = producer.RouteAsync("a");
        Assert.Same(producer.Partitions[PartitionHash.Compute("a", 3)], Assert.Single(await route));
    }
#pragma warning restore CA2012

    private static void Settle(SuperStreamProducer producer)
    {
        foreach (StreamProducer partition in producer.Partitions)
        {
            while (partition.Unconfirmed > 0)
            {
                Thread.Yield();
            }
        }
    }

    // By partition, when so many have come.
    private static async Task<ConcurrentDictionary<string, ConcurrentQueue<int>>> ReadAsync(
        StreamClient client, TestSuperStream super, int count, StreamConsumerOptions? options = null)
    {
        var found = new ConcurrentDictionary<string, ConcurrentQueue<int>>();
        var all = new TaskCompletionSource();
        int left = count;
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync<int>(
            super.Name,
            (number, message) =>
            {
                found.GetOrAdd(message.Stream, _ => []).Enqueue(number);
                if (Interlocked.Decrement(ref left) == 0)
                {
                    all.SetResult();
                }

                return ValueTask.CompletedTask;
            },
            options ?? FromFirst);
        await (await Task.WhenAny(all.Task, consumer.Completion)).WaitAsync(Patience.Limit);
        await all.Task.WaitAsync(Patience.Limit);
        return found;
    }
}
