using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Consuming;
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
            Retry = new RetryPolicy { MaxAttempts = 3, Delay = TimeSpan.Zero },
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
            new BatchOptions { MaxCount = 4, MaxDelay = TimeSpan.FromMilliseconds(50) });
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
    public async Task Other_types_compressed_bodies_and_a_pool_that_throws_are_handled_all_the_same()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var handled = new ConcurrentQueue<string>();
        int rented = 0, returned = 0;
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.ReadInto(
            () => ++rented % 2 == 0 ? throw new InvalidOperationException("empty") : new Measurement(),
            _ => throw new InvalidOperationException($"full {++returned}"));
        Assert.Throws<ArgumentException>(() => consumer.ReadInto(() => new Measurement(), _ => { }));
        consumer.Handle<Measurement>((message, _) => Note(message)).Handle<string>((message, _) => Note(message));
        await consumer.StartAsync().InTime();
        var compressed = new WireBodySerializer(
            Shop.Serializer.Serializer, new AmqpBodyOptions { Compression = Compression.GZip, CompressAbove = 0 });
        for (int i = 0; i < 4; i++)
        {
            await bench.PublishAsync(new Measurement { Sensor = "a" });
            await bench.PublishAsync("text");
            await bench.Channel.PublishAsync(compressed, "", bench.Queue, new Measurement { Sensor = new string('b', 100) });
        }

        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal(Enumerable.Repeat<string[]>(["a: ", "text", $"{new string('b', 100)}: "], 4).SelectMany(one => one), handled);
        Assert.InRange(rented, 4, 7);
        Assert.Equal((rented + 1) / 2, returned);

        Task Note(object message)
        {
            handled.Enqueue($"{message}");
            if (handled.Count == 12)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task What_cannot_be_read_into_an_object_is_a_failure_and_the_object_goes_back()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var pool = new Pool();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.ReadInto(pool.Rent, pool.Return).Handle<Measurement>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 5; i++)
        {
            await bench.PublishAsync(new Measurement { Sensor = "a" });
        }

        byte[] payload = Shop.Serializer.Serializer.Serialize<object>(new Measurement { Sensor = "a", Values = [1, 2, 3] });
        await bench.PublishRawAsync(payload.AsMemory(0, payload.Length - 1));
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(FailureReason.Undecodable, failed.ErrorHeader("reason"));
        await consumer.StopAsync().InTime();
        Assert.InRange(pool.Rented, 2, 5);
        Assert.Equal(pool.Rented, pool.Returned);
    }

    [Fact]
    public async Task A_loop_keeps_its_message_when_the_connection_is_lost()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy);
        var pool = new Pool();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.ReadInto(pool.Rent, pool.Return);
        for (int i = 0; i < 6; i++)
        {
            await bench.PublishAsync(new Measurement { Sensor = $"{i}" });
        }

        Measurement? kept = null;
        var seen = new List<string?>();
        await foreach (Delivery<Measurement> delivery in consumer.ReadAllAsync<Measurement>())
        {
            seen.Add(delivery.Message.Sensor);
            if (kept is null && delivery.Message.Sensor == "4")
            {
                kept = delivery.Message;
                var lost = new TaskCompletionSource();
                await using CancellationTokenRegistration told = delivery.Context.CancellationToken.Register(lost.SetResult);
                proxy.CutAll(Cut.Reset);
                await lost.Task.InTime();
            }

            if (delivery.Message.Sensor == "5")
            {
                break;
            }
        }

        await consumer.StopAsync().InTime();
        Assert.Equal(["0", "1", "2", "3", "4", "5"], seen.Distinct());
        Assert.Equal("4", kept!.Sensor);
        Assert.DoesNotContain(kept, pool.Free);
        Assert.Equal(pool.Rented - 1, pool.Returned);
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
