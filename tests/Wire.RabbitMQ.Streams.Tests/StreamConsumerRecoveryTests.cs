using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>What a consumer does when its connection is lost, or its stream goes: against the real broker.</summary>
public sealed class StreamConsumerRecoveryTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Gets_all_once_while_connections_are_cut(int seed)
    {
        const int Count = 200_000;
        var random = new Random(seed);
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        await using StreamConsumer consumer =
            await links.ConsumeAsync(seed == 1 ? new MessageDispatch(numbers.Add) : new BatchDispatch(messages =>
        {
            foreach (StreamMessage message in messages)
            {
                numbers.Add(TestStream.NumberOf(message));
            }
        }));
        Task publishing = stream.PublishNumbersAsync(0, Count);
        for (int cut = 1; cut <= 10; cut++)
        {
            await numbers.ReachAsync((cut * Count / 11) + random.Next(1000));
            links.Cut();
        }

        await publishing;
        await numbers.ReachAsync(Count);
        await consumer.CloseAsync();
        Assert.Equal(Enumerable.Range(0, Count), numbers.All);
        Assert.InRange(links.Rented, 2, 11);
        Assert.Equal(Count - 1ul, consumer.Offset);
        await consumer.Completion;
    }

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    public async Task Gets_what_was_published_meanwhile_where_it_began_with_what_comes_next(int before)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, before);
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await links.ConsumeAsync(new MessageDispatch(numbers.Add), new StreamConsumerOptions());
        await links.CutUntilAsync(() => stream.PublishNumbersAsync(before, 5));
        await numbers.ReachAsync(5);
        Assert.Equal(Enumerable.Range(before, 5), numbers.All);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(100)]
    [InlineData(1000)]
    public async Task Begins_with_the_first_message_of_a_stream_that_was_made_anew(int count)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 100);
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        var told = new List<StreamConsumer>();
        await using StreamConsumer consumer = await links.ConsumeAsync(
            new MessageDispatch(
                numbers.Add), new StreamConsumerOptions { Offset = StreamOffset.First, Name = "name", OnRecreated = told.Add });
        await numbers.ReachAsync(100);
        await links.CutUntilAsync(async () =>
        {
            await stream.RecreateAsync();
            await stream.PublishNumbersAsync(10_000, count);
        });
        await numbers.ReachAsync(100 + count);
        await stream.PublishNumbersAsync(20_000, 1);
        await numbers.ReachAsync(100 + count + 1);
        Assert.Equal([.. Enumerable.Range(0, 100), .. Enumerable.Range(10_000, count), 20_000], numbers.All);
        Assert.Same(consumer, Assert.Single(told));
        await consumer.CloseAsync();
        Assert.Equal((ulong)count, consumer.Offset);
    }

    [Fact]
    public async Task Begins_with_the_first_message_of_a_stream_that_was_made_anew_before_any_came()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 50);
        await using var client = new StreamClient(StreamBroker.Options);
        await client.StoreOffsetAsync("name", stream.Name, 49);
        await UntilStoredAsync(client, stream.Name);
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await links.ConsumeAsync(
            new MessageDispatch(
                numbers.Add), new StreamConsumerOptions { Offset = StreamOffset.First, Name = "name", OnRecreated = _ => { } });
        await links.CutUntilAsync(async () =>
        {
            await stream.RecreateAsync();
            await stream.PublishNumbersAsync(100, 100);
        });
        await numbers.ReachAsync(100);
        Assert.Equal(Enumerable.Range(100, 100), numbers.All);
    }

    [Fact]
    public async Task Notices_a_stream_that_is_made_anew_while_it_looks_whether_it_is_the_same()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        Append(0, 10);
        Append(10, 10);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        var told = new List<StreamConsumer>();
        await using StreamConsumer consumer =
            await client.ConsumeAsync("s", numbers.Add, new StreamConsumerOptions { Offset = StreamOffset.First, OnRecreated = told.Add });
        await numbers.ReachAsync(20);
        int before = server.Received(CommandKey.Subscribe);
        var gate = new TaskCompletionSource();
        server.When(CommandKey.Subscribe, Reaction.After(Task.CompletedTask));
        server.When(CommandKey.Subscribe, Reaction.After(gate.Task));
        server.CutAll();
        await server.ReceivedAsync(CommandKey.Subscribe, before + 2);
        server.Delete("s");
        server.Create("s");
        Append(100, 30);
        gate.SetResult();
        await numbers.ReachAsync(50);
        Assert.Equal([.. Enumerable.Range(0, 20), .. Enumerable.Range(100, 30)], numbers.All);
        Assert.Same(consumer, Assert.Single(told));

        void Append(int first, int count) =>
            server.Append("s", [.. Enumerable.Range(first, count).Select(number => new byte[] { 0, 0, 0, 0, 0, 0, 0, (byte)number })]);
    }

    [Fact]
    public async Task Waits_for_a_stream_that_is_deleted_under_it()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 10);
        await using var client = new StreamClient(StreamBroker.Options);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream.Name, numbers.Add, new StreamConsumerOptions { Offset = StreamOffset.First, OnRecreated = _ => { } });
        await numbers.ReachAsync(10);
        await stream.RecreateAsync();
        await stream.PublishNumbersAsync(50, 5);
        await numbers.ReachAsync(15);
        Assert.Equal([.. Enumerable.Range(0, 10), .. Enumerable.Range(50, 5)], numbers.All);
        Assert.False(consumer.Completion.IsCompleted);
    }

    [Fact]
    public async Task Ends_where_it_is_not_to_connect_again()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 10);
        await using var client = new StreamClient(StreamBroker.Options with { Recovery = RecoveryOptions.Off });
        var links = new TestLinks(client, stream.Name);
        var numbers = new Numbers();
        StreamConsumer consumer = await links.ConsumeAsync(new MessageDispatch(numbers.Add));
        await numbers.ReachAsync(10);
        links.Cut();
        StreamConnectionException error =
            await Assert.ThrowsAsync<StreamConnectionException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Contains("behind offset 9", error.Message, StringComparison.Ordinal);
        await consumer.CloseAsync();
    }

    [Fact]
    public async Task Ends_with_its_client()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        StreamConsumer consumer;
        await using (var client = new StreamClient(StreamBroker.Options))
        {
            consumer = await client.ConsumeAsync(stream.Name, _ => default);
        }

        await Assert.ThrowsAsync<ObjectDisposedException>(() => consumer.Completion.WaitAsync(Patience.Limit));
    }

    [Fact]
    public async Task Can_be_closed_while_it_is_on_its_way_back()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using var client = new StreamClient(StreamBroker.Options);
        var links = new TestLinks(client, stream.Name);
        StreamConsumer consumer = await links.ConsumeAsync(new MessageDispatch(_ => default));
        await links.CutUntilAsync(() => consumer.CloseAsync().WaitAsync(Patience.Limit));
        await consumer.Completion;
    }

    // It is written into the stream some time after it was sent.
    private static async Task UntilStoredAsync(StreamClient client, string stream)
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (await client.QueryOffsetAsync("name", stream) is null)
        {
            await Task.Delay(10, time.Token);
        }
    }
}
