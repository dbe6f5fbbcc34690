using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>What becomes of messages that were published and not confirmed when the connection was lost: the two policies.</summary>
public sealed class ResendTests
{
    private const int InFlight = 200;
    private const int Waiting = 100;
    private const int Rounds = 4;

    // Null: every other one.
    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    [InlineData(null)]
    public async Task Unconfirmed_messages_are_sent_again_in_their_order_before_those_that_wait(FrameWriting? writing)
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link =
            await TestLink.ConnectAsync(options => options with { Recovery = TestLink.Soon with { ResendUnconfirmed = true } });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = InFlight }).InTime();
        int number = 0;
        for (int round = 0; round < Rounds; round++)
        {
            int before = number;
            link.Proxy.ToClient.Pause();
            Task[] tasks = [.. Enumerable.Range(0, InFlight + Waiting).Select(
                _ => arrivals.PublishAsync(channel, ++number, writing ?? (FrameWriting)(number % 2)))];
            await arrivals.ReachedAsync(before + InFlight);
            Assert.DoesNotContain(tasks, task => task.IsCompleted);
            await link.LoseAsync(() =>
            {
                link.Proxy.CutAll((Cut)(round % 2));
                link.Proxy.ToClient.Resume();
                return Task.CompletedTask;
            });
            await Task.WhenAll(tasks).InTime();
        }

        await arrivals.ReachedAsync(number);

        // The broker may still have been reading from the connection that was lost when the next one sent: each in order, and so the first
        // of each.
        Assert.Equal(Enumerable.Range(1, number), arrivals.Numbers.Distinct());
        Assert.InRange(arrivals.Numbers.Length, number + (Rounds * InFlight), number + (Rounds * InFlight));
    }

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task Without_that_policy_each_unconfirmed_message_fails_and_those_that_wait_go_out(FrameWriting writing)
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link = await TestLink.ConnectAsync(options => options with { Writing = writing });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = InFlight }).InTime();
        link.Proxy.ToClient.Pause();
        Task[] tasks = [.. Enumerable.Range(0, InFlight + Waiting).Select(number => arrivals.PublishAsync(channel, number))];
        await arrivals.ReachedAsync(InFlight);
        await link.LoseAsync(() =>
        {
            link.Proxy.CutAll(Cut.Reset);
            link.Proxy.ToClient.Resume();
            return Task.CompletedTask;
        });
        foreach (Task task in tasks[..InFlight])
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => task.InTime());
            Assert.Equal(AmqpPublishFailure.Unconfirmed, error.Failure);
            Assert.IsType<AmqpConnectionException>(error.InnerException);
        }

        await Task.WhenAll(tasks[InFlight..]).InTime();
        await arrivals.ReachedAsync(InFlight + Waiting);
        Assert.Equal(Enumerable.Range(0, InFlight + Waiting), arrivals.Numbers);
    }

    [Fact]
    public async Task What_was_to_be_sent_again_is_said_to_be_unconfirmed_when_the_channel_is_closed_before()
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link =
            await TestLink.ConnectAsync(options => options with { Recovery = TestLink.Soon with { ResendUnconfirmed = true } });
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        link.Proxy.ToClient.Pause();
        Task sent = arrivals.PublishAsync(channel, 1);
        await arrivals.ReachedAsync(1);
        await link.BringDownAsync();
        Task waiting = arrivals.PublishAsync(channel, 2);
        await channel.DisposeAsync().AsTask().InTime();
        Assert.Equal(AmqpPublishFailure.Unconfirmed, (await Assert.ThrowsAsync<AmqpPublishException>(() => sent.InTime())).Failure);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.InTime());
        link.Proxy.ToClient.Resume();
    }
}
