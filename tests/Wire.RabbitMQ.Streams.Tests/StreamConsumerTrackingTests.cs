using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Where named consumers go on, with the real broker remembering it.</summary>
public sealed class StreamConsumerTrackingTests
{
    private static readonly StreamTracking Never = StreamTracking.Every(int.MaxValue, TimeSpan.FromDays(1));

    [Fact]
    public async Task Goes_on_behind_what_it_has_handled_when_it_was_closed()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        var options = new StreamConsumerOptions { Name = "name", Offset = StreamOffset.First, Tracking = Never };
        var first = new Numbers();
        await stream.PublishNumbersAsync(0, 10);
        await using (await client.ConsumeAsync(stream.Name, first.Add, options))
        {
            await first.ReachAsync(10);
        }

        await StoredAsync(client, stream.Name, 9);
        await stream.PublishNumbersAsync(10, 10);
        var second = new Numbers();
        await using StreamConsumer again = await client.ConsumeAsync(stream.Name, second.Add, options);
        await second.ReachAsync(10);
        Assert.Equal(Enumerable.Range(10, 10), second.All);

        var other = new Numbers();
        await using StreamConsumer heedless =
            await client.ConsumeAsync(stream.Name, other.Add, options with { Tracking = StreamTracking.None });
        await other.ReachAsync(20);
        Assert.Equal(Enumerable.Range(0, 20), other.All);
    }

    [Fact]
    public async Task Stores_after_so_many_messages()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name, _ => default, new StreamConsumerOptions
            {
                Name = "name",
                Offset = StreamOffset.First,
                Tracking = StreamTracking.Every(1, TimeSpan.FromDays(1)),
            });
        await stream.PublishNumbersAsync(0, 100);
        await StoredAsync(client, stream.Name, 99);
    }

    [Fact]
    public async Task Stores_when_some_time_is_over_also_within_a_chunk()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        var busy = new TaskCompletionSource();
        await stream.PublishNumbersAsync(0, 100);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name,
            async message => await (message.Offset == 50 ? busy.Task : Task.CompletedTask),
            new StreamConsumerOptions
            {
                Name = "name",
                Offset = StreamOffset.First,
                Tracking = StreamTracking.Every(int.MaxValue, TimeSpan.FromMilliseconds(50)),
            });
        await StoredAsync(client, stream.Name, 49);
        busy.SetResult();
        await StoredAsync(client, stream.Name, 99);
    }

    [Fact]
    public async Task Stores_what_the_program_says()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var options = new StreamConsumerOptions { Name = "name", Offset = StreamOffset.First, Tracking = StreamTracking.Manual };
        await stream.PublishNumbersAsync(0, 100);
        var numbers = new Numbers();
        StreamConsumer consumer = await links.ConsumeAsync(new MessageDispatch(numbers.Add), options);
        await numbers.ReachAsync(100);
        consumer.StoreOffset(41);
        await StoredAsync(client, stream.Name, 41);

        // What is said while there is no connection is not lost.
        await links.CutUntilAsync(() =>
        {
            consumer.StoreOffset(69);
            return Task.CompletedTask;
        });
        await StoredAsync(client, stream.Name, 69);
        await consumer.CloseAsync();

        var again = new Numbers();
        await using StreamConsumer second = await client.ConsumeAsync(stream.Name, again.Add, options);
        await again.ReachAsync(30);
        Assert.Equal(Enumerable.Range(70, 30), again.All);
        Assert.Equal(Enumerable.Range(0, 100), numbers.All);

        await using StreamConsumer nameless = await client.ConsumeAsync(stream.Name, _ => default);
        Assert.Contains(
            "Tracking", Assert.Throws<InvalidOperationException>(() => nameless.StoreOffset(1)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Goes_back_to_a_lower_offset_that_the_program_says_though_the_connection_is_lost()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        await stream.PublishNumbersAsync(0, 100);
        await client.StoreOffsetAsync("name", stream.Name, 80);
        await using StreamConsumer consumer = await links.ConsumeAsync(
            new MessageDispatch(_ => default), new StreamConsumerOptions { Name = "name", Tracking = StreamTracking.Manual });
        await StoredAsync(client, stream.Name, 80);
        await links.CutUntilAsync(() =>
        {
            consumer.StoreOffset(41);
            return Task.CompletedTask;
        });
        await StoredAsync(client, stream.Name, 41);
        consumer.StoreOffset(69);
        await StoredAsync(client, stream.Name, 69);
        await links.CutUntilAsync(() =>
        {
            consumer.StoreOffset(20);
            return Task.CompletedTask;
        });
        await StoredAsync(client, stream.Name, 20);

        // But what another one has stored beyond that stays.
        await links.CutUntilAsync(() => client.StoreOffsetAsync("name", stream.Name, 90));
        await StoredAsync(client, stream.Name, 90);
        int rented = links.Rented;
        await links.CutUntilAsync(() => Task.CompletedTask);
        await consumer.CloseAsync();
        Assert.InRange(links.Rented, rented, int.MaxValue);
        Assert.Equal(90ul, await client.QueryOffsetAsync("name", stream.Name));
    }

    // It is written into the stream some time after it was sent.
    private static async Task StoredAsync(StreamClient client, string stream, ulong expected)
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            ulong? stored = await client.QueryOffsetAsync("name", stream);
            if (stored == expected)
            {
                return;
            }

            Assert.False(time.IsCancellationRequested, $"Expected that {expected} is stored, and it is {stored}.");
            await Task.Delay(10);
        }
    }
}
