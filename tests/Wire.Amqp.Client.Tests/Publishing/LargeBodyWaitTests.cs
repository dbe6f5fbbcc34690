using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>An object that is too large to be gathered, to a broker that does not read: who waits for it, and for how long.</summary>
public sealed class LargeBodyWaitTests
{
    private const int Count = 8 << 20;

    [Theory]
    [InlineData(FrameWriting.Background, true)]
    [InlineData(FrameWriting.Background, false)]
    [InlineData(FrameWriting.Inline, true)]
    [InlineData(FrameWriting.Inline, false)]
    public async Task A_token_ends_the_wait_and_what_has_been_begun_is_sent_as_it_was_begun(FrameWriting writing, bool confirms)
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync(options => options with { Writing = writing });
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms }).InTime();
        await broker.StopReadingAsync();
        using var enough = new CancellationTokenSource();
        long[] numbers = Numbers();
        Task<Task> calling = OnItsOwnThread(() => channel.PublishAsync("x", "q", numbers, enough.Token).AsTask());
        if (writing == FrameWriting.Background)
        {
            await calling.InTime();
        }

        await Task.Delay(100);
        Assert.Equal(writing == FrameWriting.Background, calling.IsCompleted);
        Assert.False(calling.Unwrap().IsCompleted);
        await enough.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => calling.Unwrap().InTime());

        // It is the caller's again.
        Array.Clear(numbers);
        Task behind = OnItsOwnThread(() => channel.PublishAsync("x", "q", "behind").AsTask()).Unwrap();
        broker.GoOn();
        await Gets(broker, Numbers());
        await Gets(broker, "behind");
        await behind.InTime();
        Assert.True(connection.IsOpen);
    }

    [Fact]
    public async Task In_the_background_nobody_waits_who_publishes_behind_it_or_beside_it()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync(options => options with { Writing = FrameWriting.Background });
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        AmqpChannel other = await connection.OpenChannelAsync().InTime();
        await broker.StopReadingAsync();
        Task<Task>[] calls =
        [
            OnItsOwnThread(() => channel.PublishAsync("x", "q", Numbers()).AsTask()),
            OnItsOwnThread(() => channel.PublishAsync("x", "q", Numbers()).AsTask()),
            OnItsOwnThread(() => other.PublishAsync("x", "q", Numbers()).AsTask()),
        ];
        Task[] published = await Task.WhenAll(calls).InTime();
        Assert.DoesNotContain(published, task => task.IsCompleted);
        broker.GoOn();
        await Task.WhenAll(published).InTime();
        foreach (Task _ in published)
        {
            await Gets(broker, Numbers());
        }
    }

    private static long[] Numbers() => [.. Enumerable.Range(0, Count).Select(i => (long)i)];

    private static async Task Gets<T>(AmqpServer broker, T expected) =>
        Assert.Equal(expected, new Serializer().Deserialize<T>((await broker.NextAsync()).Body));

    private static Task<Task> OnItsOwnThread(Func<Task> call) =>
        Task.Factory.StartNew(call, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
