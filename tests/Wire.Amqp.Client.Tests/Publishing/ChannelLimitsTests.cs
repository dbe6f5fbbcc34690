using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>How much of a channel may be in flight, for how long messages wait, and who is told when there is nothing left.</summary>
public sealed class ChannelLimitsTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(300);

    [Fact]
    public async Task No_more_bytes_are_in_flight_than_may_be_and_a_larger_message_goes_alone()
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxBytesInFlight = 1000 }).InTime();
        Assert.True(channel.HasRoom);
        link.Proxy.ToClient.Pause();
        List<Task> tasks = [.. Enumerable.Range(0, 3).Select(_ => Publish(channel, 400))];
        Assert.False(channel.HasRoom);
        Assert.Equal(3, channel.InFlight);
        Assert.Equal(3, channel.Engine.Session!.Ring!.Count);

        // Neither overtakes the one that waits.
        tasks.Add(Publish(channel, 10));
        tasks.Add(Publish(channel, 5000));
        tasks.Add(Publish(channel, 0));
        Assert.Equal(3, channel.Engine.Session!.Ring!.Count);
        link.Proxy.ToClient.Resume();
        await Task.WhenAll(tasks).InTime();
        Assert.Equal(0, channel.InFlight);
        Assert.True(channel.HasRoom);
    }

    [Fact]
    public async Task Many_messages_of_all_sizes_go_through_a_narrow_channel_from_many_threads()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(
            new AmqpChannelOptions { MaxBytesInFlight = 2000, MaxInFlight = 8 }).InTime();
        await Task.WhenAll(Enumerable.Range(0, 4).Select(worker => Task.Run(async () =>
        {
            var random = new Random(worker);
            for (int i = 0; i < 50; i++)
            {
                await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => Publish(channel, random.Next(3000))));
            }
        }))).InTime();
        Assert.Equal(0, channel.InFlight);
    }

    [Fact]
    public async Task Who_leaves_the_row_lets_a_smaller_one_go()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxBytesInFlight = 1000 }).InTime();
        link.Proxy.ToClient.Pause();
        Task first = Publish(channel, 900);
        using var cancelled = new CancellationTokenSource();
        Task large = Publish(channel, 500, cancelled.Token);
        Task small = Publish(channel, 50);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => large.InTime());
        for (long begin = Stopwatch.GetTimestamp(); channel.Engine.Session!.Ring!.Count != 2; await Task.Delay(5))
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < Patience.Limit);
        }

        link.Proxy.ToClient.Resume();
        await Task.WhenAll(first, small).InTime();
    }

    [Fact]
    public async Task Messages_wait_for_a_connection_as_long_as_they_may()
    {
        await using TestLink link = await TestLink.ConnectAsync(
            options => options with { Recovery = TestLink.Soon with { ResendUnconfirmed = true } });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { RecoveryTimeout = Short }).InTime();
        link.Proxy.ToClient.Pause();
        Task sent = Publish(channel, 10);
        long begin = Stopwatch.GetTimestamp();
        await link.BringDownAsync();
        link.Proxy.ToClient.Resume();
        Task waiting = Publish(channel, 10);
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => waiting.InTime());
        Assert.Contains("0.3 s", error.Message, StringComparison.Ordinal);
        Assert.Contains("Check that the broker is up.", error.Message, StringComparison.Ordinal);
        Assert.Contains(link.Connection.Error!.Message, error.Message, StringComparison.Ordinal);
        AmqpPublishException unconfirmed = await Assert.ThrowsAsync<AmqpPublishException>(() => sent.InTime());
        Assert.Equal(AmqpPublishFailure.Unconfirmed, unconfirmed.Failure);
        Assert.IsType<AmqpConnectionException>(unconfirmed.InnerException);

        // Later ones wait anew.
        begin = Stopwatch.GetTimestamp();
        await Assert.ThrowsAsync<AmqpConnectionException>(() => Publish(channel, 10).InTime());
        Assert.InRange(Stopwatch.GetElapsedTime(begin), Short - TimeSpan.FromMilliseconds(50), Patience.Limit);
        await link.BringUpAsync();
        await Publish(channel, 10).InTime();
        Assert.True(channel.IsOpen);
    }

    [Fact]
    public async Task Closing_waits_for_what_was_published_and_takes_no_more()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = 5 }).InTime();
        link.Proxy.ToClient.Pause();
        Task[] tasks = [.. Enumerable.Range(0, 20).Select(_ => Publish(channel, 10))];
        Task closed = channel.CloseAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Publish(channel, 10).InTime());
        Assert.False(closed.IsCompleted);
        link.Proxy.ToClient.Resume();
        await Task.WhenAll(tasks).InTime();
        await closed.InTime();
        Assert.False(channel.IsOpen);
        await channel.Completion.InTime();
    }

    [Fact]
    public async Task Closing_ends_with_its_token_and_what_is_not_confirmed_fails()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = 1 }).InTime();
        link.Proxy.ToClient.Pause();
        Task sent = Publish(channel, 10);
        Task waiting = Publish(channel, 10);
        using var patience = new CancellationTokenSource();
        Task closed = channel.CloseAsync(patience.Token);
        Assert.False(closed.IsCompleted);
        await patience.CancelAsync();
        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => sent.InTime());
        Assert.Equal(AmqpPublishFailure.Unconfirmed, error.Failure);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.InTime());
        link.Proxy.ToClient.Resume();
        await closed.InTime();
    }

    [Fact]
    public async Task Options_that_contradict_each_other_or_are_out_of_range_are_refused()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannelOptions[] wrong =
        [
            new() { MaxInFlight = 0 },
            new() { MaxBytesInFlight = 0 },
            new() { RecoveryTimeout = TimeSpan.Zero },
            new() { RecoveryTimeout = TimeSpan.FromDays(50) },
            new() { EndsWithConnection = true, Reopens = true },
        ];
        foreach (AmqpChannelOptions options in wrong)
        {
            await Assert.ThrowsAnyAsync<ArgumentException>(() => link.Connection.OpenChannelAsync(options).InTime());
        }
    }

    [Fact]
    [SuppressMessage("Reliability", "CA2012", Justification = "Each is awaited once, when all have been published.")]
    public async Task Publishing_allocates_nothing_once_it_is_warm()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync(
            new AmqpChannelOptions { Reopens = true, MaxBytesInFlight = 1 << 20, RecoveryTimeout = TimeSpan.FromMinutes(1) }).InTime();
        const int Messages = 100;
        byte[] body = new byte[100];
        var tasks = new Queue<ValueTask>(Messages);
        long least = long.MaxValue;
        for (long begin = Stopwatch.GetTimestamp(); least != 0 && Stopwatch.GetElapsedTime(begin) < TimeSpan.FromSeconds(30);)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Messages; i++)
            {
                tasks.Enqueue(channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = "nobody" },
                    new BasicProperties { MessageId = AmqpMessageId.Next() }, body));
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            while (tasks.TryDequeue(out ValueTask task))
            {
                await task.AsTask().InTime();
            }
        }

        Assert.Equal(0, least);
    }

    private static Task Publish(AmqpChannel channel, int bytes, CancellationToken cancellationToken = default) =>
        channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = "nobody" }, default, new byte[bytes],
            cancellationToken: cancellationToken).AsTask();
}
