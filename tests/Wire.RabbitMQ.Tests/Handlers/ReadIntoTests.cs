using System.Collections.Concurrent;
using Wire.Amqp;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>Messages that are read into objects of a pool.</summary>
public abstract class ReadIntoTests(WireTransport transport)
{
    private const int Messages = 40;

    [Fact]
    public async Task Messages_are_read_into_objects_of_the_pool_until_their_handlers_have_ended()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var pool = new Pool();
        var handled = new ConcurrentQueue<(Measurement Object, string Text)>();
        int rentedWithin = 0;
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.ReadInto(pool.Rent, pool.Return).Handle<Measurement>((message, _) =>
        {
            Assert.DoesNotContain(message, pool.Free);
            rentedWithin += pool.Rented - pool.Returned;
            handled.Enqueue((message, $"{message}"));
            if (handled.Count == Messages)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < Messages; i++)
        {
            await bench.PublishAsync(new Measurement { Sensor = $"{i % 3}", Values = [.. Enumerable.Range(0, i % 5)] });
        }

        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal(
            Enumerable.Range(0, Messages).Select(i => $"{i % 3}: {string.Join(' ', Enumerable.Range(0, i % 5))}"),
            handled.Select(one => one.Text));

        // The first ones are new: their type is known behind them.
        Assert.InRange(pool.Rented, Messages - 5, Messages - 1);
        Assert.Equal(pool.Rented, pool.Returned);
        Assert.Equal(pool.Rented, rentedWithin);
        Assert.Equal(1, pool.Made);
        Assert.Equal(pool.Rented, handled.Count(one => ReferenceEquals(one.Object, pool.Free.Single())));
    }

    [Fact]
    public async Task Each_attempt_and_each_message_of_a_batch_has_an_object_of_its_own()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var pool = new Pool();
        var sums = new ConcurrentQueue<int>();
        int attempts = 0;
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            MaxConcurrency = 8,
            Retry = new RetryPolicy { MaxAttempts = 3, FirstDelay = TimeSpan.Zero },
        });
        consumer.ReadInto(pool.Rent, pool.Return).HandleBatch<Measurement>(
            (batch, _) =>
            {
                Assert.Equal(batch.Count, batch.Select(one => one.Message).Distinct(ReferenceEqualityComparer.Instance).Count());
                Assert.All(batch, one => Assert.DoesNotContain(one.Message, pool.Free));
                if (++attempts == 2)
                {
                    throw new InvalidOperationException("The second batch fails.");
                }

                foreach (Delivery<Measurement> one in batch)
                {
                    sums.Enqueue(one.Message.Values.Sum());
                    one.Message.Values.Add(1000);
                }

                if (sums.Count == Messages)
                {
                    done.SetResult();
                }

                return Task.CompletedTask;
            },
            new BatchOptions { MaxCount = 4, MaxWait = TimeSpan.FromMilliseconds(50) });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < Messages; i++)
        {
            await bench.PublishAsync(new Measurement { Values = [i, 1] });
        }

        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal(Enumerable.Range(1, Messages), sums.Order());
        Assert.Equal(pool.Rented, pool.Returned);
        Assert.Equal(pool.Made, pool.Free.Count);
    }

    [Fact]
    public async Task Other_types_compressed_bodies_and_a_pool_that_throws_when_it_takes_back_are_handled_all_the_same()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var handled = new ConcurrentQueue<string>();
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        Assert.Throws<ArgumentException>(() => consumer
            .ReadInto(() => new Measurement(), _ => throw new InvalidOperationException("full"))
            .ReadInto(() => new Measurement(), _ => { }));
        consumer.Handle<object>((message, _) =>
        {
            handled.Enqueue($"{message}");
            if (handled.Count == 9)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        var compressed = new WireBodySerializer(
            Shop.Serializer.Serializer, new AmqpBodyOptions { Compression = Compression.GZip, CompressAbove = 0 });
        for (int i = 0; i < 3; i++)
        {
            await bench.PublishAsync(new Measurement { Sensor = "a" });
            await bench.PublishAsync("text");
            await bench.Channel.PublishAsync(compressed, "", bench.Queue, new Measurement { Sensor = new string('b', 100) });
        }

        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal(Enumerable.Repeat<string[]>(["a: ", "text", $"{new string('b', 100)}: "], 3).SelectMany(one => one), handled);
    }

    public sealed class Measurement
    {
        public string? Sensor { get; set; }

        public List<int> Values { get; set; } = [];

        public override string ToString() => $"{Sensor}: {string.Join(' ', Values)}";
    }

    private sealed class Pool
    {
        private int _made;
        private int _rented;
        private int _returned;

        public ConcurrentBag<Measurement> Free { get; } = [];

        public int Made => _made;

        public int Rented => _rented;

        public int Returned => _returned;

        public Measurement Rent()
        {
            Interlocked.Increment(ref _rented);
            if (Free.TryTake(out Measurement? one))
            {
                return one;
            }

            Interlocked.Increment(ref _made);
            return new Measurement();
        }

        public void Return(Measurement message)
        {
            Interlocked.Increment(ref _returned);
            Free.Add(message);
        }
    }
}

/// <inheritdoc/>
public sealed class ReadIntoTestsOnLane() : ReadIntoTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class ReadIntoTestsOnClient() : ReadIntoTests(WireTransport.Client);
