using System.Collections.Concurrent;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>What handlers are given, and what they may do.</summary>
public abstract class HandlerTests(WireTransport transport)
{
    private static readonly AsyncLocal<string?> Ambient = new();

    [Fact]
    public async Task Subclasses_go_to_the_handler_of_the_most_derived_type()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new BlockingCollection<string>();
        WireConsumer consumer = bench.Consumer()
            .Handle<OrderPlaced>((order, _) => Say($"order {order.GetType().Name}"))
            .Handle<Message>((message, _) => Say($"message {message.GetType().Name}"))
            .Handle<IEquatable<string>>((text, _) => Say($"text {text}"))
            .Handle<int>((number, _) => Say($"number {number}"));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new GiftPlaced(Guid.NewGuid(), "c", 1, "card"));
        Assert.Equal("order GiftPlaced", await Task.Run(seen.Take).InTime());
        await bench.PublishAsync<Message>(new OrderPlaced(Guid.NewGuid(), "c", 1));
        Assert.Equal("order OrderPlaced", await Task.Run(seen.Take).InTime());
        await bench.PublishAsync(new Parcels(Guid.NewGuid(), [1]));
        Assert.Equal("message Parcels", await Task.Run(seen.Take).InTime());
        await bench.PublishAsync("hello");
        Assert.Equal("text hello", await Task.Run(seen.Take).InTime());
        await bench.PublishAsync(42);
        Assert.Equal("number 42", await Task.Run(seen.Take).InTime());

        Task Say(string what)
        {
            seen.Add(what);
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task The_type_of_a_handler_is_allowed_by_the_handler()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new BlockingCollection<string>();
        WireConsumer consumer =
            bench.Consumer(serializer: new WireBodySerializer(new SerializerOptions())).Handle<Stranger>((stranger, _) =>
        {
            seen.Add(stranger.Name);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new Stranger("who"));
        Assert.Equal("who", await Task.Run(seen.Take).InTime());
    }

    [Fact]
    public async Task The_context_says_what_came_with_the_message()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new BlockingCollection<(Said Said, byte[] Body)>();
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, context) =>
        {
            seen.Add((Said.Of(context), context.Body.ToArray()));
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        var order = new OrderPlaced(Guid.NewGuid(), "c", 1);
        await bench.PublishAsync(order, properties =>
        {
            properties.MessageId = "id";
            properties.CorrelationId = "correlation";
            properties.ReplyTo = "reply";
            properties.Timestamp = new AmqpTimestamp(1_700_000_000);
            properties.Headers = new Dictionary<string, object?> { ["text"] = "value", ["number"] = 7L };
        });
        (Said said, byte[] body) = await Task.Run(seen.Take).InTime();
        Assert.Equal(
            new Said(
                bench.Queue,
                "",
                bench.Queue,
                "id",
                "correlation",
                "reply",
                DateTimeOffset.FromUnixTimeSeconds(1_700_000_000),
                typeof(OrderPlaced).FullName,
                false,
                false,
                1)
            {
                Headers = said.Headers,
            },
            said);
        Assert.Equal("value", said.Headers["text"]);
        Assert.Equal(7L, said.Headers["number"]);
        Assert.Equal(Shop.Serializer.Write(order).Memory.ToArray(), body);

        await using IChannel bare = await bench.Looking.CreateChannelAsync().InTime();
        await bare.BasicPublishAsync(
            "", bench.Queue, mandatory: true, new BasicProperties { Timestamp = new AmqpTimestamp(long.MaxValue) }, body).AsTask().InTime();
        (said, _) = await Task.Run(seen.Take).InTime();
        Assert.Equal((null, null, null, null, null), (said.MessageId, said.CorrelationId, said.ReplyTo, said.Timestamp, said.Type));
        Assert.Empty(said.Headers);
    }

    [Fact]
    public async Task What_stays_of_a_context_when_its_handler_has_ended_is_said()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var contexts = new BlockingCollection<MessageContext>();
        WireConsumer consumer = bench.Consumer().Handle<OrderPlaced>((_, context) =>
        {
            contexts.Add(context);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(
            new OrderPlaced(Guid.NewGuid(), "c", 1),
            properties => (properties.MessageId, properties.CorrelationId) = ("id", "correlation"));
        MessageContext ended = await Task.Run(contexts.Take).InTime();
        await consumer.StopAsync().InTime();

        Assert.Equal(("id", bench.Queue, 1), (ended.MessageId, ended.RoutingKey, ended.Attempt));
        Assert.Throws<InvalidOperationException>(() => ended.Body);
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => ended.CorrelationId);
        Assert.Contains("until its handler ends", error.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => ended.Headers);
    }

    [Fact]
    public async Task A_message_id_that_was_handled_before_is_flagged_as_long_as_the_window_holds_it()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new BlockingCollection<bool>();
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 1, DuplicateWindow = 2 }).Handle<int>((number, context) =>
        {
            if (context.Attempt < number)
            {
                throw new InvalidOperationException();
            }

            seen.Add(context.Duplicate);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        foreach ((string id, int attempts, bool duplicate) in ((string, int, bool)[])
            [("a", 2, false), ("a", 1, true), ("b", 1, false), ("a", 1, true), ("c", 1, false), ("a", 1, false), ("c", 1, true)])
        {
            await bench.PublishAsync(attempts, properties => properties.MessageId = id);
            Assert.Equal(duplicate, await Task.Run(seen.Take).InTime());
        }
    }

    [Fact]
    public async Task Handlers_that_misbehave_fail_their_own_message_only()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int good = 0;
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 2, Retry = RetryPolicy.None })
            .Handle<string>((how, _) => how switch
            {
                "throws" => throw new InvalidOperationException("thrown"),
                "null" => null!,
                "fails" => Task.FromException(new InvalidOperationException("failed")),
                "cancels" => Task.FromCanceled(new CancellationToken(canceled: true)),
                "blocks" =>
                    Task.Run(() => Thread.Sleep(100)).ContinueWith(_ => { Interlocked.Increment(ref good); }, TaskScheduler.Default),
                _ => Block(),
            });
        await consumer.StartAsync().InTime();
        string[] bad = ["throws", "null", "fails", "cancels"];
        for (int i = 0; i < 5; i++)
        {
            foreach (string how in (string[])[.. bad, "blocks", "blocks in place"])
            {
                await bench.PublishAsync(how);
            }
        }

        await ConsumerBench.Until(
            async () => (await bench.LookAsync(bench.ErrorQueue)).MessageCount == 20 && Volatile.Read(ref good) == 10);
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);

        Task Block()
        {
            Thread.Sleep(50);
            Interlocked.Increment(ref good);
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task Handlers_see_nothing_of_what_others_or_the_starter_have_left_behind()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var seen = new ConcurrentQueue<string?>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 }).Handle<int>((number, _) =>
        {
            seen.Enqueue(Ambient.Value);
            Ambient.Value = $"left by {number}";
            return Task.CompletedTask;
        });
        Ambient.Value = "left by the starter";
        await consumer.StartAsync().InTime();
        for (int i = 0; i < 20; i++)
        {
            await bench.PublishAsync(i);
        }

        await ConsumerBench.Until(() => Task.FromResult(seen.Count == 20));
        Assert.All(seen, Assert.Null);
    }

    [Fact]
    public async Task A_body_is_the_messages_own_as_long_as_its_handler_runs()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        int handled = 0, wrong = 0;
        WireConsumer consumer =
            bench.Consumer(options => options with { MaxConcurrency = 6, PrefetchCount = 40 }).Handle<Parcels>(async (parcels, context) =>
        {
            byte[] before = context.Body.ToArray();
            for (int i = 0; i < 3; i++)
            {
                await Task.Delay(1);
                Parcels? again = Shop.Serializer.Serializer.Deserialize<Parcels>(context.Body);
                if (!parcels.Equals(again)
                    || !context.Body.Span.SequenceEqual(before)
                    || parcels.Label.AsSpan().ContainsAnyExcept((byte)parcels.Label.Length))
                {
                    Interlocked.Increment(ref wrong);
                }
            }

            Interlocked.Increment(ref handled);
        });
        await consumer.StartAsync().InTime();
        int sent = 0;
        foreach (int size in Gen.OneOf(Gen.Choose(1, 60), Gen.Choose(1000, 5000), Gen.Choose(60_000, 300_000), Gen.Constant(1_100_000))
            .ListOf(200).Sample(1, 100)[0])
        {
            byte[] label = new byte[size];
            label.AsSpan().Fill((byte)size);
            await bench.PublishAsync(new Parcels(Guid.NewGuid(), label));
            sent++;
        }

        await ConsumerBench.Until(() => Task.FromResult(Volatile.Read(ref handled) == sent));
        Assert.Equal(0, wrong);
    }

    private sealed record Said(
        string Queue, string Exchange, string RoutingKey, string? MessageId, string? CorrelationId, string? ReplyTo,
        DateTimeOffset? Timestamp, string? Type, bool Redelivered, bool Duplicate, int Attempt)
    {
        public required IReadOnlyDictionary<string, object?> Headers { get; init; }

        public static Said Of(MessageContext context) => new(
            context.Queue, context.Exchange, context.RoutingKey, context.MessageId, context.CorrelationId, context.ReplyTo,
            context.Timestamp, context.Type, context.Redelivered, context.Duplicate, context.Attempt)
        {
            Headers = context.Headers,
        };
    }
}

/// <inheritdoc/>
public sealed class HandlerTestsOnClient() : HandlerTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class HandlerTestsOnLane() : HandlerTests(WireTransport.DirectLane);
