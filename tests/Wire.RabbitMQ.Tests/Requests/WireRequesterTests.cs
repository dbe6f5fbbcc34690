using System.Globalization;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Requests;
using Wire.RabbitMQ.Tests.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Requests;

/// <summary>
/// Requests and replies over the broker's direct reply-to, with a responder that knows nothing of the library but its bodies.
/// </summary>
public abstract class WireRequesterTests(WireTransport transport) : IAsyncLifetime
{
    private IConnection _connection = null!;
    private TestConnection _tested = null!;
    private WireRequester _requester = null!;

    public async Task InitializeAsync()
    {
        _connection = await Broker.Node.ConnectAsync().InTime();
        _tested = await TestConnection.ConnectAsync(transport);
        _requester = Requester(_tested);
    }

    public async Task DisposeAsync()
    {
        await _requester.DisposeAsync();
        await _tested.DisposeAsync();
        await _connection.DisposeAsync();
    }

    [Fact]
    public async Task A_request_gets_its_reply()
    {
        await using RawResponder responder = await EchoAsync();
        var order = new GiftPlaced(Guid.NewGuid(), "Ada", 12.5m, "Hello");

        Message reply = await _requester.RequestAsync<Message, Message>("", responder.Queue, order);

        Assert.Equal(order, reply);
    }

    [Fact]
    public async Task A_thousand_requests_side_by_side_get_each_their_own()
    {
        await using RawResponder responder = await EchoAsync();
        OrderPlaced[] orders =
            [.. Enumerable.Range(0, 1000).Select(i => new OrderPlaced(Guid.NewGuid(), i.ToString(CultureInfo.InvariantCulture), i))];

        OrderPlaced[] replies = await Task.WhenAll(
            orders.Select(order => Task.Run(() => _requester.RequestAsync<OrderPlaced, OrderPlaced>("", responder.Queue, order))));

        Assert.Equal(orders, replies);
    }

    [Fact]
    public async Task Who_answers_one_request_cannot_tell_what_the_others_are_called_and_answer_them()
    {
        var ids = new System.Collections.Concurrent.ConcurrentQueue<string>();
        await using RawResponder responder = await RawResponder.StartAsync(_connection, (request, channel) =>
        {
            ids.Enqueue(request.BasicProperties.CorrelationId!);
            return RawResponder.ReplyAsync(request, channel, 1);
        });
        for (int i = 0; i < 20; i++)
        {
            await _requester.RequestAsync<int, int>("", responder.Queue, i).InTime();
        }

        // A quarter of 128 random bits is enough to differ.
        Assert.Equal(20, ids.Select(id => id[..6]).Distinct().Count());
        Assert.Equal(20, ids.Select(id => id[^6..]).Distinct().Count());
        Assert.All(ids, id => Assert.True(id.Length >= 22));
    }

    [Fact]
    public async Task A_request_that_the_client_has_no_row_for_any_more_goes_out_on_the_next_channel()
    {
        int published = 0, opened = 0;
        var fake = new FakeChannel();
        fake.Create = () =>
        {
            opened++;
            return Task.FromResult(fake.Channel);
        };

        // What the client throws where a publish waits for room in the queue of frames of a connection that then ends. Nobody answers the
        // other, so that the caller gives up.
        using var cancel = new CancellationTokenSource();
        fake.Publish = () =>
        {
            if (Interlocked.Increment(ref published) == 1)
            {
                throw new System.Threading.Channels.ChannelClosedException();
            }

            cancel.Cancel();
            return default;
        };
        await using var requester = new WireRequester(fake.Connection.ToWireConnection(), Shop.Serializer);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => requester.RequestAsync<int, int>("", "key", 1, cancellationToken: cancel.Token).InTime());

