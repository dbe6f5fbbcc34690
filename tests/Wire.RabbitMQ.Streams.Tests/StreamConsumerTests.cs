using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Consuming from the real broker: where it begins, and how handlers get what is there.</summary>
public sealed class StreamConsumerTests
{
    [Fact]
    public async Task Begins_where_it_is_told()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 50);
        await Task.Delay(20);
        DateTimeOffset between = DateTimeOffset.UtcNow;
        await Task.Delay(20);
        await stream.PublishNumbersAsync(50, 50);

        Assert.Equal(0, await FirstAsync(StreamOffset.First));
        Assert.Equal(37, await FirstAsync(StreamOffset.At(37)));
        Assert.InRange(await FirstAsync(StreamOffset.Last), 50, 99);
        Assert.Equal(50, await FirstAsync(StreamOffset.From(between)));
        Assert.Equal(0, await FirstAsync(StreamOffset.From(DateTimeOffset.UnixEpoch)));

        var next = new Numbers();
        var beyond = new Numbers();
        await using StreamConsumer byDefault = await client.ConsumeAsync(stream.Name, next.Add);
        await using StreamConsumer farAway =
            await client.ConsumeAsync(stream.Name, beyond.Add, new StreamConsumerOptions { Offset = StreamOffset.At(1000) });
        await stream.PublishNumbersAsync(100, 5);
        await next.ReachAsync(5);
        await beyond.ReachAsync(5);
        Assert.Equal([100, 101, 102, 103, 104], next.All);
        Assert.Equal([100, 101, 102, 103, 104], beyond.All);
        Assert.Equal(104ul, await OffsetAsync(byDefault, 104));

        async Task<int> FirstAsync(StreamOffset offset)
        {
            var numbers = new Numbers();
            await using StreamConsumer consumer =
                await client.ConsumeAsync(stream.Name, numbers.Add, new StreamConsumerOptions { Offset = offset });
            await numbers.ReachAsync(1);
            return numbers.All[0];
        }
    }

    [Theory]
    [InlineData(StreamOffsetKind.Next)]
    [InlineData(StreamOffsetKind.Last)]
    [InlineData(StreamOffsetKind.First)]
    public async Task Begins_with_the_first_message_of_an_empty_stream(StreamOffsetKind kind)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        StreamOffset offset =
            kind switch { StreamOffsetKind.Next => StreamOffset.Next, StreamOffsetKind.Last => StreamOffset.Last, _ => StreamOffset.First };
        var numbers = new Numbers();
        await using StreamConsumer consumer =
            await client.ConsumeAsync(stream.Name, numbers.Add, new StreamConsumerOptions { Offset = offset });
        Assert.Null(consumer.Offset);
        await stream.PublishNumbersAsync(0, 3);
        await numbers.ReachAsync(3);
        Assert.Equal([0, 1, 2], numbers.All);
    }

    [Fact]
    public async Task Hands_over_objects()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishAsync(
            [.. Enumerable.Range(0, 1000).Select(i => client.Options.Serializer.Serialize(new Order { Number = i, Text = $"order {i}" }))]);
        var numbers = new Numbers();
        var texts = new List<string>();
        await using StreamConsumer consumer = await client.ConsumeAsync<Order>(
            stream.Name,
            async (order, message) =>
            {
                if (order.Number % 3 == 0)
                {
                    await Task.Yield();
                }

                Assert.Equal((ulong)order.Number, message.Offset);
                texts.Add(order.Text);
                numbers.Add(order.Number);
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await numbers.ReachAsync(1000);
        Assert.Equal(Enumerable.Range(0, 1000), numbers.All);
        Assert.Equal(Enumerable.Range(0, 1000).Select(i => $"order {i}"), texts);
    }

    [Fact]
    public async Task Hands_over_chunks()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 100_000);
        var numbers = new Numbers();
        int calls = 0;
        await using StreamConsumer consumer = await client.ConsumeBatchesAsync(
            stream.Name,
            messages =>
            {
                calls++;
                foreach (StreamMessage message in messages)
                {
                    numbers.Add(TestStream.NumberOf(message));
                }
            },
            new StreamConsumerOptions { Offset = StreamOffset.At(1234), Credit = 1 });
        await numbers.ReachAsync(100_000 - 1234);
        Assert.Equal(Enumerable.Range(1234, 100_000 - 1234), numbers.All);
        Assert.InRange(calls, 2, 50_000);
    }

    [Fact]
    public async Task Leaves_out_what_is_not_accepted()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await stream.PublishNumbersAsync(0, 1000);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name, numbers.Add, new StreamConsumerOptions
            {
                Offset = StreamOffset.First,
                Accepts = message => TestStream.NumberOf(message) % 10 == 0,
            });
        await numbers.ReachAsync(100);
        Assert.Equal(Enumerable.Range(0, 100).Select(i => 10 * i), numbers.All);
        Assert.Equal(999ul, await OffsetAsync(consumer, 999));
    }

    [Fact]
    public async Task Says_what_is_wrong_when_it_begins()
    {
        await using var client = new StreamClient(StreamBroker.Options);
        string name = Broker.UniqueName();
        StreamException missing = await Assert.ThrowsAsync<StreamException>(() => client.ConsumeAsync(name, _ => default));
        Assert.Equal(StreamResponseCode.StreamDoesNotExist, missing.Code);
        Assert.Contains(name, missing.Message, StringComparison.Ordinal);

        await using TestStream stream = await TestStream.CreateAsync();
        await RefusesAsync<ArgumentException>(new StreamConsumerOptions { Credit = 0 }, "Credit");
        await RefusesAsync<ArgumentException>(new StreamConsumerOptions { Name = "" }, "255");
        await RefusesAsync<ArgumentException>(new StreamConsumerOptions { Offset = default }, "StreamOffset.First");
        await RefusesAsync<ArgumentException>(new StreamConsumerOptions { SingleActive = true }, "SingleActive needs a Name");
        await RefusesAsync<ArgumentException>(new StreamConsumerOptions { Tracking = StreamTracking.Manual }, "Tracking needs a Name");
        await RefusesAsync<ArgumentException>(new StreamConsumerOptions { MatchUnfiltered = true }, "Filters");
        if (BrokerIsBefore(3, 11))
        {
            await RefusesAsync<NotSupportedException>(
                new StreamConsumerOptions { SingleActive = true, Name = "n" }, "SingleActive needs RabbitMQ 3.11");
        }

        if (BrokerIsBefore(3, 13))
        {
            await RefusesAsync<NotSupportedException>(new StreamConsumerOptions { Filters = ["a"] }, "Filters needs RabbitMQ 3.13");
        }

        async Task RefusesAsync<TException>(StreamConsumerOptions options, string says)
            where TException : Exception
        {
            Exception refusal = await Assert.ThrowsAnyAsync<TException>(() => client.ConsumeAsync(stream.Name, _ => default, options));
            Assert.Contains(says, refusal.Message, StringComparison.Ordinal);
        }

        bool BrokerIsBefore(int major, int minor) =>
            Version.Parse(client.Links.Locator.LinkAsync(CancellationToken.None).Result.ServerProperties["version"].Split('-', '+')[0])
                < new Version(major, minor);
    }

    // The offset is set behind the handler.
    private static async Task<ulong?> OffsetAsync(StreamConsumer consumer, ulong expected)
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (consumer.Offset != expected && !time.IsCancellationRequested)
        {
            await Task.Delay(5);
        }

        return consumer.Offset;
    }

    public sealed class Order
    {
        public int Number { get; set; }

        public string Text { get; set; } = "";
    }

    [Fact]
    public async Task Calls_its_handler_on_a_thread_of_its_own_from_the_first_message_on()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 20_000);
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var threads = new ConcurrentQueue<string?>();
        var numbers = new Numbers();
        await using StreamConsumer consumer = await links.ConsumeAsync(new BatchDispatch(messages =>
        {
            threads.Enqueue(Thread.CurrentThread.Name);
            foreach (StreamMessage message in messages)
            {
                numbers.Add(TestStream.NumberOf(message));
            }
        }));
        await numbers.ReachAsync(20_000);
        await links.CutUntilAsync(() => stream.PublishNumbersAsync(20_000, 20_000));
        await numbers.ReachAsync(40_000);
        Assert.All(threads, name => Assert.Equal($"Streams, consumer of {stream.Name}", name));
    }
}
