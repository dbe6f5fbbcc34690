using System.Collections.Concurrent;
using System.Text;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>What is published arrives, with all that was said of it, and its task ends when it has.</summary>
public abstract class WirePublisherTests(WireTransport transport) : PublisherTest(transport)
{
    [Fact]
    public async Task Ten_thousand_at_once_are_confirmed_and_in_the_queue()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer);
        var ids = Enumerable.Range(0, 10_000).Select(_ => Guid.NewGuid()).ToHashSet();

        await Task.WhenAll(ids.Select(id => publisher.PublishAsync<Message>("", Queue, new OrderPlaced(id, "Ada", 1)).AsTask())).InTime();

        await AssertCountAsync(10_000);
        IReadOnlyList<Guid> arrived = await TakeAsync(10_000, delivery => Shop.Serializer.Read<Message>(delivery)!.Id);
        Assert.True(ids.SetEquals(arrived));
    }

    [Fact]
    public async Task A_task_that_is_awaited_a_second_time_says_what_to_do_instead()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer);
#pragma warning disable CA2012 // That is what the test is about.
        ValueTask task = publisher.PublishAsync("", Queue, 1);
        await task;
        var error = await Assert.ThrowsAsync<InvalidOperationException>(async () => await task);
#pragma warning restore CA2012
        Assert.Contains("AsTask", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_is_what_it_was_and_says_what_it_is()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer);
        var gift = new GiftPlaced(Guid.NewGuid(), "Ada", 12.5m, "Hello");
        await publisher.PublishAsync<Message>("", Queue, gift).AsTask().InTime();

        BasicGetResult? got = await Watching.BasicGetAsync(Queue, autoAck: true).InTime();
        Assert.Equal(gift, Shop.Serializer.Read<Message>(got!));
        Assert.Equal("application/x-wire", got!.BasicProperties.ContentType);
        Assert.Equal(typeof(GiftPlaced).FullName, got.BasicProperties.Type);
        Assert.Equal(DeliveryModes.Persistent, got.BasicProperties.DeliveryMode);
        Assert.True(got.BasicProperties.IsTimestampPresent());
        Assert.False(string.IsNullOrEmpty(got.BasicProperties.MessageId));
        Assert.False(got.BasicProperties.IsCorrelationIdPresent()
            || got.BasicProperties.IsPriorityPresent()
            || got.BasicProperties.IsExpirationPresent());
    }

    [Fact]
    public async Task Everything_in_the_options_arrives_and_nothing_of_it_stays_for_the_next_message()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 1 });
        var options = new PublishOptions
        {
            Persistent = false,
            Priority = 7,
            Expiration = TimeSpan.FromMinutes(5),
            MessageId = "id",
            CorrelationId = "correlation",
            ReplyTo = "reply",
            Type = "order",
            AppId = "app",
            UserId = "guest",
            Headers = new Dictionary<string, object?>
            {
                ["text"] = "value",
                ["number"] = 5L,
                ["bytes"] = new byte[] { 1, 2 },
                ["none"] = null,
            },
        };
        await OrderAsync(publisher, Queue, options).InTime();
        await OrderAsync(publisher, Queue).InTime();

        IReadOnlyBasicProperties said = (await Watching.BasicGetAsync(Queue, autoAck: true).InTime())!.BasicProperties;
        Assert.Equal(
            (DeliveryModes.Transient, 7, "300000", "id", "correlation", "reply", "order", "app", "guest"),
            (
                said.DeliveryMode,
                said.Priority,
                said.Expiration,
                said.MessageId,
                said.CorrelationId,
                said.ReplyTo,
                said.Type,
                said.AppId,
                said.UserId));
        Assert.Equal("value", Encoding.UTF8.GetString((byte[])said.Headers!["text"]!));
        Assert.Equal(5L, said.Headers["number"]);
        Assert.Equal([1, 2], ((BinaryTableValue)said.Headers["bytes"]!).Bytes);
        Assert.True(said.Headers.ContainsKey("none"));

        IReadOnlyBasicProperties next = (await Watching.BasicGetAsync(Queue, autoAck: true).InTime())!.BasicProperties;
        Assert.Equal(DeliveryModes.Persistent, next.DeliveryMode);
        Assert.NotEqual("id", next.MessageId);
        Assert.Equal(typeof(OrderPlaced).FullName, next.Type);
        Assert.False(next.IsPriorityPresent()
            || next.IsExpirationPresent()
            || next.IsCorrelationIdPresent()
            || next.IsReplyToPresent()
            || next.IsAppIdPresent()
            || next.IsUserIdPresent());
        Assert.True(next.Headers is null or { Count: 0 });
    }

    [Fact]
    public async Task Many_threads_publish_with_one_publisher()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 3, MaxInFlight = 50 });
        var tasks = new ConcurrentBag<Task>();
        Thread[] threads = [.. Enumerable.Range(0, 8).Select(thread => new Thread(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                tasks.Add(publisher.PublishAsync("", Queue, new OrderPlaced(Guid.NewGuid(), $"{thread}/{i}", i)).AsTask());
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        await Task.WhenAll(tasks).InTime();

        IReadOnlyList<string?> customers = await TakeAsync(4000, Customer);
        Assert.Equal(4000, customers.Distinct().Count());
    }

    [Fact]
    public async Task A_message_may_publish_another_while_it_is_serialized()
    {
        WirePublisher? publisher = null;
        var inner = new ConcurrentBag<Task>();
        string queue = Queue;
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(),
            Surrogates =
            [
                Surrogate.Create<Chain, OrderPlaced>(
                    chain =>
                    {
                        if (chain.Links > 0)
                        {
                            inner.Add(publisher!.PublishAsync("", queue, new Chain(chain.Links - 1)).AsTask());
                        }

                        return new OrderPlaced(Guid.NewGuid(), $"{chain.Links}", 0);
                    },
                    order => new Chain(int.Parse(order.Customer, System.Globalization.CultureInfo.InvariantCulture))),
            ],
        });
        await using (publisher = Connection.Publisher(serializer, new WirePublisherOptions { MaxChannels = 2 }))
        {
            await publisher.PublishAsync("", Queue, new Chain(50)).AsTask().InTime();

            // Each is serialized when its channel is open, which may be after the one that published it has been confirmed.
            await Task.Run(() => Assert.True(SpinWait.SpinUntil(() => inner.Count == 50, Patience.Limit)));
        }

        Assert.Equal(50, inner.Count);
        await Task.WhenAll(inner).InTime();
        IReadOnlyList<int> links = await TakeAsync(51, delivery => serializer.Read<Chain>(delivery)!.Links);
        Assert.Equal(Enumerable.Range(0, 51), links.Order());
    }

    [Fact]
    public async Task A_task_is_awaited_once()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer);