        Assert.Equal((2, 2), (published, opened));
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public async Task A_request_that_may_have_been_sent_is_not_sent_again(bool isWritten, bool endsFirstForConsumer)
    {
        int published = 0;
        FakeMessageChannel channel = null!;
        channel = new FakeMessageChannel
        {
            Publish = async observer =>
            {
                published++;
                if (isWritten)
                {
                    observer!.Written(1);
                }

                var gone = new AmqpConnectionException("It is gone.");
                await channel.DisposeAsync();
                if (endsFirstForConsumer)
                {
                    channel.ConsumerEnd.SetException(gone);
                }

                throw gone;
            },
        };
        await using var requester = new WireRequester(
            new FakeConnection(channel), Shop.Serializer, new WireRequesterOptions { RecoveryTimeout = TimeSpan.FromSeconds(1) });

        TimeSpan patience = isWritten ? Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(1);
        Task<int> reply = requester.RequestAsync<int, int>("", "key", 1, patience).InTime();

        if (isWritten)
        {
            var lost = await Assert.ThrowsAsync<AmqpConnectionException>(() => reply);
            Assert.Contains("(It is gone.): it may or may not have been handled.", lost.Message, StringComparison.Ordinal);
            Assert.Equal(1, published);
        }
        else
        {
            await Assert.ThrowsAsync<TimeoutException>(() => reply);
            Assert.InRange(published, 2, int.MaxValue);
        }
    }

    [Fact]
    public async Task A_request_that_was_never_sent_says_so_and_why()
    {
        var error = new AmqpConnectionException("The broker has gone home.");
        await using var requester = new WireRequester(new FakeConnection(new FakeMessageChannel(), error), Shop.Serializer);
        using var patience = new CancellationTokenSource();

        var timeout = await Assert.ThrowsAsync<TimeoutException>(
            () => requester.RequestAsync<int, int>("", "key", 1, TimeSpan.FromMilliseconds(200)).InTime());
        Task<int> cancelled = requester.RequestAsync<int, int>("", "key", 1, cancellationToken: patience.Token);
        await patience.CancelAsync();

        Assert.Equal(
            "The request to key was not sent within 0.2 s: there is no connection to the broker. The broker has gone home. Is the broker " +
            "up?",
            timeout.Message);
        Assert.Same(error, timeout.InnerException);
        var ended = await Assert.ThrowsAsync<OperationCanceledException>(() => cancelled.InTime());
        Assert.Equal("The request was cancelled before it was sent.", ended.Message);
        Assert.Equal(patience.Token, ended.CancellationToken);
    }

    [Theory]
    [InlineData(60)]
    [InlineData(200)]
    [InlineData(1000)]
    public async Task A_reply_whose_headers_are_nested_however_deep_ends_its_request_and_no_other(int depth)
    {
        await using RawResponder responder = await RawResponder.StartAsync(_connection, (request, channel) =>
        {
            object? nested = "inmost";
            for (int i = 0; i < depth; i++)
            {
                nested = new Dictionary<string, object?> { ["in"] = nested };
            }

            var properties = new BasicProperties
            {
                CorrelationId = request.BasicProperties.CorrelationId,
                Headers = new Dictionary<string, object?> { ["nested"] = nested },
            };
            return channel.PublishAsync(Shop.Serializer, "", request.BasicProperties.ReplyTo!, 7, properties).AsTask();
        });
        for (int i = 0; i < 3; i++)
        {
            Task<int> reply = _requester.RequestAsync<int, int>("", responder.Queue, 1);
            await Task.WhenAny(reply).InTime();

            // Either it is read, or who waits is told why it cannot be.
            Assert.True(
                reply.IsCompletedSuccessfully ? await reply == 7 : reply.Exception!.InnerException is RequestFailedException,
                $"{reply.Exception}");
        }
    }

    [Fact]
    public async Task Null_is_a_reply()
    {
        await using RawResponder responder =
            await RawResponder.StartAsync(_connection, (request, channel) => RawResponder.ReplyAsync<OrderPlaced?>(request, channel, null));
        Assert.Null(await _requester.RequestAsync<int, OrderPlaced?>("", responder.Queue, 1));
    }

