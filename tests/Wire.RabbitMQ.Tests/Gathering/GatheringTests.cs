using System.Globalization;
using System.Text.Json;
using RabbitMQ.Client.Events;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Publishing;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Gathering;

/// <summary>Objects that wait for the broker become one message.</summary>
public abstract class GatheringTests(WireTransport transport) : PublisherTest(transport)
{
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(1);

    // The publisher has no connection before, so that its first object waits, and all others find its channel busy.
    private readonly TaskCompletionSource _connects = new();

    [Fact]
    public async Task Objects_that_are_awaited_one_by_one_go_as_they_always_did()
    {
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxDelay = Long });
        _connects.SetResult();
        for (int i = 0; i < 5; i++)
        {
            await PublishAsync(publisher, i).InTime();
        }

        Assert.All(await TakeAsync(5, ContentType), type => Assert.Equal(AmqpBody.ContentType, type));
    }

    [Fact]
    public async Task As_many_go_together_as_the_options_say_and_the_rest_when_its_time_is_over()
    {
        await using WirePublisher publisher = Gathering(
            new GatheringOptions { MaxCount = 10, MaxDelay = TimeSpan.FromMilliseconds(200) });
        await AllAsync(Enumerable.Range(0, 33).Select(i => PublishAsync(publisher, i)));
        IReadOnlyList<decimal[]> messages = await TakeAsync(5, Totals);
        Assert.Equal([1, 10, 10, 10, 2], messages.Select(message => message.Length));
        Assert.Equal(Enumerable.Range(0, 33).Select(i => (decimal)i), messages.SelectMany(message => message));
    }

    [Fact]
    public async Task A_message_that_is_large_enough_goes()
    {
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxBytes = 1, MaxDelay = Long });
        await AllAsync(Enumerable.Range(0, 4).Select(i => PublishAsync(publisher, i)));
        Assert.Equal([1, 1, 1, 1], (await TakeAsync(4, Totals)).Select(message => message.Length));
    }

    [Fact]
    public async Task Only_what_has_everything_in_common_goes_together()
    {
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxCount = 2, MaxDelay = Long });
        PublishOptions?[] all =
        [
            null,
            new() { Priority = 1 },
            new() { Expiration = Long },
            new() { Persistent = false },
            new() { OrderingKey = "a" },
        ];
        Task first = PublishAsync(publisher, 0);
        Task[] others = [.. all.Concat(all).Select((options, i) => PublishAsync(publisher, i + 1, options))];
        await AllAsync(others.Append(first));
        IReadOnlyList<decimal[]> messages = await TakeAsync(6, Totals);
        Assert.Equal(
            ["0", "1 6", "2 7", "3 8", "4 9", "5 10"],
            messages.Select(message => string.Join(' ', message.Select(each => each.ToString(CultureInfo.InvariantCulture)))).Order());
    }

    [Fact]
    public async Task What_the_broker_routes_by_is_not_hidden_from_it()
    {
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxDelay = Long });
        string copy = await Watching.DeclareQueueAsync("copy").InTime();
        var options = new PublishOptions { Headers = new Dictionary<string, object?> { ["CC"] = new List<object?> { copy } } };
        await AllAsync(Enumerable.Range(0, 5).Select(i => PublishAsync(publisher, i, options)));
        Assert.Equal(5u, await Watching.MessageCountAsync(copy).InTime());
    }

    [Fact]
    public async Task Nothing_overtakes_what_has_the_same_ordering_key()
    {
        await using WirePublisher publisher = Gathering(
            new GatheringOptions { MaxDelay = Long }, options => options.Gathering<GiftPlaced>(new GatheringOptions { MaxDelay = Long }));
        var all = new List<Task>();
        for (int i = 0; i < 40; i += 4)
        {
            PublishOptions key = new() { OrderingKey = "a" };
            all.Add(PublishAsync(publisher, i, key));
            all.Add(PublishAsync(publisher, i + 1, key with { Priority = 0 }));
            all.Add(publisher.PublishAsync("", Queue, new GiftPlaced(Guid.NewGuid(), "Ada", i + 2, ""), key).AsTask());
            all.Add(PublishAsync(
                publisher, i + 3, key with { Headers = new Dictionary<string, object?> { ["x-own"] = 1 } }));
        }

        await AllAsync(all);
        var came = new List<decimal>();
        while (await Watching.BasicGetAsync(Queue, autoAck: true).InTime() is { } message)
        {
            came.AddRange(Messages(message.BasicProperties.ContentType, message.BasicProperties.MessageId, message.Body.ToArray())
                .Select(Total));
        }

        Assert.Equal(Enumerable.Range(0, 40).Select(i => (decimal)i), came);
    }

    [Fact]
    public async Task A_large_object_is_a_message_by_itself()
    {
        await using WirePublisher publisher = Gathering(
            new GatheringOptions { MaxBytes = 1_000, MaxDelay = Long }, options => options.Gathering<Parcels>(
                new GatheringOptions { MaxBytes = 1_000, MaxCount = 3, MaxDelay = Long }));
        byte[][] labels = [new byte[1], new byte[2], new byte[2_000], new byte[3], new byte[4]];
        await AllAsync(labels.Select(label => publisher.PublishAsync("", Queue, new Parcels(Guid.NewGuid(), label)).AsTask()));
        IReadOnlyList<int[]> messages = await TakeAsync(3, delivery => Messages(delivery).Select(each => each.Body.Length).ToArray());
        Assert.Equal([1, 1, 3], messages.Select(message => message.Length).Order());
        Assert.Contains(messages, message => message is [> 2_000]);
    }

    [Fact]
    public async Task More_objects_than_may_wait_fail_one_by_one()
    {
        await using WirePublisher publisher = Gathering(
            new GatheringOptions { MaxCount = 10, MaxDelay = Long }, options => options with { MaxInFlight = 1, MaxWaiting = 5 });
        Task first = PublishAsync(publisher, 0);
        Task[] all = [.. Enumerable.Range(1, 9).Select(i => PublishAsync(publisher, i))];
        Task[] others = [.. Enumerable.Range(10, 300).Select(i => PublishAsync(publisher, i))];
        await AllAsync(all.Append(first));
        var refused = new List<AmqpPublishException>();
        foreach (Task other in others.Where(other => other.IsFaulted))
        {
            refused.Add(await Assert.ThrowsAsync<AmqpPublishException>(() => other));
        }

        Assert.NotEmpty(refused);
        Assert.All(refused, each => Assert.Equal(AmqpPublishFailure.Overflow, each.Failure));
    }

    [Fact]
    public async Task Those_of_one_message_fail_together_when_it_is_returned()
    {
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxCount = 4, MaxDelay = Long });
        Task[] all = [.. Enumerable.Range(0, 9).Select(i => publisher.PublishAsync("", "no such queue", Order(i)).AsTask())];
        _connects.SetResult();
        foreach (Task each in all)
        {
            Assert.Equal(
                AmqpPublishFailure.Returned, (await Assert.ThrowsAsync<AmqpPublishException>(() => each.InTime())).Failure);
        }
    }

    [Fact]
    public async Task One_that_cannot_be_written_fails_alone()
    {
        await using WirePublisher publisher = Gathering(
            new GatheringOptions { MaxCount = 2, MaxDelay = Long }, options => options.Gathering<Node>(
                new GatheringOptions { MaxCount = 2, MaxDelay = Long }));
        var loop = new Node();
        loop.Next = loop;
        Task first = PublishAsync(publisher, 0);
        Task second = PublishAsync(publisher, 1);
        await Assert.ThrowsAsync<ObjectGraphException>(() => publisher.PublishAsync("", Queue, loop).AsTask().InTime());
        await Assert.ThrowsAnyAsync<ArgumentException>(() => PublishAsync(
            publisher, 2, new PublishOptions { Headers = new Dictionary<string, object?> { ["a"] = new object() } }).InTime());
        Task third = PublishAsync(publisher, 3);
        await AllAsync([first, second, third]);
        Assert.Equal([0m, 1m, 3m], (await TakeAsync(2, Totals)).SelectMany(message => message));
    }

    [Fact]
    public async Task Who_disposes_of_the_publisher_has_sent_what_waits()
    {
        WirePublisher publisher = Gathering(new GatheringOptions { MaxDelay = Long });
        Task[] all = [.. Enumerable.Range(0, 5).Select(i => PublishAsync(publisher, i))];
        _connects.SetResult();
        await publisher.DisposeAsync().AsTask().InTime();
        await AllAsync(all);
        Assert.Equal([0m, 1m, 2m, 3m, 4m], (await TakeAsync(2, Totals)).SelectMany(message => message));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => PublishAsync(publisher, 6).InTime());
    }

    [Fact]
    public async Task A_token_ends_the_wait_and_not_the_message()
    {
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxCount = 3, MaxDelay = Long });
        using var cancelled = new CancellationTokenSource();
        Task first = PublishAsync(publisher, 0);
        Task second = PublishAsync(publisher, 1, null, cancelled.Token);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.InTime());
        await AllAsync([first, PublishAsync(publisher, 2), PublishAsync(publisher, 3)]);
        Assert.Equal([0m, 1m, 2m, 3m], (await TakeAsync(2, Totals)).SelectMany(message => message));
    }

    [Fact]
    public async Task Bodies_of_other_formats_are_gathered_as_well()
    {
        WireBodySerializer serializer = Shop.Serializer.Writing<OrderPlaced>(new JsonBodyFormat());
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxCount = 2, MaxDelay = Long }, serializer: serializer);
        await AllAsync(Enumerable.Range(0, 3).Select(i => PublishAsync(publisher, i)));
        IReadOnlyList<GatheredMessage[]> messages = await TakeAsync(2, Messages);
        GatheredMessage[] together = messages.Single(message => message.Length == 2);
        Assert.Equal(
            [1m, 2m],
            together.Select(each => JsonSerializer.Deserialize<JsonElement>(each.Body.Span).GetProperty("total").GetDecimal()));
        Assert.All(together, each => Assert.StartsWith(
            "application/json", each.Properties.ContentType.ToString(), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Many_threads_lose_nothing()
    {
        const int Threads = 4;
        const int Count = 5_000;
        await using WirePublisher publisher = Gathering(new GatheringOptions { MaxCount = 100 });
        _connects.SetResult();
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            var window = new Queue<Task>();
            for (int i = 0; i < Count; i++)
            {
                window.Enqueue(PublishAsync(
                    publisher, (thread * Count) + i, new PublishOptions { OrderingKey = $"{thread}" }));
                if (window.Count == 500)
                {
                    await window.Dequeue();
                }
            }

            await Task.WhenAll(window);
        }))).InTime();
        var came = new List<decimal>();
        while (await Watching.BasicGetAsync(Queue, autoAck: true).InTime() is { } message)
        {
            came.AddRange(Messages(message.BasicProperties.ContentType, message.BasicProperties.MessageId, message.Body.ToArray())
                .Select(Total));
        }

        // Each thread in its order.
        Assert.Equal(Enumerable.Range(0, Threads * Count).Select(i => (decimal)i), came.OrderBy(each => (int)each / Count));
    }

    [Fact]
    public void Options_are_checked_and_a_type_has_one_set_of_them()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new GatheringOptions { MaxCount = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new GatheringOptions { MaxCount = 65_537 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new GatheringOptions { MaxBytes = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new GatheringOptions { MaxBytes = (1 << 23) + 1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new GatheringOptions { MaxDelay = TimeSpan.FromTicks(-1) });
        Assert.Throws<ArgumentOutOfRangeException>(() => new GatheringOptions { MaxDelay = Long + TimeSpan.FromTicks(1) });
        WirePublisherOptions options = new WirePublisherOptions().Gathering<Message>();
        Assert.Contains(
            typeof(Message).ToString(), Assert.Throws<ArgumentException>(() => options.Gathering<Message>()).Message,
            StringComparison.Ordinal);
    }

    private static OrderPlaced Order(int number) => new(Guid.NewGuid(), "Ada", number);

    private static string? ContentType(BasicDeliverEventArgs delivery) => delivery.BasicProperties.ContentType;

    private static decimal[] Totals(BasicDeliverEventArgs delivery) => [.. Messages(delivery).Select(Total)];

    private static decimal Total(GatheredMessage message)
    {
        Amqp.V091.BasicProperties properties = message.Properties;
        return Shop.Serializer.Read<OrderPlaced>(in properties, new(message.Body))!.Total;
    }

    private static GatheredMessage[] Messages(BasicDeliverEventArgs delivery) =>
        Messages(delivery.BasicProperties.ContentType, delivery.BasicProperties.MessageId, delivery.Body.ToArray());

    // One that went alone, too.
    private static GatheredMessage[] Messages(string? contentType, string? id, byte[] body)
    {
        if (contentType == GatheredBody.ContentType)
        {
            return GatheredBody.Read(new Amqp.V091.BasicProperties { MessageId = id! }, new(body));
        }

        using var writer = new GatheredBodyWriter();
        writer.Add(new Amqp.V091.BasicProperties { ContentType = contentType! }, body);
        return GatheredBody.Read(default, new(writer.Written));
    }

    private Task PublishAsync(
        WirePublisher publisher, int number, PublishOptions? options = null, CancellationToken cancellationToken = default) =>
        publisher.PublishAsync("", Queue, Order(number), options, cancellationToken).AsTask();

    private async Task AllAsync(IEnumerable<Task> published)
    {
        Task[] all = [.. published];
        _connects.TrySetResult();
        await Task.WhenAll(all).InTime();
    }

    private WirePublisher Gathering(
        GatheringOptions gathering, Func<WirePublisherOptions, WirePublisherOptions>? change = null, WireBodySerializer? serializer = null)
    {
        WirePublisherOptions options = new WirePublisherOptions { MaxChannels = 1 }.Gathering<Message>(gathering);
        return new WirePublisher(
            async _ =>
            {
                await _connects.Task;
                return Connection.Connection;
            },
            serializer ?? Shop.Serializer,
            change?.Invoke(options) ?? options,
            null);
    }

    private sealed class Node
    {
        public Node? Next { get; set; }
    }
}

/// <inheritdoc/>
public sealed class GatheringTestsOnLane() : GatheringTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class GatheringTestsOnClient() : GatheringTests(WireTransport.Client);
