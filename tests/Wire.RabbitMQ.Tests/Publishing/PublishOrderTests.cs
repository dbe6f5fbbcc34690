using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>Messages with the same ordering key arrive in the order of the calls.</summary>
public abstract class PublishOrderTests(WireTransport transport) : PublisherTest(transport)
{
    private const int Count = 10_000;

    [Fact]
    public async Task The_order_of_the_calls_is_kept_for_each_key_while_other_messages_go_around()
    {
        PublishOptions[] keys = [.. Enumerable.Range(0, 7).Select(i => new PublishOptions { OrderingKey = $"key {i}" })];
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 4, MaxInFlight = 64 });
        var tasks = new List<Task>();
        for (int i = 0; i < Count; i++)
        {
            int key = i % keys.Length;
            tasks.Add(publisher.PublishAsync("", Queue, new OrderPlaced(Guid.NewGuid(), $"{key}", i), keys[key]).AsTask());
            if (i % 3 == 0)
            {
                tasks.Add(publisher.PublishAsync("", Queue, new OrderPlaced(Guid.NewGuid(), "other", i)).AsTask());
            }
        }

        await Task.WhenAll(tasks).InTime();

        IReadOnlyList<OrderPlaced> arrived = await TakeAsync(tasks.Count, delivery => Shop.Serializer.Read<OrderPlaced>(delivery)!);
        for (int key = 0; key < keys.Length; key++)
        {
            Assert.Equal(
                Enumerable.Range(0, Count).Where(i => i % keys.Length == key),
                arrived.Where(order => order.Customer == $"{key}").Select(order => (int)order.Total));
        }

        Assert.Equal(tasks.Count - Count, arrived.Count(order => order.Customer == "other"));
    }
}

/// <inheritdoc/>
public sealed class PublishOrderTestsOnClient() : PublishOrderTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class PublishOrderTestsOnLane() : PublishOrderTests(WireTransport.DirectLane);
