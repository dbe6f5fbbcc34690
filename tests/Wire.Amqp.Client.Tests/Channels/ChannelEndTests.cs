using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Channels;

/// <summary>How channels end: by the broker or by the program, or by both at once. The connection and its other channels go on.</summary>
public sealed class ChannelEndTests
{
    // So that their numbers are used again and again.
    private const int FewChannels = 20;

    private static readonly AmqpChannelOptions Unconfirmed = new() { Confirms = false };

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task A_missing_exchange_ends_the_channel_and_fails_what_is_in_flight_with_the_brokers_words(FrameWriting writing)
    {
        await using TestLink tested = await TestLink.ConnectAsync(options => options with { Writing = writing });
        AmqpChannel good = await tested.Connection.OpenChannelAsync().InTime();
        AmqpChannel bad = await tested.Connection.OpenChannelAsync().InTime();
        string queue = (await good.Topology.DeclareQueueAsync().InTime()).Name;

        // The broker reads on when all are written.
        tested.Proxy.ToBroker.Pause();
        string missing = Broker.UniqueName();
        Task failing = Publish(bad, missing, "key");
        Task[] behind = [.. Enumerable.Range(0, 50).Select(_ => Publish(bad, "", queue))];
        tested.Proxy.ToBroker.Resume();

        foreach (Task task in behind.Prepend(failing))
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => task.InTime());
            Assert.Equal(task == failing ? AmqpPublishFailure.Refused : AmqpPublishFailure.Unconfirmed, error.Failure);
            Assert.Contains(missing, error.Message, StringComparison.Ordinal);
            Assert.Equal((404, MethodId.BasicPublish), Assert.IsType<AmqpChannelException>(error.InnerException) is { Reason: var reason }
                ? (reason.ReplyCode, reason.Cause)
                : default);
        }

        Assert.False(bad.IsOpen);
        Assert.Contains(
            missing,
            (await Assert.ThrowsAsync<AmqpChannelException>(() => Publish(bad, "", queue).InTime())).Message,
            StringComparison.Ordinal);
        await Publish(good, "", queue).InTime();
        Assert.Equal(1, tested.Proxy.Accepted);
    }

    [Fact]
    public async Task Broker_and_program_close_a_channel_at_the_same_time()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(channelMax: FewChannels);
        Link link = tested.Connection.Link!;
        string missing = Broker.UniqueName();
        for (int i = 0; i < 300; i++)
        {
            AmqpChannel channel = await tested.Connection.OpenChannelAsync(Unconfirmed).InTime();
            await Publish(channel, missing, "key").InTime();
            await channel.DisposeAsync().AsTask().InTime();
        }

        await AssertUnharmedAsync(tested, link);
    }

    [Theory]
    [InlineData(FrameWriting.Background, true)]
    [InlineData(FrameWriting.Inline, true)]
    [InlineData(FrameWriting.Background, false)]
    [InlineData(FrameWriting.Inline, false)]
    public async Task Closing_races_with_publishing_from_several_threads(FrameWriting writing, bool confirms)
    {
        await using TestChannel tested = await TestChannel.OpenAsync(channelMax: FewChannels);
        Link link = tested.Connection.Link!;
        for (int i = 0; i < 20; i++)
        {
            AmqpChannel channel = await tested.Connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms }).InTime();
            var started = new Countdown(4 * 20);
            Task[] publishing = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
            {
                while (true)
                {
                    ValueTask task = channel.PublishBytesAsync(
                        new BasicPublish { Exchange = "amq.direct", RoutingKey = "nobody" }, default, "body"u8.ToArray(), writing);
                    started.Signal();
                    await task.AsTask().InTime();
                }
            }))];
            await started.Task.InTime();
            await Task.WhenAll(channel.DisposeAsync().AsTask(), channel.DisposeAsync().AsTask()).InTime();
            foreach (Task task in publishing)
            {
                Exception error = await Assert.ThrowsAnyAsync<Exception>(() => task.InTime());
                Assert.True(
                    error is ObjectDisposedException or AmqpPublishException { Failure: AmqpPublishFailure.Unconfirmed }, error.ToString());
            }
        }

        await AssertUnharmedAsync(tested, link);
    }

    [Fact]
    public async Task Closing_races_with_acknowledgements()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(channelMax: FewChannels);
        Link link = tested.Connection.Link!;
        string queue = await tested.QueueAsync();
        for (int i = 0; i < 100; i++)
        {
            AmqpChannel channel = await tested.Connection.OpenChannelAsync().InTime();
            var come = new Countdown(10);
            AmqpConsumer consumer = await channel.ConsumeAsync(queue, async _ =>
            {
                come.Signal();
                await Task.Yield();
            }).InTime();
            Task publishing = Task.WhenAll(Enumerable.Range(0, 50).Select(_ => Publish(tested.Channel, "", queue)));
            await come.Task.InTime();
            await channel.DisposeAsync().AsTask().InTime();
            await consumer.Completion.InTime();
            await publishing.InTime();
        }

        await AssertUnharmedAsync(tested, link);
    }

    [Fact]
    public async Task A_handler_whose_channel_is_closed_settles_nothing_any_more()
    {
        await using TestChannel tested = await TestChannel.OpenAsync(channelMax: FewChannels);
        Link link = tested.Connection.Link!;
        string queue = await tested.QueueAsync();
        AmqpChannel channel = await tested.Connection.OpenChannelAsync().InTime();
        var come = new Countdown(1);
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        AmqpConsumer consumer = await channel.ConsumeAsync(queue, async _ =>
        {
            come.Signal();
            await leave.Task;
        }).InTime();
        await tested.PublishAsync(queue, "one");
        await come.Task.InTime();
        await channel.DisposeAsync().AsTask().InTime();
        leave.SetResult();
        await consumer.Completion.InTime();
        await AssertUnharmedAsync(tested, link);
        Assert.Equal("one", await tested.TakeAsync(queue));
    }

    private static Task Publish(AmqpChannel channel, string exchange, string routingKey) =>
        channel.PublishBytesAsync(new BasicPublish { Exchange = exchange, RoutingKey = routingKey }, default, "body"u8.ToArray()).AsTask();

    // Nothing has ended the connection, and the numbers of the channels were free again.
    private static async Task AssertUnharmedAsync(TestChannel tested, Link link)
    {
        AmqpChannel another = await tested.Connection.OpenChannelAsync().InTime();
        await another.Topology.DeclareQueueAsync().InTime();
        Assert.Same(link, tested.Connection.Link);
        Assert.Null(link.End);
    }
}
