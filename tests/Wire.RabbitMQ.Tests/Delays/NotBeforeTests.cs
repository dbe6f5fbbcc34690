using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Delays;

/// <summary>Messages for a later time.</summary>
public abstract class NotBeforeTests(WireTransport transport)
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "Ada", 12.5m);

    [Fact]
    public async Task A_message_comes_to_its_handler_at_its_time_and_as_it_was_and_others_before_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport, arguments: new() { ["x-queue-type"] = "quorum" });
        string[] levels = ["1s", "800ms", "600ms", "500ms", "400ms", "300ms", "250ms", "200ms", "150ms", "125ms", "100ms"];
        bench.OtherQueues.AddRange(levels.Select(level => $"{bench.Queue}.delay.{level}"));
        string exchange = Broker.UniqueName("exchange");
        await bench.Channel.ExchangeDeclareAsync(exchange, "topic", durable: false, autoDelete: true).InTime();
        await bench.Channel.QueueBindAsync(bench.Queue, exchange, "#").InTime();
        var seen = new ConcurrentQueue<(
            DateTimeOffset Now, DateTimeOffset? At, OrderPlaced Order, string Exchange, string Key, int, int, int, object?)>();
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            seen.Enqueue((
                DateTimeOffset.UtcNow, context.NotBefore, order, context.Exchange, context.RoutingKey, context.Attempt,
                context.Deferrals, context.DelayedRetries, context.Headers.GetValueOrDefault("own")));
            if (seen.Count == 3)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await using var publisher = new WirePublisher(bench.Connection.Connection, Shop.Serializer);
        DateTimeOffset at = DateTimeOffset.UtcNow.AddMilliseconds(1700);
        var own = new Dictionary<string, object?> { ["own"] = 7 };
        await publisher.PublishAsync(exchange, "late", Order, new PublishOptions { NotBefore = at, Headers = own }).AsTask().InTime();
        await publisher.PublishAsync(exchange, "now", Order).AsTask().InTime();
        await publisher.PublishAsync(exchange, "past", Order, new PublishOptions { NotBefore = at.AddDays(-1) }).AsTask().InTime();
        await done.Task.InTime();
        await consumer.StopAsync().InTime();

        Assert.Equal(["late", "now", "past"], seen.Select(each => each.Key).Order());
        Assert.All(seen, each => Assert.Equal((Order, exchange, 1, 0, 0), (each.Order, each.Exchange, each.Item6, each.Item7, each.Item8)));
        var late = seen.Single(each => each.Key == "late");
        Assert.Equal("late", seen.Last().Key);
        Assert.True(late.Now >= at, $"It was for {at:O}, and came at {late.Now:O}.");
        Assert.Equal(at.AddTicks(TimeSpan.TicksPerMillisecond - 1).ToUnixTimeMilliseconds(), late.At!.Value.ToUnixTimeMilliseconds());
        Assert.Equal(7, late.Item9);
        Assert.Null(seen.Single(each => each.Key == "now").At);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task One_that_would_expire_before_its_time_is_a_failure_and_no_longer_waits()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer();
        consumer.Handle<OrderPlaced>((_, _) => Task.FromException(new InvalidOperationException("Too early.")));
        await consumer.StartAsync().InTime();
        await using var publisher = new WirePublisher(bench.Connection.Connection, Shop.Serializer);
        var options = new PublishOptions { NotBefore = DateTimeOffset.UtcNow.AddHours(1), Expiration = TimeSpan.FromMinutes(1) };
        await publisher.PublishAsync("", bench.Queue, Order, options).AsTask().InTime();
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Contains("would expire", failed.ErrorHeader("message"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_end_of_the_calendar_is_a_time_and_parts_of_a_millisecond_are_not_too_early()
    {
        Assert.Equal(DateTimeOffset.MaxValue.ToUnixTimeMilliseconds(), NotBefore.ValueOf(DateTimeOffset.MaxValue));
        Assert.Equal(1001, NotBefore.ValueOf(DateTimeOffset.UnixEpoch.AddMilliseconds(1000).AddTicks(1)));
        Assert.Equal(1000, NotBefore.ValueOf(new DateTimeOffset(1970, 1, 1, 1, 0, 1, TimeSpan.FromHours(1))));
    }

    [Theory]
    [InlineData(60_000, "60s")]
    [InlineData(59_999, "50s")]
    [InlineData(24L * 3600 * 1000 * 400, "2000000s")]
    [InlineData(101, "100ms")]
    [InlineData(40, "100ms")]
    public void It_waits_in_the_longest_queue_that_is_not_too_long(long milliseconds, string queue)
    {
        var wait = Wait.AtMost(TimeSpan.FromMilliseconds(milliseconds));
        Assert.Equal($"q.delay.{queue}", wait.Level.QueueFor("q"));
        Assert.True(wait.Time.TotalMilliseconds <= Math.Min(milliseconds, wait.Level.Milliseconds));
    }

    [Fact]
    public void Any_time_is_over_after_few_queues()
    {
        var random = new Random(7);
        for (int i = 0; i < 1000; i++)
        {
            long left = (long)Math.Exp(random.NextDouble() * Math.Log(TimeSpan.FromDays(24).TotalMilliseconds)) + 1;
            int hops = 0;
            while (left > 0)
            {
                left -= (long)Wait.AtMost(TimeSpan.FromMilliseconds(left)).Time.TotalMilliseconds;
                hops++;
            }

            Assert.InRange(hops, 1, 20);
            Assert.Equal(0, left);
        }
    }
}

/// <inheritdoc/>
public sealed class NotBeforeTestsOnLane() : NotBeforeTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class NotBeforeTestsOnClient() : NotBeforeTests(WireTransport.Client);
