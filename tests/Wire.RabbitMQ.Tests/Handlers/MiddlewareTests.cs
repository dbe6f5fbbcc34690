using System.Collections.Concurrent;
using System.Text;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>What stands around handlers, and around the publishing of messages.</summary>
public abstract class MiddlewareTests(WireTransport transport)
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "Ada", 12.5m);

    [Fact]
    public async Task It_stands_around_the_handler_in_the_order_in_which_it_was_added_for_each_attempt()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var steps = new ConcurrentQueue<string>();
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 });
        consumer.Use(async (message, context, next) =>
        {
            steps.Enqueue($"outer {context.Attempt}");
            try
            {
                await next(message, context);
            }
            finally
            {
                steps.Enqueue("outer ends");
                if (context.Attempt == 2)
                {
                    done.SetResult();
                }
            }
        });
        consumer.Handle<Message>((message, context) =>
        {
            steps.Enqueue($"handler {((OrderPlaced)message).Customer}");
            return context.Attempt == 1 ? Task.FromException(new InvalidOperationException("No.")) : Task.CompletedTask;
        });
        consumer.Use((message, context, next) =>
        {
            steps.Enqueue("inner");
            return next(((OrderPlaced)message) with { Customer = "Bob" }, context);
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order);
        await done.Task.InTime();
        Assert.Equal(
            ["outer 1", "inner", "handler Bob", "outer ends", "outer 2", "inner", "handler Bob", "outer ends"], steps);
        await consumer.StopAsync().InTime();
        Assert.Equal((0u, 0u), (
            (await bench.LookAsync(bench.Queue)).MessageCount, (await bench.LookAsync(bench.ErrorQueue)).MessageCount));
    }

    [Fact]
    public async Task It_may_end_a_message_without_its_handler_and_decide_on_it_or_fail_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int handled = 0;
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None });
        consumer.Use(new Gate());
        consumer.Handle<Message>((_, _) =>
        {
            Interlocked.Increment(ref handled);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(Order with { Customer = "skipped" });
        await bench.PublishAsync(Order with { Customer = "refused" });
        await bench.PublishAsync(Order with { Customer = "broken" });
        BasicGetResult[] failed = [await bench.TakeAsync(bench.ErrorQueue), await bench.TakeAsync(bench.ErrorQueue)];
        await ConsumerBench.Until(async () => (await bench.LookAsync(bench.Queue)).MessageCount == 0);
        await consumer.StopAsync().InTime();

        Assert.Equal(["broken", "The gate is closed."], failed.Select(each => each.ErrorHeader("message")).Order());
        Assert.Equal((0, 0u), (handled, (await bench.LookAsync(bench.Queue)).MessageCount));
    }

    [Fact]
    public async Task Requests_go_through_it_and_have_one_reply()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None });
        consumer.Use(new Gate());
        consumer.Reply<OrderPlaced, string>((order, _) => Task.FromResult(order.Customer));
        await consumer.StartAsync().InTime();
        await using var requester = new WireRequester(bench.Connection.Connection, Shop.Serializer);
        Assert.Equal("Ada", await requester.RequestAsync<Message, string>("", bench.Queue, Order).InTime());
        RequestFailedException failed = await Assert.ThrowsAsync<RequestFailedException>(
            () => requester.RequestAsync<Message, string>("", bench.Queue, Order with { Customer = "broken" }).InTime());
        Assert.Contains("broken", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_published_goes_through_it_and_may_be_changed_kept_back_or_fail()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new ConcurrentQueue<string>();
        await using var publisher = new WirePublisher(bench.Connection.Connection, Shop.Serializer, new WirePublisherOptions
        {
            Middleware = [new Stamp("first", seen), new Stamp("second", seen)],
        });
        await publisher.PublishAsync("", bench.Queue, Order).AsTask().InTime();
        await publisher.PublishAsync("", bench.Queue, Order with { Customer = "kept back" }).AsTask().InTime();
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => publisher.PublishAsync("", bench.Queue, Order with { Customer = "thrown" }).AsTask().InTime());
        await Assert.ThrowsAsync<ArgumentNullException>(
            () => publisher.PublishAsync("", bench.Queue, Order with { Customer = "nowhere" }).AsTask().InTime());
        await publisher.PublishAsync<Message?>("", bench.Queue, null).AsTask().InTime();

        BasicGetResult got = await bench.TakeAsync(bench.Queue);
        Assert.Equal(Order, Shop.Serializer.Read<Message>(got));
        Assert.Equal("first+second", Encoding.UTF8.GetString((byte[])got.BasicProperties.Headers!["by"]!));
        Assert.Null(Shop.Serializer.Read<Message>(await bench.TakeAsync(bench.Queue)));
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(
            ["first Ada", "second Ada", "first kept back", "first thrown", "first nowhere", "second nowhere", "first ", "second "], seen);
    }

    [Fact]
    public async Task A_publish_by_type_goes_through_it_once()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new ConcurrentQueue<string>();
        await using var publisher = new WirePublisher(bench.Connection.Connection, Shop.Serializer, new WirePublisherOptions
        {
            Middleware = [new Stamp("first", seen)],
            Mandatory = false,
            Conventions = new Named(bench.Queue),
        });
        await publisher.PublishAsync(Order).AsTask().InTime();
        Assert.Equal(["first Ada"], seen);
        await bench.Channel.ExchangeDeleteAsync(bench.Queue + ".exchange").InTime();
    }

    private sealed class Named(string name) : WireConventions
    {
        public override string ExchangeOf(Type type) => name + ".exchange";
    }

    private sealed class Gate : IConsumeMiddleware
    {
        public Task HandleAsync(object message, MessageContext context, MessageHandler next)
        {
            switch (((OrderPlaced)message).Customer)
            {
                case "skipped":
                    return Task.CompletedTask;
                case "refused":
                    context.Outcome = MessageOutcome.Fail("The gate is closed.");
                    return Task.CompletedTask;
                case "broken":
                    throw new InvalidOperationException("broken");
                default:
                    return next(message, context);
            }
        }
    }

    private sealed class Stamp(string name, ConcurrentQueue<string> seen) : IPublishMiddleware
    {
        public ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken)
        {
            seen.Enqueue($"{name} {(publication.Message as OrderPlaced)?.Customer}");
            if (publication.Message is OrderPlaced { Customer: "kept back" })
            {
                return default;
            }

            if (publication.Message is OrderPlaced { Customer: "thrown" })
            {
                throw new InvalidOperationException("thrown");
            }

            PublishOptions options = publication.Options ?? new PublishOptions();
            string by = options.Headers?.TryGetValue("by", out object? before) == true ? $"{before}+{name}" : name;
            return next(
                publication with
                {
                    Exchange =
                        publication.Message is OrderPlaced { Customer: "nowhere" } && name == "second" ? null! : publication.Exchange,
                    Options = options with { Headers = new Dictionary<string, object?> { ["by"] = by } },
                },
                cancellationToken);
        }
    }
}

/// <inheritdoc/>
public sealed class MiddlewareTestsOnLane() : MiddlewareTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class MiddlewareTestsOnClient() : MiddlewareTests(WireTransport.Client);
