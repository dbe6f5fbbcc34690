using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>What cannot be handled is tried again, and then goes where failures go: never lost, never for ever.</summary>
public abstract class FailureTests(WireTransport transport)
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "customer", 12.5m);

    [Fact]
    public async Task Each_attempt_has_an_object_of_its_own_and_the_second_may_succeed()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var objects = new ConcurrentQueue<(OrderPlaced Order, MessageContext Context, int Attempt)>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((order, context) =>
        {
            objects.Enqueue((order, context, context.Attempt));
            if (context.Attempt == 1)
            {
                throw new InvalidOperationException("once");
            }

            done.SetResult();
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await done.Task.InTime();
        await consumer.StopAsync().InTime();

        Assert.Equal([1, 2], objects.Select(each => each.Attempt));
        Assert.Equal([Order, Order], objects.Select(each => each.Order));
        Assert.NotSame(objects.First().Order, objects.Last().Order);
        Assert.Throws<InvalidOperationException>(() => objects.First().Context.Body);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task After_the_last_attempt_it_is_in_the_error_queue_as_it_came_and_with_the_reason()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int attempts = 0;
        WireConsumer consumer = bench
            .Consumer(options => options with { Retry = new RetryPolicy { MaxAttempts = 4, Delay = TimeSpan.FromMilliseconds(1) } })
            .Handle<OrderPlaced>((_, context) =>
            {
                Interlocked.Increment(ref attempts);
                throw new NotSupportedException($"not {context.Attempt}");
            });
        await consumer.StartAsync().InTime();
        byte[] body = Shop.Serializer.Write(Order).Memory.ToArray();
        await bench.PublishRawAsync(body, new BasicProperties
        {
            ContentType = AmqpBody.ContentType,
            MessageId = "m-1",
            CorrelationId = "c-1",
            ReplyTo = "r-1",
            Type = "some.type",
            AppId = "app",
            UserId = "guest",
            Priority = 3,
            Persistent = true,
            Expiration = "600000",
            Timestamp = new AmqpTimestamp(1_700_000_000),
            Headers = new Dictionary<string, object?> { ["own"] = 7, ["CC"] = new List<object?> { "somewhere-else" } },
        });

        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(4, attempts);
        Assert.Equal(body, dead.Body.ToArray());
        IReadOnlyBasicProperties properties = dead.BasicProperties;
        Assert.Equal(
            (AmqpBody.ContentType, "m-1", "c-1", "r-1", "some.type", "app", (byte)3, true, 1_700_000_000L),
            (
                properties.ContentType,
                properties.MessageId,
                properties.CorrelationId,
                properties.ReplyTo,
                properties.Type,
                properties.AppId,
                properties.Priority,
                properties.Persistent,
                properties.Timestamp.UnixTime));

        // What would make it vanish, be refused or go elsewhere is told, and does nothing.
        Assert.False(properties.IsExpirationPresent() || properties.IsUserIdPresent() || properties.Headers!.ContainsKey("CC"));
        Assert.Equal("600000", dead.ErrorHeader("expiration"));
        Assert.Equal("guest", dead.ErrorHeader("user-id"));
        Assert.Equal("somewhere-else", Encoding.UTF8.GetString((byte[])((List<object?>)properties.Headers!["x-wire-error-cc"]!)[0]!));

        Assert.Equal(7, properties.Headers["own"]);
        Assert.Equal("handler-failed", dead.ErrorHeader("reason"));
        Assert.Equal(typeof(NotSupportedException).FullName, dead.ErrorHeader("exception"));
        Assert.Equal("not 4", dead.ErrorHeader("message"));
        Assert.Contains(nameof(FailureTests), dead.ErrorHeader("stack-trace"), StringComparison.Ordinal);
        Assert.Equal(bench.Queue, dead.ErrorHeader("queue"));
        Assert.Equal("", dead.ErrorHeader("exchange"));
        Assert.Equal(bench.Queue, dead.ErrorHeader("routing-key"));
        Assert.Equal(4, properties.Headers["x-wire-error-attempts"]);
        Assert.True(((AmqpTimestamp)properties.Headers["x-wire-error-time"]!).UnixTime > 1_700_000_000);
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Fact]
    public async Task Rejected_ones_go_to_the_queues_own_dead_letter_exchange_and_take_none_along()
    {
        string dead = Broker.UniqueName();
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(
            transport, arguments: new() { ["x-dead-letter-exchange"] = "", ["x-dead-letter-routing-key"] = dead });
        await bench.Channel.QueueDeclareAsync(dead, durable: false, exclusive: true, autoDelete: false).InTime();
        const int Count = 200;
        int good = 0;
        WireConsumer consumer = bench
            .Consumer(options => options with { OnFailure = FailureAction.DeadLetter, Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((order, _) =>
            {
                Assert.True(order.Total % 3 != 0);
                Interlocked.Increment(ref good);
                return Task.CompletedTask;
            });
        await consumer.StartAsync().InTime();
        for (int i = 0; i < Count; i++)
        {
            await bench.PublishAsync(Order with { Total = i });
        }

        // The last message is a good one: stopped before it has begun, it would go back.
        await ConsumerBench.Until(async () => Volatile.Read(ref good) >= Count - 67 && (await bench.LookAsync(dead)).MessageCount == 67);
        await consumer.StopAsync().InTime();
        Assert.Equal(Count - 67, good);
        Assert.Equal(67u, (await bench.LookAsync(dead)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task Poison_is_in_the_error_queue_once_and_the_good_ones_around_it_are_handled()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var good = new ConcurrentQueue<decimal>();
        WireConsumer consumer = bench.Consumer(
            serializer: new WireBodySerializer(Shop.Serializer.Serializer, new AmqpBodyOptions { MaxDecompressedBytes = 100_000 }))
            .Handle<OrderPlaced>((order, _) =>
            {
                good.Enqueue(order.Total);
                return Task.CompletedTask;
            });
        await consumer.StartAsync().InTime();

        var random = new Random(4711);
        byte[] noise = new byte[300];
        random.NextBytes(noise);
        byte[] whole = Shop.Serializer.Write(Order).Memory.ToArray();
        var unrestricted = new WireBodySerializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        var wire = new BasicProperties { ContentType = AmqpBody.ContentType };
        var bombProperties = new BasicProperties();
        byte[] bomb = new WireBodySerializer(Shop.Serializer.Serializer, new AmqpBodyOptions { Compression = Compression.Brotli })
            .Write(new Parcels(Guid.NewGuid(), new byte[5_000_000]), bombProperties).Memory.ToArray();
        Assert.True(bomb.Length < 10_000);
        (byte[] Body, BasicProperties Properties, string Reason)[] poison =
        [
            (noise, new BasicProperties(), "undecodable"),
            ([], new BasicProperties(), "undecodable"),
            (whole, new BasicProperties { ContentType = "application/json" }, "undecodable"),
            (whole, new BasicProperties { ContentType = AmqpBody.ContentType, ContentEncoding = "rot13" }, "undecodable"),
            (unrestricted.Write(new Stranger("who")).Memory.ToArray(), wire, "type-refused"),
            (Shop.Serializer.Write(new Parcels(Guid.NewGuid(), [1])).Memory.ToArray(), wire, "no-handler"),
            (Shop.Serializer.Write<object?>(null).Memory.ToArray(), wire, "no-handler"),
            (bomb, bombProperties, "undecodable"),
            .. Enumerable.Range(1, whole.Length - 1).Where(length => length % 11 == 0).Select(
                length => (whole[..length], wire, "undecodable")),
        ];
        for (int i = 0; i < poison.Length; i++)
        {
            await bench.PublishAsync(Order with { Total = i });
            await bench.PublishRawAsync(poison[i].Body, new BasicProperties(poison[i].Properties) { MessageId = $"poison {i}" });
        }

        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.ErrorQueue)).MessageCount == poison.Length);
        await consumer.StopAsync().InTime();
        Assert.Equal(Enumerable.Range(0, poison.Length).Select(i => (decimal)i), good.Order());
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        for (int i = 0; i < poison.Length; i++)
        {
            BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
            (byte[] body, _, string reason) =
                poison[int.Parse(dead.BasicProperties.MessageId!["poison ".Length..], System.Globalization.CultureInfo.InvariantCulture)];
            Assert.Equal(reason, dead.ErrorHeader("reason"));
            Assert.Equal(body, dead.Body.ToArray());
            Assert.Equal(0, dead.BasicProperties.Headers!["x-wire-error-attempts"]);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_error_queue_that_does_not_take_it_loses_nothing_and_is_not_asked_again_and_again(bool full)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        if (full)
        {
            await bench.Channel.QueueDeclareAsync(
                bench.ErrorQueue, durable: false, exclusive: false, autoDelete: false, new Dictionary<string, object?>
                {
                    ["x-max-length"] = 0,
                    ["x-overflow"] = "reject-publish",
                }).InTime();
        }

        int attempts = 0, good = 0;
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 2, Retry = RetryPolicy.None, DeclareErrorQueue = false })
            .Handle<OrderPlaced>((order, _) =>
                Interlocked.Increment(ref good) > 0 ? Task.CompletedTask : Task.FromException(new InvalidOperationException()))
            .Handle<Parcels>((_, _) =>
            {
                Interlocked.Increment(ref attempts);
                throw new InvalidOperationException("always");
            });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new Parcels(Guid.NewGuid(), [1, 2, 3]));
        await ConsumerBench.Until(() => Task.FromResult(bench.Log.Count(line => line.StartsWith("2010 ", StringComparison.Ordinal)) >= 2));

        // It came back once for each time that the error queue refused it, after the pause of a second; others are handled meanwhile.
        int refusals = bench.Log.Count(line => line.StartsWith("2010 ", StringComparison.Ordinal));
        Assert.InRange(Volatile.Read(ref attempts), refusals, refusals + 1);
        await bench.PublishAsync(Order);
        await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref good) == 1));

        if (full)
        {
            await bench.Channel.QueueDeleteAsync(bench.ErrorQueue).InTime();
        }

        await bench.Channel.QueueDeclareAsync(bench.ErrorQueue, durable: false, exclusive: false, autoDelete: false).InTime();
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal("always", dead.ErrorHeader("message"));
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task An_error_queue_that_was_declared_otherwise_is_not_consumed_with_unless_it_is_left_as_it_is()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await bench.Channel.QueueDeclareAsync(
            bench.ErrorQueue,
            durable: true,
            exclusive: false,
            autoDelete: false,
            new Dictionary<string, object?> { ["x-max-length"] = 10 }).InTime();
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(
            () => bench.Consumer().Handle<OrderPlaced>((_, _) => Task.CompletedTask).StartAsync().InTime());
        Assert.Contains(bench.ErrorQueue, error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(WireConsumerOptions.DeclareErrorQueue), error.Message, StringComparison.Ordinal);

        WireConsumer consumer = bench.Consumer(options => options with { DeclareErrorQueue = false, Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        Assert.Equal("always", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
    }

    [Fact]
    public async Task A_queue_that_the_broker_has_named_needs_an_error_queue_of_another_name_which_the_error_says()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        string queue = (await bench.Connection.Connection.Topology.DeclareQueueAsync().InTime()).Name;
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(
            () => bench.Consumer(options => options with { Queue = queue })
                .Handle<OrderPlaced>((_, _) => Task.CompletedTask).StartAsync().InTime());
        Assert.Contains($"The error queue '{queue}.error' cannot be declared", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(WireConsumerOptions.ErrorQueue), error.Message, StringComparison.Ordinal);
        Assert.Equal(403, Assert.IsType<AmqpChannelException>(error.InnerException).Reason.ReplyCode);

        WireConsumer consumer = bench
            .Consumer(options => options with { Queue = queue, ErrorQueue = bench.ErrorQueue, Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"));
        await consumer.StartAsync().InTime();
        await bench.Channel.PublishAsync(Shop.Serializer, "", queue, Order, mandatory: true).AsTask().InTime();
        Assert.Equal("always", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
    }

    [Fact]
    public async Task The_error_queue_of_a_temporary_queue_goes_with_it_where_it_is_declared_as_one()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        string queue = bench.Queue + ".temporary";
        string errors = queue + ".error";
        await using (TestConnection temporary = await TestConnection.ConnectAsync(transport))
        {
            await temporary.Connection.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary).InTime();
            await temporary.Connection.Topology.DeclareQueueAsync(errors, AmqpQueueOptions.Temporary).InTime();
            await using WireConsumer consumer = bench
                .Consumer(options => options with { Queue = queue, DeclareErrorQueue = false, Retry = RetryPolicy.None }, temporary)
                .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"));
            await consumer.StartAsync().InTime();
            await bench.Channel.PublishAsync(Shop.Serializer, "", queue, Order, mandatory: true).AsTask().InTime();
            await ConsumerBench.Until(async () => (await temporary.Connection.Topology.FindQueueAsync(errors))!.MessageCount == 1);
        }

        await ConsumerBench.Until(async () => await bench.Connection.Connection.Topology.FindQueueAsync(errors) is null);
    }

    [Fact]
    public async Task A_logger_that_throws_keeps_nothing_from_being_handled()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var handled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var options = new WireConsumerOptions { Queue = bench.Queue, MaxConcurrency = 1 };
        await using WireConsumer consumer = bench.Connection.Consumer(Shop.Serializer, options, new FullDisk())
            .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always"))
            .Handle<Parcels>((_, _) =>
            {
                handled.SetResult();
                return Task.CompletedTask;
            });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await bench.PublishAsync(new Parcels(Guid.NewGuid(), [1]));
        await handled.Task.InTime();
        Assert.Equal("always", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        await consumer.StopAsync().InTime();
    }

    [Fact]
    public async Task A_policy_that_fails_when_it_is_asked_allows_no_further_attempt_and_both_failures_are_told()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int attempts = 0;
        WireConsumer consumer = bench.Consumer(
            options => options with { Retry = new RetryPolicy { ShouldRetry = e => throw new InvalidCastException("of the policy") } })
            .Handle<OrderPlaced>((_, _) =>
            {
                Interlocked.Increment(ref attempts);
                throw new InvalidOperationException("of the handler");
            });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Contains("of the policy", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Contains("of the handler", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Equal(1, attempts);
    }

    [Fact]
    public async Task An_error_queue_that_was_deleted_is_declared_again()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None }).Handle<OrderPlaced>(
            (_, _) => throw new InvalidOperationException("always"));
        await consumer.StartAsync().InTime();
        await bench.Channel.QueueDeleteAsync(bench.ErrorQueue).InTime();
        await bench.PublishAsync(Order);
        await ConsumerBench.Until(() => Task.FromResult(bench.Log.Any(line => line.StartsWith("2008 ", StringComparison.Ordinal))));
        Assert.Equal("always", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
    }

    private sealed class FullDisk : ILogger<WireConsumer>
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            throw new IOException("There is no room on the disk.");
    }
}

