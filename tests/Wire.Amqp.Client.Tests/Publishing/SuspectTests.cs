using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>
/// A message over which the broker closes the connection, as RabbitMQ does for a decimal in the headers of what goes to a stream, is sent
/// three times at most where unconfirmed messages are sent again; everything else that was under way is confirmed.
/// </summary>
public sealed class SuspectTests : IAsyncLifetime
{
    private readonly string _stream = Broker.UniqueName("stream of suspects");
    private Arrivals _arrivals = null!;
    private TestLink _link = null!;
    private int _losses;

    public async Task InitializeAsync()
    {
        _arrivals = await Arrivals.ListenAsync();
        await _arrivals.Tested.Channel.Topology.DeclareQueueAsync(
            _stream, new AmqpQueueOptions { Arguments = new Dictionary<string, object?> { ["x-queue-type"] = "stream" } }).InTime();
        _link = await TestLink.ConnectAsync(options => options with { Recovery = TestLink.Soon with { ResendUnconfirmed = true } });
        _link.Connection.Lost += _ => Interlocked.Increment(ref _losses);
    }

    public async Task DisposeAsync()
    {
        await _link.DisposeAsync();
        await _arrivals.Tested.Channel.Topology.DeleteQueueAsync(_stream).InTime();
        await _arrivals.DisposeAsync();
    }

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task It_fails_after_three_losses_and_those_before_and_behind_it_are_confirmed(FrameWriting writing)
    {
        AmqpChannel channel = await _link.Connection.OpenChannelAsync().InTime();
        _link.Proxy.ToBroker.Pause();
        Task before = _arrivals.PublishAsync(channel, 1, writing);
        Task fatal = PublishFatalAsync(channel, "the one", writing);
        Task[] behind = [.. Enumerable.Range(2, 50).Select(number => _arrivals.PublishAsync(channel, number, writing))];
        _link.Proxy.ToBroker.Resume();
        await AssertFatalAsync(fatal, "the one");
        await Task.WhenAll(behind.Append(before)).InTime();
        Assert.Equal(3, Volatile.Read(ref _losses));
        await _arrivals.PublishAsync(channel, 52, writing).InTime();
        await _arrivals.ReachedAsync(52);
        Assert.Equal(Enumerable.Range(1, 52), _arrivals.Numbers.Distinct());
        Assert.Equal(3, Volatile.Read(ref _losses));
    }

    [Fact]
    public async Task Messages_of_other_channels_that_were_under_way_each_time_are_confirmed()
    {
        AmqpChannel[] channels = [.. await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => _link.Connection.OpenChannelAsync().InTime()))];
        _link.Proxy.ToBroker.Pause();
        Task[] good = [.. Enumerable.Range(0, 40).Select(number => _arrivals.PublishAsync(channels[number % 4], number))];
        Task fatal = PublishFatalAsync(channels[2], "the one");
        Task[] behind = [.. Enumerable.Range(40, 40).Select(number => _arrivals.PublishAsync(channels[number % 4], number))];
        _link.Proxy.ToBroker.Resume();
        await AssertFatalAsync(fatal, "the one");
        await Task.WhenAll([.. good, .. behind]).InTime();
        await _arrivals.ReachedAsync(80);
        Assert.Equal(3, Volatile.Read(ref _losses));
    }

    [Fact]
    public async Task Several_are_found_one_after_the_other()
    {
        AmqpChannel[] channels = [.. await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => _link.Connection.OpenChannelAsync().InTime()))];
        _link.Proxy.ToBroker.Pause();
        var fatal = new List<Task>();
        var good = new List<Task>();
        for (int number = 0; number < 12; number++)
        {
            (number % 4 == 1 ? fatal : good).Add(
                number % 4 == 1
                    ? PublishFatalAsync(channels[number % 2], $"number {number}")
                    : _arrivals.PublishAsync(channels[number % 2], number));
        }

        _link.Proxy.ToBroker.Resume();
        for (int i = 0; i < fatal.Count; i++)
        {
            await AssertFatalAsync(fatal[i], $"number {(4 * i) + 1}");
        }

        await Task.WhenAll(good).InTime();
        await _arrivals.ReachedAsync(9);
        Assert.InRange(Volatile.Read(ref _losses), 3, 9);
    }

    [Fact]
    public async Task One_that_is_cancelled_meanwhile_does_not_hold_up_the_others()
    {
        AmqpChannel[] channels = [.. await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => _link.Connection.OpenChannelAsync().InTime()))];
        using var cancellation = new CancellationTokenSource();
        _link.Proxy.ToBroker.Pause();
        Task cancelled = PublishFatalAsync(channels[0], "the one", cancellationToken: cancellation.Token);
        Task[] good = [.. Enumerable.Range(0, 20).Select(number => _arrivals.PublishAsync(channels[number % 2], number))];
        Task lost = _link.NextLoss();
        _link.Proxy.ToBroker.Resume();
        await lost.InTime();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => cancelled.InTime());
        await Task.WhenAll(good).InTime();
        await _arrivals.ReachedAsync(20);
    }

    [Fact]
    public async Task Losses_for_which_the_broker_gives_no_error_are_not_counted()
    {
        AmqpChannel channel = await _link.Connection.OpenChannelAsync().InTime();
        _link.Proxy.ToClient.Pause();
        Task[] tasks = [.. Enumerable.Range(0, 20).Select(number => _arrivals.PublishAsync(channel, number))];
        for (int round = 0; round < 5; round++)
        {
            await _link.LoseAsync(() =>
            {
                _link.Proxy.CutAll(Cut.Reset);
                _link.Proxy.ToClient.Resume();
                return Task.CompletedTask;
            });
        }

        await Task.WhenAll(tasks).InTime();
        await _arrivals.ReachedAsync(20);
    }

    [Fact]
    public async Task Where_nothing_is_sent_again_the_error_says_that_the_message_may_be_the_reason()
    {
        await using TestLink link = await TestLink.ConnectAsync();
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        link.Proxy.ToBroker.Pause();
        Task[] tasks = [PublishFatalAsync(channel, "the one"), _arrivals.PublishAsync(channel, 1)];
        link.Proxy.ToBroker.Resume();
        foreach (Task task in tasks)
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => task.InTime());
            Assert.Equal((AmqpPublishFailure.Unconfirmed, 541), (error.Failure, error.ReplyCode));
            int blame = error.Message.IndexOf("of which this message may be the reason", StringComparison.Ordinal);
            Assert.InRange(blame, 1, error.Message.IndexOf("Publish it again", StringComparison.Ordinal));
        }
    }

    private Task PublishFatalAsync(
        AmqpChannel channel, string id, FrameWriting? writing = null, CancellationToken cancellationToken = default) =>
        channel.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = _stream },
            new BasicProperties { MessageId = id, Headers = FieldTable.Create([new("price", 19.90m)]) },
            "fatal"u8.ToArray(),
            writing,
            cancellationToken: cancellationToken).AsTask();

    private static async Task AssertFatalAsync(Task task, string id)
    {
        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => task.InTime());
        Assert.Equal((AmqpPublishFailure.Refused, id, 541), (error.Failure, error.MessageId, error.ReplyCode));
        Assert.Contains("is not sent again", error.Message, StringComparison.Ordinal);
        Assert.Contains("INTERNAL_ERROR", error.Message, StringComparison.Ordinal);
    }
}
