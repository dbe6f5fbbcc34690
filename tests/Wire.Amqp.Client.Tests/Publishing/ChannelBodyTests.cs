using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>What objects are written with is the channel's, and who watches a publish hears of each time that it is written.</summary>
public sealed class ChannelBodyTests
{
    [Fact]
    public async Task A_channel_writes_objects_its_own_way_and_another_as_the_connection_does()
    {
        var own = new AmqpBody(new Serializer(new SerializerOptions
        {
            TypeAliases = TypeAliases.None.Alias<OrderPlaced>("order"),
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(),
        }));
        await using TestChannel usual = await TestChannel.OpenAsync();
        AmqpChannel other = await usual.Connection.OpenChannelAsync(new AmqpChannelOptions { Body = own }).InTime();
        string queue = await usual.QueueAsync();
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 12.5m);
        await usual.Channel.PublishAsync("", queue, order).AsTask().InTime();
        await other.PublishAsync("", queue, order).AsTask().InTime();
        using AmqpDelivery first = (await usual.Channel.GetAsync(queue, noAck: true).InTime()).GetValueOrDefault();
        using AmqpDelivery second = (await usual.Channel.GetAsync(queue, noAck: true).InTime()).GetValueOrDefault();
        Assert.Equal(order, first.Read<Message>());

        // Its alias is unknown to the connection.
        Assert.NotEqual(TestChannel.TextOf(first), TestChannel.TextOf(second));
        Assert.ThrowsAny<Exception>(() => second.Read<Message>());
        BasicProperties properties = second.Properties;
        Assert.Equal(order, own.Read<Message>(in properties, second.Body));
    }

    [Fact]
    public async Task A_content_type_of_other_bodies_fails_its_own_message()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 12.5m);
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => tested.Channel.PublishAsync(
            "", queue, order, new BasicProperties { ContentType = "application/json" }).AsTask().InTime());
        Assert.Contains("'application/json'", error.Message, StringComparison.Ordinal);
        await tested.Channel.PublishAsync(
            "", queue, order, new BasicProperties { ContentType = "Application/X-Wire; v=1" }).AsTask().InTime();
        using AmqpDelivery delivery = (await tested.Channel.GetAsync(queue, noAck: true).InTime()).GetValueOrDefault();
        Assert.Equal("Application/X-Wire; v=1", delivery.Properties.ContentType.ToString());
        Assert.Equal(order, delivery.Read<Message>());
        Assert.Equal(0u, await tested.CountAsync(queue));
    }

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task Who_watches_a_publish_hears_of_its_size_before_it_is_confirmed(FrameWriting writing)
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        var method = new BasicPublish { RoutingKey = queue };
        for (int size = 0; size < 300_000; size = (size * 3) + 1)
        {
            var observer = new Observer();
            await tested.Channel.PublishBytesAsync(in method, default, new byte[size], writing, observer).AsTask().InTime();
            Assert.Equal([size], observer.Sizes);
        }
    }

    [Fact]
    public async Task Who_watches_a_publish_that_waits_hears_of_it_when_it_is_written()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = 1 }).InTime();
        link.Proxy.ToClient.Pause();
        var method = new BasicPublish { RoutingKey = "nowhere" };
        Observer[] observers = [new(), new()];
        Task[] tasks =
            [.. observers.Select(observer => channel.PublishBytesAsync(in method, default, new byte[7], null, observer).AsTask())];
        Assert.Equal([1, 0], observers.Select(observer => observer.Sizes.Count));
        link.Proxy.ToClient.Resume();
        await Task.WhenAll(tasks).InTime();
        Assert.All(observers, observer => Assert.Equal([7], observer.Sizes));
    }

    private sealed class Observer : IAmqpPublishObserver
    {
        public ConcurrentQueue<long> Sizes { get; } = [];

        public void Written(long bodySize) => Sizes.Enqueue(bodySize);
    }
}
