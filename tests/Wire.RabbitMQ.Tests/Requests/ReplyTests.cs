using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Requests;

/// <summary>Requests to a consumer whose handlers reply.</summary>
public abstract class ReplyTests(WireTransport transport) : IAsyncLifetime
{
    private IConnection _connection = null!;
    private TestConnection _tested = null!;
    private IChannel _channel = null!;
    private WireRequester _requester = null!;
    private string _queue = null!;

    public async Task InitializeAsync()
    {
        _connection = await Broker.Node.ConnectAsync().InTime();
        _channel = await _connection.CreateChannelAsync().InTime();
        _queue = Broker.UniqueName(nameof(ReplyTests));
        await _channel.QueueDeclareAsync(_queue, durable: false, exclusive: false, autoDelete: false).InTime();
        _tested = await TestConnection.ConnectAsync(transport);
        _requester = _tested.Requester(Shop.Serializer, new WireRequesterOptions { Timeout = TimeSpan.FromSeconds(60) });
    }

    public async Task DisposeAsync()
    {
        await _requester.DisposeAsync();
        await _tested.DisposeAsync();
        await _channel.QueueDeleteAsync(_queue);
        await _channel.QueueDeleteAsync(_queue + ".error");
        await _channel.DisposeAsync();
        await _connection.DisposeAsync();
    }

    [Fact]
    public async Task What_the_handler_returns_is_the_reply()
    {
        await using WireConsumer consumer =
            await StartAsync(each => each.Reply<OrderPlaced, Parcels>((order, _) => Task.FromResult(new Parcels(order.Id, [1, 2]))));
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 1);

