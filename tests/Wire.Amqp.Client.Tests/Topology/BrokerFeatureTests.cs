using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>What brokers do otherwise from one version to the next, on whichever the tests have: docs/reference/brokers.md.</summary>
public sealed class BrokerFeatureTests
{
    private static readonly Version Version = Broker.Node.Version;

    [Fact]
    public async Task Frames_that_the_broker_finds_too_small_are_named_as_what_may_be_wrong()
    {
        AmqpConnectionOptions options = TestChannel.Options with { RequestedFrameMax = 4096 };
        if (Version < new Version(4, 1))
        {
            await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options).InTime();
            Assert.Equal(4096, connection.FrameMax);
            return;
        }

        AmqpConnectionException error =
            await Assert.ThrowsAsync<AmqpConnectionException>(() => AmqpConnection.ConnectAsync(options).InTime());
        Assert.Contains("no RequestedFrameMax below 8192, and this is 4096", error.Message, StringComparison.Ordinal);
        await using AmqpConnection larger = await AmqpConnection.ConnectAsync(options with { RequestedFrameMax = 8192 }).InTime();
        Assert.Equal(8192, larger.FrameMax);
    }

    /// <summary>
    /// Also where nobody has said so: RabbitMQ 4 gives up a message of a quorum queue after twenty deliveries that failed.
    /// </summary>
    [Fact]
    public async Task A_quorum_queue_counts_failed_deliveries_and_from_4_on_ends_them()
    {
        const int Limit = 20;
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName();
        await tested.Channel.Topology.DeclareQueueAsync(
            queue, new AmqpQueueOptions { Arguments = new Dictionary<string, object?> { ["x-queue-type"] = "quorum" } }).InTime();
        await tested.PublishAsync(queue, "poison");
        for (int i = 0; i <= Limit; i++)
        {
            using AmqpDelivery delivery = await TakeAsync(tested, queue);
            Assert.Equal(i == 0 && Version.Major >= 4 ? null : i, Count(delivery, "x-delivery-count"));
            Assert.Equal(i == 0 || Version < new Version(4, 3) ? null : i, Count(delivery, "x-acquired-count"));
            delivery.Nack(requeue: true);
        }

        if (Version.Major >= 4)
        {
            for (int i = 0; i < 20; i++)
            {
                Assert.Null(await tested.Channel.GetAsync(queue).InTime());
            }
        }
        else
        {
            using AmqpDelivery more = await TakeAsync(tested, queue);
            Assert.Equal(Limit + 1, Count(more, "x-delivery-count"));
        }

        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }

    [Fact]
    public async Task A_body_may_be_as_large_as_the_broker_says()
    {
        const int Newer = 16 * 1024 * 1024;
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        var publish = new BasicPublish { RoutingKey = queue };
        await tested.Channel.PublishBytesAsync(publish, default, new byte[Newer]).AsTask().InTime();
        Task larger = tested.Channel.PublishBytesAsync(publish, default, new byte[Newer + 1]).AsTask().InTime();
        if (Version.Major < 4)
        {
            await larger;
            return;
        }

        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => larger);
        Assert.Contains($"{Newer + 1}", error.Message, StringComparison.Ordinal);
        Assert.Contains($"{Newer}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_classic_queue_of_the_second_version_is_declared_as_such_and_redeclared()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName();
        var options = new AmqpQueueOptions
        {
            Arguments = new Dictionary<string, object?> { ["x-queue-type"] = "classic", ["x-queue-version"] = 2 },
        };
        await tested.Channel.Topology.DeclareQueueAsync(queue, options).InTime();
        await tested.PublishAsync(queue, "one");
        Assert.Equal(1u, (await tested.Channel.Topology.DeclareQueueAsync(queue, options).InTime()).MessageCount);
        Assert.Equal("one", await tested.TakeAsync(queue));
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }

    private static async Task<AmqpDelivery> TakeAsync(TestChannel tested, string queue)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            if (await tested.Channel.GetAsync(queue).InTime() is { } delivery)
            {
                return delivery;
            }

            await Task.Delay(10, patience.Token);
        }
    }

    private static long? Count(AmqpDelivery delivery, string header) =>
        delivery.Properties.Headers is { } headers && headers.TryGetValue(header, out FieldValue value)
            ? Convert.ToInt64(value.ToObject(), null)
            : null;
}
