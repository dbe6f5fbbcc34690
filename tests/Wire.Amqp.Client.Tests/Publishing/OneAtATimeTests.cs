using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>
/// Messages of which each is awaited before the next: what awaits them runs where answers are received, and may do what it likes there.
/// </summary>
public sealed class OneAtATimeTests : IAsyncLifetime
{
    private const int Messages = 200;

    private AmqpConnection _connection = null!;
    private AmqpChannel _channel = null!;
    private string _queue = "";

    public async Task InitializeAsync()
    {
        _connection = await AmqpConnection.ConnectAsync(TestChannel.Options).InTime();
        (_channel, _queue) = await OpenAsync();
    }

    public Task DisposeAsync() => _connection.DisposeAsync().AsTask();

    [Fact]
    public async Task What_awaits_a_message_continues_on_the_receiving_thread()
    {
        HashSet<string?> threads = await PublishAsync(_channel, Messages, static () => Thread.CurrentThread.Name).InTime();
        Assert.Contains($"AMQP {_connection.Link!.Endpoint}", threads);
        Assert.Equal(Messages, (int)await _channel.Topology.PurgeQueueAsync(_queue).InTime());
    }

    [Fact]
    public async Task It_may_wait_for_other_messages_of_its_connection()
    {
        (AmqpChannel other, string queue) = await OpenAsync();
        HashSet<bool> came = await PublishAsync(
            _channel, Messages, () => Came(other.PublishAsync("", queue, 1)) && Came(_channel.PublishAsync("", _queue, 1)));
        Assert.Equal([true], came);
        Assert.Equal(2 * Messages, (int)await _channel.Topology.PurgeQueueAsync(_queue).InTime());
    }

    [Fact]
    public async Task It_may_never_end_and_costs_the_others_nothing()
    {
        (AmqpChannel other, string queue) = await OpenAsync();
        using var leave = new ManualResetEventSlim();
        Task[] kept = [.. Enumerable.Range(0, 3).Select(_ => Task.Run(async () =>
        {
            await _channel.PublishAsync("", _queue, 1).ConfigureAwait(false);
            leave.Wait(Patience.Limit);
        }))];
        for (int i = 0; i < Messages; i++)
        {
            await other.PublishAsync("", queue, i).AsTask().InTime();
        }

        Assert.DoesNotContain(kept, each => each.IsCompleted);
        leave.Set();
        await Task.WhenAll(kept).InTime();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task It_may_wait_for_the_end_of_its_connection(int after)
    {
        AmqpConnection connection = await AmqpConnection.ConnectAsync(TestChannel.Options).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        HashSet<bool> came = await PublishAsync(channel, after, static () => true);
        Assert.Equal([true], came);
        came = await PublishAsync(channel, 1, () => Came(connection.DisposeAsync()));
        Assert.Equal([true], came);
        Assert.Equal(after + 1, (int)await _channel.Topology.PurgeQueueAsync(_queue).InTime());
    }

    // What awaits each message runs where it is continued, and not in a context of the tests.
    private async Task<HashSet<T>> PublishAsync<T>(AmqpChannel channel, int count, Func<T> then)
    {
        var results = new HashSet<T>();
        for (int i = 0; i < count; i++)
        {
            await channel.PublishAsync("", _queue, i).ConfigureAwait(false);
            results.Add(then());
        }

        return results;
    }

    // Blocks the thread.
    private static bool Came(ValueTask task) => task.AsTask().Wait(Patience.Limit);

    private async Task<(AmqpChannel Channel, string Queue)> OpenAsync()
    {
        AmqpChannel channel = await _connection.OpenChannelAsync().InTime();
        return (channel, (await channel.Topology.DeclareQueueAsync().InTime()).Name);
    }
}