        Assert.Equal(new Parcels(order.Id, [1, 2]), await _requester.RequestAsync<OrderPlaced, Parcels>("", _queue, order));
    }

    [Fact]
    public async Task A_thousand_requests_side_by_side_get_each_their_own_reply()
    {
        await using WireConsumer consumer = await StartAsync(each => each.Reply<int, int>((number, _) => Task.FromResult(number * 2)));

        int[] replies = await Task.WhenAll(Enumerable.Range(0, 1000).Select(i => _requester.RequestAsync<int, int>("", _queue, i)));

        Assert.Equal(Enumerable.Range(0, 1000).Select(i => i * 2), replies);
    }

    [Fact]
    public async Task A_failure_is_the_reply_when_all_attempts_are_used_up()
    {
        int attempts = 0;
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((_, _) => throw new InvalidOperationException($"Attempt {Interlocked.Increment(ref attempts)}.")),
            options => options with { Retry = new RetryPolicy { MaxAttempts = 2 } });

        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1));

        Assert.Equal(("System.InvalidOperationException", "Attempt 2."), (error.RemoteType, error.RemoteMessage));
        Assert.Equal(2, attempts);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_request_that_is_rejected_gets_an_error_for_a_reply(bool byException)
    {
        int asked = 0;
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((_, context) =>
            {
                context.Outcome = byException ? MessageOutcome.Ack : MessageOutcome.Fail("Not this one.");
                return byException ? throw new InvalidOperationException("wrong") : Task.FromResult(1);
            }),
            options => options with
            {
                OnException = (_, _) =>
                {
                    Interlocked.Increment(ref asked);
                    return MessageOutcome.Fail("Not this one.");
                },
            });

        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1));

        Assert.Equal("Not this one.", error.RemoteMessage);
        Assert.Equal(byException ? 1 : 0, asked);
        await consumer.StopAsync().InTime();
        Assert.Equal(1u, await _channel.MessageCountAsync(_queue + ".error"));
    }

    // Each has one reply, which the requester gets, and is handled once.
    [Theory]
    [InlineData("Ack", false)]
    [InlineData("Ack", true)]
    [InlineData("Reject", false)]
    [InlineData("Reject", true)]
    [InlineData("Fail: no", false)]
    [InlineData("Fail: no", true)]
    [InlineData("Requeue", true)]
    [InlineData("Defer: 00:01:00", true)]
    public async Task A_request_is_replied_to_once_whatever_is_decided_and_whether_the_handler_throws_then(string outcome, bool throws)
    {
        MessageOutcome[] outcomes =
        [
            MessageOutcome.Ack, MessageOutcome.Reject, MessageOutcome.Fail("no"), MessageOutcome.Requeue,
            MessageOutcome.Defer(TimeSpan.FromMinutes(1)),
        ];
        int attempts = 0;
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((number, context) =>
            {
                attempts++;
                context.Outcome = outcomes.Single(known => known.ToString() == outcome);
                return throws ? throw new InvalidOperationException("after all") : Task.FromResult(number);
            }),
            options => options with { Retry = RetryPolicy.None });

        Task<int> request = _requester.RequestAsync<int, int>("", _queue, 1);
        if (outcome == "Ack" && !throws)
        {
            Assert.Equal(1, await request.InTime());
        }
        else
        {
            var error = await Assert.ThrowsAsync<RequestFailedException>(() => request.InTime());
            Assert.Equal(throws ? "after all" : outcome == "Reject" ? "The handler has rejected the message." : "no", error.RemoteMessage);
        }

        await consumer.StopAsync().InTime();
        Assert.Equal(1, attempts);
        Assert.Equal(0u, await _channel.MessageCountAsync(_queue));
        Assert.Equal(outcome == "Fail: no" && !throws ? 1u : 0u, await _channel.MessageCountAsync(_queue + ".error"));
    }

    [Fact]
    public async Task A_failure_that_is_taken_for_handled_is_told_the_requester_all_the_same()
    {
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((_, _) => throw new InvalidOperationException("no matter")),
            options => options with { OnException = (_, _) => MessageOutcome.Ack });

        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1).InTime());

        Assert.Equal("no matter", error.RemoteMessage);
    }

    [Fact]
    public async Task A_request_that_would_expire_before_its_retry_is_a_failure_at_once()
    {
        int attempts = 0;
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((_, _) => throw new InvalidOperationException($"attempt {++attempts}")),
            options => options with
            {
                Retry = RetryPolicy.None with { Delayed = new DelayedRetryPolicy { Delay = TimeSpan.FromHours(1) } },
            });

        // Its expiration is that of the requester, a minute.
        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1).InTime());

        Assert.Equal("attempt 1", error.RemoteMessage);
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, await _channel.MessageCountAsync(_queue));
        Assert.Equal(0u, await _channel.MessageCountAsync(_queue + ".error"));
        await _channel.QueueDeleteAsync(_queue + ".delay.3600s").InTime();
    }

    [Fact]
    public async Task A_request_that_is_put_aside_is_replied_to_later()
    {
        int attempts = 0;
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((number, context) => ++attempts switch
            {
                1 => throw new InvalidOperationException("not yet"),
                2 => Later(context),
                _ => Task.FromResult(number + context.DelayedRetries),
            }),
            options => options with
            {
                Retry = RetryPolicy.None with
                {
                    Delayed = new DelayedRetryPolicy { Delay = TimeSpan.FromMilliseconds(100), MaxRetries = 1 },
                },
            });

        Assert.Equal(42, await _requester.RequestAsync<int, int>("", _queue, 41));

        Assert.Equal(3, attempts);
        await consumer.StopAsync().InTime();
        await _channel.QueueDeleteAsync(_queue + ".delay.100ms").InTime();

        static Task<int> Later(MessageContext context)
        {
            context.Outcome = MessageOutcome.Defer(TimeSpan.FromMilliseconds(50));
            return Task.FromResult(0);
        }
    }

    [Fact]
    public async Task A_failure_that_no_attempt_changes_is_the_reply_at_once_and_the_request_is_dealt_with()
    {
        int attempts = 0;
        await using (WireConsumer consumer = await StartAsync(
            each =>
                each.Reply<int, int>((_, _) => throw new ArgumentException(new string('x', 100_000) + Interlocked.Increment(ref attempts))),
            options => options with { Retry = new RetryPolicy { ShouldRetry = _ => false } }))
        {
            var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1));
            Assert.Equal(new string('x', 2000), error.RemoteMessage);
        }

        Assert.Equal(1, attempts);
        Assert.Equal(0u, await _channel.MessageCountAsync(_queue));
        Assert.Equal(0u, await _channel.MessageCountAsync(_queue + ".error"));
    }

    [Fact]
    public async Task A_failure_is_the_reply_also_where_frames_are_as_small_as_can_be()
    {
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedFrameMax = (uint)Broker.LeastFrameMax;
        await using TestConnection small = await TestConnection.ConnectAsync(transport, factory);
        await using WireConsumer consumer = small.Consumer(
            Shop.Serializer, new WireConsumerOptions { Queue = _queue, OnFailure = FailureAction.DeadLetter, Retry = RetryPolicy.None })
            .Reply<int, int>((_, _) => throw new InvalidOperationException(new string('\u4E16', 100_000)));
        await consumer.StartAsync().InTime();

        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1).InTime());

        Assert.Equal(new string('\u4E16', Broker.LeastFrameMax / 16), error.RemoteMessage);
        Assert.True(small.IsOpen);
    }

    [Fact]
    public async Task A_reply_that_cannot_be_serialized_is_a_failure()
    {
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, object>((_, _) => Task.FromResult<object>((Action)(() => { }))),
            options => options with { Retry = RetryPolicy.None });

        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", _queue, 1));

        Assert.Equal(typeof(UnsupportedTypeException).FullName, error.RemoteType);
    }

    [Theory]
    [InlineData(FailureAction.ErrorQueue)]
    [InlineData(FailureAction.DeadLetter)]
    public async Task Who_asks_what_no_handler_can_be_given_is_told_so_at_once(FailureAction action)
    {
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((number, _) => Task.FromResult(number)), options => options with { OnFailure = action });

        var unknown = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<string, int>("", _queue, "one"));
        Assert.Contains("No handler", unknown.RemoteMessage, StringComparison.Ordinal);
        var refused =
            await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<Stranger, int>("", _queue, new Stranger("Eve")));
        Assert.Equal(typeof(TypeRefusedException).FullName, refused.RemoteType);
        Assert.Equal(3, await _requester.RequestAsync<int, int>("", _queue, 3));
    }

    [Fact]
    public async Task What_asks_for_no_reply_goes_where_failures_go()
    {
        await using WireConsumer consumer = await StartAsync(
            each => each.Reply<int, int>((number, _) => Task.FromResult(number)), options => options with { Retry = RetryPolicy.None });
        await _channel.PublishAsync(Shop.Serializer, "", _queue, 1);

        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (await _channel.MessageCountAsync(_queue + ".error", patience.Token) == 0)
        {
            await Task.Delay(20, patience.Token);
        }
    }

    private async Task<WireConsumer> StartAsync(
        Func<WireConsumer, WireConsumer> handlers, Func<WireConsumerOptions, WireConsumerOptions>? with = null)
    {
        var options = new WireConsumerOptions { Queue = _queue };
        WireConsumer consumer = handlers(_tested.Consumer(Shop.Serializer, with?.Invoke(options) ?? options));
        await consumer.StartAsync().InTime();
        return consumer;
    }
}

/// <inheritdoc/>
public sealed class ReplyTestsOnClient() : ReplyTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class ReplyTestsOnLane() : ReplyTests(WireTransport.DirectLane);