#pragma warning disable CA2012 // What this is about.
        ValueTask task = publisher.PublishAsync("", Queue, "once");
        Assert.Throws<InvalidOperationException>(() => task.GetAwaiter().GetResult());
        await task.AsTask().InTime();
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await task);
#pragma warning restore CA2012
        await OrderAsync(publisher, Queue).InTime();
    }

    [Fact]
    public async Task What_goes_on_when_a_message_is_confirmed_may_block_and_other_messages_do_not_wait_for_it()
    {
        await using WirePublisher publisher = await WarmAsync();
        Proxy.ToClient.Pause();
        Task second = Task.CompletedTask;
        Task first = Task.Run(async () =>
        {
            ValueTask task = publisher.PublishAsync("", Queue, "first");
            second = publisher.PublishAsync("", Queue, "second").AsTask();
            await task;
            second.Wait(Patience.Limit);
        });
        await AssertCountAsync(2);
        Proxy.ToClient.Resume();
        await first.InTime();
        Assert.True(second.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Null_is_refused_at_once_where_it_makes_no_sense()
    {
        Assert.Throws<ArgumentNullException>(() => new WirePublisher(((IConnection)null!).ToWireConnection(), Shop.Serializer));
        Assert.Throws<ArgumentNullException>(() => new WirePublisher((AmqpConnection)null!, Shop.Serializer));
        Assert.Throws<ArgumentNullException>(() => new WirePublisher((WireConnection)null!, Shop.Serializer));
        Assert.Throws<ArgumentNullException>(() => Connection.Publisher(null!));
        await using var publisher = Connection.Publisher(Shop.Serializer);
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await publisher.PublishAsync(null!, Queue, 1));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await publisher.PublishAsync("", null!, 1));
        await publisher.PublishAsync<Message?>("", Queue, null).AsTask().InTime();
        Assert.Null(Shop.Serializer.Read<Message>((await Watching.BasicGetAsync(Queue, autoAck: true).InTime())!));
    }

    private sealed record Chain(int Links);
}

/// <inheritdoc/>
public sealed class WirePublisherTestsOnClient() : WirePublisherTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class WirePublisherTestsOnLane() : WirePublisherTests(WireTransport.DirectLane);