    [Fact]
    public async Task A_request_that_nobody_answers_times_out_and_says_where()
    {
        await using RawResponder responder = await RawResponder.StartAsync(_connection, (_, _) => Task.CompletedTask);
        var error = await Assert.ThrowsAsync<TimeoutException>(
            () => _requester.RequestAsync<int, int>("", responder.Queue, 1, TimeSpan.FromMilliseconds(200)));
        Assert.Contains(responder.Queue, error.Message, StringComparison.Ordinal);
        Assert.Contains("0.2 s", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_late_reply_is_dropped_and_the_next_request_gets_its_own()
    {
        var release = new TaskCompletionSource();
        var late = new TaskCompletionSource();
        await using RawResponder slow = await RawResponder.StartAsync(_connection, async (request, channel) =>
        {
            await release.Task;
            await RawResponder.ReplyAsync(request, channel, 1);
            late.SetResult();
        });
        // The broker drops a request that has waited as long for the responder, as it may on a busy machine.
        await Assert.ThrowsAsync<TimeoutException>(
            () => _requester.RequestAsync<int, int>("", slow.Queue, 1, TimeSpan.FromSeconds(2)));
        release.SetResult();
        await late.Task.InTime();

        await using RawResponder echo = await EchoAsync();
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 1);
        Assert.Equal(order, await _requester.RequestAsync<OrderPlaced, OrderPlaced>("", echo.Queue, order));
    }

    [Fact]
    public async Task A_request_expires_on_the_broker_with_its_time_out()
    {
        string? expiration = null;
        await using RawResponder responder = await RawResponder.StartAsync(_connection, (request, channel) =>
        {
            expiration = request.BasicProperties.Expiration;
            return RawResponder.ReplyAsync(request, channel, 1);
        });

        await _requester.RequestAsync<int, int>("", responder.Queue, 1, TimeSpan.FromSeconds(45));
        Assert.Equal("45000", expiration);

        await _requester.RequestAsync<int, int>("", responder.Queue, 1, Timeout.InfiniteTimeSpan);
        Assert.Null(expiration);
    }

    [Fact]
    public async Task Cancellation_ends_the_wait_at_once()
    {
        using var cancel = new CancellationTokenSource();
        var arrived = new TaskCompletionSource();
        await using RawResponder responder = await RawResponder.StartAsync(_connection, (_, _) =>
        {
            arrived.SetResult();
            return Task.CompletedTask;
        });

        Task<int> reply = _requester.RequestAsync<int, int>("", responder.Queue, 1, Timeout.InfiniteTimeSpan, cancel.Token);
        await arrived.Task.InTime();
        await cancel.CancelAsync();

        var error = await Assert.ThrowsAsync<OperationCanceledException>(() => reply.InTime());
        Assert.Equal(cancel.Token, error.CancellationToken);
        await Assert.ThrowsAsync<OperationCanceledException>(
            () => _requester.RequestAsync<int, int>("", responder.Queue, 1, null, cancel.Token));
    }

    [Fact]
    public async Task A_request_that_no_queue_gets_fails_without_waiting()
    {
        string nowhere = "test.nowhere." + Guid.NewGuid().ToString("N");
        var error = await Assert.ThrowsAsync<AmqpPublishException>(
            () => _requester.RequestAsync<int, int>("", nowhere, 1, Timeout.InfiniteTimeSpan).InTime());
        Assert.Equal(
            (AmqpPublishFailure.Returned, "", nowhere, (ushort)312), (error.Failure, error.Exchange, error.RoutingKey, error.ReplyCode));
    }

    [Fact]
    public async Task The_failure_of_a_responder_comes_back_by_its_type_and_words()
    {
        await using RawResponder responder = await RawResponder.StartAsync(_connection, (request, channel) => channel.BasicPublishAsync(
            "",
            request.BasicProperties.ReplyTo!,
            mandatory: false,
            new BasicProperties
            {
                CorrelationId = request.BasicProperties.CorrelationId,
                Headers = ReplyHeaders.Create(new InvalidOperationException("No gifts left."), frameMax: 0),
            },
            ReadOnlyMemory<byte>.Empty).AsTask());

        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, int>("", responder.Queue, 1));

        Assert.Equal(("System.InvalidOperationException", "No gifts left."), (error.RemoteType, error.RemoteMessage));
        Assert.Contains(responder.Queue, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_reply_of_another_type_fails_and_says_so()
    {
        await using RawResponder responder =
            await RawResponder.StartAsync(_connection, (request, channel) => RawResponder.ReplyAsync(request, channel, "text"));
        var error =
            await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, OrderPlaced>("", responder.Queue, 1));
        Assert.Null(error.RemoteType);
        Assert.IsType<WireFormatException>(error.InnerException, exactMatch: false);
    }

    [Fact]
    public async Task A_reply_of_a_type_that_nobody_allowed_fails_and_says_so()
    {
        await using RawResponder responder = await RawResponder.StartAsync(
            _connection, (request, channel) => RawResponder.ReplyAsync(request, channel, new Stranger("Eve")));
        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _requester.RequestAsync<int, object>("", responder.Queue, 1));
        Assert.IsType<TypeRefusedException>(error.InnerException);
    }

