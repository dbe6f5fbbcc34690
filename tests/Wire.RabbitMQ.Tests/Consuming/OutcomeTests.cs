using System.Text;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using BasicProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>Handlers decide on their messages: by their result, by the context, and by what becomes of their exceptions.</summary>
public abstract class OutcomeTests(WireTransport transport)
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "customer", 12.5m);

    public enum Way
    {
        Result,
        Context,
        Exception,
    }

    [Theory]
    [InlineData(Way.Result)]
    [InlineData(Way.Context)]
    [InlineData(Way.Exception)]
    public async Task Acknowledged_it_is_gone(Way way)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await DecideAsync(bench, way, _ => MessageOutcome.Ack, calls: 1);
        Assert.Equal((0u, 0u), await CountsAsync(bench));
    }

    [Theory]
    [InlineData(Way.Result)]
    [InlineData(Way.Context)]
    [InlineData(Way.Exception)]
    public async Task Requeued_it_comes_again_and_the_broker_says_so(Way way)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new() { ["x-queue-type"] = "quorum" });
        var seen = new List<(int, bool, long?, bool)>();
        await DecideAsync(
            bench,
            way,
            context =>
            {
                seen.Add((context.Attempt, context.Redelivered, context.DeliveryCount, context.Duplicate));
                return seen.Count < 3 ? MessageOutcome.Requeue : MessageOutcome.Ack;
            },
            calls: 3);
        Assert.Equal((1, false, false), (seen[0].Item1, seen[0].Item2, seen[0].Item4));
        Assert.Contains(seen[0].Item3, new long?[] { null, 0 });
        Assert.Equal([(1, true, 1L, false), (1, true, 2L, false)], seen[1..]);
        Assert.Equal((0u, 0u), await CountsAsync(bench));
    }

    [Theory]
    [InlineData(Way.Result, true)]
    [InlineData(Way.Context, true)]
    [InlineData(Way.Exception, true)]
    [InlineData(Way.Result, false)]
    public async Task Rejected_it_goes_to_the_dead_letter_exchange_of_the_queue_or_is_gone(Way way, bool hasExchange)
    {
        string dead = Broker.UniqueName();
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(
            transport,
            arguments: hasExchange ? new() { ["x-dead-letter-exchange"] = "", ["x-dead-letter-routing-key"] = dead } : null);
        await bench.Channel.QueueDeclareAsync(dead, durable: false, exclusive: true, autoDelete: false).InTime();
        await DecideAsync(bench, way, _ => MessageOutcome.Reject, calls: 1);
        Assert.Equal((0u, 0u), await CountsAsync(bench));
        if (hasExchange)
        {
            Assert.Equal("it", (await bench.TakeAsync(dead)).BasicProperties.MessageId);
        }

        Assert.Equal(0u, (await bench.LookAsync(dead)).MessageCount);
    }

    [Theory]
    [InlineData(Way.Result)]
    [InlineData(Way.Context)]
    [InlineData(Way.Exception)]
    public async Task A_failed_one_is_in_the_error_queue_with_its_reason_after_one_attempt(Way way)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await DecideAsync(bench, way, _ => MessageOutcome.Fail("The customer is unknown."), calls: 1);
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(("rejected", "The customer is unknown."), (dead.ErrorHeader("reason"), dead.ErrorHeader("message")));
        Assert.Equal(way == Way.Exception, dead.ErrorHeader("exception") == typeof(InvalidOperationException).FullName);
        Assert.Equal(way == Way.Exception, dead.ErrorHeader("stack-trace").Contains(nameof(OutcomeTests), StringComparison.Ordinal));
        Assert.Equal(("it", 1), (dead.BasicProperties.MessageId, dead.BasicProperties.Headers!["x-wire-error-attempts"]));
        Assert.Equal((0u, 0u), await CountsAsync(bench));
    }

    [Fact]
    public async Task A_decision_about_exceptions_that_is_none_leaves_them_to_the_policy()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var asked = new List<(string, int)>();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Retry = new RetryPolicy { MaxAttempts = 2 },
            OnException = (e, context) =>
            {
                asked.Add((e.Message, context.Attempt));
                return null;
            },
        }).Handle<OrderPlaced>((_, context) => throw new InvalidOperationException($"attempt {context.Attempt}"));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        Assert.Equal("handler-failed", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("reason"));
        Assert.Equal([("attempt 1", 1), ("attempt 2", 2)], asked);
    }

    [Fact]
    public async Task A_decision_about_exceptions_that_fails_is_a_failure_which_has_both()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with
        {
            OnException = (_, _) => throw new InvalidCastException("of the decision"),
        }).Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("of the handler"));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Contains("of the decision", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Contains("of the handler", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Contains(nameof(WireConsumerOptions.OnException), dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Equal(1, dead.BasicProperties.Headers!["x-wire-error-attempts"]);
    }

    [Fact]
    public async Task A_handler_that_throws_has_not_decided_and_one_that_decides_nothing_has_failed()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((_, context) =>
            {
                context.Outcome = MessageOutcome.Reject;
                throw new InvalidOperationException("after all");
            })
            .Handle<Parcels>((_, _) => Task.FromResult<MessageOutcome>(null!));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        Assert.Equal("after all", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        await bench.PublishAsync(new Parcels(Guid.NewGuid(), [1]));
        Assert.Contains(
            "returned null where an outcome is expected", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_that_came_too_often_is_not_handled_any_more()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new() { ["x-queue-type"] = "quorum" });
        int calls = 0;
        WireConsumer consumer = bench.Consumer(options => options with { MaxDeliveries = 3 }).Handle<OrderPlaced>((_, context) =>
        {
            Interlocked.Increment(ref calls);
            context.Outcome = MessageOutcome.Requeue;
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal("too-many-deliveries", dead.ErrorHeader("reason"));
        Assert.Contains("4 times", dead.ErrorHeader("message"), StringComparison.Ordinal);
        Assert.Equal(3, calls);
        await consumer.StopAsync().InTime();
        Assert.Equal((0u, 0u), await CountsAsync(bench));
    }

    [Fact]
    public async Task What_came_back_often_waits_for_its_error_queue_here_and_is_not_dropped_by_the_broker()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(
            transport, arguments: new() { ["x-queue-type"] = "quorum", ["x-delivery-limit"] = 2 });
        await bench.Channel.QueueDeclareAsync(
            bench.ErrorQueue, durable: false, exclusive: false, autoDelete: false, new Dictionary<string, object?>
            {
                ["x-max-length"] = 0,
                ["x-overflow"] = "reject-publish",
            }).InTime();
        WireConsumer consumer = bench.Consumer(options => options with { DeclareErrorQueue = false, Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((_, context) => throw new InvalidOperationException("always"));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);

        // More often than the limit of the queue would bear.
        await ConsumerBench.Until(() => Task.FromResult(bench.Log.Count(line => line.StartsWith("2010 ", StringComparison.Ordinal)) >= 5));
        await bench.Channel.QueueDeleteAsync(bench.ErrorQueue).InTime();
        await bench.Channel.QueueDeclareAsync(bench.ErrorQueue, durable: false, exclusive: false, autoDelete: false).InTime();
        Assert.Equal("always", (await bench.TakeAsync(bench.ErrorQueue)).ErrorHeader("message"));
        await consumer.StopAsync().InTime();
        Assert.Equal((0u, 0u), await CountsAsync(bench));
    }

    [Fact]
    public async Task The_context_has_all_properties()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new TaskCompletionSource<object?[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        MessageContext? kept = null;
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, context) =>
        {
            kept = context;
            seen.SetResult(
            [
                context.ContentType, context.ContentEncoding, context.Priority, context.Persistent, context.Expiration, context.AppId,
                context.UserId, context.DeliveryCount, context.DelayedRetries, context.RawHeaders["signature"].AsBytes().ToArray(),
                context.Outcome,
            ]);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order, properties =>
        {
            properties.Priority = 3;
            properties.Persistent = true;
            properties.Expiration = "90500";
            properties.AppId = "shop";
            properties.UserId = "guest";
            properties.Headers = new Dictionary<string, object?> { ["signature"] = new byte[] { 0xFF, 0xFE, 0 } };
        });
        object?[] values = await seen.Task.InTime();
        Assert.Equal(
            ["application/x-wire", null, (byte)3, true, TimeSpan.FromSeconds(90.5), "shop", "guest", null, 0], values[..9]);
        Assert.Equal([0xFF, 0xFE, 0], Assert.IsType<byte[]>(values[9]));
        Assert.Same(MessageOutcome.Ack, values[10]);
        await consumer.StopAsync().InTime();
        Assert.Throws<InvalidOperationException>(() => kept!.RawHeaders);
        Assert.Throws<InvalidOperationException>(() => kept!.Outcome = MessageOutcome.Ack);
        Assert.Throws<ArgumentNullException>(() => kept!.Outcome = null!);
    }

    [Fact]
    public async Task Properties_that_are_not_there_are_none()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new TaskCompletionSource<object?[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, context) =>
        {
            seen.SetResult(
            [
                context.Priority, context.Persistent, context.Expiration, context.AppId, context.UserId, context.DeliveryCount,
                context.RawHeaders.TryGetValue("none", out Amqp.V091.FieldValue none),
            ]);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        byte[] body = Shop.Serializer.Write(Order).Memory.ToArray();
        await bench.PublishRawAsync(body, new BasicProperties { ContentType = "application/x-wire" });
        Assert.Equal([null, null, null, null, null, null, false], await seen.Task.InTime());
    }

    [Fact]
    public void A_decision_says_what_it_is()
    {
        Assert.Equal(
            ["Ack", "Requeue", "Reject", "Fail: too old", "Defer: 00:00:05"],
            new[]
            {
                MessageOutcome.Ack, MessageOutcome.Requeue, MessageOutcome.Reject, MessageOutcome.Fail("too old"),
                MessageOutcome.Defer(TimeSpan.FromSeconds(5)),
            }.Select(each => each.ToString()));
        Assert.Throws<ArgumentException>(() => MessageOutcome.Fail(" "));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessageOutcome.Defer(TimeSpan.Zero));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessageOutcome.Defer(TimeSpan.FromDays(25)));
    }

    private static async Task<(uint Queue, uint ErrorQueue)> CountsAsync(ConsumerBench bench) =>
        ((await bench.LookAsync(bench.Queue)).MessageCount, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);

    // Handles one message as often as it comes, and stops.
    private static async Task DecideAsync(ConsumerBench bench, Way way, Func<MessageContext, MessageOutcome> decide, int calls)
    {
        int called = 0;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        MessageOutcome Decide(MessageContext context)
        {
            MessageOutcome outcome = decide(context);
            if (++called == calls)
            {
                done.SetResult();
            }

            return outcome;
        }

        WireConsumer consumer = bench.Consumer(options => way == Way.Exception
            ? options with { OnException = (_, context) => Decide(context) }
            : options);
        consumer = way switch
        {
            Way.Result => consumer.Handle<OrderPlaced>((_, context) => Task.FromResult(Decide(context))),
            Way.Context => consumer.Handle<OrderPlaced>((_, context) =>
            {
                context.Outcome = Decide(context);
                return Task.CompletedTask;
            }),
            _ => consumer.Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("always")),
        };
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order, properties => properties.MessageId = "it");
        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal(calls, called);
    }
}

/// <inheritdoc/>
public sealed class OutcomeTestsOnClient() : OutcomeTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class OutcomeTestsOnLane() : OutcomeTests(WireTransport.DirectLane);
