using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>A connection that has fewer channels than its publisher would open: it works with those that there are.</summary>
public abstract class FewChannelsTests(WireTransport transport)
{
    private const int Count = 300;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_burst_goes_out_over_the_channels_that_there_are(ushort channelMax)
    {
        await using IConnection watching = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await watching.CreateChannelAsync().InTime();
        string queue = await channel.DeclareQueueAsync();
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedChannelMax = channelMax;
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, factory);
        await using (WirePublisher publisher = connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxInFlight = 4 }))
        {
            for (int round = 0; round < 2; round++)
            {
                await Task.WhenAll(Enumerable.Range(0, Count).Select(i => publisher.PublishAsync("", queue, i).AsTask())).InTime();
            }
        }

        Assert.Equal((uint)(2 * Count), await channel.MessageCountAsync(queue).InTime());

        // All of its channels are free again.
        await using WirePublisher next = connection.Publisher(Shop.Serializer);
        await next.PublishAsync("", queue, 1).AsTask().InTime();
    }

    [Fact]
    public async Task Messages_with_a_key_keep_their_order()
    {
        await using IConnection watching = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await watching.CreateChannelAsync().InTime();
        string queue = await channel.DeclareQueueAsync();
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedChannelMax = 1;
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, factory);
        await using WirePublisher publisher = connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxInFlight = 8 });
        PublishOptions[] keys = [.. Enumerable.Range(0, 8).Select(key => new PublishOptions { OrderingKey = $"{key}" })];
        await Task.WhenAll(Enumerable.Range(0, Count).Select(
            i => publisher.PublishAsync("", queue, i, keys[i % keys.Length]).AsTask())).InTime();
        var last = new int[keys.Length];
        Array.Fill(last, -1);
        for (int i = 0; i < Count; i++)
        {
            int number = Shop.Serializer.Read<int>((await channel.BasicGetAsync(queue, autoAck: true).InTime())!);
            Assert.True(number > last[number % keys.Length], $"{number} came behind {last[number % keys.Length]}.");
            last[number % keys.Length] = number;
        }
    }

    [Fact]
    public async Task Without_any_channel_the_messages_fail_and_say_why()
    {
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedChannelMax = 1;
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, factory);
        await using WirePublisher first = connection.Publisher(Shop.Serializer, new WirePublisherOptions { Mandatory = false });
        await first.PublishAsync("", "nowhere", 1).AsTask().InTime();
        await using WirePublisher second = connection.Publisher(Shop.Serializer, new WirePublisherOptions { Mandatory = false });
        foreach (Task task in (Task[])[.. Enumerable.Range(0, 50).Select(i => second.PublishAsync("", "nowhere", i).AsTask())])
        {
            InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => task.InTime());
            Assert.Contains("no channel left", error.Message, StringComparison.Ordinal);
        }

        // Once there is one.
        await first.DisposeAsync().AsTask().InTime();
        await second.PublishAsync("", "nowhere", 1).AsTask().InTime();
    }
}

/// <inheritdoc/>
public sealed class FewChannelsTestsOnClient() : FewChannelsTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class FewChannelsTestsOnLane() : FewChannelsTests(WireTransport.DirectLane);