/// <inheritdoc/>
public sealed class FailureTestsOnClient() : FailureTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class FailureTestsOnLane() : FailureTests(WireTransport.DirectLane)
{
    // RabbitMQ.Client ends its connection over such a message.
    [Fact]
    public async Task What_is_larger_than_the_connection_takes_leaves_its_headers_in_the_error_queue_and_the_others_are_handled()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(WireTransport.DirectLane);
        ConnectionFactory factory = Broker.Node.Factory();
        factory.MaxInboundMessageBodySize = 1000;
        await using TestConnection small = await TestConnection.ConnectAsync(WireTransport.DirectLane, factory);
        await bench.PublishRawAsync(
            new byte[1001], new BasicProperties { MessageId = "large", Headers = new Dictionary<string, object?> { ["own"] = 7 } });
        for (int i = 0; i < 100; i++)
        {
            await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "customer", i));
        }

        int handled = 0;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench.Consumer(connection: small);
        await consumer.Handle<OrderPlaced>((_, _) =>
        {
            if (Interlocked.Increment(ref handled) == 100)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        }).StartAsync().InTime();
        await done.Task.InTime();

        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(0, dead.Body.Length);
        Assert.Equal("large", dead.BasicProperties.MessageId);
        Assert.Equal(7, dead.BasicProperties.Headers!["own"]);
        Assert.Equal("too-large", dead.ErrorHeader("reason"));
        Assert.Contains("1,001 bytes", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Contains("1,000 bytes", dead.ErrorHeader("message"), StringComparison.Ordinal);

        // The log is written behind the confirmation of the error queue.
        await consumer.StopAsync().InTime();
        Assert.Contains(
            bench.Log, line =>
                line.Contains(bench.Queue, StringComparison.Ordinal) && line.Contains("too-large", StringComparison.Ordinal));
        Assert.DoesNotContain(bench.Log, line => line.Contains("lost", StringComparison.Ordinal));
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }
}
