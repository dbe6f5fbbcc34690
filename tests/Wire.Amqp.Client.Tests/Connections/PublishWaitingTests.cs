using System.Runtime.CompilerServices;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>What is asked of a connection and its channels while there is none, and how that ends.</summary>
public sealed class PublishWaitingTests
{
    [Fact]
    public async Task What_is_published_while_the_connection_is_down_goes_out_in_order_without_what_was_cancelled()
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = 20 }).InTime();
        await link.BringDownAsync();
        using var cancellation = new CancellationTokenSource();
        Task[] tasks = [.. Enumerable.Range(0, 300).Select(number => arrivals.PublishAsync(
            channel, number, (FrameWriting)(number % 2), cancellationToken: number % 3 == 0 ? cancellation.Token : default))];
        Task<AmqpQueueInfo?> call = channel.Topology.FindQueueAsync(arrivals.Queue);
        Task<AmqpChannel> opening = link.Connection.OpenChannelAsync();
        await cancellation.CancelAsync();
        foreach (Task task in tasks.Where((_, number) => number % 3 == 0))
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.InTime());
        }

        Assert.False(link.Connection.IsOpen);
        Assert.True(channel.IsOpen);
        Assert.DoesNotContain(tasks, task => task.IsCompletedSuccessfully);
        Assert.False(call.IsCompleted || opening.IsCompleted);
        await link.BringUpAsync();
        await Task.WhenAll(tasks.Where((_, number) => number % 3 != 0)).InTime();
        Assert.NotNull(await call.InTime());
        await arrivals.PublishAsync(await opening.InTime(), 300).InTime();
        await arrivals.ReachedAsync(201);
        Assert.Equal(Enumerable.Range(0, 301).Where(number => number % 3 != 0 || number == 300), arrivals.Numbers);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Closing_the_channel_or_connection_ends_all_that_waits(bool isBeingRecovered)
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel first = await link.Connection.OpenChannelAsync().InTime();
        AmqpChannel second = await link.Connection.OpenChannelAsync().InTime();
        await link.BringDownAsync();
        if (isBeingRecovered)
        {
            // Let in, and not answered.
            link.Proxy.ToClient.Pause();
            int accepted = link.Proxy.Accepted;
            link.Proxy.Refusing = false;
            while (link.Proxy.Accepted == accepted)
            {
                await Task.Yield();
            }
        }

        Task[] ofFirst =
            [first.PublishBytesAsync(default, default, ReadOnlyMemory<byte>.Empty).AsTask(), first.Topology.DeclareQueueAsync()];
        Task[] ofSecond =
        [
            second.PublishBytesAsync(default, default, ReadOnlyMemory<byte>.Empty).AsTask(),
            second.GetAsync("queue"),
            link.Connection.OpenChannelAsync(),
        ];
        await first.DisposeAsync().AsTask().InTime();
        await AssertClosedAsync(ofFirst, "The channel has been closed by the program.");
        Assert.DoesNotContain(ofSecond, task => task.IsCompleted);
        await link.Connection.DisposeAsync().AsTask().InTime();
        await AssertClosedAsync(ofSecond, "The connection has been closed by the program");
        await AssertClosedAsync(
            [second.Topology.DeclareQueueAsync(), link.Connection.OpenChannelAsync()], "The connection has been closed by the program");
        Assert.True(link.Connection.IsClosed);
        link.Proxy.ToClient.Resume();
    }

    [Fact]
    public async Task Without_recovery_a_lost_connection_ends_everything_with_the_reason()
    {
        await using TestLink link = await TestLink.ConnectAsync(options => options with { Recovery = RecoveryOptions.Off });
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        AmqpConsumer consumer =
            await channel.ConsumeAsync((await channel.Topology.DeclareQueueAsync().InTime()).Name, static _ => default).InTime();
        link.Proxy.ToClient.Pause();
        Task sent = channel.PublishBytesAsync(default, default, ReadOnlyMemory<byte>.Empty).AsTask();
        Task<Exception> lost = link.NextLoss();
        link.Proxy.CutAll(Cut.Finish);
        string reason = Assert.IsType<AmqpConnectionException>(await lost.InTime()).Message;
        Assert.Equal(AmqpPublishFailure.Unconfirmed, (await Assert.ThrowsAsync<AmqpPublishException>(() => sent.InTime())).Failure);
        Assert.Equal(reason, (await Assert.ThrowsAsync<AmqpConnectionException>(() => consumer.Completion.InTime())).Message);
        Assert.Equal(
            reason, (await Assert.ThrowsAsync<AmqpConnectionException>(() => channel.Topology.DeclareQueueAsync().InTime())).Message);
        Assert.Equal(
            reason, (await Assert.ThrowsAsync<AmqpConnectionException>(() => link.Connection.OpenChannelAsync().InTime())).Message);
        Assert.False(channel.IsOpen);
        link.Proxy.ToClient.Resume();
    }

    [Fact]
    public async Task Connections_leave_nothing_behind_in_whatever_state_they_are_closed()
    {
        var left = new List<WeakReference>();
        for (int i = 0; i < 12; i++)
        {
            await MakeAndCloseAsync(i, left);
        }

        // Whatever ran, waited or was to be called back would hold on to them.
        for (DateTime limit = DateTime.UtcNow + Patience.Limit; left.Any(reference => reference.IsAlive)
            && DateTime.UtcNow < limit; await Task.Delay(20))
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.Equal(0, left.Count(reference => reference.IsAlive));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task MakeAndCloseAsync(int round, List<WeakReference> left)
    {
        TestLink link = await TestLink.ConnectAsync(options => options with { RequestedHeartbeat = TimeSpan.FromSeconds(10) });
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        AmqpConsumer consumer =
            await channel.ConsumeAsync((await channel.Topology.DeclareQueueAsync().InTime()).Name, static _ => default).InTime();
        Link first = link.Connection.Link!;
        left.AddRange([new(link.Connection), new(first), new(channel), new(consumer)]);
        if (round % 4 == 1)
        {
            await link.BringDownAsync();
        }
        else if (round % 4 == 2)
        {
            await link.LoseAsync();
        }
        else if (round % 4 == 3)
        {
            link.Proxy.ToClient.Pause();
            link.Proxy.CutAll(Cut.Reset);
        }

        using var cancellation = new CancellationTokenSource();
        Task waiting =
            channel.PublishBytesAsync(default, default, ReadOnlyMemory<byte>.Empty, cancellationToken: cancellation.Token).AsTask();
        await link.Connection.DisposeAsync().AsTask().InTime();
        await waiting.InTime().ContinueWith(static _ => { }, TaskScheduler.Default);
        link.Proxy.ToClient.Resume();
        await link.DisposeAsync();
    }

    private static async Task AssertClosedAsync(IEnumerable<Task> tasks, string reason)
    {
        foreach (Task task in tasks)
        {
            Assert.StartsWith(
                reason, (await Assert.ThrowsAsync<ObjectDisposedException>(() => task.InTime())).Message, StringComparison.Ordinal);
        }
    }
}