    [Fact]
    public async Task When_the_channel_is_lost_what_waits_fails_and_what_comes_goes_on()
    {
        var arrived = new TaskCompletionSource();
        await using RawResponder silent = await RawResponder.StartAsync(_connection, (_, _) =>
        {
            arrived.SetResult();
            return Task.CompletedTask;
        });
        Task<int> waiting = _requester.RequestAsync<int, int>("", silent.Queue, 1, Timeout.InfiniteTimeSpan);
        await arrived.Task.InTime();

        // An exchange that is not there closes the channel.
        string missing = "test.missing." + Guid.NewGuid().ToString("N");
        var own = await Assert.ThrowsAsync<AmqpConnectionException>(() => _requester.RequestAsync<int, int>(missing, "", 1).InTime());
        Assert.Contains(missing, own.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<AmqpConnectionException>(() => waiting.InTime());

        await using RawResponder echo = await EchoAsync();
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 1);
        Assert.Equal(order, await _requester.RequestAsync<OrderPlaced, OrderPlaced>("", echo.Queue, order));
    }

    [Fact]
    public async Task When_the_connection_is_cut_what_waits_fails_and_what_comes_waits_for_the_next()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, proxy.Route(Broker.Node.Factory()));
        await using WireRequester requester = Requester(connection);

        // One that is sent only after the cut would be answered by nobody, and wait on.
        const int Count = 10;
        int arrivals = 0;
        var arrived = new TaskCompletionSource();
        await using RawResponder silent = await RawResponder.StartAsync(_connection, (_, _) =>
        {
            if (Interlocked.Increment(ref arrivals) == Count)
            {
                arrived.SetResult();
            }

            return Task.CompletedTask;
        });
        Task<int>[] waiting =
            [.. Enumerable.Range(0, Count).Select(i => requester.RequestAsync<int, int>("", silent.Queue, i, Timeout.InfiniteTimeSpan))];
        await arrived.Task.InTime();

        Assert.Equal(1, proxy.CutAll(Cut.Reset));

        foreach (Task<int> each in waiting)
        {
            await Assert.ThrowsAsync<AmqpConnectionException>(() => each.InTime());
        }

        await using RawResponder echo = await EchoAsync();
        Assert.Equal(7, await requester.RequestAsync<int, int>("", echo.Queue, 7));
    }

    [Fact]
    public async Task Without_a_connection_a_request_fails_with_its_time_out_or_when_it_cannot_come_back()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, proxy.Route(Broker.Node.Factory()));
        await using WireRequester requester = Requester(connection);
        await using RawResponder echo = await EchoAsync();
        Assert.Equal(1, await requester.RequestAsync<int, int>("", echo.Queue, 1));
        proxy.Refusing = true;
        var down = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Lost += () => down.TrySetResult();
        Assert.Equal(1, proxy.CutAll(Cut.Finish));
        await down.Task.InTime();

        // The channel may see the end a moment after the connection: a request that is under way then is lost with it.
        Exception? failure = await Record.ExceptionAsync(RequestAsync);
        Assert.IsType<TimeoutException>(failure is AmqpConnectionException ? await Record.ExceptionAsync(RequestAsync) : failure);

        await connection.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => requester.RequestAsync<int, int>("", echo.Queue, 1));

        Task<int> RequestAsync() => requester.RequestAsync<int, int>("", echo.Queue, 1, TimeSpan.FromMilliseconds(300));
    }

    [Fact]
    public async Task What_cannot_be_serialized_fails_alone()
    {
        await using RawResponder echo = await EchoAsync();
        await Assert.ThrowsAsync<UnsupportedTypeException>(
            () => _requester.RequestAsync<object, object>("", echo.Queue, (Action)(() => { })));
        await Assert.ThrowsAnyAsync<ArgumentException>(() => _requester.RequestAsync<int, int>("", new string('x', 256), 1));
        Assert.Equal(7, await _requester.RequestAsync<int, int>("", echo.Queue, 7));
    }

    [Fact]
    public async Task Disposing_ends_what_waits_and_refuses_what_comes()
    {
        var arrived = new TaskCompletionSource();
        await using RawResponder silent = await RawResponder.StartAsync(_connection, (_, _) =>
        {
            arrived.SetResult();
            return Task.CompletedTask;
        });
        Task<int> waiting = _requester.RequestAsync<int, int>("", silent.Queue, 1, Timeout.InfiniteTimeSpan);
        await arrived.Task.InTime();

        await _requester.DisposeAsync();
        await _requester.DisposeAsync();

        await Assert.ThrowsAsync<AmqpConnectionException>(() => waiting.InTime());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => _requester.RequestAsync<int, int>("", silent.Queue, 1));
    }

    [Fact]
    public async Task Options_and_times_out_of_range_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Requester(_tested, new WireRequesterOptions { Timeout = TimeSpan.Zero }));
        Assert.Throws<ArgumentOutOfRangeException>(() => Requester(_tested, new WireRequesterOptions { RecoveryTimeout = TimeSpan.Zero }));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => Requester(_tested, new WireRequesterOptions { RecoveryTimeout = TimeSpan.MaxValue }));
        Assert.Throws<ArgumentOutOfRangeException>(() => Requester(_tested, new WireRequesterOptions { ReplyConcurrency = 0 }));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => _requester.RequestAsync<int, int>("", "q", 1, TimeSpan.FromDays(30)));
        ArgumentException error =
            await Assert.ThrowsAsync<ArgumentException>(() => _requester.RequestAsync<int, int>("", new string('k', 300), 1));
        Assert.Equal("routingKey", error.ParamName);
    }

    private static WireRequester Requester(TestConnection connection, WireRequesterOptions? options = null) =>
        connection.Requester(Shop.Serializer, options ?? new WireRequesterOptions { Timeout = TimeSpan.FromSeconds(60) });

    private Task<RawResponder> EchoAsync() =>
        RawResponder.StartAsync(
            _connection, (request, channel) => RawResponder.ReplyAsync(request, channel, request.Read<object>(Shop.Serializer)));
}

/// <inheritdoc/>
public sealed class WireRequesterTestsOnClient() : WireRequesterTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class WireRequesterTestsOnLane() : WireRequesterTests(WireTransport.DirectLane);
